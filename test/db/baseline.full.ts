import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OtherBaseline } from '../../src/db/baseline.js';
import { migrate } from '../../src/db/migrate.js';
import { sqlFiles } from '../../src/db/sql-files.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runProgram } from '../support/program.js';

const { migrations, repeatables } = sqlFiles;
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Runs the SQL `damage`, and its remedy after the check. */
async function withDamage(damage: string, remedy: string, check: () => Promise<void>): Promise<void> {
  await db.query(damage);
  try {
    await check();
  } finally {
    await db.query(remedy);
  }
}

it('only positions in a chain or list and the public account number are sequential', async () => {
  const counted = await db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%'
       or (data_type in ('integer', 'bigint', 'smallint') and column_name ~ '(^|_)id$')) order by 1`,
  );
  expect(counted.map(({ name }) => name)).toEqual([
    'audit_entry.id',
    'developer.account_number',
    'schema_migration.id',
  ]);
});

describe('a database with a different migration history', () => {
  const [first] = migrations;
  const OTHER = 'The database was created by an incompatible older version of this product. Use an empty database.\n';

  it('records the baseline that it was created with and is at the newest version', async () => {
    const rows = await db.query('select name, length(fingerprint) as length from schema_fingerprint order by name');
    expect(rows).toEqual(migrations.map(({ name }) => ({ name, length: 64 })));
    expect(await migrate(db.url)).toEqual([]);
  });

  it('is rejected in one sentence by migrate and by serve', async () => {
    await withDamage(
      `create table kept as select * from schema_fingerprint; update schema_fingerprint set fingerprint = 'older' where name = '${first!.name}'`,
      `update schema_fingerprint f set fingerprint = k.fingerprint from kept k where k.name = f.name; drop table kept`,
      async () => {
        const responses = await Promise.all([
          runProgram('cli/migrate.js', { DATABASE_URL: db.url }),
          runProgram('main.js', testEnvironment(db.url, 'http://127.0.0.1:9', [0, 0, 0])),
        ]);
        for (const { code, stderr } of responses) expect([code, stderr]).toEqual([1, OTHER]);
      },
    );
  });

  it.each([
    [
      'it has no migration fingerprints yet',
      'alter table schema_fingerprint rename to kept',
      'alter table kept rename to schema_fingerprint',
    ],
    [
      'its migrations have other names',
      `update schema_fingerprint set name = '0001-begin' where name = '${first!.name}'`,
      `update schema_fingerprint set name = '${first!.name}' where name = '0001-begin'`,
    ],
  ])('is rejected if %s', async (_name, damage, remedy) => {
    await withDamage(damage, remedy, async () => {
      await expect(migrate(db.url)).rejects.toThrow(OtherBaseline);
    });
  });

  it('is distinguished from one with newer migrations', async () => {
    await withDamage(
      `insert into schema_fingerprint values ('9999-future', 'x')`,
      `delete from schema_fingerprint where name = '9999-future'`,
      async () => expect(await migrate(db.url)).toEqual([]),
    );
  });
});

describe('migrate on an empty database', () => {
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const empty = `${owner}_db`;
  const url = (): string => {
    const ownerUrl = new URL(db.url);
    [ownerUrl.username, ownerUrl.password, ownerUrl.pathname] = [owner, 'of a test', `/${empty}`];
    return ownerUrl.href;
  };
  beforeAll(async () => {
    await db.query(`create role ${owner} login password 'of a test' nosuperuser nocreatedb createrole`);
    await db.query(`grant gateway_app to ${owner} with admin option`);
    await db.query(`create database ${empty} owner ${owner}`);
  });
  afterAll(async () => {
    await db.query(`drop database ${empty} with (force)`);
    await db.query(`drop role ${owner}`);
  });

  it('only needs to own the database, creates no other database, and can run several times concurrently', async () => {
    const applied = await Promise.all([migrate(url()), migrate(url()), migrate(url())]);
    expect(applied.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([
      0,
      0,
      migrations.length + repeatables.length,
    ]);
    const ownedDatabases = `select datname from pg_database d join pg_roles r on r.oid = d.datdba where rolname = $1`;
    expect(await db.query(ownedDatabases, [owner])).toEqual([{ datname: empty }]);
    // not created by the migration of the template either, whose superuser could create it; the migration of the owner would then
    // find it
    expect(await db.query(`select from pg_database where datname = 'from-pool'`)).toEqual([]);
  });
});
