import { expect, it } from 'vitest';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { StatementService } from '../../src/ledger/statement.service.js';
import { EnquiryStore } from '../../src/orders/enquiry.store.js';
import { growOrders, plansOf } from '../ledger/growth.fixture.js';
import { holdOf, resolutionOf, startTestLedger } from '../ledger/ledger.fixture.js';

/** Orders that are there before anything is measured. */
const GROWTH = Number(process.env.GROWTH ?? 100_000);
const AT_ONCE = 50_000;
/** Orders between two checks of the books. */
const NEW = 2_000;
const BATCH = 64;
const ROUNDS = 20;
const A_DAY_MS = 86_400_000;
/** Nodes shown of a plan: that of the check is long. */
const SHOWN = 40;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

it(`costs among ${GROWTH} orders`, async () => {
  const test = await startTestLedger();
  const developer = await test.wallet(1_000_000_000);
  const pool = createPool(test.db.url, { max: 1 });
  const ledger = new LedgerService(pool);
  const statement = new StatementService(pool);
  const enquiryStore = new EnquiryStore(pool);
  const place = async (count: number, resolved = true): Promise<void> => {
    const holds = Array.from({ length: count }, () => holdOf(developer, 1, resolved ? {} : { leaseMs: 0 }));
    await Promise.all(holds.map((hold) => ledger.hold(hold)));
    if (resolved) await Promise.all(holds.map((hold, n) => ledger.resolve(resolutionOf(hold, n % 4 > 0))));
  };
  const check = async (): Promise<void> => expect(await ledger.checkNew()).toEqual([]);

  const measure = async (
    name: string,
    work: () => Promise<unknown>,
    { rounds = ROUNDS, before = async () => {} }: { rounds?: number; before?: () => Promise<void> } = {},
  ): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await before();
      times.push(await timed(work));
    }
    await before();
    const plans = await plansOf(pool, work);
    print(`\n${name}: median ${median(times).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms`);
    for (const { text, blocks, tree } of plans.filter((plan) => plan.blocks > 0)) {
      print(`  ${text.slice(0, 100)}: ${blocks} pages`);
      for (const line of tree.slice(0, SHOWN)) print(`    ${line}`);
      if (tree.length > SHOWN) print(`    and ${tree.length - SHOWN} more`);
    }
    const scans = plans.flatMap((plan) => plan.scans).filter((table) => /^(orders|order_event|transfer)/.test(table));
    expect(scans, `${name} reads whole tables`).toEqual([]);
    return median(times);
  };

  try {
    for (let count = 0; count < GROWTH; count += AT_ONCE) {
      const part = Math.min(AT_ONCE, GROWTH - count);
      const elapsedMs = await timed(() => growOrders(test.db, part, '1 day'));
      print(`${count + part} orders, the last ${part} in ${Math.round(elapsedMs)} ms`);
    }
    for (const table of ['orders', 'transfer', 'wallet']) await test.db.query(`vacuum (analyze) ${table}`);
    print(
      `\nfirst check: ${Math.round(await timed(async () => expect(await ledger.checkNew(A_DAY_MS)).toEqual([])))} ms`,
    );

    await measure(`${BATCH} holds and ${BATCH} resolutions`, () => place(BATCH));
    await measure('statement page', () => statement.page(developer, 'production', { first: 50 }));
    await check();
    const checkMs = await measure(`check of ${NEW} new orders`, check, { rounds: 5, before: () => place(NEW) });
    await measure('check of nothing new', check);
    await place(1_000, false);
    await measure('due orders, 20 of 1,000', () => enquiryStore.leaseDue('ROUNDPAY', 20, 60_000));
    await measure('what providers are owed', () => ledger.owed());
    await check();
    print(`\nfull check: ${Math.round(await timed(async () => expect(await ledger.check(A_DAY_MS)).toEqual([])))} ms`);
    expect(checkMs).toBeLessThan(1_000);
  } finally {
    await pool.end();
    await test.close();
  }
}, 3_600_000);
