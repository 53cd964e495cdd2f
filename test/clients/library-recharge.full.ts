import { describe, expect, it } from 'vitest';
import { rupees } from '../../src/core/money.js';
import { seed } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { useSharedApp } from '../support/use-app.js';
import type { Fault } from './gate.fixture.js';
import { libraries } from './libraries.fixture.js';
import { booksOf as booksIn, FAR_DEADLINES, mobileNumber, newRecharge, useShops } from './shop.fixture.js';

const test = useSharedApp(FAR_DEADLINES);
const RECHARGE = '/api/v1/recharge';

describe.concurrent.each(libraries)('recharges with the client library for %s', (...args) => {
  const [, library, isHere] = args;
  const itHere = it.runIf(isHere);
  const { developer, open, books: booksOf } = useShops(test, args);
  const books = ({ client_request_id, account_number }: ReturnType<typeof newRecharge>) =>
    booksOf(client_request_id, account_number);
  const SUCCEEDED = { orders: 1, state: 'success', taken: 11, performed: 1 };
  const FAILED = { orders: 1, state: 'failed', taken: 0, performed: 0 };

  itHere('reports success with the order data', async () => {
    const { gate, library: run } = await open();
    const order = newRecharge();
    const outcome = await run.outcome('recharge', order);
    expect(outcome).toMatchObject({ status: 'success', code: null, error: null, data: { amount: 11 } });
    expect(outcome.data.account_number).toBe(order.account_number);
    const statusResult = await run.call('rechargeStatus', { client_request_id: order.client_request_id });
    expect(statusResult.returned).toMatchObject({ status: 'success', data: outcome.data });
    expect([gate.count('/recharge'), run.pauses]).toEqual([1, []]);
    expect(await books(order)).toEqual(SUCCEEDED);
  });

  itHere.each([
    ['0001', 'failed', 'PROVIDER_DECLINED', FAILED],
    ['0005', 'success', null, SUCCEEDED],
    ['0006', 'failed', 'PROVIDER_DECLINED', FAILED],
    ['0007', 'success', null, SUCCEEDED],
    ['0012', 'success', null, SUCCEEDED],
  ] as const)('repeats the same order until it is final: %s is %s', async (suffix, status, code, expectedBooks) => {
    const { gate, library: run } = await open();
    const order = newRecharge(mobileNumber(suffix));
    expect(await run.outcome('recharge', order)).toMatchObject({ status, code, error: null });
    expect(await books(order)).toEqual(expectedBooks);
    expect(new Set(gate.requests.flatMap(({ body }) => body.client_request_id ?? [])).size).toBe(1);
    // waits at least as long as Retry-After, and increasingly longer
    expect(Math.min(...run.pauses, 5)).toBe(5);
    expect(run.pauses).toEqual(run.pauses.toSorted((a, b) => a - b));
    expect(gate.count('/recharge')).toBe(run.pauses.length + 1);
    if (suffix !== '0001') expect(run.pauses).not.toEqual([]);
  });

  itHere('reports pending when the time is up, and the final status in the next call', async () => {
    const { gate, library: run } = await open();
    const order = newRecharge(mobileNumber('0005'));
    expect(await run.outcome('recharge', order, 0)).toMatchObject({ status: 'pending', code: null, error: null });
    expect([gate.count('/recharge'), run.pauses]).toEqual([1, []]);
    expect(await run.outcome('recharge', order)).toMatchObject({ status: 'success' });
    expect(await books(order)).toEqual(SUCCEEDED);
  });

  itHere('reports failed with the code if no order was created', async () => {
    const { gate, library: run } = await open();
    for (const [change, code] of [
      [{ amount: 20_000 }, 'INSUFFICIENT_BALANCE'],
      [{ amount: -1 }, 'VALIDATION_FAILED'],
    ] as const) {
      const order = newRecharge(mobileNumber(), change);
      expect(await run.outcome('recharge', order)).toMatchObject({ status: 'failed', code });
      expect(await books(order)).toMatchObject({ orders: 0, performed: 0 });
    }
    expect(gate.count('/recharge')).toBe(2);
  });

  itHere('reports failed for a reversed success', async () => {
    const { library: run } = await open();
    const order = newRecharge();
    await run.outcome('recharge', order);
    const [row] = await test.db.query<{ id: string }>('select id from orders where client_key = $1', [
      order.client_request_id,
    ]);
    await test.app.ledger.reverse(developer.id, row!.id, {});
    expect(await run.outcome('recharge', order)).toMatchObject({ status: 'failed', code: 'REVERSED' });
    expect(await books(order)).toMatchObject({ orders: 1, taken: 0 });
  });

  itHere.each<[what: Fault, ...Fault[]]>([
    ['reset before'],
    ['reset after'],
    ['cut'],
    ['page before'],
    ['page after'],
    ['no response'],
    ['reset after', 'cut', 'no response', 'reset before', 'page after'],
  ])('recharges once despite faults: %s', async (...faults) => {
    const hasResponses = !faults.includes('no response');
    const { gate, library: run } = await open(hasResponses ? {} : { timeoutS: 1 });
    const order = newRecharge();
    gate.faults(RECHARGE, ...faults);
    expect(await run.outcome('recharge', order)).toMatchObject({ status: 'success', error: null });
    expect(await books(order)).toEqual(SUCCEEDED);
    // pauses before every retry; on a busy machine a request can time out, even before it has arrived
    expect(gate.count('/recharge')).toBeLessThanOrEqual(run.pauses.length + 1);
    if (hasResponses) expect([gate.count('/recharge'), run.pauses.length]).toEqual([faults.length + 1, faults.length]);
  });

  itHere('reports pending with the error if it receives no response, and success in a later call', async () => {
    const { gate, library: run } = await open();
    const order = newRecharge();
    gate.faults(RECHARGE, 'reset after');
    const outcome = await run.outcome('recharge', order, 0);
    expect(outcome).toMatchObject({ status: 'pending', error: { code: 'NO_ANSWER', retryable: true, httpStatus: 0 } });
    expect(await books(order)).toEqual(SUCCEEDED);
    expect(await run.outcome('recharge', order)).toMatchObject({ status: 'success' });
    expect(await books(order)).toEqual(SUCCEEDED);
  });

  itHere('does not report failed while an earlier request may still arrive', async () => {
    const poor = await test.developer({ liveRupees: 4 });
    const { gate, library: run } = await open({ developer: poor });
    const order = newRecharge();
    gate.faults(RECHARGE, 'held');
    // rejected several times because of the balance, while the first request is delayed by a proxy
    const outcome = await run.outcome('recharge', order, 20);
    expect(outcome).toMatchObject({ status: 'pending', error: { code: 'INSUFFICIENT_BALANCE', httpStatus: 400 } });
    expect(gate.count(RECHARGE)).toBeGreaterThan(2);
    // also in a later call, which is marked as a repeated one
    expect(await run.outcome('recharge', order, 0, true)).toMatchObject({ status: 'pending' });
    const credit = { developerId: poor.id, environment: 'production', amountPaise: rupees(100) } as const;
    await creditWallet(test.app, { ...credit, reference: `Late ${library.name}` }, seed);
    await gate.release();
    expect(await booksIn(test, poor, order.client_request_id, order.account_number)).toEqual(SUCCEEDED);
    expect(await run.outcome('recharge', order, undefined, true)).toMatchObject({ status: 'success', error: null });
    expect(await booksIn(test, poor, order.client_request_id, order.account_number)).toEqual(SUCCEEDED);
  });

  itHere('reports failed for an order with a final status, regardless of earlier doubt', async () => {
    const { library: run, gate } = await open();
    const declined = newRecharge(mobileNumber('0001'));
    gate.faults(RECHARGE, 'reset after');
    const outcome = await run.outcome('recharge', declined);
    expect(outcome).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED', error: null });
    expect(await run.outcome('recharge', declined, 0, true)).toMatchObject({ status: 'failed' });
    // and for a recharge without earlier doubt
    const expensive = newRecharge(mobileNumber(), { amount: 20_000 });
    expect(await run.outcome('recharge', expensive, 0)).toMatchObject({
      status: 'failed',
      code: 'INSUFFICIENT_BALANCE',
    });
  });

  itHere('waits for Retry-After at the rate limit', async () => {
    const limited = await test.developer({ rateLimitPerMinute: 1 });
    const raise = () => test.db.query('update developer set rate_limit_per_minute = 60 where id = $1', [limited.id]);
    const { gate, library: run } = await open({ developer: limited, onPause: raise });
    await run.outcome('recharge', newRecharge());
    const order = newRecharge();
    expect(await run.outcome('recharge', order, 1)).toMatchObject({
      status: 'pending',
      error: { code: 'RATE_LIMITED', httpStatus: 429, retryable: true },
    });
    expect(run.pauses).toEqual([]);
    expect(await run.outcome('recharge', order)).toMatchObject({ status: 'success' });
    expect(run.pauses).toEqual([expect.toSatisfy((seconds: number) => seconds > 1 && seconds <= 60)]);
    expect(gate.count('/recharge')).toBe(4);
  });

  itHere('does not retry after an error that a retry cannot resolve', async () => {
    const { gate, library: run } = await open();
    const order = newRecharge();
    await run.outcome('recharge', order);
    const reused = await run.outcome('recharge', { ...order, amount: 12 });
    expect(reused).toMatchObject({ status: 'pending', error: { code: 'IDEMPOTENCY_KEY_REUSED', retryable: false } });
    expect(reused.error!.body.api_request_id).toMatch(/^[0-9A-Z]{25}$/);
    expect([gate.count('/recharge'), run.pauses]).toEqual([2, []]);
  });

  itHere('sends nothing without an order ID', async () => {
    const { gate, library: run } = await open();
    for (const client_request_id of ['', ' ', undefined, 5]) {
      const { thrown } = await run.call('recharge', { ...newRecharge(), client_request_id });
      expect(thrown?.type).toBe(library.name === 'PHP' ? 'InvalidArgumentException' : 'TypeError');
    }
    expect(gate.requests).toEqual([]);
  });
});
