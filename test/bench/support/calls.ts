import type { Environment } from '../../../src/core/environment.js';
import type { Load, LoadRequest } from './load.js';
import type { BenchAccount } from './world.js';

/** Query that the peers support too. */
export const PLANS_QUERY = `query Plans($input: MobilePlansInput!) {
  mobilePlans(input: $input) {
    clientRequestId fee wallet { balance } operatorName operator { name spKey }
    groups { name plans { price type description validity } }
  }
}`;
const RECHARGE = `mutation Recharge($input: RechargeInput!) {
  recharge(input: $input) { replayed order { id status amount operatorRef } wallet { balance } }
}`;

const MOBILE = '9876543210';
/** Bytes: a shorter response contains no plans. */
const LEAST_PLANS = 4_000;
let loads = 0;

/** Distinct keys of equal length, so that responses have equal length too. */
function keys(): (n: number) => string {
  const name = `bench-${String(++loads).padStart(4, '0')}`;
  return (n) => `${name}-${String(n).padStart(8, '0')}`;
}

export const headersOf = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const graphql = (token: string, query: string, variables: object): LoadRequest => ({
  path: '/graphql',
  headers: headersOf(token),
  body: JSON.stringify({ query, variables }),
});

export const plansRequest = (token: string, clientRequestId: string): LoadRequest =>
  graphql(token, PLANS_QUERY, { input: { mobile: MOBILE, opcode: 'A', circle: '51', clientRequestId } });

function expectStart(body: string, start: string): void {
  if (!body.startsWith(start)) throw new Error(`Unexpected response: ${body.slice(0, 500)}`);
}

/** Plan queries of these accounts in turn. */
export function plansLoad(ports: readonly number[], accounts: readonly BenchAccount[], environment: Environment): Load {
  const keyOf = keys();
  return {
    ports,
    request: (n) => plansRequest(accounts[n % accounts.length]!.tokens[environment], keyOf(n)),
    check(body) {
      expectStart(body, '{"data":{"mobilePlans":{"clientRequestId":"bench-');
      if (body.length < LEAST_PLANS) throw new Error(`A response without plans: ${body}`);
    },
  };
}

/** Successful recharges of ₹10 from these accounts in turn. */
export function rechargeLoad(
  ports: readonly number[],
  accounts: readonly BenchAccount[],
  environment: Environment,
  style: 'GraphQL' | 'REST' = 'GraphQL',
): Load {
  const keyOf = keys();
  const accountOf = (n: number): string => accounts[n % accounts.length]!.tokens[environment];
  const input = { accountNumber: MOBILE, amount: 10, operatorSpKey: 116, operatorType: 'MOBILE' };
  const body = { account_number: MOBILE, amount: 10, operator_sp_key: 116, operator_type: 'mobile' };
  return {
    ports,
    request: (n) =>
      style === 'GraphQL'
        ? graphql(accountOf(n), RECHARGE, { input: { ...input, clientRequestId: keyOf(n) } })
        : {
            path: '/api/v1/recharge',
            headers: headersOf(accountOf(n)),
            body: JSON.stringify({ ...body, client_request_id: keyOf(n) }),
          },
    check(response) {
      if (!/"status":"(?:SUCCESS|success)"/.test(response) || response.includes('"replayed":true'))
        throw new Error(`Unexpected response: ${response.slice(0, 500)}`);
    },
  };
}

/** Recharges on the peer servers, which identify accounts by ID. */
export const peerRechargeLoad = (port: number, accounts: readonly BenchAccount[]): Load => ({
  ports: [port],
  request: (n) => ({ path: `/${accounts[n % accounts.length]!.developerId}`, body: '' }),
  check: (body) => expectStart(body, '{"status":"success"}'),
});
