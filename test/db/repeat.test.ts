import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { closeOrm, inTransaction, type MikroORM, openOrm } from '../../src/db/orm.js';
import { patiently, retryWhileLocked } from '../../src/db/patience.js';
import { createPool } from '../../src/db/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Value that no log line may contain. */
const PERSONAL = '9876543210';

let db: TestDatabase;
let pool: Pool;
let orm: MikroORM;
let repeats: (Error & { code?: string })[];
beforeAll(async () => {
  db = await createTestDatabase();
  await db.query(`alter database ${new URL(db.url).pathname.slice(1)} set deadlock_timeout = '50ms'`);
  await db.query('create table pair (id text primary key, n integer not null)');
  // sequence numbers stay used when a transaction is rolled back
  await db.query('create sequence tries');
  // locks one row, and the second row once another transaction has locked that one; repeated, it causes no deadlock, because either
  // transaction may be rolled back
  await db.query(`create function cross_over(p_first text, p_second text) returns void language plpgsql as $f$
    begin
      if (select is_called and last_value > 1 from tries) then perform from pair order by id for update; end if;
      update pair set n = n + 1 where id = p_first;
      perform nextval('tries');
      while (select last_value from tries) < 2 loop perform pg_sleep(0.005); end loop;
      update pair set n = n + 1 where id = p_second;
    end $f$`);
  await db.query(`create function fail(p_state text) returns void language plpgsql as $f$
    begin perform nextval('tries'); raise exception 'failed' using errcode = p_state; end $f$`);
  await db.query('grant select, update on pair to gateway_app; grant all on sequence tries to gateway_app');
  pool = createPool(db.url, { max: 4, onRetry: (cause) => repeats.push(cause) });
  orm = openOrm(pool, []);
});
beforeEach(async () => {
  repeats = [];
  await db.query(`truncate pair; insert into pair values ('${PERSONAL}', 0), ('b', 0); alter sequence tries restart`);
});
afterAll(async () => {
  await closeOrm(orm, pool);
  await db.drop();
});

type Run = (call: string) => Promise<unknown>;
const ways: [string, Run][] = [
  ['a statement', (call) => pool.query({ text: `select ${call}`, name: call })],
  ['statements in one transaction', (call) => pool.query(`begin; select ${call}; commit`)],
  ['a transaction of the ORM', (call) => inTransaction(orm, (tx) => sql.raw(`select ${call}`).execute(tx.getKysely()))],
  [
    'a statement with a longer time limit',
    (call) => patiently(pool, 10_000, (query) => query({ text: `select ${call}` })),
  ],
];
const attemptCount = async () => Number((await db.query<{ n: string }>('select last_value as n from tries'))[0]!.n);

describe.each(ways)('%s', (_name, run) => {
  it('that was rolled back because of a deadlock is repeated, and both succeed', async () => {
    await Promise.all([run(`cross_over('${PERSONAL}', 'b')`), run(`cross_over('b', '${PERSONAL}')`)]);
    expect(await db.query('select n from pair')).toEqual([{ n: 2 }, { n: 2 }]);
    expect(new Set(repeats.map(({ code }) => code))).toEqual(new Set(['40P01']));
    let line = '';
    createLogger('info', { write: (text) => void (line = text) }).warn({ err: repeats[0] }, 'done once more');
    expect(JSON.parse(line).err).toMatchObject({ code: '40P01', message: 'deadlock detected' });
    expect(line).not.toContain(PERSONAL);
  });

  it.each([
    ['40001', 2],
    ['23514', 1],
  ])('that fails with %s each time is attempted %i times', async (state, times) => {
    await expect(run(`fail('${state}')`)).rejects.toMatchObject({ code: state });
    expect([await attemptCount(), repeats.length]).toEqual([times, times - 1]);
    // no connection is left inside a transaction
    await Promise.all(Array.from({ length: 4 }, () => pool.query('select 1')));
  });
});

it('a statement within a transaction is never repeated by itself', async () => {
  const client = await pool.connect();
  await client.query('begin');
  await expect(client.query(`select fail('40P01')`)).rejects.toMatchObject({ code: '40P01' });
  client.release(true);
  expect([await attemptCount(), repeats]).toEqual([1, []]);
});

it('a migration is repeated as a whole and never partly, so that no half-built index is left', async () => {
  const migrationPool = createPool(db.url, { max: 1, asOwner: true, migrates: true });
  let runs = 0;
  const migrate = async () => void (++runs === 1 && (await migrationPool.query(`select fail('40P01')`)));
  await retryWhileLocked(migrate, { patienceMs: 60_000, onWait: () => {} });
  await migrationPool.end();
  expect([runs, await attemptCount()]).toEqual([2, 1]);
});
