import { randomBytes } from 'node:crypto';
import { Client, Pool, type QueryResultRow } from 'pg';
import { inject } from 'vitest';
import { noteCalls } from './function-calls.js';

export interface TestDatabase {
  /** Connection URL of the owner; `createPool` switches to the application role automatically. */
  url: string;
  /** Runs one statement with bound parameters as the owner, on a separate pool. */
  query<Row extends QueryResultRow = QueryResultRow>(sql: string, params?: unknown[]): Promise<Row[]>;
  /** Closes every connection to the database and removes it. */
  drop(): Promise<void>;
}

/** Creates a migrated database without data for one test file by cloning the template, in about 20 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} template ${inject('pg').template} strategy file_copy`);
  const pool = new Pool({ connectionString: urlOf(name), max: 2 });
  pool.on('error', () => {}); // the server closed an idle connection, as some tests make it do
  const query = async <Row extends QueryResultRow>(sql: string, params: unknown[] = []) =>
    (await pool.query<Row>(sql, params)).rows;
  return {
    url: urlOf(name),
    query,
    drop: async () => {
      await noteCalls(inject('runDirectory'), name, query);
      await pool.end();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

function urlOf(database: string): string {
  const { host, port, user, password } = inject('pg');
  return `postgresql://${user}:${password}@${host}:${port}/${database}`;
}

async function asAdmin(sql: string): Promise<void> {
  const client = new Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
