import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { withSection } from '../../src/cli/generated-file.js';
import { loadConfig } from '../../src/config.js';
import { indianDay } from '../../src/core/clock.js';
import { csvOf } from '../../src/core/csv.js';
import { createLogger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { createPool } from '../../src/db/pool.js';
import { DailyStatementService } from '../../src/ledger/daily-statement.service.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { StatementService } from '../../src/ledger/statement.service.js';
import { statementColumns, statementRows } from '../../src/ledger/statement-table.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import { growOrders, plansOf } from '../ledger/growth.fixture.js';
import { holdOf, resolutionOf, startTestLedger } from '../ledger/ledger.fixture.js';
import { testEnvironment } from '../support/app.js';
import { integer, machineLine, printTable, runText, short, type Table, tableText } from './support/report.js';
import { median } from './support/statistics.js';

/** Numbers of orders at which the costs are measured, in ascending order: `GROWTH=100000,1000000 npm run bench:growth`. */
const SIZES = (process.env.GROWTH ?? '100000,1000000,5000000').split(',').map(Number);
const DOCUMENT = new URL('../../docs/benchmarks.md', import.meta.url);
const BATCH_SIZE = 50_000;
/** Orders placed between two checks of the books. */
const NEW = 2_000;
const ROUNDS = 20;
const A_DAY_MS = 86_400_000;
/** Orders of the small wallet. Each large wallet has one fortieth of all orders. */
const FEW = 2_000;

const day = (daysAgo: number): string => indianDay(new Date(Date.now() - daysAgo * A_DAY_MS));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

it(`costs with ${SIZES.join(', ')} orders`, async () => {
  const startedAt = performance.now();
  const initialLoad = loadavg()[0]!;
  const test = await startTestLedger();
  const pool = createPool(test.db.url, { max: 1 });
  const ledger = new LedgerService(pool);
  const statement = new StatementService(pool);
  const daily = new DailyStatementService(pool);
  const statusCheckStore = new StatusCheckStore(pool);
  const app = await createApp(
    loadConfig({ ...testEnvironment(test.db.url, 'http://127.0.0.1:9', [1, 2, 3]) }),
    createLogger('silent'),
  );
  const rows = new Map<string, string[]>();
  /** Figures for each size, in milliseconds. Figures per row are in microseconds. */
  const figures = new Map<string, number[]>();
  const note = (name: string, value: number, text = short(value)): void => {
    rows.set(name, [...(rows.get(name) ?? [name]), text]);
    figures.set(name, [...(figures.get(name) ?? []), value]);
  };

  /** Records a figure that is measured only once, at the largest size. */
  const atLast = (name: string, value: number): void => {
    rows.set(name, [name, ...SIZES.slice(1).map(() => ''), short(value)]);
    figures.set(name, [value]);
  };
  const largestWallet = (): Promise<{ id: DeveloperId }[]> =>
    test.db.query(
      `select developer_id as id from wallet where environment = 'production' order by version desc limit 1`,
    );

  const place = async (developer: DeveloperId, count: number, resolved = true): Promise<void> => {
    const holds = Array.from({ length: count }, () => holdOf(developer, 1, resolved ? {} : { leaseMs: 0 }));
    await Promise.all(holds.map((hold) => ledger.hold(hold)));
    if (resolved) await Promise.all(holds.map((hold, n) => ledger.resolve(resolutionOf(hold, n % 4 > 0))));
  };
  const check = async (): Promise<void> => expect(await ledger.checkNew(A_DAY_MS)).toEqual([]);

  /** Median of several rounds. Fails if a plan reads a whole table. */
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
    const scans = (await plansOf(pool, work)).flatMap((plan) => plan.scans);
    expect(
      scans.filter((table) => /^(orders|order_event|transfer)/.test(table)),
      `${name} reads whole tables`,
    ).toEqual([]);
    return median(times);
  };

  try {
    const few = await test.wallet(1_000_000_000);
    await place(few, FEW);
    let placed = 0;
    for (const size of SIZES) {
      for (; placed < size; placed += BATCH_SIZE) {
        const part = Math.min(BATCH_SIZE, size - placed);
        const elapsedMs = await timed(() => growOrders(test.db, part, '1 day'));
        if ((placed + part) % 500_000 === 0)
          print(`${placed + part} orders, the last ${part} in ${Math.round(elapsedMs)} ms`);
      }
      for (const table of ['orders', 'transfer', 'wallet']) await test.db.query(`vacuum (analyze) ${table}`);
      note('first check of the new orders, s', (await timed(check)) / 1_000);
      const many = (await largestWallet())[0]!.id;
      const wallets: [string, DeveloperId][] = [
        [`of ${integer(FEW)} orders`, few],
        ['of a fortieth', many],
      ];
      for (const [walletSize, developer] of wallets) {
        note(
          `page of 50 entries, wallet ${walletSize}, ms`,
          await measure('page', () => statement.page(developer, 'production', { first: 50 })),
        );
        const days = (): Promise<{ firstVersion: bigint; endVersion: bigint }[]> =>
          daily.days(developer, 'production', day(30), day(0));
        const found = await days();
        const lines = Number(found.at(-1)!.endVersion - found[0]!.firstVersion);
        note(
          `31 days, wallet ${walletSize}, µs per entry`,
          ((await measure('days', days, { rounds: 5 })) * 1_000) / lines,
        );
        const csv = async (): Promise<void> => {
          const pages = statementRows({ statement, daily }, developer, 'production', day(30), day(0));
          const pieces = csvOf(statementColumns, pages);
          while (!(await pieces.next()).done);
        };
        note(
          `CSV of 31 days, wallet ${walletSize}, µs per entry`,
          (median([await timed(csv), await timed(csv), await timed(csv)]) * 1_000) / lines,
        );
      }
      note('recharge, small wallet, ms', await measure('recharge', () => place(few, 1)));
      await check();
      note(
        `check of ${integer(NEW)} new orders, ms`,
        await measure('check', check, { rounds: 5, before: () => place(few, NEW) }),
      );
      note('check without new orders, ms', await measure('check', check));
      await place(few, 1_000, false);
      note('20 due orders of 1,000, ms', await measure('due', () => statusCheckStore.leaseDue('ROUNDPAY', 20, 60_000)));
      await check();
      note('/metrics, ms', median(await scrapes(() => app.metrics.text())));
      for (const [name, cells] of rows) print(`${name}: ${cells.slice(1).join(' ')}`);
    }
    // read after the growth, because the growth changes the wallet versions
    const [largest] = await largestWallet();
    atLast('recharge, large wallet, ms', await measure('recharge', () => place(largest!.id, 1)));
    const fullMs = await timed(async () => expect(await ledger.check(A_DAY_MS)).toEqual([]));
    atLast('full check, s', fullMs / 1_000);
    const last = (name: string): number => figures.get(name)!.at(-1)!;
    const growthOf = (name: string): number => last(name) / figures.get(name)![0]!;
    const relativeTo = (name: string): number =>
      last(`${name} of a fortieth, µs per entry`) / last(`${name} of ${integer(FEW)} orders, µs per entry`);
    const table: Table = {
      id: 'F',
      title: 'growth of the ledger',
      columns: ['orders', ...SIZES.map(integer)],
      rows: [...rows.values()],
      goals: [
        { what: 'recharge, last compared with first', is: growthOf('recharge, small wallet, ms'), atMost: 1.5 },
        {
          what: 'recharge, large wallet compared with small',
          is: last('recharge, large wallet, ms') / last('recharge, small wallet, ms'),
          atMost: 1.5,
        },
        {
          what: 'page, last compared with first',
          is: growthOf('page of 50 entries, wallet of a fortieth, ms'),
          atMost: 1.5,
        },
        { what: 'days, per entry, large wallet compared with small', is: relativeTo('31 days, wallet'), atMost: 2 },
        {
          what: 'CSV, per entry, large wallet compared with small',
          is: relativeTo('CSV of 31 days, wallet'),
          atMost: 2,
        },
        {
          what: 'check of new orders',
          is: last(`check of ${integer(NEW)} new orders, ms`) / 1_000,
          atMost: 1,
          unit: ' s',
        },
        { what: '/metrics', is: last('/metrics, ms'), atMost: 50, unit: ' ms' },
      ],
      notes: [
        'Forty wallets share the orders, and there is one small wallet. One connection, one call at a time; the database flushes every commit to disk.',
        'No measured statement reads a complete table of orders or transfers.',
        'The entries of a large wallet are between those of forty others, so almost every entry of a file is on a different page. The entries of the small wallet were written one after the other.',
      ],
    };
    printTable(table);
    const minutes = (performance.now() - startedAt) / 60_000;
    const [server] = await test.db.query<{ version: string }>(`select current_setting('server_version') as version`);
    const run = runText({ machine: machineLine(server!.version, initialLoad), minutes });
    print(run);
    if (process.env.GROWTH === undefined) {
      const text = `## Growth\n\n${run}\n\n${tableText(table)}`;
      writeFileSync(DOCUMENT, withSection(readFileSync(DOCUMENT, 'utf8'), 'growth', text, 'npm run bench:growth'));
    }
  } finally {
    await app.close();
    await pool.end();
    await test.close();
  }
}, 3_600_000);

/** The first scrape reads the database; the following ones return what it read. */
async function scrapes(scrape: () => Promise<string>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 10; n++) times.push(await timed(scrape));
  return times;
}
