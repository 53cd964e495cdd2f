import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findPrograms, programsIn } from '../../../src/dev/local-postgres/programs.js';
import type { Programs } from '../../../src/dev/local-postgres/server.js';
import type { OwnPostgres } from '../../faults/support/own-postgres.js';
import { freePort } from '../../support/ports.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';

/** A copy of the files of a running server. Its role is chosen at its start. */
export interface BaseBackup {
  /** Writes a file into the copy, such as `standby.signal`. */
  put(name: string, text: string): void;
  /** Starts the copy on its own port; resolves when it accepts connections. */
  start(settings: Readonly<Record<string, string | number>>): Promise<CopiedServer>;
}

export interface CopiedServer {
  readonly port: number;
  /** Runs one statement in the database `postgres` as superuser. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** Programs that `startOwnPostgres` runs. */
const programsOfRun = (): Promise<Programs> =>
  process.env.POSTGRES_BIN ? programsIn(process.env.POSTGRES_BIN) : findPrograms();

/** Creates a directory into which servers may write, such as an archive of the log. */
export async function serverDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const { spawnOptions } = await programsOfRun();
  if (spawnOptions.uid !== undefined && spawnOptions.gid !== undefined)
    chownSync(directory, spawnOptions.uid, spawnOptions.gid);
  return directory;
}

/** Copies a running server: with `pg_basebackup` if its installation includes it, else with the same steps. */
export async function takeBaseBackup(primary: OwnPostgres): Promise<BaseBackup> {
  const { bin, spawnOptions } = await programsOfRun();
  const cluster = path.join(await serverDirectory(), 'cluster');
  const put = (name: string, text: string): void => {
    const file = path.join(cluster, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (spawnOptions.uid !== undefined && spawnOptions.gid !== undefined)
      chownSync(file, spawnOptions.uid, spawnOptions.gid);
  };
  const program = path.join(bin, 'pg_basebackup');
  if (existsSync(program)) {
    const source = primary.urlThrough(primary.port, 'postgres');
    await run(program, ['-d', source, '-D', cluster, '--checkpoint=fast'], { ...spawnOptions, cwd: '/' });
  } else put('backup_label', await copyRunning(primary, cluster));
  return {
    put,
    async start(settings) {
      const port = await freePort();
      const defaults = {
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        port,
        max_connections: 200,
        fsync: 'off',
      };
      const options = Object.entries({ ...defaults, ...settings }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]);
      const log = openSync(path.join(path.dirname(cluster), 'copy.log'), 'a');
      const server: ChildProcess = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...options], {
        ...spawnOptions,
        cwd: cluster,
        stdio: ['ignore', log, log],
      });
      const url = primary.urlThrough(port, 'postgres');
      await until('the copy accepts connections', () => acceptsConnections(url), 60_000);
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
          if (server.exitCode !== null || server.signalCode !== null) return;
          const ended = once(server, 'exit');
          server.kill('SIGQUIT');
          await ended;
        },
      };
    },
  };
}

/** Copies the files between pg_backup_start and pg_backup_stop. Returns the label, which the copy must contain. */
async function copyRunning(primary: OwnPostgres, cluster: string): Promise<string> {
  const source = await connect(primary.urlThrough(primary.port, 'postgres'));
  await source.query(`select pg_backup_start('copy', true)`);
  // cp reports files that disappear during the copy; the log covers them
  await run('cp', ['-a', primary.cluster, cluster]).catch(() => {});
  // a restore waits for the archive
  const { rows } = await source.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await source.end();
  execFileSync('rm', ['-f', path.join(cluster, 'postmaster.pid')]);
  return rows[0]!.labelfile;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const acceptsConnections = (url: string): Promise<boolean> =>
  connect(url).then(
    (client) => client.end().then(() => true),
    () => false,
  );
