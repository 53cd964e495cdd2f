import { Client } from 'pg';
import { expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from '../ledger/ledger.fixture.js';
import { at, median } from './support/statistics.js';

/** Wallets that another transaction keeps locked while their owners continue to call. */
const LOCKED = [0, 1, 4, 40];
const ROUNDS = 3;
const CALLS = 60;
/** Concurrent calls for each locked wallet. */
const OWNERS_CALLS = 4;
/** A call to a locked wallet fails after this time, and then its owner sends the next call. */
const PATIENCE_MS = 1_000;
const MOST_TIMES_SLOWER = 1.5;
const CONTENDED_ORDERS = 2_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Locks wallets without a time limit, as a psql session can. */
async function lock({ db }: TestLedger, developerIds: readonly DeveloperId[]): Promise<() => Promise<void>> {
  const connection = new Client({ connectionString: db.url });
  await connection.connect();
  await connection.query('begin');
  await connection.query('select from wallet where developer_id = any($1) for update', [developerIds]);
  return () => connection.end();
}

async function timeOfCall(ledger: LedgerService, developerId: DeveloperId, success = false): Promise<number> {
  const hold = holdOf(developerId, 100);
  const startedAt = performance.now();
  expect((await ledger.hold(hold)).outcome).toBe('accepted');
  expect((await ledger.resolve(resolutionOf(hold, success))).outcome).toBe(success ? 'settle' : 'refund');
  return performance.now() - startedAt;
}

/** Milliseconds of each call to other wallets while the given wallets are locked. */
async function timesWithBusy(test: TestLedger, wallets: readonly DeveloperId[], otherWallets: readonly DeveloperId[]) {
  const ledger = new LedgerService(test.pool, { retryHoldForMs: PATIENCE_MS });
  // locks all wallets briefly: earlier versions queued later calls behind the calls to locked wallets
  const unlock = await lock(test, wallets.length === 0 ? [] : [...wallets, ...otherWallets]);
  const firsts = Promise.allSettled(otherWallets.map((developerId) => ledger.hold(holdOf(developerId, 100))));
  await unlock();
  await firsts;
  const unlockAgain = await lock(test, wallets);
  let isCalling = true;
  const owners = wallets.flatMap((developerId) =>
    Array.from({ length: OWNERS_CALLS }, async () => {
      while (isCalling) await ledger.hold(holdOf(developerId, 100)).catch(() => {});
    }),
  );
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) times.push(await timeOfCall(ledger, otherWallets[n % otherWallets.length]!));
  isCalling = false;
  await unlockAgain();
  await Promise.all(owners);
  return times;
}

it('calls to other wallets take as long as usual while wallets are locked', async () => {
  const test = await startTestLedger(16);
  const wallets: DeveloperId[] = [];
  for (let n = 0; n < 48; n++) wallets.push(await test.wallet(100_000_000));
  const otherWallets = wallets.splice(0, 8);
  const times = new Map(LOCKED.map((count) => [count, [] as number[]]));
  try {
    for (let n = 0; n < 200; n++) await timeOfCall(test.ledger, otherWallets[n % 8]!);
    for (let round = 0; round < ROUNDS; round++)
      for (const count of round % 2 === 0 ? LOCKED : LOCKED.toReversed())
        times.get(count)!.push(...(await timesWithBusy(test, wallets.slice(0, count), otherWallets)));
    const usualMs = median(times.get(0)!);
    for (const [count, all] of times) {
      const sorted = all.toSorted((a, b) => a - b);
      print(
        `${String(count).padStart(3)} locked: p50 ${median(all).toFixed(1)} ms (${(median(all) / usualMs).toFixed(2)}×), p99 ${at(sorted, 0.99).toFixed(1)} ms`,
      );
    }
    for (const count of LOCKED) expect(median(times.get(count)!) / usualMs).toBeLessThanOrEqual(MOST_TIMES_SLOWER);
    expect(await test.violations()).toEqual([]);
  } finally {
    await test.close();
  }
}, 600_000);

it.each([1, 2, 4].flatMap((count) => [true, false].map((success) => [count, success] as const)))(
  '%i processes share one wallet, success: %s',
  async (count, success) => {
    const test = await startTestLedger();
    const developer = await test.wallet(1_000_000_000);
    const pools = Array.from({ length: count }, () => createPool(test.db.url, { max: 8 }));
    const ledgers = pools.map((pool) => new LedgerService(pool));
    let failed = 0;
    const round = async (orders: number): Promise<number[]> => {
      const times: number[] = [];
      await Promise.all(
        ledgers.flatMap((ledger) =>
          Array.from({ length: 64 / count }, async () => {
            for (let n = 0; n < orders / 64; n++)
              await timeOfCall(ledger, developer, success).then(
                (ms) => times.push(ms),
                () => failed++,
              );
          }),
        ),
      );
      return times;
    };
    try {
      await round(640);
      const startedAt = performance.now();
      const times = await round(CONTENDED_ORDERS);
      const seconds = (performance.now() - startedAt) / 1_000;
      const sorted = times.toSorted((a, b) => a - b);
      print(
        `one wallet, 64 callers, ${count} processes, ${success ? 'settled' : 'refunded'}: ${(times.length / seconds).toFixed(0)} orders/s, p50 ${at(sorted, 0.5).toFixed(0)} ms, p99 ${at(sorted, 0.99).toFixed(0)} ms, longest ${sorted.at(-1)!.toFixed(0)} ms, ${failed} failed`,
      );
      expect(failed).toBe(0);
      expect(await test.violations()).toEqual([]);
    } finally {
      for (const pool of pools) await pool.end();
      await test.close();
    }
  },
  600_000,
);
