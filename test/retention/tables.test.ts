import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataTables } from '../../src/retention/data-tables.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it('the table reference lists every table and its retention', async () => {
  const documented = Object.keys(dataTables).flatMap((names) => names.split(', '));
  // partitions belong to their table
  const tables = await db.query<{ name: string }>(
    `select case nspname when 'public' then '' else nspname || '.' end || relname as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where nspname !~ '^pg_(catalog|toast)' and nspname <> 'information_schema' and relkind in ('r', 'p') and not relispartition`,
  );
  expect(documented.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});
