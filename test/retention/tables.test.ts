import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it('the document for operators says of every table how it stays bounded', async () => {
  const [, section = ''] = readFileSync('docs/operating.md', 'utf8').split(/^## Data for years$/m);
  const rows = section
    .split(/^## /m)[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const written = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([\w.]+)`/g)].map((match) => match[1]!));
  // partitions are part of their table
  const tables = await db.query<{ name: string }>(
    `select case nspname when 'public' then '' else nspname || '.' end || relname as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where nspname !~ '^pg_(catalog|toast)' and nspname <> 'information_schema' and relkind in ('r', 'p') and not relispartition`,
  );
  expect(written.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});
