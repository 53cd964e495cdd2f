import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { ensureCluster, loadOrCreatePassword, SUPERUSER } from './local-postgres/cluster.js';
import { type ServerSettings, takeOverOrLaunch } from './local-postgres/launch.js';
import { lockDirectory } from './local-postgres/owner-lock.js';
import { choosePlacement } from './local-postgres/placement.js';
import { stopServer } from './local-postgres/server.js';

export interface LocalPostgresOptions {
  /** A directory for this server alone; created when missing. */
  dataDir: string;
  /** A loopback address: the server accepts connections of this machine only. */
  host: string;
  /** The database to create when it is missing. */
  database: string;
  /** PostgreSQL's own settings, by name. Nothing is set that weakens durability. */
  settings?: Readonly<Record<string, string | number>>;
  /** Skips flushing the new cluster to disk: for data that is thrown away. */
  noSync?: boolean;
  /** Where binaries and data go when the server's user cannot reach the checkout. */
  relocateTo?: string;
  choosePort?: ServerSettings['choosePort'];
}

export interface LocalPostgres {
  /** Connects the superuser to `database`. */
  url: string;
  port: number;
  /** The server of a process that was killed was still running and has been taken over. */
  reused: boolean;
  /** Ends connections, flushes and stops the server, and gives the directory back. Safe to repeat. */
  stop(): Promise<void>;
}

/** Where binaries and data go that the server's user cannot reach where they are. */
export const RELOCATE_TO = '/var/tmp';

const QUIET_LOG = {
  // Failed statements and rejected rows hold personal data, which has no place in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Starts a private PostgreSQL from the binaries in node_modules: initialised on the first start, on a port of its own each
 * time. Whatever was killed before, the next start recovers by itself. Throws one sentence, or the end of server.log, when it
 * cannot start, or when another live process owns `dataDir`.
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const home = openHome(options.dataDir);
  const unlock = await lockDirectory(home);
  try {
    const password = loadOrCreatePassword(home);
    const placement = await choosePlacement(home, password, options.relocateTo ?? RELOCATE_TO);
    await ensureCluster(placement, password, { sync: !options.noSync });
    const { port, reused } = await takeOverOrLaunch(placement, {
      host: options.host,
      logFile: path.join(home, 'server.log'),
      settings: { ...QUIET_LOG, ...options.settings },
      choosePort: options.choosePort,
    });
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    const server = `postgresql://${SUPERUSER}:${password}@${host}:${port}`;
    await ensureDatabase(`${server}/postgres`, options.database).catch(async (error: unknown) => {
      if (!reused) await stopServer(placement.cluster);
      throw error;
    });
    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => (stopping ??= stopServer(placement.cluster).finally(unlock));
    return { url: `${server}/${encodeURIComponent(options.database)}`, port, reused, stop };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Creates the directory; closed to others but for passing through, because as root the server runs as another user. */
function openHome(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(
      `The database directory ${dataDir} cannot be written to: start as its owner, or choose another DATA_DIR.`,
      { cause },
    );
  }
  return realpathSync(dataDir);
}

async function ensureDatabase(adminUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database ${escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
