import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { COMPILE_CACHE } from '../support/program.js';
import { asService } from '../support/service-login.js';
import { until } from '../support/until.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it('a command that waits for the schema states why, changes nothing, and ends when the schema is current', async () => {
  const [last] = await db.query<Record<string, unknown>>(
    'delete from schema_fingerprint where name = (select max(name) from schema_fingerprint) returning *',
  );
  const waiting = spawn(process.execPath, ['dist/cli/migrate.js', '--wait'], {
    env: { ...process.env, ...COMPILE_CACHE, ...asService({ DATABASE_URL: db.url }) },
  });
  let output = '';
  waiting.stderr.on('data', (chunk) => (output += chunk));
  await until('it prints the reason', () => output.includes('\n'));
  expect(output).toBe(
    `The database is too old for this program because it lacks ${last!.name}. Run "gateway migrate".\n`,
  );
  expect(waiting.exitCode).toBe(null);
  const columns = Object.keys(last!);
  await db.query(
    `insert into schema_fingerprint (${columns}) values (${columns.map((_, n) => `$${n + 1}`)})`,
    Object.values(last!),
  );
  expect(await once(waiting, 'exit')).toEqual([0, null]);
});
