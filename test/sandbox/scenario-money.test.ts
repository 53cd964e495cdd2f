import { beforeAll, describe, expect, it } from 'vitest';
import { fetchIdOf, owner, payBill } from '../card-bills/card-bills.fixture.js';
import { orderRow, transfersOf } from '../orders/order.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, rejectionOf } from './sandbox.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
let opening: number;

const kinds = ['recharge', 'bill payment'] as const;
type Kind = (typeof kinds)[number];
const STATUS: Readonly<Record<Kind, string>> = {
  recharge: '/api/v1/recharge/status?client_request_id=',
  'bill payment': '/api/v1/bill-payment/credit-card/status?orderid=',
};

interface Course {
  outcome: string;
  reason?: string;
  /** Result of the call: HTTP status, `status`, code, reason. */
  first: unknown[];
  /** Final result of the status path: `status`, code, reason. */
  last: unknown[];
  /** Transfers of the order. */
  ledger: string[];
}

const declined = ['failed', 'PROVIDER_DECLINED'];
const success = [200, 'success', undefined, undefined];
const pending = [200, 'pending', undefined, undefined];

const courses: readonly Course[] = [
  {
    outcome: 'decline',
    reason: 'AMOUNT_NOT_OFFERED',
    first: [400, ...declined, 'AMOUNT_NOT_OFFERED'],
    last: [...declined, 'AMOUNT_NOT_OFFERED'],
    ledger: ['hold', 'refund'],
  },
  {
    outcome: 'pending_then_success',
    first: pending,
    last: ['success', undefined, undefined],
    ledger: ['hold', 'settle'],
  },
  {
    outcome: 'pending_then_failure',
    reason: 'OPERATOR_UNAVAILABLE',
    first: pending,
    last: [...declined, 'OPERATOR_UNAVAILABLE'],
    ledger: ['hold', 'refund'],
  },
  {
    outcome: 'success_then_reversal',
    first: success,
    last: ['failed', 'REVERSED', 'REVERSED_BY_PROVIDER'],
    ledger: ['hold', 'settle', 'reversal'],
  },
  { outcome: 'timeout', first: pending, last: ['success', undefined, undefined], ledger: ['hold', 'settle'] },
];
const cells = kinds.flatMap((kind) => courses.map((course): [Kind, string, Course] => [kind, course.outcome, course]));

const keyOf = (kind: Kind, outcome: string): string => `${kind} ${outcome}`;
const firsts = new Map<string, TestResponse>();

async function send(kind: Kind, key: string): Promise<TestResponse> {
  if (kind === 'recharge') return callsOf(test, developer).recharge(key);
  const fetch_id = await fetchIdOf(test, developer, 'uat');
  return payBill(test, developer, 'uat', { orderid: key, fetch_id });
}

const stateOf = (kind: Kind, key: string): Promise<TestResponse> =>
  test.rest('uat', 'GET', STATUS[kind] + encodeURIComponent(key), developer.tokens.uat);

/** Runs all scenarios at the same time because they wait only for the provider. */
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  opening = await test.balance(developer, 'uat');
  await Promise.all(
    cells.map(async ([kind, outcome, { reason }]) => {
      const key = keyOf(kind, outcome);
      await callsOf(test, developer).chooseOutcome({ client_request_id: key }, outcome, reason);
      firsts.set(key, await send(kind, key));
    }),
  );
});

/** Makes an order ten seconds older. */
async function age(kind: Kind, outcome: string): Promise<void> {
  const { id } = await orderRow(test, developer, keyOf(kind, outcome));
  await test.db.query(`update orders set created_at = created_at - interval '10 s' where id = $1`, [id]);
  await test.db.query('update order_due set due_at = now() where order_id = $1', [id]);
}

describe.each(cells)('%s: %s', (kind, outcome, { reason, first, last, ledger }) => {
  const key = keyOf(kind, outcome);

  it('sets the response, the final status and the transfers', async () => {
    const { status, body } = firsts.get(key)!;
    // errors of bill payments always have the status "error"
    const word = kind === 'recharge' || status === 200 ? first[1] : 'error';
    expect([status, body.status, body.code, body.reason]).toEqual([first[0], word, first[2], first[3]]);
    if (outcome === 'success_then_reversal') await age(kind, outcome);
    await until('the order is final', async () => (await stateOf(kind, key)).body.status === last[0]);
    const finalStatus = await stateOf(kind, key);
    expect([finalStatus.body.status, finalStatus.body.code, finalStatus.body.reason]).toEqual(last);
    expect(await transfersOf(test, (await orderRow(test, developer, key)).id)).toEqual(ledger);
  });

  it('is replayed for the same key and does not affect another order', async () => {
    const retry = await send(kind, key);
    if (kind === 'recharge') expect([retry.body.status, retry.body.code, retry.body.reason]).toEqual(last);
    else expect(rejectionOf(retry)).toEqual([409, 'DUPLICATE_ORDER']);
    const other = await send(kind, `${key}, another one`);
    expect([other.status, other.body.status]).toEqual([200, 'success']);
    const { body } = await test.graphql(
      'uat',
      developer.tokens.uat,
      'query($key: String!) { orders(filter: { clientRequestId: $key }) { edges { node { decline { reason } } } } }',
      { key },
    );
    const [{ node }] = body.data.orders.edges;
    expect(node.decline?.reason).toBe(reason ?? last[2]);
  });
});

it('the wallet has paid only for successful orders', async () => {
  const paid = cells.filter(([, , { last }]) => last[0] === 'success').length;
  // each case has one additional order
  expect(await test.balance(developer, 'uat')).toBe(opening - 10 * (paid + cells.length));
});

describe('an unavailable provider', () => {
  it.each(kinds)('rejects a %s before money moves, and its key can be reused', async (kind) => {
    const { chooseOutcome } = callsOf(test, developer);
    const balanceBefore = await test.balance(developer, 'uat');
    const key = `${kind} down`;
    await chooseOutcome({ client_request_id: key }, 'provider_down');
    const response = await send(kind, key);
    expect(rejectionOf(response)).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
    expect((await stateOf(kind, key)).body.code).toBe('RECORD_NOT_FOUND');
    const retry = await send(kind, key);
    expect([retry.status, retry.body.status]).toEqual([200, 'success']);
  });

  it('is set per number, and a bill payment uses its mobile number', async () => {
    const { chooseOutcome, recharge } = callsOf(test, developer);
    const fetch_id = await fetchIdOf(test, developer, 'uat');
    await chooseOutcome({ account_number: owner.mobile }, 'provider_down');
    expect((await recharge('another number', '9812345678')).body.status).toBe('success');
    const paid = () => payBill(test, developer, 'uat', { orderid: 'by its mobile', fetch_id });
    expect(rejectionOf(await paid())).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect((await paid()).body.status).toBe('success');
  });
});
