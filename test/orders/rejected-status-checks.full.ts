import { beforeAll, describe, expect, it } from 'vitest';
import type { Echo } from '../../src/simulator/rejections.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import type { Rejection } from '../support/simulator.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { callBack, orderRow, transfersOf } from './order.fixture.js';

/** "Not found" is conclusive only long after the end of this file. */
const test = useOwnApp({ VISIBILITY_DELAY_MS: '10m', MANUAL_REVIEW_AFTER_MS: '1h' });
type Provider = 'roundpay' | 'inspay';

interface Case {
  provider: Provider;
  key: string;
  /** Outcome that the provider books. */
  outcome: 'pending_then_success' | 'pending_then_failed';
  suffix: string;
  rejection?: Rejection;
}

const BILLS = '/api/v1/bill-payment/credit-card';
const LIMIT = 'Limit of status calls exceeded';
const words: Record<Provider, readonly object[]> = {
  roundpay: [
    ...['404', '777', '101', '102', '152', '401', '429'].map((ERRORCODE) => ({ STATUS: '3', MSG: LIMIT, ERRORCODE })),
    { STATUS: '1', MSG: 'Invalid parameter', ERRORCODE: '102' },
    { STATUS: '0', MSG: 'Transaction not found', ERRORCODE: '404' },
  ],
  inspay: [
    'ORDER_NOT_FOUND',
    'NOBODY_LISTED',
    'INVALID_CREDENTIALS',
    'INVALID_TOKEN',
    'LIMIT_EXCEEDED',
    '401',
    '429',
  ].map((error_code) => ({ status: 'Failure', message: LIMIT, error_code })),
};
/** Error responses without a code, which echo the request and contain nothing else. */
const bare: Record<Provider, readonly object[]> = {
  roundpay: [{ STATUS: '3', MSG: LIMIT }],
  inspay: [{ status: 'Failure', message: LIMIT }],
};
const errorWith = (httpStatus: number, response: object, echo: Echo): Rejection => ({
  httpStatus,
  answer: response,
  echo,
});

/** Every error with its most credible echo, and some of each kind with other echoes. All combinations are in test/providers. */
const rejectionsOf = (provider: Provider): Rejection[] => [
  ...words[provider].flatMap((response) => [
    errorWith(200, response, 'transaction'),
    errorWith(429, response, 'asked'),
  ]),
  ...words[provider]
    .slice(0, 2)
    .flatMap((response) =>
      (['none', 'asked', 'other order', 'other amount'] as const).map((echo) => errorWith(200, response, echo)),
    ),
  ...bare[provider].flatMap((response) => [
    ...(['none', 'asked', 'other order'] as const).map((echo) => errorWith(200, response, echo)),
    ...[401, 503].map((httpStatus) => errorWith(httpStatus, response, 'transaction')),
  ]),
];

let suffixes = 4_000;
const caseOf = (provider: Provider, outcome: Case['outcome'], rejection?: Rejection): Case => ({
  provider,
  outcome,
  rejection,
  key: `${provider} ${++suffixes}`,
  suffix: String(suffixes),
});
const providers = ['roundpay', 'inspay'] as const;
const rejections = providers.flatMap((provider) =>
  rejectionsOf(provider).map((rejection) => caseOf(provider, 'pending_then_success', rejection)),
);
const failing = providers.map((provider) => caseOf(provider, 'pending_then_failed'));

let developer: TestDeveloper;
const call = (path: string, body: object): Promise<TestResponse> =>
  test.rest('production', 'POST', path, developer.tokens.production, body);

async function place({ provider, key, suffix }: Case): Promise<TestResponse> {
  const mobile = `987654${suffix}`;
  if (provider === 'roundpay') return call(RECHARGE, rechargeBody({ account_number: mobile, client_request_id: key }));
  const bill = { card: '3008', mobile, opcode: 'HDFC' };
  const { body } = await call(`${BILLS}/bill-fetch`, { ...bill, orderid: `${key} fetch` });
  return call(`${BILLS}/bill-pay`, { ...bill, amount: 10, orderid: key, fetch_id: body.data.fetch_id });
}

/** Number of status checks of each order, and the HTTP statuses of the responses. */
const checksByKey = async (): Promise<Map<string, { state: string; statusChecks: number; answered: number[] }>> => {
  const rows = await test.db.query<{ key: string; state: string; statusChecks: number; answered: number[] }>(
    `select client_key as key, state, status_checks as "statusChecks", array(
       select (e.detail->>'httpStatus')::int from order_event e
       where e.developer_id = o.developer_id and e.order_id = o.id and e.kind = 'status_check' and e.detail ? 'httpStatus') as answered
     from orders o where developer_id = $1 and operation in ('recharge', 'card_payment')`,
    [developer.id],
  );
  return new Map(rows.map(({ key, ...row }) => [key, row]));
};
const nameOf = ({ provider, rejection }: Case): string => `${provider} ${JSON.stringify(rejection)}`;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000_000 });
  for (const { provider, suffix, outcome, rejection } of [...rejections, ...failing]) {
    await test.simulator.outcome(suffix, outcome);
    await test.simulator.reject(provider, 'status_check', suffix, rejection);
  }
});

describe('a provider that rejects status checks of a payment', () => {
  it('causes no refund with any error or echo, and failed payments are still refunded', async () => {
    const responses = await Promise.all([...rejections, ...failing].map(place));
    expect(responses.filter(({ body }) => body.status !== 'pending')).toEqual([]);
    const twice = async (): Promise<boolean> => {
      const rows = await checksByKey();
      const isDone = ({ key, rejection }: Case): boolean => {
        const { state, answered } = rows.get(key)!;
        return state !== 'open' || answered.filter((httpStatus) => httpStatus === rejection!.httpStatus).length > 1;
      };
      return rejections.every(isDone) && failing.every(({ key }) => rows.get(key)!.state !== 'open');
    };
    await until('each status check was rejected twice', twice);
    const checks = await checksByKey();
    expect(rejections.filter(({ key }) => checks.get(key)!.state !== 'open').map(nameOf)).toEqual([]);
    expect(failing.map(({ key }) => checks.get(key)!.state)).toEqual(['failed', 'failed']);

    for (const { provider, suffix } of rejections)
      await test.simulator.reject(provider, 'status_check', suffix, undefined);
    const isOver = async (): Promise<boolean> =>
      [...(await checksByKey()).values()].every(({ state }) => state !== 'open');
    await until('every payment is final', isOver);
    const ends = await checksByKey();
    expect(rejections.filter(({ key }) => ends.get(key)!.state !== 'success').map(nameOf)).toEqual([]);
    const payments = (await test.simulator.book()).filter(({ outcome }) => outcome === 'succeeded');
    expect(payments).toHaveLength(rejections.length);
  });
});

describe('a payment whose reference was already used at the provider', () => {
  it.each([
    ['roundpay', { STATUS: '3', MSG: 'Duplicate APIRequestID', ERRORCODE: '302' }],
    ['inspay', { status: 'Failure', message: 'Duplicate orderid' }],
  ] as const)('is checked and not treated as failed: %s', async (provider, response) => {
    const suffix = String(++suffixes);
    const payment = { ...caseOf(provider, 'pending_then_success'), suffix };
    await test.simulator.reject(provider, 'payment', suffix, {
      httpStatus: 200,
      answer: response,
      echo: 'transaction',
    });
    expect((await place(payment)).body.status).toBe('pending');
    await until('the status was checked', async () => (await checksByKey()).get(payment.key)!.state === 'success');
  });
});

describe('a success in doubt', () => {
  it('is reversed only by a failure of its own transaction', async () => {
    const payment = caseOf('roundpay', 'pending_then_success');
    expect((await place(payment)).body.status).toBe('success');
    const response = { STATUS: '4', MSG: 'REFUNDED', ERRORCODE: '303' };
    const respondWith = (echo: Echo) =>
      test.simulator.reject('roundpay', 'status_check', payment.suffix, { httpStatus: 200, answer: response, echo });
    await respondWith('other transaction');
    const { id } = await orderRow(test, developer, payment.key);
    const [order] = await test.db.query<{ reference: string }>('select reference from orders where id = $1', [id]);
    await callBack(test, { status: 'FAILED', agentid: order!.reference });
    await until(
      'the status was checked twice',
      async () => (await checksByKey()).get(payment.key)!.answered.length > 1,
    );
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle']);
    await respondWith('transaction');
    await until(
      'the order is reversed',
      async () => (await orderRow(test, developer, payment.key)).reversed_at !== null,
    );
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle', 'reversal']);
  });
});
