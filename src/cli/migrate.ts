import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { withSecretFiles } from '../config.js';
import { commandLine, type Usage } from '../core/command-line.js';
import { migrate } from '../db/migrate.js';
import type { Queryable } from '../db/pool.js';
import { Readiness } from '../db/readiness.js';
import { sqlFiles } from '../db/sql-files.js';
import { startChecks } from '../db/start-checks.js';
import { failToStart, requireNode } from '../process-life.js';

const USAGE: Usage = {
  command: 'migrate',
  takes: '[--wait]',
  does: `Brings the database of DATABASE_URL to the newest version, and prints what was applied. Connects as its owner; safe to repeat.
Runs beside processes that serve. What somebody locks is waited for, for ten minutes.`,
  options:
    '  --wait                changes nothing: waits until the login of DATABASE_URL can serve on it, for ten minutes',
  example: 'DATABASE_URL_FILE=/run/secrets/database-owner-url gateway migrate',
};

const WAIT_MS = 600_000;
const PAUSE_MS = 1000;

/** A connection for each statement: the login may be made, or get its rights, only later. */
const connecting = (connectionString: string): Queryable => ({
  async query(config) {
    const client = new Client({ connectionString, connectionTimeoutMillis: 5000 });
    // one that is lost while it is idle
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.query(config);
    } finally {
      await client.end();
    }
  },
});

/**
 * `--wait`: until this program can serve on the database, with the login of the service; changes nothing. Says why it waits, each
 * reason once. Errors: the reason, after ten minutes.
 */
async function waitUntilFit(url: string): Promise<void> {
  const readiness = new Readiness(connecting(url), startChecks);
  const end = performance.now() + WAIT_MS;
  let said: string | undefined;
  for (let reason = await readiness.complaint(); reason !== undefined; reason = await readiness.complaint()) {
    if (performance.now() > end) throw new Error(reason);
    if (reason !== said) process.stderr.write(`${reason}\n`);
    said = reason;
    await sleep(PAUSE_MS);
  }
}

/** `gateway migrate`: brings the database of DATABASE_URL to the newest version, and prints what was applied. */
async function main(): Promise<void> {
  requireNode();
  const { values } = commandLine(USAGE, process.argv.slice(2), { wait: { type: 'boolean' } });
  const url = withSecretFiles(process.env).DATABASE_URL;
  if (!url) throw new Error('Set DATABASE_URL to the database to migrate, connecting as its owner.');
  if (values.wait) return waitUntilFit(url);
  let waits = false;
  const onWait = (): void => {
    if (!waits)
      process.stderr.write('Somebody holds a lock that a migration needs; it is tried again for ten minutes.\n');
    waits = true;
  };
  const applied = await migrate(url, sqlFiles, { onWait });
  process.stdout.write(applied.length > 0 ? `${applied.join('\n')}\n` : 'The database is at the newest version.\n');
}

main().catch(failToStart);
