import { expect, it } from 'vitest';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { holdOf, resolutionOf, startTestLedger } from '../ledger/ledger.fixture.js';

/**
 * Measures a batch of postings on a connection that cached its plans while the tables were empty. The tables grow to 60,000
 * orders with autovacuum off, so their statistics remain those of empty tables. Measured with and without the settings that the
 * functions carry.
 */
const STEPS = 6;
const ORDERS_PER_STEP = 10_000;
const BATCH = 64;
const ROUNDS = 30;
const GUARDS = ['plan_cache_mode', 'enable_seqscan'];

async function measure(guarded: boolean): Promise<number[]> {
  const test = await startTestLedger();
  const developer = await test.wallet(1_000_000_000);
  const pool = createPool(test.db.url, { max: 1 });
  const ledger = new LedgerService(pool);
  const batch = async (): Promise<void> => {
    const holds = Array.from({ length: BATCH }, () => holdOf(developer, 1));
    await Promise.all(holds.map((hold) => ledger.hold(hold)));
    await Promise.all(holds.map((hold, n) => ledger.resolve(resolutionOf(hold, n % 2 === 0))));
  };
  /** 20th percentile in milliseconds, because other load on the machine only adds time. */
  const cost = async (): Promise<number> => {
    const elapsed: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      await batch();
      elapsed.push(performance.now() - startedAt);
    }
    return elapsed.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 5)]!;
  };
  try {
    if (!guarded)
      for (const name of ['ledger_hold', 'ledger_resolve'])
        for (const guard of GUARDS) await test.db.query(`alter function ${name} reset ${guard}`);
    for (let round = 0; round < 10; round++) await batch();
    const costs = [await cost()];
    for (let step = 0; step < STEPS; step++) {
      await growOrders(test.db, ORDERS_PER_STEP);
      costs.push(await cost());
    }
    expect(await test.violations()).toEqual([]);
    return costs;
  } finally {
    await pool.end();
    await test.close();
  }
}

it('the cost of postings is constant in a new database that grows', async () => {
  const guarded = await measure(true);
  const unguarded = await measure(false);
  const ms = (value: number): string => value.toFixed(1).padStart(8);
  const rows = guarded.map(
    (cost, step) => `${String(step * ORDERS_PER_STEP).padStart(8)} ${ms(cost)} ${ms(unguarded[step]!)}`,
  );
  process.stdout.write(
    `\n${BATCH} holds and ${BATCH} resolutions, ms\n  orders  guarded    plain\n${rows.join('\n')}\n`,
  );
  expect(guarded.at(-1)! / guarded[1]!).toBeLessThan(1.5);
  expect(unguarded.at(-1)! / guarded.at(-1)!).toBeGreaterThan(2);
});
