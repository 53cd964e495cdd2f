import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPrograms } from '../../../src/dev/local-postgres/programs.js';
import { type Programs, startServer, stopServer } from '../../../src/dev/local-postgres/server.js';
import { freePort } from '../../support/ports.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const HOME = '/usr/lib/postgresql';

/** Latest PostgreSQL that the system packages have installed; undefined if there is none. */
export function systemPostgres(): string | undefined {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN;
  const versions = existsSync(HOME) ? readdirSync(HOME).map(Number) : [];
  const bins = versions.toSorted((a, b) => b - a).map((version) => path.join(HOME, String(version), 'bin'));
  return bins.find((bin) => existsSync(path.join(bin, 'initdb')));
}

export interface SystemServer {
  port: number;
  version: string;
  password: string;
  /** URL for its superuser "postgres". */
  url(database: string): string;
  cluster: string;
  programs: Programs;
  stop(): Promise<void>;
}

/** Starts an empty cluster with the superuser "postgres". */
export async function startSystemPostgres(
  bin: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<SystemServer> {
  // the user that replaces root is the same for every PostgreSQL
  const { spawnOptions } = await findPrograms();
  const programs: Programs = { bin, majorVersion: '', spawnOptions };
  const home = temporaryDirectory();
  const password = 'superuser of the drill';
  const passwordFile = path.join(home, 'password');
  writeFileSync(passwordFile, password);
  if (spawnOptions.uid !== undefined && spawnOptions.gid !== undefined)
    for (const file of [home, passwordFile]) chownSync(file, spawnOptions.uid, spawnOptions.gid);
  const cluster = path.join(home, 'cluster');
  const options = ['-D', cluster, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  execFileSync(path.join(bin, 'initdb'), [...options, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'], {
    ...spawnOptions,
    cwd: '/',
    stdio: 'ignore',
  });
  const port = await startServer(programs, cluster, {
    logFile: path.join(home, 'server.log'),
    settings,
    choosePort: freePort,
  });
  const version = execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
  const url = (database: string): string =>
    `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  return { port, version, password, url, cluster, programs, stop: () => stopServer(cluster) };
}
