import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { programOf } from './binaries.js';
import type { Placement } from './placement.js';
import { endLeftovers, findServer, type RunningServer, stopServer } from './server.js';

const ATTEMPTS = 5;
/** Long, because recovery after a crash is part of starting. */
const READY_LIMIT_MS = 60_000;
const POLL_MS = 10;
const LOG_LIMIT_BYTES = 1_000_000;
const TAIL_CHARACTERS = 2_000;

export interface ServerSettings {
  host: string;
  logFile: string;
  /** PostgreSQL's own settings, by name. */
  settings: Readonly<Record<string, string | number>>;
  /** For tests of a port that is taken. */
  choosePort?: (host: string) => Promise<number>;
}

/**
 * Takes over the server that already runs on this data (its parent was killed), else starts one on a free port. Cures what a
 * kill -9 leaves: a stale pid file, a server that is still starting or stopping, backends without their postmaster.
 */
export async function takeOverOrLaunch(
  placement: Placement,
  server: ServerSettings,
): Promise<{ port: number; reused: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const running = await settledServer(placement.cluster);
    if (running?.host === server.host && !running.outdated) return { port: running.port, reused: true };
    if (running) await stopServer(placement.cluster);
    rmSync(path.join(placement.cluster, 'postmaster.pid'), { force: true });

    const port = await (server.choosePort ?? freePort)(server.host);
    const failure = await launch(placement, server, port);
    if (failure === undefined) return { port, reused: false };
    if (attempt === ATTEMPTS || !isPassing(failure)) {
      throw new Error(`PostgreSQL did not start. The end of ${server.logFile}:\n${failure}`);
    }
    if (!findServer(placement.cluster)) endLeftovers(placement.cluster);
    await sleep(100 * attempt);
  }
}

/** The port was taken in between, another start was faster, or backends of a killed server are still there. */
const isPassing = (failure: string): boolean =>
  /could not bind|lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(failure);

/** Waits while a server is starting or stopping; undefined when none runs (any more). */
async function settledServer(cluster: string): Promise<RunningServer | undefined> {
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    const server = findServer(cluster);
    if (!server || server.ready) return server;
    if (Date.now() > deadline)
      throw new Error(`The PostgreSQL server of ${cluster} (process ${server.pid}) does not become ready.`);
    await sleep(POLL_MS);
  }
}

/**
 * Starts the server in a session of its own: neither Ctrl-C nor the end of this process reaches it. Not through pg_ctl, which
 * builds a shell command in which a dollar sign or quote of a path is taken as syntax. Resolves to undefined when the server
 * accepts connections, to the end of its log when it ended instead.
 */
async function launch(
  { binaries, cluster, user, env }: Placement,
  server: ServerSettings,
  port: number,
): Promise<string | undefined> {
  const settings = {
    ...server.settings,
    listen_addresses: server.host,
    port,
    unix_socket_directories: '',
    log_destination: 'stderr',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  rotate(server.logFile);
  const log = openSync(server.logFile, 'a', 0o600);
  const logStart = statSync(server.logFile).size;
  const child = spawn(programOf(binaries, 'postgres'), ['-D', cluster, ...options], {
    ...user,
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();

  const deadline = Date.now() + READY_LIMIT_MS;
  const isUp = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isUp() && Date.now() < deadline) {
    const found = findServer(cluster);
    if (found?.ready && found.pid === child.pid) return undefined;
    await sleep(POLL_MS);
  }
  if (isUp()) child.kill('SIGQUIT');
  return readFileSync(server.logFile).subarray(logStart).toString().slice(-TAIL_CHARACTERS).trim();
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.old`);
}
