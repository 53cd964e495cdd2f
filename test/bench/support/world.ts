import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { randomToken } from '../../../src/core/secret.js';
import { migrate } from '../../../src/db/migrate.js';
import { createPool } from '../../../src/db/pool.js';
import { startLocalPostgres } from '../../../src/dev/local-postgres.js';
import { LedgerService } from '../../../src/ledger/ledger.service.js';
import { createAccounts } from '../../faults/support/accounts.js';
import { testEnvironment } from '../../support/app.js';
import { freePort } from '../../support/ports.js';
import { postgresDirectory } from '../../support/postgres-directory.js';
import { COMPILE_CACHE } from '../../support/program.js';
import { accessTokenRow } from '../../support/row-keys.js';
import { asService, createServiceLogin } from '../../support/service-login.js';
import { startTestSimulator } from '../../support/simulator.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { childRunning, parentOf } from './processor-time.js';
import { ServerProcess } from './server-process.js';

const SERVICE = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const PEERS = new URL('../../tools/peers/', import.meta.url);

/** Settings for a dedicated machine. They do not weaken durability: fsync is on. */
const POSTGRES = { max_connections: 200, shared_buffers: '256MB', max_wal_size: '4GB' };
/** Enough that no wallet runs out of money. */
const MONEY_PAISE = 10_000_000_000_000;
const CHECK_LIMIT_MS = 300_000;

/** Test settings that would change behavior compared with production, such as short delays. */
const NOT_FOR_US = [
  'SYNC_WINDOW_MS',
  'PROVIDER_TIMEOUT_MS',
  'STATUS_CHECK_SCHEDULE_MS',
  'LEASE_MARGIN_MS',
  'VISIBILITY_DELAY_MS',
  'POLL_INTERVAL_MS',
  'DATABASE_POOL_SIZE',
];

export interface BenchAccount {
  developerId: string;
  tokens: { uat: string; production: string };
}

export interface Service {
  ports: { uat: number; production: number };
  process: ServerProcess;
}

export interface Peer {
  port: number;
  process: ServerProcess;
}

/** PostgreSQL, the simulator and accounts, on which each table starts its services and peers. */
export interface World {
  databaseUrl: string;
  postgresPid: number;
  postgresVersion: string;
  simulatorUrl: string;
  simulatorPid: number;
  /** The first account is for hot wallets. */
  accounts: readonly BenchAccount[];
  query(sql: string, values?: unknown[]): Promise<any[]>;
  service(settings?: Readonly<Record<string, string>>, nodeArguments?: readonly string[]): Promise<Service>;
  /** A server from `peers`, connected to the database. */
  peer(name: string, settings?: Readonly<Record<string, string>>): Promise<Peer>;
  /** Throws if the books are unbalanced. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
}

export async function startWorld(wallets: number): Promise<World> {
  const server = await startLocalPostgres({
    dataDir: postgresDirectory(temporaryDirectory()),
    database: 'bench',
    settings: POSTGRES,
    noSync: true,
  });
  await migrate(server.url);
  await createServiceLogin(server.url);
  const db = new Pool({ connectionString: server.url, max: 2 });
  db.on('error', () => {});
  const query: World['query'] = async (sql, values = []) => (await db.query(sql, values)).rows;
  const simulator = await startTestSimulator();
  const accounts = await makeAccounts(query, wallets);
  const [{ pid }] = (await query('select pg_backend_pid() as pid')) as [{ pid: number }];
  const [{ version }] = (await query("select current_setting('server_version') as version")) as [{ version: string }];
  const books = createPool(server.url, { max: 1 });
  const ledger = new LedgerService(books);
  const started: ServerProcess[] = [];

  return {
    databaseUrl: server.url,
    postgresPid: parentOf(pid),
    postgresVersion: version,
    simulatorUrl: simulator.url,
    simulatorPid: childRunning('dist/simulator/main.js'),
    accounts,
    query,
    async service(settings = {}, nodeArguments = []) {
      const ports = [await freePort(), await freePort(), await freePort()] as const;
      const directory = temporaryDirectory();
      const env = asService(testEnvironment(server.url, simulator.url, ports));
      for (const name of NOT_FOR_US) delete env[name];
      const process = await ServerProcess.start(
        SERVICE,
        {
          ...COMPILE_CACHE,
          ...env,
          LOG_LEVEL: 'warn',
          SHARED_LIMITS: 'memory',
          // thousands of payments of one provider are in progress
          EXPOSURE_LIMIT: '0:0',
          DATA_DIR: directory,
          MAILBOX_DIR: `${directory}/mailbox`,
          AUDIT_ANCHOR_FILE: `${directory}/anchors.jsonl`,
          ...settings,
        },
        ['--enable-source-maps', ...nodeArguments],
      );
      started.push(process);
      return { ports: { uat: ports[0], production: ports[1] }, process };
    },
    async peer(name, settings = {}) {
      const port = await freePort();
      const program = fileURLToPath(new URL(`${name}.mjs`, PEERS));
      const env = { PORT: String(port), DATABASE_URL: server.url, NODE_ENV: 'production', ...settings };
      const process = await ServerProcess.start(program, env);
      started.push(process);
      return { port, process };
    },
    async checkBooks() {
      const violations = await ledger.checkNew(CHECK_LIMIT_MS);
      if (violations.length > 0) throw new Error(`The books are unbalanced: ${JSON.stringify(violations.slice(0, 5))}`);
    },
    async close() {
      await Promise.all(started.map((process) => process.stop()));
      await simulator.stop();
      await Promise.all([db.end(), books.end()]);
      await server.stop();
    },
  };
}

/** Creates developers with wallets in both environments and more money than they can spend. */
async function makeAccounts(query: World['query'], count: number): Promise<BenchAccount[]> {
  const live = await createAccounts({ query }, count);
  const ids = live.map(({ developerId }) => developerId);
  await query(`insert into wallet (developer_id, environment) select unnest($1::uuid[]), 'uat'`, [ids]);
  await query(
    `with funded as (
       update wallet set balance_paise = balance_paise + $2::bigint, version = version + 1
       where developer_id = any($1::uuid[]) returning developer_id, environment, balance_paise, version),
     posted as (
       insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version,
         balance_after_paise, reference)
       select developer_id, uuidv7(), 1, 'top_up', 'top_up', environment, $2::bigint, version, balance_paise, 'bench'
       from funded returning developer_id, environment, kind, reference_key(reference), subject_id)
     insert into ledger_reference select * from posted`,
    [ids, MONEY_PAISE],
  );
  const accounts = live.map(({ developerId, token }) => ({
    developerId,
    tokens: { uat: randomToken('at_uat_'), production: token },
  }));
  const rows = accounts.map(({ developerId, tokens }) =>
    accessTokenRow(tokens.uat, { developerId, environment: 'uat', clientId: `cid_uat_${developerId}` }),
  );
  await query(
    `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4)
     select 'cid_uat_' || d, d, 'uat', sha256('none'), 'none' from unnest($1::uuid[]) d`,
    [ids],
  );
  await query(
    `insert into access_token (token_hash, developer_id, environment, client_id, expires_at, latest_expiry, mac)
     select h, d, 'uat', 'cid_uat_' || d, e, e, m from unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::bytea[]) t(d, h, e, m)`,
    [ids, rows.map(({ hash }) => hash), rows.map(({ expiresAt }) => expiresAt), rows.map(({ mac }) => mac)],
  );
  return accounts;
}
