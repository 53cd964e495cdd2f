import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

const CALLS = 20;
const ROUNDS = 3;
/** What a statement may take longer on a machine that is busy otherwise. */
const SLACK_MS = 5;

let test: TestLedger;
beforeAll(async () => {
  test = await startTestLedger();
});
afterAll(() => test.close());

/** Holds somebody's wallet, as a process does that stopped in the middle of a credit. */
async function lockWallet(developerId: DeveloperId): Promise<() => Promise<void>> {
  const connection = await test.pool.connect();
  await connection.query('begin');
  await connection.query(`select ledger_post($1, 'production', uuidv7(), 'lead_fee', 1, 'locks the wallet')`, [
    developerId,
  ]);
  return async () => {
    await connection.query('rollback');
    connection.release();
  };
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;

it('a wallet that somebody keeps locked delays nobody else, and its own calls go on afterwards', async () => {
  const [locked, other] = [await test.wallet(1_000_000), await test.wallet(1_000_000)];
  const { ledger } = test;
  const timesWhile: Record<'locked' | 'free', number[]> = { locked: [], free: [] };
  const charge = async (state: 'locked' | 'free'): Promise<void> => {
    const hold = holdOf(other, 100);
    const startedAt = performance.now();
    expect((await ledger.hold(hold)).outcome).toBe('accepted');
    expect((await ledger.resolve(resolutionOf(hold, false))).outcome).toBe('refund');
    timesWhile[state].push(performance.now() - startedAt);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const opened = holdOf(locked, 100);
    await ledger.hold(opened);
    const unlock = await lockWallet(locked);
    let waiting = 0;
    const waits = async <T>(call: Promise<T>): Promise<T> => {
      waiting++;
      return call.finally(() => waiting--);
    };
    const calls = [waits(ledger.resolve(resolutionOf(opened, false)))] as Promise<{ outcome: string }>[];
    for (let n = 0; n < CALLS; n++) {
      // in one batch with the call that cannot be posted
      calls.push(waits(ledger.hold(holdOf(locked, 100))));
      await charge('locked');
    }
    expect(waiting).toBe(CALLS + 1);
    expect(ledger.backlog).toBeGreaterThan(0);
    await unlock();
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['refund', ...Array.from({ length: CALLS }, () => 'accepted')]);
    for (let n = 0; n < CALLS; n++) await charge('free');
  }
  expect(median(timesWhile.locked)).toBeLessThanOrEqual(2 * median(timesWhile.free) + SLACK_MS);
  expect(ledger.backlog).toBe(0);
  expect(await test.balance(locked)).toBe(1_000_000 - ROUNDS * CALLS * 100);
  expect(await test.violations()).toEqual([]);
});

it('an order that somebody keeps locked delays no other order of a batch', async () => {
  const developer = await test.wallet(10_000);
  const [first, second] = [holdOf(developer, 100), holdOf(developer, 100)];
  await Promise.all([test.ledger.hold(first), test.ledger.hold(second)]);
  const connection = await test.pool.connect();
  await connection.query('begin');
  await connection.query('select order_ask($1)', [first.id]);
  let decided = false;
  const waits = test.ledger.resolve(resolutionOf(first, true)).finally(() => (decided = true));
  expect((await test.ledger.resolve(resolutionOf(second, true))).outcome).toBe('settle');
  expect(decided).toBe(false);
  await connection.query('rollback');
  connection.release();
  expect((await waits).outcome).toBe('settle');
  expect(await test.violations()).toEqual([]);
});
