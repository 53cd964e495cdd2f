import { expect, it } from 'vitest';
import { useSharedApp } from '../support/use-app.js';

// Without workers, whose statements would be counted.
const test = useSharedApp({ WORKERS: 'none' });

const readiness = async () => {
  const response = await fetch(`${test.urls.uat}/readyz`);
  return [response.status, await response.json()];
};
const READY = [200, { status: 'ready' }];
const notReady = (detail: string) => [503, { status: 'not ready', detail }];

it('a process is not ready while its database is unusable, and reports why', async () => {
  expect(await readiness()).toEqual(READY);
  await test.db.query(`insert into schema_fingerprint values ('9999-later', 'x')`);
  expect(await readiness()).toEqual(READY);
  await test.db.query(`update schema_fingerprint set needs = '9999-later' where name = '9999-later'`);
  expect(await readiness()).toEqual(
    notReady(
      'The database is too new for this program. Since 9999-later, it requires a program that includes 9999-later.',
    ),
  );
  await test.db.query(`delete from schema_fingerprint where name = '9999-later'`);
  expect(await readiness()).toEqual(READY);
});

it('a process is not ready while its database is read-only', async () => {
  const database = new URL(test.db.url).pathname.slice(1);
  const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`;
  await test.db.query(`alter database ${database} set default_transaction_read_only = on`);
  await test.db.query(reconnect, [database]);
  await expect.poll(readiness).toEqual(notReady('The database is read-only.'));
  await test.db.query('set transaction_read_only = off');
  await test.db.query(`alter database ${database} reset default_transaction_read_only`);
  await test.db.query(reconnect, [database]);
  await expect.poll(readiness).toEqual(READY);
});

it('reports that a pooler has no primary, as PgBouncer 1.18 does during a failover', async () => {
  const { pool } = test.app;
  const query = pool.query;
  pool.query = (() =>
    Promise.reject(Object.assign(new Error('query_wait_timeout'), { code: '08P01' }))) as typeof query;
  try {
    expect(await readiness()).toEqual(notReady('The pooler cannot reach the database.'));
  } finally {
    pool.query = query;
  }
});

it('checks the database with one statement', async () => {
  const statements: unknown[] = [];
  const { pool } = test.app;
  const query = pool.query;
  pool.query = ((...args: Parameters<typeof query>) => {
    statements.push(args[0]);
    return query.apply(pool, args);
  }) as typeof query;
  try {
    // The clock is checked from time to time.
    await test.app.health.unready();
    expect(statements).toMatchObject([{ name: 'readiness' }]);
  } finally {
    pool.query = query;
  }
});
