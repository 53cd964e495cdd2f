import { FetchedBills } from '../../src/card-bills/fetched-bill.store.js';
import type { Environment } from '../../src/core/environment.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { fetchIdFor } from '../../src/simulator/inspay-bills.js';
import type { TestApp, TestDeveloper, TestResponse } from '../support/app.js';

export const FETCH = '/api/v1/bill-payment/credit-card/bill-fetch';
export const PAY = '/api/v1/bill-payment/credit-card/bill-pay';
export const environments = ['uat', 'production'] as const;

export const owner = { card: '3008', mobile: '9876543210', opcode: 'ICIC' };
export const validFetch = { ...owner, orderid: 'BILL-1' };

export const FETCH_MUTATION = `mutation($input: FetchCardBillInput!) {
  fetchCardBill(input: $input) {
    bill { fetchId billDate billAmount minimumDue billDueDate customerName }
    clientRequestId fee replayed wallet { balance }
  }
}`;
export const PAY_MUTATION = `mutation($input: PayCardBillInput!) {
  payCardBill(input: $input) {
    order { kind status utr card txid amount mobile clientRequestId decline { reason } refunded }
    wallet { balance }
  }
}`;

export const fetchBill = (test: TestApp, developer: TestDeveloper, environment: Environment, more: object = {}) =>
  test.rest(environment, 'POST', FETCH, developer.tokens[environment], { ...validFetch, ...more });

export const payBill = (test: TestApp, developer: TestDeveloper, environment: Environment, body: object) =>
  test.rest(environment, 'POST', PAY, developer.tokens[environment], { ...owner, amount: 10, ...body });

let fetched = 0;

/** Fetches a new bill and returns its fetch_id. */
export async function fetchIdOf(
  test: TestApp,
  developer: TestDeveloper,
  environment: Environment,
  more: object = {},
): Promise<string> {
  const { status, body } = await fetchBill(test, developer, environment, { orderid: `BILL-${++fetched}`, ...more });
  if (status !== 200) throw new Error(`The bill was not fetched: ${JSON.stringify(body)}`);
  return body.data.fetch_id;
}

/** Stores a fetch_id directly, for a mobile number whose magic suffix would make the bill fetch fail. */
export function knownFetchId(
  { app }: TestApp,
  developer: TestDeveloper,
  environment: Environment,
  mobile: string,
): Promise<string> {
  const bills = new FetchedBills(app.pool, new FieldEncryption(app.config.encryptionKeys), app.config.pepper);
  const bill = { ...owner, mobile };
  return bills.keep({ developerId: developer.id, environment, ...bill }, fetchIdFor(bill, 'known'));
}

/** Number of calls that the provider received on paths with this ending. */
export const callsTo = async ({ simulator }: TestApp, path: string): Promise<number> =>
  (await simulator.calls()).filter((call) => call.path.endsWith(path)).length;

/** Number of responses by outcome: the error code, the decline reason or "paid". */
export const codesOf = (responses: readonly TestResponse[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { body } of responses) {
    const declined = body.data?.payCardBill?.order.decline?.reason;
    const code = body.errors?.[0]?.extensions?.code ?? body.code ?? declined ?? 'paid';
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
};
