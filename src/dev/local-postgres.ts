import path from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { freePort } from './free-port.js';
import { openCluster, SUPERUSER } from './local-postgres/cluster.js';
import { findHome, linkHome } from './local-postgres/home.js';
import { lockDirectory } from './local-postgres/lock.js';
import { findPrograms, programsIn } from './local-postgres/programs.js';
import { HOST, type ServerSettings, startServer, stopServer } from './local-postgres/server.js';
import { readJson, writePrivateJson } from './private-json.js';

export interface LocalPostgresOptions {
  /** A directory for this server alone, created when missing. As root it is a link to one that PostgreSQL's user can reach. */
  dataDir: string;
  /** The database to create when it is missing. */
  database: string;
  /** PostgreSQL's own settings, by name. Nothing is set that weakens durability. */
  settings?: ServerSettings['settings'];
  /** Skips flushing the new cluster to disk: for data that is thrown away. */
  noSync?: boolean;
  /** Where the programs of another PostgreSQL are; those of node_modules when left out. */
  bin?: string | undefined;
  choosePort?: ServerSettings['choosePort'];
}

export interface LocalPostgres {
  /** Connects the superuser to `database`. */
  url: string;
  port: number;
  /** Ends connections, flushes and stops the server, and gives the directory back. Safe to repeat. */
  stop(): Promise<void>;
}

/** Who holds the directory, and the URL of its server when it is ready; kept in the directory. */
interface Owner {
  pid: number;
  url?: string;
}

/** A live process runs the server of the directory. */
export class DatabaseInUse extends Error {
  constructor(
    dataDir: string,
    readonly owner: Owner | undefined,
  ) {
    super(
      `The database in ${dataDir} is in use by process ${owner?.pid}; stop that process first or choose another DATA_DIR.`,
    );
  }
}

const QUIET_LOG = {
  // Failed statements and rejected rows hold personal data, which has no place in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Starts a private PostgreSQL from the binaries in node_modules: initialised on the first start, on a port of its own each
 * time, for connections of this machine alone. Whatever was killed before, the next start recovers by itself. Throws DatabaseInUse when another live process owns
 * `dataDir`; one sentence, or the end of server.log, when it cannot start.
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { dataDir, database, settings, noSync = false, bin, choosePort = freePort } = options;
  const home = findHome(dataDir);
  const [cluster, ownerFile] = [path.join(home, 'cluster'), path.join(home, 'owner.json')];
  const unlock = lockDirectory(home);
  if (!unlock) throw new DatabaseInUse(dataDir, readJson<Owner>(ownerFile));
  const end = (): Promise<void> => stopServer(cluster).finally(unlock);
  try {
    await linkHome(dataDir, home);
    writePrivateJson(ownerFile, { pid: process.pid } satisfies Owner);
    const programs = bin ? await programsIn(bin) : await findPrograms();
    const password = await openCluster(home, programs, !noSync);
    const logFile = path.join(home, 'server.log');
    const port = await startServer(programs, cluster, { logFile, settings: { ...QUIET_LOG, ...settings }, choosePort });
    const server = `postgresql://${SUPERUSER}:${password}@${HOST}:${port}`;
    await ensureDatabase(`${server}/postgres`, database);
    const url = `${server}/${encodeURIComponent(database)}`;
    writePrivateJson(ownerFile, { pid: process.pid, url } satisfies Owner);
    let stopping: Promise<void> | undefined;
    return { url, port, stop: () => (stopping ??= end()) };
  } catch (error) {
    await end();
    throw error;
  }
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
