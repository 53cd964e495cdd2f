import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type LocalPostgres, type LocalPostgresOptions, startLocalPostgres } from '../../src/dev/local-postgres.js';

export const HOST = '127.0.0.1';
export const DATABASE = 'gateway';

export const start = (dataDir: string, more: Partial<LocalPostgresOptions> = {}): Promise<LocalPostgres> =>
  startLocalPostgres({ dataDir, database: DATABASE, noSync: true, ...more });

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

export const clusterOf = (dataDir: string): string => path.join(dataDir, 'cluster');
export const pidFileOf = (dataDir: string): string => path.join(clusterOf(dataDir), 'postmaster.pid');
export const postmasterPid = (dataDir: string): number => Number.parseInt(readFileSync(pidFileOf(dataDir), 'utf8'), 10);

/** Does not use signal 0, because that succeeds for zombies too. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts a server in a separate process, which can be killed like `npm start`. */
export function forkStart(dataDir: string): ChildProcess {
  const program = fileURLToPath(new URL('start-and-wait.mjs', import.meta.url));
  return fork(program, [JSON.stringify({ dataDir, database: DATABASE, noSync: true })], { execArgv: [] });
}

export async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export const drafts = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).filter((entry) => entry.startsWith('unfinished-')) : [];
