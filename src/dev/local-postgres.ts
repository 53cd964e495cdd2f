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
  /**
   * Directory for this server only. It is created if it is missing. For root, it is a link to a directory that PostgreSQL's user
   * can access.
   */
  dataDir: string;
  /** Name of the database. It is created if it is missing. */
  database: string;
  /** Settings of PostgreSQL, by name. They must not weaken durability. */
  settings?: ServerSettings['settings'];
  /** Skips flushing the new cluster to disk, for temporary data. */
  noSync?: boolean;
  /** Directory of the programs of another PostgreSQL. Defaults to the programs in node_modules. */
  bin?: string | undefined;
  choosePort?: ServerSettings['choosePort'];
}

export interface LocalPostgres {
  /** URL to connect to `database` as superuser. */
  url: string;
  port: number;
  /** Ends connections, flushes and stops the server, and releases the directory. It is safe to repeat. */
  stop(): Promise<void>;
}

/** Process that owns the directory, and the URL of its server when it is ready. It is stored in the directory. */
interface Owner {
  pid: number;
  url?: string;
}

/** Another running process owns the server of the directory. */
export class DatabaseInUse extends Error {
  constructor(
    dataDir: string,
    readonly owner: Owner | undefined,
  ) {
    super(
      `The database in ${dataDir} is in use by process ${owner?.pid}. Stop that process first, or choose another DATA_DIR.`,
    );
  }
}

const QUIET_LOG = {
  // Failed statements and rejected rows contain personal data, which must not be logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Starts a private PostgreSQL from the binaries in node_modules. The cluster is initialized on the first start. Each start uses a
 * new port and accepts only connections of this machine. After a crash, the next start recovers. Throws DatabaseInUse if another
 * running process owns `dataDir`; a one-sentence error, or the end of server.log, if it cannot start.
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
