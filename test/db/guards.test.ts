import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { patiently } from '../../src/db/patience.js';
import { createPool } from '../../src/db/pool.js';
import { requireDurable, weakDurability } from '../../src/db/start-checks.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';

/** What the guide has an operator do for a login behind a pooler. */
const GUIDE = /```sql\n(alter role gateway_service [^]*?)```/.exec(readFileSync('docs/operating.md', 'utf8'))![1]!;

const login = `service_${randomBytes(4).toString('hex')}`;
const pools: Pool[] = [];
let db: TestDatabase;
let url: URL;
beforeAll(async () => {
  db = await createTestDatabase();
  url = new URL(db.url);
  await db.query(`create role ${login} login password 'of a test' in role gateway_app`);
  Object.assign(url, { username: login, password: 'of a test' });
});
beforeEach(async () => {
  const database = url.pathname.slice(1);
  await db.query(GUIDE.replaceAll('gateway_service', login).replaceAll('database gateway', `database ${database}`));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await db.query(`drop owned by ${login}`);
  await db.query(`drop role ${login}`);
  await db.drop();
});

const alter = (settings: string): Promise<unknown> =>
  db.query(`alter role ${login} in database ${url.pathname.slice(1)} ${settings}`);

function connect(withStartupOptions: boolean): Pool {
  const pool = createPool(url.href, { max: 1, withStartupOptions });
  pools.push(pool);
  return pool;
}

it('a login with the settings of the guide has the guards without asking for them', async () => {
  const pool = connect(false);
  const { rows } = await pool.query(
    `select current_user as role, session_user as login, current_setting('statement_timeout') as limit`,
  );
  expect(rows).toEqual([{ role: 'gateway_app', login, limit: '15s' }]);
  await expect(pool.query('update transfer set amount_paise = 1')).rejects.toMatchObject({ code: '42501' });
});

it.each([
  [`set role to 'none'`, `the role is ${login}`],
  ['reset statement_timeout', 'statement_timeout is off'],
  [`set statement_timeout to '15001ms'`, 'statement_timeout is 15001 ms'],
  [`set lock_timeout to '1min'`, 'lock_timeout is 60000 ms'],
  ['reset idle_in_transaction_session_timeout', 'idle_in_transaction_session_timeout is off'],
  [`set timezone to 'Asia/Kolkata'`, 'the time zone is Asia/Kolkata'],
])('after %s no connection is used', async (settings, complaint) => {
  await alter(settings);
  await expect(connect(false).query('select 1')).rejects.toThrow(
    `The connection to the database lacks its guards (${complaint}): give the login its settings, as docs/operating.md says under "Behind a pooler".`,
  );
  // what is asked for at the start counts more
  expect((await connect(true).query('select 1')).rowCount).toBe(1);
});

it('a process refuses a server without durability by the names of its settings, unless that is allowed', async () => {
  await alter('set synchronous_commit to on');
  const connection = connect(true);
  await expect(requireDurable(false)(connection)).rejects.toThrow(
    /^PostgreSQL runs with fsync = off, full_page_writes = off: a crash can lose orders that were sent\. Set them to on\.$/,
  );
  await requireDurable(true)(connection);
  const names = await weakDurability({
    query: (statement) => connection.query({ ...statement, values: [['synchronous_commit']] }) as never,
  });
  expect(names).toEqual([]);
  await alter('set synchronous_commit to off');
  await expect(requireDurable(false)(connect(true))).rejects.toThrow(
    'full_page_writes = off, synchronous_commit = off: ',
  );
});

it('a program refuses such a server too, at its start and in its check', async () => {
  await alter('set synchronous_commit to off');
  const { ALLOW_WEAK_DURABILITY: allowed, ...env } = testEnvironment(url.href, 'http://127.0.0.1:9', [1, 2, 3]);
  expect(allowed).toBe('true');
  const sentence =
    'PostgreSQL runs with fsync = off, full_page_writes = off, synchronous_commit = off: a crash can lose orders that were sent. Set them to on.\n';
  expect(await runProgram('main.js', env)).toMatchObject({ code: 1, stderr: sentence });
  expect(await runProgram('main.js', env, ['--check'])).toMatchObject({
    code: 1,
    stdout: `The process could not serve:\n  ${sentence}`,
  });
});

it('stricter limits are as good', async () => {
  await alter(`set statement_timeout to '500ms'`);
  await expect(connect(false).query('select pg_sleep(2)')).rejects.toMatchObject({ code: '57014' });
});

it('statements have no names where a pooler is between', async () => {
  const names = async (pool: Pool): Promise<unknown[]> => {
    for (let n = 0; n < 2; n++) await pool.query({ name: 'twice', text: 'select $1::integer', values: [n] });
    return (await pool.query('select name from pg_prepared_statements')).rows;
  };
  expect(await names(connect(false))).toEqual([]);
  expect(await names(connect(true))).toEqual([{ name: 'twice' }]);
});

it('a statement with patience leaves no limit behind', async () => {
  const pool = connect(false);
  const limit = async (query: (statement: { text: string }) => Promise<object[]>): Promise<object[]> =>
    query({ text: `select current_setting('statement_timeout') as limit` });
  expect(await patiently(pool, 60_000, limit)).toEqual([{ limit: '1min' }]);
  expect(await limit(async (statement) => (await pool.query(statement)).rows)).toEqual([{ limit: '15s' }]);
  await expect(patiently(pool, 100, (query) => query({ text: 'select pg_sleep(2)' }))).rejects.toThrow('timeout');
  expect(await limit(async (statement) => (await pool.query(statement)).rows)).toEqual([{ limit: '15s' }]);
});

it('a process does not start without the guards, and says so in one sentence', async () => {
  await alter('reset lock_timeout');
  const env = testEnvironment(url.href, 'http://127.0.0.1:9', [await freePort(), await freePort(), await freePort()]);
  const settings = { ...env, DATABASE_STARTUP_OPTIONS: 'false', DATABASE_LISTEN_URL: db.url };
  expect(await runProgram('main.js', settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The connection to the database lacks its guards \(lock_timeout is off\)[^\n]*\n$/),
  });
  expect(() => loadConfig({ ...settings, DATABASE_LISTEN_URL: '' })).toThrow(
    'DATABASE_LISTEN_URL: must lead to PostgreSQL itself',
  );
});
