import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withSection } from '../../src/cli/generated-file.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { startTestApp, type TestApp, type TestDeveloper } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { place, RECHARGE } from '../support/recharges.js';
import { integer, printTable, short, type Table, tableText } from './support/report.js';

/** Numbers of orders in the fixture: `GROWTH=100000,1000000 npm run bench:growth`. */
const SIZES = (process.env.GROWTH ?? '100000,1000000').split(',').map(Number);
const DOCUMENT = new URL('../../docs/benchmarks.md', import.meta.url);
/** Orders placed concurrently over the API. */
const LIVE = Number(process.env.LIVE ?? 3_000);
const CONCURRENCY = 8;
const A_PART = 50_000;
/** Numbers of orders for which the disk space is extrapolated. */
const CALCULATED = [20_000_000, 1_300_000_000];

const TABLES = ['orders', 'order_event', 'order_search', 'transfer', 'order_key', 'order_reference'] as const;
/** Tables whose month is rewritten. */
const REWRITTEN: readonly string[] = ['orders', 'order_event', 'order_search'];

type Sizes = Record<string, { table: number; indexes: number }>;

/** Bytes per order. Partitions are added to their table; empty partitions are ignored. */
async function sizesOf(db: TestDatabase): Promise<Sizes> {
  await db.query('vacuum (analyze)');
  const rows = await db.query<{ name: string; heap: number; indexes: number }>(
    `select t.name, sum(pg_table_size(p.id))::float8 / o.n as heap, sum(pg_indexes_size(p.id))::float8 / o.n as indexes
     from unnest($1::text[]) t(name), (select count(*) as n from orders) o,
       lateral (select t.name::regclass union all select i.inhrelid from pg_inherits i where i.inhparent = t.name::regclass) p(id)
     where pg_relation_size(p.id) > 0 group by 1, o.n`,
    [TABLES],
  );
  process.stdout.write(`${JSON.stringify(rows)}\n`);
  return Object.fromEntries(rows.map(({ name, heap, indexes }) => [name, { table: heap, indexes }]));
}

const total = (sizes: Sizes): number =>
  Object.values(sizes).reduce((sum, { table, indexes }) => sum + table + indexes, 0);

/**
 * Runs every step of the rewrite on the current month as if it had ended. Returns the bytes of write-ahead log per order and how
 * often each step ran.
 */
async function rewrite(db: TestDatabase): Promise<{ logBytes: number; steps: Record<string, number> }> {
  const steps: Record<string, number> = {};
  const [{ lsn }] = (await db.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')) as [{ lsn: string }];
  for (let did = ''; did !== 'none'; steps[did] = (steps[did] ?? 0) + 1)
    did = (
      await db.query<{ step: string }>(`select order_month_step(now() + interval '31 days', 2000, '0 s') as step`)
    )[0]!.step;
  const [{ bytes }] = (await db.query<{ bytes: number }>(
    'select (pg_current_wal_lsn() - $1::pg_lsn)::float8 / (select count(*) from orders) as bytes',
    [lsn],
  )) as [{ bytes: number }];
  return { logBytes: bytes, steps };
}

const keyed = (n: number) => ({
  client_request_id: `order key ${n}`,
  account_number: String(9_876_500_055 + 100 * (n % 900)),
});

/** Repeats a call until it is stopped. Returns the longest duration in milliseconds and the number of calls. */
function repeated(work: (n: number) => Promise<void>): () => Promise<{ longestMs: number; calls: number }> {
  let active = true;
  let longestMs = 0;
  let calls = 0;
  const loop = (async () => {
    for (; active; calls++) {
      const startedAt = performance.now();
      await work(calls);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  })();
  return async () => {
    active = false;
    await loop;
    return { longestMs, calls };
  };
}

it('disk space of an order before and after its month is rewritten', async () => {
  const columns: [name: string, sizes: Sizes][] = [];
  const notes: string[] = [];
  const test = await startTestApp({
    SYNC_WINDOW_MS: '25000',
    PROVIDER_TIMEOUT_MS: '20000',
    EXPOSURE_LIMIT: '0:0',
    LEASE_MARGIN_MS: '20000',
    VISIBILITY_DELAY_MS: '15m',
  });
  const pool = createPool(test.db.url, { max: 2 });
  try {
    const developers = await Promise.all(Array.from({ length: 8 }, () => test.developer({ liveRupees: 1_000_000 })));
    for (let placed = 0; placed < LIVE; placed += 500) {
      await recharge(test, developers, placed, Math.min(500, LIVE - placed));
      // autovacuum does this in production
      await test.db.query('vacuum orders');
    }
    columns.push([`${integer(LIVE)} over the API`, await sizesOf(test.db)]);
    // replays, status calls and reversals of the orders that are being copied, among 100,000 others
    await growOrders(test.db, 100_000);
    const orders = await test.db.query<{ developer: string; id: string }>(
      `select developer_id as developer, id from orders where developer_id = any($1) order by id`,
      [developers.map(({ id }) => id)],
    );
    const [developer] = developers as [TestDeveloper];
    const reading = {
      replay: repeated(async (n) => {
        const { headers } = await place(test, developer, keyed((n * 8) % LIVE));
        expect(headers.get('idempotent-replayed')).toBe('true');
      }),
      status: repeated(async (n) => {
        const path = `${RECHARGE}/status?client_request_id=${encodeURIComponent(keyed((n * 8) % LIVE).client_request_id)}`;
        const { status, body } = await test.rest('production', 'GET', path, developer.tokens.production);
        // a reversed payment has the status failed
        expect([status, body.status]).toEqual([200, expect.stringMatching(/success|failed/)]);
      }),
      reversal: repeated(async (n) => {
        const { developer: of, id } = orders[n]!;
        const { rows } = await pool.query({ text: `select ledger_reverse($1, $2, '{}') as outcome`, values: [of, id] });
        expect(rows).toEqual([{ outcome: 'reversed' }]);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }),
    };
    const { steps } = await rewrite(test.db);
    for (const [name, stop] of Object.entries(reading)) {
      const { longestMs, calls } = await stop();
      notes.push(
        `${name}: ${integer(calls)} calls during the rewrite, the longest took ${short(longestMs / 1_000, 2)} s.`,
      );
      expect(longestMs).toBeLessThan(2_000 + (name === 'reversal' ? 100 : 0));
    }
    notes.push(
      `Steps of the rewrite in that time: ${Object.entries(steps)
        .map(([did, n]) => `${did} ${n}`)
        .join(', ')}.`,
    );
    expect(await test.app.ledger.check()).toEqual([]);
  } finally {
    await pool.end();
    await test.close();
  }
  for (const size of SIZES) {
    const db = await createTestDatabase();
    const owner = createPool(db.url, { max: 1 });
    try {
      for (let placed = 0; placed < size; placed += A_PART) {
        await growOrders(db, Math.min(A_PART, size - placed));
        await db.query('vacuum orders');
      }
      columns.push([integer(size), await sizesOf(db)]);
      const { logBytes } = await rewrite(db);
      columns.push([`${integer(size)}, rewritten`, await sizesOf(db)]);
      notes.push(
        `The rewrite of ${integer(size)} orders writes ${integer(logBytes)} bytes of log per order, without full page images.`,
      );
      expect(await new LedgerService(owner).check(3_600_000)).toEqual([]);
    } finally {
      await owner.end();
      await db.drop();
    }
  }
  const [, last] = columns.at(-1)!;
  for (const size of CALCULATED)
    notes.push(
      `Calculated: ${integer(size / 1e6)} million rewritten orders need ${integer((size * total(last)) / 1e9)} GB.`,
    );
  const table: Table = {
    id: 'G',
    title: 'disk per order, bytes',
    columns: ['', ...columns.map(([name]) => name)],
    rows: [
      ...TABLES.flatMap((name) => [
        [name, ...columns.map(([, sizes]) => integer(sizes[name]!.table))],
        [`${name}, indexes`, ...columns.map(([, sizes]) => integer(sizes[name]!.indexes))],
      ]),
      ['total', ...columns.map(([, sizes]) => integer(total(sizes)))],
    ],
    goals: [{ what: 'after the rewrite', is: total(last) / 1_000, atMost: 2.4, unit: ' kB' }],
    notes: [`${REWRITTEN.join(', ')} are rewritten; the other tables are not changed.`, ...notes],
  };
  printTable(table);
  if (process.env.GROWTH === undefined) {
    const page = readFileSync(DOCUMENT, 'utf8');
    writeFileSync(DOCUMENT, withSection(page, 'disk', tableText(table), 'npm run bench:growth'));
  }
}, 3_600_000);

async function recharge(
  test: TestApp,
  developers: readonly TestDeveloper[],
  from: number,
  count: number,
): Promise<void> {
  let next = from;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let n = next++; n < from + count; n = next++) {
        const { body } = await place(test, developers[n % developers.length]!, keyed(n));
        expect(body.status).toBe('success');
      }
    }),
  );
}
