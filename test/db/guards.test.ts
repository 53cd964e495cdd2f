import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Pool } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { patiently } from '../../src/db/patience.js';
import { createPool } from '../../src/db/pool.js';
import { Readiness } from '../../src/db/readiness.js';
import { requireDurable, requireServer, weakDurability } from '../../src/db/start-checks.js';
import { useGuardedLogin } from './guarded-login.fixture.js';

const login = useGuardedLogin();
const pools: Pool[] = [];
afterAll(async () => void (await Promise.all(pools.map((pool) => pool.end()))));

function connect(withStartupOptions: boolean): Pool {
  const pool = createPool(login.url.href, { max: 1, withStartupOptions });
  pools.push(pool);
  return pool;
}

it('a login with the settings of the guide has the guards without connection options', async () => {
  const pool = connect(false);
  const { rows } = await pool.query(
    `select current_user as role, session_user as login, current_setting('statement_timeout') as limit`,
  );
  expect(rows).toEqual([{ role: 'gateway_app', login: login.name, limit: '15s' }]);
  await expect(pool.query('update transfer set amount_paise = 1')).rejects.toMatchObject({ code: '42501' });
});

it.each([
  [`set role to 'none'`, 'the role is $login'],
  ['reset statement_timeout', 'statement_timeout is off'],
  [`set statement_timeout to '15001ms'`, 'statement_timeout is 15001 ms'],
  [`set lock_timeout to '1min'`, 'lock_timeout is 60000 ms'],
  ['reset idle_in_transaction_session_timeout', 'idle_in_transaction_session_timeout is off'],
  [`set timezone to 'Asia/Kolkata'`, 'the time zone is Asia/Kolkata'],
])('after %s no connection is used', async (settings, complaint) => {
  await login.alter(settings);
  await expect(connect(false).query('select 1')).rejects.toThrow(
    `The connection to the database has wrong settings (${complaint.replace('$login', login.name)}). Configure them for the login, see "Connection pooler" in docs/install.md.`,
  );
  // connection options take precedence
  expect((await connect(true).query('select 1')).rowCount).toBe(1);
});

it.each([
  'unsupported startup parameter: options',
  'unsupported startup parameter in options: statement_timeout',
  'Feature not supported: RDS Proxy currently doesn’t support command-line options.',
])('a pooler is named if it rejects a connection with "%s"', async (message) => {
  const pooler = createServer((socket) => {
    const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
    const head = Buffer.alloc(5);
    head.write('E');
    head.writeInt32BE(fields.length + 4, 1);
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const { port } = pooler.address() as AddressInfo;
  const pool = createPool(`postgresql://gateway_service@127.0.0.1:${port}/gateway`, { max: 1 });
  try {
    const sentence =
      /^DATABASE_URL leads to a connection pooler, .* set DATABASE_STARTUP_OPTIONS=false and DATABASE_LISTEN_URL/;
    await expect(pool.query('select 1')).rejects.toThrow(sentence);
    await expect(new Readiness(pool, [requireServer]).start()).rejects.toThrow(sentence);
  } finally {
    await pool.end();
    pooler.close();
  }
});

it('a process rejects a server without durability, with the names of its settings, unless this is allowed', async () => {
  await login.alter('set synchronous_commit to on');
  const connection = connect(true);
  await expect(requireDurable(false)(connection)).rejects.toThrow(
    /^PostgreSQL runs with fsync = off, full_page_writes = off\. A crash can lose orders that were sent\. Set them to on\.$/,
  );
  await requireDurable(true)(connection);
  const names = await weakDurability({
    query: (statement) => connection.query({ ...statement, values: [['synchronous_commit']] }) as never,
  });
  expect(names).toEqual([]);
  await login.alter('set synchronous_commit to off');
  await expect(requireDurable(false)(connect(true))).rejects.toThrow(
    'full_page_writes = off, synchronous_commit = off. ',
  );
});

it('stricter limits are accepted', async () => {
  await login.alter(`set statement_timeout to '500ms'`);
  await expect(connect(false).query('select pg_sleep(2)')).rejects.toMatchObject({ code: '57014' });
});

it('statements have no names behind a pooler', async () => {
  const names = async (pool: Pool): Promise<unknown[]> => {
    for (let n = 0; n < 2; n++) await pool.query({ name: 'twice', text: 'select $1::integer', values: [n] });
    return (await pool.query('select name from pg_prepared_statements')).rows;
  };
  expect(await names(connect(false))).toEqual([]);
  expect(await names(connect(true))).toEqual([{ name: 'twice' }]);
});

it('a statement with a longer time limit does not leave this limit on the connection', async () => {
  const pool = connect(false);
  const limit = async (query: (statement: { text: string }) => Promise<object[]>): Promise<object[]> =>
    query({ text: `select current_setting('statement_timeout') as limit` });
  expect(await patiently(pool, 60_000, limit)).toEqual([{ limit: '1min' }]);
  expect(await limit(async (statement) => (await pool.query(statement)).rows)).toEqual([{ limit: '15s' }]);
  await expect(patiently(pool, 100, (query) => query({ text: 'select pg_sleep(2)' }))).rejects.toThrow('timeout');
  expect(await limit(async (statement) => (await pool.query(statement)).rows)).toEqual([{ limit: '15s' }]);
});
