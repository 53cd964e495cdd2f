import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { timeOfId } from '../../src/core/ids.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { withSkewedClock } from '../support/skewed-clock.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { orderRow, statusCalls } from './order.fixture.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Booked immediately by the provider, which never responds. */
const SILENT = '9876540002';

const test = useOwnApp({
  // the provider lists orders within minutes
  VISIBILITY_DELAY_MS: '15m',
  MANUAL_REVIEW_AFTER_MS: '24h',
  PROVIDER_TIMEOUT_MS: '700',
  STATUS_CHECK_SCHEDULE_MS: '1ms',
  // tests start every sweep themselves
  WORKERS: 'none',
});
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

async function placeOrder(key: string): Promise<void> {
  const response = await place(test, developer, { account_number: SILENT, client_request_id: key });
  expect(response.body.status).toBe('pending');
}
const row = (key: string) => orderRow(test, developer, key);
/** Waits until the status of the order has been checked `times` more times. */
async function waitForChecks(key: string, times: number): Promise<void> {
  const enough = (await row(key)).statusChecks + times;
  await until('the status was checked', async () => {
    await test.app.sweeper.sweep();
    const { statusChecks, state } = await row(key);
    return statusChecks >= enough || state !== 'open';
  });
}
/** Final status of the order. The number of status checks is not asserted because checks can time out on a busy machine. */
async function finalStatus(key: string): Promise<string> {
  await until('the order is final', async () => {
    await test.app.sweeper.sweep();
    return (await row(key)).state !== 'open';
  });
  return (await row(key)).state;
}

describe('a provider that has completed a payment but does not list it yet', () => {
  it.each([
    ['all clocks are correct', 0, 0],
    ['the checking process is 20 minutes ahead', 0, 20 * MINUTE_MS],
    ['the sending process is 20 minutes behind', -20 * MINUTE_MS, 0],
    ['a clock jumps by 21 minutes', -MINUTE_MS, 20 * MINUTE_MS],
    ['the checking process is a day ahead', 0, 25 * HOUR_MS],
    ['the checking process is a day behind', 0, -25 * HOUR_MS],
  ])('leads to a success without an earlier refund: %s', async (name, placementSkewMs, checkSkewMs) => {
    await withSkewedClock(placementSkewMs, () => placeOrder(name));
    await test.simulator.blind('roundpay', true);
    await withSkewedClock(checkSkewMs, () => waitForChecks(name, 4));
    expect(await row(name)).toMatchObject({ state: 'open', statusChecks: expect.any(Number) });
    await test.simulator.blind('roundpay', false);
    expect(await withSkewedClock(checkSkewMs, () => finalStatus(name))).toBe('success');
  });

  it('leads to a refund if the payment is missing after the visibility delay, measured by the database clock', async () => {
    await placeOrder('old');
    await test.simulator.blind('roundpay', true);
    await waitForChecks('old', 2);
    expect((await row('old')).state).toBe('open');
    await aged('old', 'unknown_since');
    expect(await finalStatus('old')).toBe('failed');
    await test.simulator.blind('roundpay', false);
  });
});

/** Makes a time of the order older by 16 minutes, more than the visibility delay. */
const aged = async (key: string, column: 'created_at' | 'unknown_since'): Promise<void> => {
  await test.db.query(`update orders set ${column} = ${column} - interval '16 minutes' where id = $1`, [
    (await row(key)).id,
  ]);
};

describe('the age of an order for "not found" responses starts', () => {
  const expectStillOpen = async (key: string): Promise<void> => {
    await waitForChecks(key, 3);
    expect(await row(key)).toMatchObject({ state: 'open', not_found: 0 });
  };
  beforeAll(() => test.simulator.blind('roundpay', true));
  afterAll(() => test.simulator.blind('roundpay', false));

  it('later than its hold', async () => {
    await placeOrder('old hold');
    await aged('old hold', 'created_at');
    await expectStillOpen('old hold');
  });

  it('at the first status check if no process recorded the send', async () => {
    await placeOrder('orphan');
    await test.db.query('update orders set unknown_since = null where id = $1', [(await row('orphan')).id]);
    await aged('orphan', 'created_at');
    await expectStillOpen('orphan');
    await aged('orphan', 'unknown_since');
    expect(await finalStatus('orphan')).toBe('failed');
  });

  it('at the response of a slow process if other processes have checked the status in the meantime', async () => {
    await placeOrder('late answer');
    await waitForChecks('late answer', 1);
    await aged('late answer', 'unknown_since');
    // a second "not found" would be proof
    await until('the first "not found" is recorded', async () => {
      await test.app.sweeper.sweep();
      return (await row('late answer')).not_found === 1;
    });
    const { id } = await row('late answer');
    await test.db.query(
      `select order_unknown($1, $2, 0, 0, false, false, false, '', 'response', '{"reason": "timeout"}')`,
      [developer.id, id],
    );
    await expectStillOpen('late answer');
    await aged('late answer', 'unknown_since');
    expect(await finalStatus('late answer')).toBe('failed');
  });
});

it('the age of an order comes from the database clock, not from the sending process', async () => {
  await withSkewedClock(-3 * HOUR_MS, () => placeOrder('age'));
  const { id } = await row('age');
  const [order] = await test.db.query<{ age: number }>(
    'select extract(epoch from now() - created_at)::float8 * 1000 as age from orders where id = $1',
    [id],
  );
  expect(order!.age).toBeLessThan(10 * MINUTE_MS);
  // IDs are generated with the clock of the process
  expect(Date.now() - timeOfId(id).getTime()).toBeGreaterThan(2 * HOUR_MS);
});

describe('a provider that books a payment on a different day', () => {
  const INDIA_MS = 330 * MINUTE_MS;
  const midnight = (): number => Math.floor((Date.now() + INDIA_MS) / DAY_MS) * DAY_MS - INDIA_MS;
  const placedAt = async (key: string, instantMs: number): Promise<void> => {
    await test.db.query('update orders set created_at = $2 where id = $1', [(await row(key)).id, new Date(instantMs)]);
  };

  it.each<[string, number, number]>([
    ['sent a second before midnight, booked a second after it', -1_000, 1_000],
    ['sent a second after midnight, booked before it by the provider’s clock', 1_000, -1_000],
    ['sent long before midnight, booked after it', -6 * HOUR_MS, 1_000],
  ])('is checked for both days: %s', async (key, placedMs, bookedMs) => {
    await test.simulator.clock(midnight() + bookedMs - Date.now());
    await placeOrder(key);
    await test.simulator.clock(0);
    await placedAt(key, midnight() + placedMs);
    expect(await finalStatus(key)).toBe('success');
    expect(await statusCalls(test, (await orderRow(test, developer, key)).id)).toBeGreaterThanOrEqual(2);
  });
});

// runs last because the app ignores "not found" for 15 minutes afterwards
it('nothing is refunded after a jump of the database clock, whatever the apparent age of the send', async () => {
  await placeOrder('step');
  await test.simulator.blind('roundpay', true);
  const metric = async () => /^gateway_clock_steps_total (\d+)$/m.exec(await test.app.metrics.text())![1];
  // a process measures the clock when it looks for work and when metrics are read
  expect(await metric()).toBe('0');
  const { pool } = test.app;
  const query = pool.query.bind(pool) as (statement: unknown, ...rest: unknown[]) => Promise<{ rows: object[] }>;
  const stepped = vi.spyOn(pool, 'query').mockImplementation((async (statement: unknown, ...rest: unknown[]) => {
    const result = await query(statement, ...rest);
    if (!(statement as { text?: string }).text?.includes('from clock_timestamp()')) return result;
    return {
      ...result,
      rows: result.rows.map((record) => ({ now_ms: (record as { now_ms: number }).now_ms + 16 * MINUTE_MS })),
    };
  }) as never);
  try {
    await aged('step', 'unknown_since');
    await waitForChecks('step', 4);
    expect(await row('step')).toMatchObject({ state: 'open', not_found: 0 });
    expect(await metric()).toBe('1');
    await test.simulator.blind('roundpay', false);
    expect(await finalStatus('step')).toBe('success');
  } finally {
    stepped.mockRestore();
  }
});
