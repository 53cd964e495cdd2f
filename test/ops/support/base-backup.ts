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

/** A copy of a server's files, taken while it ran. Whoever starts it says what it becomes. */
export interface BaseBackup {
  /** Writes a file into it, such as `standby.signal`. */
  put(name: string, text: string): void;
  /** Starts it on a port of its own; resolves when it answers. */
  start(settings: Readonly<Record<string, string | number>>): Promise<CopiedServer>;
}

export interface CopiedServer {
  readonly port: number;
  /** One statement in the database `postgres`, as its superuser. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A directory into which servers may write, such as an archive of the log. */
export async function serverDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const { as } = await findPrograms();
  if (as.uid !== undefined && as.gid !== undefined) chownSync(directory, as.uid, as.gid);
  return directory;
}

/** Copies a running server between pg_backup_start and pg_backup_stop. */
export async function takeBaseBackup(primary: OwnPostgres): Promise<BaseBackup> {
  const { bin, as } = await findPrograms();
  const cluster = path.join(temporaryDirectory(), 'cluster');
  const source = await connect(primary.urlThrough(primary.port, 'postgres'));
  await source.query(`select pg_backup_start('copy', true)`);
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
  execFileSync('rm', ['-f', path.join(cluster, 'postmaster.pid')]);
  return {
    put,
    async start(settings) {
      const port = await freePort();
      const ours = {
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        port,
        max_connections: 200,
        fsync: 'off',
      };
      const options = Object.entries({ ...ours, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const log = openSync(path.join(path.dirname(cluster), 'copy.log'), 'a');
      const server: ChildProcess = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...options], {
        ...as,
        cwd: cluster,
        stdio: ['ignore', log, log],
      });
      const url = primary.urlThrough(port, 'postgres');
      await until('the copy answers', () => isAnswering(url), 60_000);
      return {
        port,
        async query(sql) {
          const client = await connect(url);
          try {
            return (await client.query(sql)).rows;
          } finally {
            await client.end();
          }
        },
        async stop() {
          const ended = once(server, 'exit');
          server.kill('SIGQUIT');
          await ended;
        },
      };
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
