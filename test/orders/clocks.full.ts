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
/** Booked at once, never answered. */
const SILENT = '9876540002';

const test = useOwnApp({
  // shown by the provider within minutes
  VISIBILITY_DELAY_MS: '15m',
  MANUAL_REVIEW_AFTER_MS: '24h',
  PROVIDER_TIMEOUT_MS: '700',
  STATUS_CHECK_SCHEDULE_MS: '1ms',
  // every round is begun by a test
  WORKERS: 'none',
});
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

async function placed(key: string): Promise<void> {
  const answer = await place(test, developer, { account_number: SILENT, client_request_id: key });
  expect(answer.body.status).toBe('pending');
}
const row = (key: string) => orderRow(test, developer, key);
/** Until the order was asked about `times` times more. */
async function askedAbout(key: string, times: number): Promise<void> {
  const enough = (await row(key)).statusChecks + times;
  await until('it was asked about', async () => {
    await test.app.sweeper.sweep();
    const { statusChecks, state } = await row(key);
    return statusChecks >= enough || state !== 'open';
  });
}
/** What it became. On a busy machine a status check may end without an answer, so their number says nothing. */
async function decided(key: string): Promise<string> {
  await until('it is decided', async () => {
    await test.app.sweeper.sweep();
    return (await row(key)).state !== 'open';
  });
  return (await row(key)).state;
}

describe('a provider that performed and does not show it yet', () => {
  it.each([
    ['no clock is wrong', 0, 0],
    ['the asking process is 20 minutes ahead', 0, 20 * MINUTE_MS],
    ['the placing process is 20 minutes behind', -20 * MINUTE_MS, 0],
    ['a clock makes a step of 21 minutes in between', -MINUTE_MS, 20 * MINUTE_MS],
    ['the asking process is a day ahead', 0, 25 * HOUR_MS],
    ['the asking process is a day behind', 0, -25 * HOUR_MS],
  ])('is believed in the end, and nothing is refunded before: %s', async (name, placing, asking) => {
    await withSkewedClock(placing, () => placed(name));
    await test.simulator.blind('roundpay', true);
    await withSkewedClock(asking, () => askedAbout(name, 4));
    expect(await row(name)).toMatchObject({ state: 'open', statusChecks: expect.any(Number) });
    await test.simulator.blind('roundpay', false);
    expect(await withSkewedClock(asking, () => decided(name))).toBe('success');
  });

  it('has performed nothing when it shows nothing past the visibility delay, by the clock of the database', async () => {
    await placed('old');
    await test.simulator.blind('roundpay', true);
    await askedAbout('old', 2);
    expect((await row('old')).state).toBe('open');
    await aged('old', 'unknown_since');
    expect(await decided('old')).toBe('failed');
    await test.simulator.blind('roundpay', false);
  });
});

/** Sixteen minutes are past the visibility delay. */
const aged = async (key: string, column: 'created_at' | 'unknown_since'): Promise<void> => {
  await test.db.query(`update orders set ${column} = ${column} - interval '16 minutes' where id = $1`, [
    (await row(key)).id,
  ]);
};

describe('"not found" counts from the latest instant at which the order can have been sent', () => {
  const staysOpen = async (key: string): Promise<void> => {
    await askedAbout(key, 3);
    expect(await row(key)).toMatchObject({ state: 'open', not_found: 0 });
  };
  beforeAll(() => test.simulator.blind('roundpay', true));
  afterAll(() => test.simulator.blind('roundpay', false));

  it('which is not its hold', async () => {
    await placed('old hold');
    await aged('old hold', 'created_at');
    await staysOpen('old hold');
  });

  it('which is the first status check where no process has said that it was sent', async () => {
    await placed('orphan');
    await test.db.query('update orders set unknown_since = null where id = $1', [(await row('orphan')).id]);
    await aged('orphan', 'created_at');
    await staysOpen('orphan');
    await aged('orphan', 'unknown_since');
    expect(await decided('orphan')).toBe('failed');
  });

  it('which is the answer of a process that went on after others had asked', async () => {
    await placed('late answer');
    await askedAbout('late answer', 1);
    await aged('late answer', 'unknown_since');
    // the second one would be the proof
    await until('it was not found once', async () => {
      await test.app.sweeper.sweep();
      return (await row('late answer')).not_found === 1;
    });
    const { id } = await row('late answer');
    await test.db.query(
      `select order_unknown($1, $2, 0, 0, false, false, false, '', 'response', '{"reason": "timeout"}')`,
      [developer.id, id],
    );
    await staysOpen('late answer');
    await aged('late answer', 'unknown_since');
    expect(await decided('late answer')).toBe('failed');
  });
});

it('an order is as old as the database says, whatever the process that placed it believes', async () => {
  await withSkewedClock(-3 * HOUR_MS, () => placed('age'));
  const { id } = await row('age');
  const [order] = await test.db.query<{ age: number }>(
    'select extract(epoch from now() - created_at)::float8 * 1000 as age from orders where id = $1',
    [id],
  );
  expect(order!.age).toBeLessThan(10 * MINUTE_MS);
  // the id is the process's
  expect(Date.now() - timeOfId(id).getTime()).toBeGreaterThan(2 * HOUR_MS);
});

describe('a provider that books on another day than ours', () => {
  const INDIA_MS = 330 * MINUTE_MS;
  const midnight = (): number => Math.floor((Date.now() + INDIA_MS) / DAY_MS) * DAY_MS - INDIA_MS;
  const placedAt = async (key: string, instantMs: number): Promise<void> => {
    await test.db.query('update orders set created_at = $2 where id = $1', [(await row(key)).id, new Date(instantMs)]);
  };

  it.each<[string, number, number]>([
    ['placed a second before midnight, booked a second after it', -1_000, 1_000],
    ['placed a second after midnight, booked before it by its own clock', 1_000, -1_000],
    ['placed long before midnight, booked after it', -6 * HOUR_MS, 1_000],
  ])('is asked about both: %s', async (key, placedMs, bookedMs) => {
    await test.simulator.clock(midnight() + bookedMs - Date.now());
    await placed(key);
    await test.simulator.clock(0);
    await placedAt(key, midnight() + placedMs);
    expect(await decided(key)).toBe('success');
    expect(await statusCalls(test, (await orderRow(test, developer, key)).id)).toBeGreaterThanOrEqual(2);
  });
});

// the last one: the application counts no "not found" for 15 minutes afterwards
it("nothing is refunded after a step of the database's clock, however old it says that the send is", async () => {
  await placed('step');
  await test.simulator.blind('roundpay', true);
  const metric = async () => /^gateway_clock_steps_total (\d+)$/m.exec(await test.app.metrics.text())![1];
  // a process measures when it looks for work, and for its metrics
  expect(await metric()).toBe('0');
  const { pool } = test.app;
  const query = pool.query.bind(pool) as (statement: unknown, ...rest: unknown[]) => Promise<{ rows: object[] }>;
  const stepped = vi.spyOn(pool, 'query').mockImplementation((async (statement: unknown, ...rest: unknown[]) => {
    const result = await query(statement, ...rest);
    if (!(statement as { text?: string }).text?.includes('from clock_timestamp()')) return result;
    return {
      ...result,
      rows: result.rows.map((one) => ({ now_ms: (one as { now_ms: number }).now_ms + 16 * MINUTE_MS })),
    };
  }) as never);
  try {
    await aged('step', 'unknown_since');
    await askedAbout('step', 4);
    expect(await row('step')).toMatchObject({ state: 'open', not_found: 0 });
    expect(await metric()).toBe('1');
    await test.simulator.blind('roundpay', false);
    expect(await decided('step')).toBe('success');
  } finally {
    stepped.mockRestore();
  }
});
