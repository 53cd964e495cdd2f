import { rechargeBody, rechargeInput } from '../../support/recharges.js';
import type { Account } from './accounts.js';
import type { Call, Reply } from './station.js';

export interface Recharge {
  account: Account;
  mobile: string;
  key: string;
  amount?: number;
}

/** A number whose recharge succeeds, distinct for every serial below a billion. */
export function plainMobile(serial: number): string {
  const digits = String(serial).padStart(9, '0');
  // 54 followed by four final digits would script the outcome
  return digits.slice(3, 5) === '54' ? `6${digits.slice(0, 3)}45${digits.slice(5)}` : `9${digits}`;
}

/** A number whose outcome is scripted by 54`suffix`; there are 4,000 of each. */
export const scriptedMobile = (suffix: string, serial: number): string =>
  `${9 - (Math.floor(serial / 1_000) % 4)}${String(serial % 1_000).padStart(3, '0')}54${suffix}`;

let created = 0;
/** A recharge that is different from all others. */
export function newRecharge(account: Account, mobile?: string): Recharge {
  const n = ++created;
  return { account, mobile: mobile ?? plainMobile(n), key: `one-${n}` };
}

export const restRecharge = ({ account, mobile, key, amount = 10 }: Recharge): Call => ({
  method: 'POST',
  path: '/api/v1/recharge',
  token: account.token,
  body: rechargeBody({ account_number: mobile, amount, circle: 'Karnataka', client_request_id: key }),
});

const MUTATION = `mutation($input: RechargeInput!) {
  recharge(input: $input) { order { status apiRequestId providerTxnId } }
}`;

export const graphqlRecharge = ({ account, mobile, key, amount = 10 }: Recharge): Call => ({
  method: 'POST',
  path: '/graphql',
  token: account.token,
  body: {
    query: MUTATION,
    variables: {
      input: rechargeInput({ accountNumber: mobile, amount, circle: 'Karnataka', clientRequestId: key }),
    },
  },
});

/** Outcome and order, in words that both protocols share. */
export interface Reported {
  /** `success`, `pending` or the error code in REST. */
  outcome: string;
  apiRequestId: string | undefined;
}

const REST_WORDS: Readonly<Record<string, string>> = {
  SUCCESS: 'success',
  PENDING: 'pending',
  FAILED: 'PROVIDER_DECLINED',
  REVERSED: 'REVERSED',
};

export function reportedBy(reply: Reply | undefined): Reported {
  if (!reply) return { outcome: 'no answer', apiRequestId: undefined };
  const { body } = reply;
  const order = body.data?.recharge?.order;
  if (order) return { outcome: REST_WORDS[order.status] ?? order.status, apiRequestId: order.apiRequestId };
  const error = body.errors?.[0]?.extensions;
  if (error) return { outcome: error.code, apiRequestId: error.apiRequestId };
  return { outcome: body.code ?? body.status, apiRequestId: body.data?.api_request_id ?? body.api_request_id };
}
