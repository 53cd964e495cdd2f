import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { type SqlFile, sqlFiles } from '../../src/db/sql-files.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const { migrations, repeatables } = sqlFiles;
const [review] = repeatables.filter(({ name }) => name === 'order-review');
const changed = (sql: string): SqlFile => ({ name: review!.name, sql });
const withReview = (file: SqlFile) => ({
  migrations,
  repeatables: repeatables.map((own) => (own === review ? file : own)),
});

/** Every function, aggregate and view of ours with its oid. A different oid means that it was created again. */
async function objects(): Promise<Map<string, unknown>> {
  const rows = await db.query<{ name: string; oid: number }>(
    `select proname as name, oid from pg_proc where pronamespace = 'public'::regnamespace
      union all select relname, oid from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace`,
  );
  expect(new Set(rows.map(({ name }) => name)).size, 'of each name there is one').toBe(rows.length);
  return new Map(rows.map(({ name, oid }) => [name, oid]));
}
const fingerprints = () => db.query('select * from schema_repeatable order by name');

describe('a file of functions', () => {
  it('is applied once while its text stays the same', async () => {
    const objectsBefore = await objects();
    expect(objectsBefore.size).toBeGreaterThan(10);
    expect(await migrate(db.url)).toEqual([]);
    expect(await objects()).toEqual(objectsBefore);
  });

  it('is applied again by the next migrate when its text has changed, without touching the others', async () => {
    const objectsBefore = await objects();
    const other = changed(review!.sql.replace(`'card_payment'`, `'card_payment', 'lookup'`));
    expect(await migrate(db.url, withReview(other))).toEqual(['order-review']);
    expect(await migrate(db.url, withReview(other))).toEqual([]);
    const after = await objects();
    const recreated = [...after].filter(([name, oid]) => objectsBefore.get(name) !== oid).map(([name]) => name);
    expect(recreated).toEqual(['order_lock']);
    const [row] = await db.query<{ prosrc: string }>(`select prosrc from pg_proc where proname = 'order_lock'`);
    expect(row!.prosrc).toContain(`'lookup'`);
    expect(await migrate(db.url)).toEqual(['order-review']);
  });

  it('can change the parameters of a function: the old one is dropped, and the public cannot call the new one', async () => {
    const other = changed(review!.sql.replace('p_id uuid)', 'p_id uuid, p_more integer)'));
    await migrate(db.url, withReview(other));
    await objects();
    const rights = await db.query(
      `select pronargs, has_function_privilege('gateway_app', oid, 'execute') as app,
        exists (select from aclexplode(proacl) where grantee = 0) as public from pg_proc where proname = 'order_lock'`,
    );
    expect(rights).toEqual([{ pronargs: 2, app: true, public: false }]);
    expect(await migrate(db.url)).toEqual(['order-review']);
  });

  it('changes nothing if it fails', async () => {
    const [objectsBefore, remembered] = [await objects(), await fingerprints()];
    const invalid = changed(`${review!.sql}\nselect from nothing;`);
    await expect(migrate(db.url, withReview(invalid))).rejects.toThrow('relation "nothing" does not exist');
    expect([await objects(), await fingerprints()]).toEqual([objectsBefore, remembered]);
  });

  it('is applied again after every new migration, which may have dropped its functions', async () => {
    const later = {
      name: '9999-later',
      sql: 'drop view booked_entry, ledger_entry; alter table transfer add column extra text;',
    };
    const applied = await migrate(db.url, { migrations: [...migrations, later], repeatables });
    expect(applied).toEqual(['9999-later', ...repeatables.map(({ name }) => name)]);
    expect((await db.query('select * from ledger_check()')).length).toBe(0);
  });

  it('is not applied by a program that is older than the database', async () => {
    expect(await migrate(db.url, withReview(changed(`${review!.sql}\n-- changed`)))).toEqual([]);
  });
});

it('no statement changes rows that it locks itself', async () => {
  const functions = await db.query<{ name: string; body: string }>(
    `select p.oid::regproc::text as name, p.prosrc as body from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')`,
  );
  const locks = /\bfor (no key )?update\b/;
  const changes = /\b(insert into|delete from|update \w+( \w+)? set)\b/;
  const statements = functions.flatMap(({ name, body }) => body.split(';').map((text) => ({ name, text })));
  expect(statements.filter(({ text }) => locks.test(text)).length).toBeGreaterThan(10);
  expect(statements.filter(({ text }) => locks.test(text) && changes.test(text)).map(({ name }) => name)).toEqual([]);
});
