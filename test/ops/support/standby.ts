import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { findPrograms } from '../../../src/dev/local-postgres/programs.js';
import type { OwnPostgres } from '../../faults/support/own-postgres.js';
import { freePort } from '../../support/ports.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';

/** The name that the primary waits for. */
export const STANDBY = 'standby';

/** A copy of a server that follows it by streaming replication, read-only until it is promoted. */
export interface Standby {
  readonly port: number;
  /** Ends the replication; resolves when it takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Copies a running server in the way of a base backup, and lets the copy follow it. */
export async function startStandby(primary: OwnPostgres): Promise<Standby> {
  const { bin, as } = await findPrograms();
  const cluster = path.join(temporaryDirectory(), 'cluster');
  const source = await connect(primary.urlThrough(primary.port, 'postgres'));
  await source.query(`select pg_backup_start('standby', true)`);
  // files come and go while they are copied; the backup's log covers that
  execFileSync('cp', ['-a', primary.cluster, cluster], { stdio: 'ignore' });
  const { rows } = await source.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await source.end();
  const put = (name: string, text: string): void => {
    const file = path.join(cluster, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (as.uid !== undefined && as.gid !== undefined) chownSync(file, as.uid, as.gid);
  };
  put('backup_label', rows[0]!.labelfile);
  put('standby.signal', '');
  execFileSync('rm', ['-f', path.join(cluster, 'postmaster.pid')]);

  const port = await freePort();
  const { username, password } = new URL(primary.urlThrough(primary.port, 'postgres'));
  const settings = {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${username} password=${decodeURIComponent(password)} application_name=${STANDBY}`,
    hot_standby: 'on',
    // once it is the primary nobody follows it
    synchronous_standby_names: '',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    fsync: 'off',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(path.join(path.dirname(cluster), 'standby.log'), 'a');
  const server: ChildProcess = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...options], {
    ...as,
    cwd: cluster,
    stdio: ['ignore', log, log],
  });
  const url = primary.urlThrough(port, 'postgres');
  await until('the standby answers', () => isAnswering(url), 60_000);
  return {
    port,
    async promote() {
      const client = await connect(url);
      await client.query('select pg_promote(true, 30)');
      await client.end();
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
    },
  };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const isAnswering = (url: string): Promise<boolean> =>
  connect(url).then(
    (client) => client.end().then(() => true),
    () => false,
  );
