import { randomBytes } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool, type QueryResultRow } from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../../src/db/migrate.js';
import { type LocalPostgres, startLocalPostgres } from '../../../src/dev/local-postgres.js';
import { postgresDirectory } from '../../support/postgres-directory.js';
import { createServiceLogin } from '../../support/service-login.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/**
 * Data survives a crash of the server but not of the machine: a commit reaches the operating system before its reply, and nothing
 * is flushed to disk.
 */
const SETTINGS = { fsync: 'off', synchronous_commit: 'on', autovacuum: 'off', max_connections: 200 };
const TEMPLATE = 'tpl';

/** A database on a separate cluster, accessed as its owner. */
export interface OwnDatabase {
  name: string;
  /** Runs one statement as the owner, and waits if the server is briefly unavailable. */
  query<Row extends QueryResultRow = QueryResultRow>(sql: string, params?: unknown[]): Promise<Row[]>;
  /** A separate connection, for locks. */
  connect(): Promise<Client>;
}

/** A server, and databases on it. */
export interface Postgres {
  /** Port of the running server, which changes with every start. */
  readonly port: number;
  /** URL of a database through a proxy on another port. */
  urlThrough(port: number, database: string): string;
  /** An empty, migrated database. */
  database(): Promise<OwnDatabase>;
  /** Stops everything that was started here. */
  close(): Promise<void>;
}

/** A PostgreSQL that a test can stop at any time. */
export interface OwnPostgres extends Postgres {
  /** Its data directory. */
  readonly cluster: string;
  /** Stops the server as a crash would: connections are not closed and nothing is flushed. */
  stopImmediately(): Promise<void>;
  /** A standby is read-only until `pg_promote()`. */
  start(options?: { standby: boolean }): Promise<void>;
}

/** The server of the test run, for tests that do not stop it. */
export function postgresOfRun(): Postgres {
  const { host, port, user, password } = inject('pg');
  return databasesOn(() => ({ url: `postgresql://${user}:${password}@${host}:${port}`, port }));
}

/** Starts a separate cluster below `parent`. */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string | number>> = {},
  parent = temporaryDirectory(),
): Promise<OwnPostgres> {
  const dataDir = postgresDirectory(parent);
  const launch = (): Promise<LocalPostgres> =>
    startLocalPostgres({
      dataDir,
      database: TEMPLATE,
      settings: { ...SETTINGS, ...settings },
      noSync: true,
      bin: process.env.POSTGRES_BIN,
    });
  let server = await launch();
  await migrate(server.url);
  await createServiceLogin(server.url);
  const databases = databasesOn(() => server);
  let directory = '';
  return {
    cluster: path.join(realpathSync(dataDir), 'cluster'),
    get port() {
      return server.port;
    },
    urlThrough: databases.urlThrough,
    database: databases.database,
    async stopImmediately() {
      const client = new Client({ connectionString: databases.urlThrough(server.port, 'postgres') });
      await client.connect();
      const [row] = (await client.query<{ data_directory: string }>('show data_directory')).rows;
      await client.end();
      directory = row!.data_directory;
      const pid = Number(readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      process.kill(pid, 'SIGQUIT');
      while (isAlive(pid)) await sleep(5);
      await server.stop(); // releases the directory
    },
    async start({ standby } = { standby: false }) {
      if (standby) writeFileSync(path.join(directory, 'standby.signal'), '');
      server = await launch();
    },
    async close() {
      await databases.close();
      await server.stop();
    },
  };
}

/** Databases on a server whose port may have changed when a connection is opened. */
export function databasesOn(now: () => { url: string; port: number }): Postgres {
  const pools: Pool[] = [];

  const urlThrough = (port: number, database: string): string => {
    const url = new URL(now().url);
    url.port = String(port);
    url.pathname = `/${database}`;
    return url.href;
  };
  const connect = async (database: string): Promise<Client> => {
    const client = new Client({ connectionString: urlThrough(now().port, database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {}); // the test stops the server while this connection is open
    await client.connect();
    return client;
  };
  return {
    get port() {
      return now().port;
    },
    urlThrough,
    async database() {
      const name = `faults_${randomBytes(6).toString('hex')}`;
      const admin = await connect('postgres');
      await admin.query(`create database ${name} template ${TEMPLATE} strategy wal_log`);
      await admin.end();
      const pool = new Pool({
        max: 4,
        Client: class extends Client {
          constructor() {
            super({ connectionString: urlThrough(now().port, name), connectionTimeoutMillis: 5_000 });
          }
        },
      });
      pool.on('error', () => {});
      pools.push(pool);
      return {
        name,
        connect: () => connect(name),
        query: async <Row extends QueryResultRow>(sql: string, params: unknown[] = []): Promise<Row[]> => {
          for (let attempt = 0; ; attempt++) {
            try {
              return (await pool.query<Row>(sql, params)).rows;
            } catch (error) {
              const { code = '', message } = error as { code?: string; message: string };
              if (attempt >= 60 || !(/^(08|57P|ECONN)/.test(code) || /terminated|not queryable/.test(message)))
                throw error;
              await sleep(100);
            }
          }
        },
      };
    },
    async close() {
      for (const pool of pools) await pool.end();
    },
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
