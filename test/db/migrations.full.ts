import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { createPool } from '../../src/db/pool.js';
import { headerOf, type SqlFile, sqlFiles } from '../../src/db/sql-files.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const added: SqlFile[] = [];
/** Applies our migrations, those of earlier tests and new ones. */
const migrateWith = (files: readonly SqlFile[], patience?: Parameters<typeof migrate>[2]): Promise<string[]> =>
  migrate(db.url, { migrations: [...sqlFiles.migrations, ...added, ...files], repeatables: [] }, patience);

const LIMITS = `select string_agg(name || '=' || setting, ' ' order by name) as limits from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;
const UNLIMITED = 'idle_in_transaction_session_timeout=0 idle_session_timeout=0';

describe('a migration', () => {
  it('has no statement timeout and waits at most one second for a lock', async () => {
    const file = { name: '9001-limits', sql: `create table seen as ${LIMITS};` };
    expect(await migrateWith([file])).toEqual(['9001-limits']);
    added.push(file);
    expect(await db.query('select limits from seen')).toEqual([
      { limits: `${UNLIMITED} lock_timeout=1000 statement_timeout=0` },
    ]);
    const pool = createPool(db.url, { max: 1, asOwner: true, migrates: true });
    expect(pool.options.query_timeout).toBe(0);
    await pool.end();
  });

  it('can run without a transaction: an index is built concurrently, and again after a failure', async () => {
    await db.query('create table doubled as select 1 as n from generate_series(1, 2)');
    const index = {
      name: '9002-index',
      sql: `-- An index without a lock that stops writers.
-- transactional: no

drop index concurrently if exists doubled_n;
-- fails on doubled values, and leaves an index that is not valid
create unique index concurrently doubled_n
  on doubled (n);
create table seen_outside as ${LIMITS};
`,
    };
    await expect(migrateWith([index])).rejects.toThrow('could not create unique index "doubled_n"');
    const valid = `select indisvalid as valid from pg_index where indexrelid = 'doubled_n'::regclass`;
    expect(await db.query(valid)).toEqual([{ valid: false }]);
    await db.query('truncate doubled');
    const after = { name: '9003-after', sql: `insert into seen ${LIMITS};` };
    expect(await migrateWith([index, after])).toEqual(['9002-index', '9003-after']);
    added.push(index, after);
    expect(await db.query(valid)).toEqual([{ valid: true }]);
    // it waits for old transactions, which blocks no other statement; the lock timeout applies again to the next migration
    expect(await db.query('select limits from seen_outside union all select limits from seen')).toEqual([
      { limits: `${UNLIMITED} lock_timeout=0 statement_timeout=0` },
      { limits: `${UNLIMITED} lock_timeout=1000 statement_timeout=0` },
      { limits: `${UNLIMITED} lock_timeout=1000 statement_timeout=0` },
    ]);
    expect(await migrateWith([])).toEqual([]);
  });

  it('that gets no lock lets other statements pass and retries until it has the lock', async () => {
    const file = { name: '9004-locked', sql: 'alter table sandbox_scenario add column later text;' };
    const reader = new Client({ connectionString: db.url });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select from sandbox_scenario');
    await expect(migrateWith([file], { patienceMs: 0 })).rejects.toThrow(/^A lock that the migration needs was held/);
    let waited = 0;
    const applied = await migrateWith([file], {
      onWait: () => {
        // no other statement is queued behind the migration now, so this one does not wait for the reader
        if (waited++ === 0) void db.query('select from sandbox_scenario').then(() => reader.query('commit'));
      },
    });
    await reader.end();
    expect([applied, waited > 0]).toEqual([['9004-locked'], true]);
    added.push(file);
  });

  it('is kept if the one after it fails and is rolled back', async () => {
    const first = { name: '9005-first', sql: 'create table first (n integer);' };
    const second = { name: '9006-second', sql: 'create table second (n integer); select from nothing;' };
    await expect(migrateWith([first, second])).rejects.toThrow('relation "nothing" does not exist');
    expect(await db.query(`select to_regclass('first') is not null as first, to_regclass('second') as second`)).toEqual(
      [{ first: true, second: null }],
    );
    expect(await migrateWith([first, { ...second, sql: 'create table second (n integer);' }])).toEqual(['9006-second']);
  });

  it('reads its options from its first comments, and cannot depend on a migration that does not exist', async () => {
    const parsedHeader = (sql: string) => headerOf({ sql });
    expect(parsedHeader('-- What for.\n-- transactional: no\n-- needs: 0010-what\n\nselect 1;')).toEqual({
      transactional: false,
      needs: '0010-what',
    });
    expect(parsedHeader('select 1;\n-- transactional: no\n-- needs: 0010-what\n')).toEqual({
      transactional: true,
      needs: undefined,
    });
    const misspelt = { name: '9009-last', sql: '-- needs: 0010-wat\nselect 1;' };
    await expect(migrateWith([misspelt])).rejects.toThrow('9009-last needs 0010-wat, which is not a migration.');
  });
});
