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
  synopsis: '[--wait]',
  description: `Migrates the database of DATABASE_URL to the newest version and lists the applied migrations. Connects as the owner. Safe to repeat, and
while processes serve. A migration that needs a lock is retried for ten minutes.`,
  options:
    '  --wait                changes nothing: waits up to ten minutes until a process can serve with the login of DATABASE_URL',
  example: 'DATABASE_URL_FILE=/run/secrets/database-owner-url gateway migrate',
};

const WAIT_MS = 600_000;
const PAUSE_MS = 1000;

/** Opens a connection for each statement, because the login may be created or get its rights later. */
const connecting = (connectionString: string): Queryable => ({
  async query(config) {
    const client = new Client({ connectionString, connectionTimeoutMillis: 5000 });
    // without a listener, an error of an idle connection ends the process
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
 * Waits (`--wait`) until the login of the service can use the database. Changes nothing. Prints each reason for waiting once.
 * Throws with the reason after ten minutes.
 */
async function waitUntilFit(url: string): Promise<void> {
  const readiness = new Readiness(connecting(url), startChecks);
  const end = performance.now() + WAIT_MS;
  let lastReason: string | undefined;
  for (let reason = await readiness.complaint(); reason !== undefined; reason = await readiness.complaint()) {
    if (performance.now() > end) throw new Error(reason);
    if (reason !== lastReason) process.stderr.write(`${reason}\n`);
    lastReason = reason;
    await sleep(PAUSE_MS);
  }
}

/** Runs `gateway migrate`, which migrates the database of DATABASE_URL to the newest version and lists the applied migrations. */
async function main(): Promise<void> {
  requireNode();
  const { values } = commandLine(USAGE, process.argv.slice(2), { wait: { type: 'boolean' } });
  const url = withSecretFiles(process.env).DATABASE_URL;
  if (!url) throw new Error('Set DATABASE_URL to the database to migrate, with the login of its owner.');
  if (values.wait) return waitUntilFit(url);
  let isWaiting = false;
  const onWait = (): void => {
    if (!isWaiting)
      process.stderr.write('Another session holds a lock that a migration needs. Retrying for ten minutes.\n');
    isWaiting = true;
  };
  const applied = await migrate(url, sqlFiles, { onWait });
  process.stdout.write(applied.length > 0 ? `${applied.join('\n')}\n` : 'The database is up to date.\n');
}

main().catch(failToStart);
