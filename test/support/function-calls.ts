import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';

/** PostgreSQL expands simple SQL functions into the calling statement, and does not count these calls. */
const INLINED = new Set([
  'archive_check',
  'archive_order_stays',
  'archive_parents',
  'correction_check',
  'keyless_repetition',
  'ledger_check',
  'ledger_check_lines',
  'ledger_totals',
  'live_client_tokens',
  'month_rewrite_match',
  'pay_step',
  'posted_from',
  'posted_to',
  'reference_key',
  'reopened',
  'resolution_kind',
  'server_timeline',
]);

type Query = <Row extends QueryResultRow>(sql: string) => Promise<Row[]>;

const folderOf = (runDirectory: string): string => path.join(runDirectory, 'called-functions');

/** Records the functions that were called in a database, before it is dropped. */
export async function noteCalls(runDirectory: string, database: string, query: Query): Promise<void> {
  await query('select pg_stat_force_next_flush()');
  const called = await query<{ name: string }>('select funcname as name from pg_stat_user_functions where calls > 0');
  mkdirSync(folderOf(runDirectory), { recursive: true });
  writeFileSync(path.join(folderOf(runDirectory), database), called.map(({ name }) => name).join('\n'));
}

/** A run of all files fails if no test called one of our functions. */
export default function setup(project: TestProject): () => Promise<void> {
  return async () => {
    const { vitest } = project;
    const testFiles = vitest.state.getFiles();
    const all = await vitest.globTestSpecifications();
    if (testFiles.length < all.length || !testFiles.every(({ result }) => result?.state === 'pass')) return;
    const { pg, runDirectory } = project.getProvidedContext();
    const forgotten = await notCalled(pg, runDirectory);
    if (forgotten.length > 0) throw new Error(`No test called these SQL functions: ${forgotten.join(', ')}.`);
  };
}

async function notCalled({ template, ...server }: ProvidedContext['pg'], runDirectory: string): Promise<string[]> {
  const on = async <T>(database: string, work: (query: Query) => Promise<T>): Promise<T> => {
    const client = new Client({ ...server, database });
    await client.connect();
    try {
      return await work(async <Row extends QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows);
    } finally {
      await client.end();
    }
  };
  // databases that the files of a worker share exist until the end
  const left = await on('postgres', (query) =>
    query<{ name: string }>(String.raw`select datname as name from pg_database where datname like 'test\_%'`),
  );
  for (const { name } of left) await on(name, (query) => noteCalls(runDirectory, name, query));
  const notes = readdirSync(folderOf(runDirectory)).map((file) => path.join(folderOf(runDirectory), file));
  const called = new Set(notes.flatMap((file) => readFileSync(file, 'utf8').split('\n')));
  await on('postgres', (query) => query(`alter database ${template} with allow_connections true`));
  const functions = await on(template, (query) =>
    query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' order by name`,
    ),
  );
  return functions.map(({ name }) => name).filter((name) => !called.has(name) && !INLINED.has(name));
}
