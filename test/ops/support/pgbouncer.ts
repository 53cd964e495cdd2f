import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { findPrograms } from '../../../src/dev/local-postgres/programs.js';
import { freePort } from '../../support/ports.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';

export interface PgBouncer {
  readonly port: number;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Port of PostgreSQL. */
  serverPort: number;
  user: string;
  password: string;
  /** Connections to PostgreSQL per database. */
  poolSize: number;
  /** A file with shipped settings; only the addresses, the file of users and the pool size are replaced. */
  include?: string;
}

/** Statements of the guide for a login behind a connection pooler, for this database. */
export const pooledLogin = (database: string): string =>
  /```sql\n(alter role gateway_service [^]*?)```/
    .exec(readFileSync('docs/install.md', 'utf8'))![1]!
    .replaceAll('database gateway', `database ${database}`);

/** Starts PgBouncer of Debian in transaction mode, with default settings otherwise. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { serverPort, user, password, poolSize, include } = options;
  // like PostgreSQL, it cannot run as root
  const { spawnOptions } = await findPrograms();
  const home = temporaryDirectory();
  const port = await freePort();
  const put = (name: string, lines: readonly string[]): string => {
    const file = path.join(home, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    if (spawnOptions.uid !== undefined && spawnOptions.gid !== undefined)
      chownSync(file, spawnOptions.uid, spawnOptions.gid);
    return file;
  };
  chmodSync(home, 0o755);
  const users = put('users.txt', [`"${user}" "${password}"`]);
  const settings = put('pgbouncer.ini', [
    // PgBouncer may not have access to the repository
    ...(include ? [`%include ${put('shipped.ini', [readFileSync(include, 'utf8')])}`] : []),
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
  ]);
  const { PATH } = process.env;
  const pooler: ChildProcess = spawn('pgbouncer', ['-q', settings], {
    ...spawnOptions,
    env: { PATH: `${PATH}:/usr/sbin` },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderrText = text(pooler.stderr!);
  const url = `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  await until('the pooler accepts connections', async () => {
    if (pooler.exitCode !== null) throw new Error(await stderrText);
    const client = new Client({ connectionString: url });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    port,
    async stop() {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGINT');
      await ended;
    },
  };
}
