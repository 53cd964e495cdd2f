import { it } from 'vitest';
import type { PatientQuery } from '../../src/db/patience.js';
import { archiveOf, BOUNDARY, idAt, monthsBefore, orderAt, tablesOf } from '../ledger/archive.fixture.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { startTestLedger, type TestLedger } from '../ledger/ledger.fixture.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Orders of the month that is archived, and of the current month: `ARCHIVED=1000000 npm run bench:archive`. */
const ORDERS = Number(process.env.ARCHIVED ?? 200_000);
/** Open orders of the month, which stay. */
const OPEN = 100;
const A_PART = 50_000;
const TABLES = ['orders', 'order_event', 'order_search', 'transfer'];

interface Size {
  name: string;
  rows: number;
  /** Bytes per order of the month. */
  table: number;
  indexes: number;
}

const sizesOf = ({ db }: TestLedger): Promise<Size[]> =>
  db.query<Size>(
    `select c.relname as name, c.reltuples::float8 as rows, round(pg_table_size(c.oid) / $2::float8) as table, round(pg_indexes_size(c.oid) / $2::float8) as indexes
     from unnest($1::text[]) t(name), lateral (select t.name::regclass::oid as id
       union all select i.inhrelid from pg_inherits i where i.inhparent = t.name::regclass) p join pg_class c on c.oid = p.id
     where pg_relation_size(c.oid) > 0 order by 1`,
    [TABLES, ORDERS],
  );

const deadRowsOf = async ({ db }: TestLedger): Promise<Record<string, number>> => {
  await db.query('select pg_stat_force_next_flush()');
  const rows = await db.query<{ name: string; dead: number }>(
    `select relname as name, n_dead_tup::float8 as dead from pg_stat_user_tables
     where relname ~ '^(orders|order_event|order_search|transfer|archive_)' and n_dead_tup > 0 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, dead }) => [name, dead]));
};

const logPosition = async ({ db }: TestLedger): Promise<number> =>
  (await db.query<{ at: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as at`))[0]!.at;

const print = (label: string, figures: unknown): void =>
  void process.stdout.write(`${label}: ${typeof figures === 'number' ? figures : JSON.stringify(figures, null, 1)}\n`);

it(`archives a month of ${ORDERS} orders`, async () => {
  const test = await startTestLedger();
  const archive = archiveOf(test);
  try {
    // autovacuum would remove dead rows while they are counted
    await test.db.query('alter table transfer set (autovacuum_enabled = off)');
    await tablesOf(test, 1);
    const developer = await test.wallet(1_000_000);
    for (let placed = 0; placed < OPEN; placed++) {
      const at = monthsBefore(1, 9);
      await orderAt(test, developer, 1, at, undefined, undefined, idAt(at));
    }
    const days = Math.round((Date.now() - monthsBefore(1, 10).getTime()) / 86_400_000);
    for (const age of [`${days} days`, '0 s'])
      for (let placed = 0; placed < ORDERS; placed += A_PART)
        await growOrders(test.db, Math.min(A_PART, ORDERS - placed), age);
    await test.ledger.checkNew();
    await test.db.query('vacuum (analyze)');
    await test.db.query('checkpoint');
    print('sizes before, bytes per order of the month', await sizesOf(test));
    const spent = new Map<string, { ms: number; calls: number; longestMs: number }>();
    const query: PatientQuery = async (statement) => {
      const startedAt = performance.now();
      const rows = await archive.query(statement);
      const ms = performance.now() - startedAt;
      const step = (rows[0] as { step?: string } | undefined)?.step;
      const name = `${/archive_\w+|update \w+/.exec(statement.text)?.[0] ?? 'other'}${step ? ` ${step}` : ''}`;
      const total = spent.get(name) ?? { ms: 0, calls: 0, longestMs: 0 };
      spent.set(name, { ms: total.ms + ms, calls: total.calls + 1, longestMs: Math.max(total.longestMs, ms) });
      return rows as never;
    };
    const logStart = await logPosition(test);
    const startedAt = performance.now();
    const months = await archive.run(temporaryDirectory(), { query });
    print('seconds', Math.round((performance.now() - startedAt) / 100) / 10);
    print(
      'orders',
      months.map(({ orders }) => orders),
    );
    print('log, bytes per order', Math.round(((await logPosition(test)) - logStart) / ORDERS));
    print(
      'by statement',
      [...spent].map(
        ([name, { ms, calls, longestMs }]) => `${name}: ${Math.round(ms)} ms, ${calls}, ${Math.round(longestMs)}`,
      ),
    );
    for (let connection = 0; connection < 2; connection++)
      await archive.query({ text: 'select pg_stat_force_next_flush()' });
    print('dead rows', await deadRowsOf(test));
    const vacuumedAt = performance.now();
    await test.db.query('vacuum transfer');
    print('vacuum transfer, seconds', Math.round((performance.now() - vacuumedAt) / 100) / 10);
    await test.db.query('vacuum (analyze)');
    print('sizes after', await sizesOf(test));
    print('violations', await test.violations());
    print('boundary', BOUNDARY.toISOString());
  } finally {
    await archive.close();
    await test.close();
  }
}, 7_200_000);
