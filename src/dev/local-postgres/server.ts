import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const HOST = '127.0.0.1';
const ATTEMPTS = 5;
/** Time limit of a start. It is long because recovery after a crash is part of starting. */
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const KILL_LIMIT_MS = 10_000;
const POLL_MS = 10;
const TAIL_CHARACTERS = 2_000;
/** The port was taken in the meantime, or the server of a killed process is still starting or stopping. */
const TRANSIENT = /could not bind|lock file "postmaster.pid" already exists|pre-existing shared memory block/;

/** Programs of PostgreSQL, and the options to run them. */
export interface Programs {
  /** Directory of `initdb` and `postgres`. */
  bin: string;
  /** Major version. Data directories of other major versions cannot be opened. */
  majorVersion: string;
  /**
   * User (default: the current one) and environment. Excludes our environment, because its PG* variables would affect them and it
   * contains secrets.
   */
  spawnOptions: { uid?: number; gid?: number; env: Record<string, string> };
}

export interface ServerSettings {
  logFile: string;
  /** Settings of PostgreSQL, by name. */
  settings: Readonly<Record<string, string | number>>;
  choosePort: () => Promise<number>;
}

/** Starts a server on a free port, after ending the remains of a killed one. Resolves to the port. */
export async function startServer(programs: Programs, cluster: string, server: ServerSettings): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    await stopServer(cluster);
    // the file can be empty, or contain the ID of a process that is now another program
    rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
    const port = await server.choosePort();
    const failure = await launch(programs, cluster, server, port);
    if (failure === undefined) return port;
    if (attempt === ATTEMPTS || !TRANSIENT.test(failure))
      throw new Error(`PostgreSQL did not start. The end of ${server.logFile}:\n${failure}`);
    await sleep(100 * attempt);
  }
}

/**
 * Starts the server in a separate session, so Ctrl-C and the end of this process do not affect it. Does not use pg_ctl, which
 * builds a shell command in which dollar signs and quotes of a path are interpreted. Resolves to undefined when the server
 * accepts connections, or to the end of its log if it ended.
 */
async function launch({ bin, spawnOptions }: Programs, cluster: string, server: ServerSettings, port: number) {
  const { settings, logFile } = server;
  const ownSettings = { listen_addresses: HOST, port, unix_socket_directories: '', log_destination: 'stderr' };
  const options = Object.entries({ ...settings, ...ownSettings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.old`);
  const log = openSync(logFile, 'a', 0o600);
  const childOptions: SpawnOptions = { ...spawnOptions, cwd: cluster, detached: true, stdio: ['ignore', log, log] };
  const child = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...options], childOptions);
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const isUp = (): boolean => child.exitCode === null && child.signalCode === null;
  const isReady = (): boolean => {
    const [pid, , , , , , , status] = pidFile(cluster);
    return isUp() && Number(pid) === child.pid && ['ready', 'standby'].includes(status?.trim() ?? '');
  };
  if ((await waitUntil(() => !isUp() || isReady(), READY_LIMIT_MS)) && isUp()) return undefined;
  child.kill('SIGQUIT');
  return readFileSync(logFile, 'utf8').slice(-TAIL_CHARACTERS).trim();
}

/**
 * Ends all processes that work on the data. The server gets a fast shutdown (connections are ended, data is flushed). Processes
 * that remain are killed, for example a slow server or a busy backend that has not noticed that its server was killed.
 */
export async function stopServer(cluster: string): Promise<void> {
  const pid = Number(pidFile(cluster)[0]);
  if (processesOf(cluster).includes(pid)) {
    kill(pid, 'SIGINT');
    await waitUntil(() => !processesOf(cluster).includes(pid), STOP_LIMIT_MS);
  }
  for (const remainingPid of processesOf(cluster)) kill(remainingPid, 'SIGKILL');
  if (!(await waitUntil(() => processesOf(cluster).length === 0, KILL_LIMIT_MS)))
    throw new Error(`The PostgreSQL server of ${cluster} does not stop.`);
}

/** Returns the lines of the PID file of the server: the first is the process ID, the eighth the status. */
function pidFile(cluster: string): string[] {
  const file = path.join(cluster, 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

/**
 * Returns the processes of the server and its backends. All of them have the data directory as their working directory, unlike
 * zombies. Without /proc, only the server is found by its command line; its backends then end by themselves.
 */
function processesOf(cluster: string): number[] {
  if (process.platform === 'linux')
    return readdirSync('/proc').flatMap((entry) => (worksIn(entry, cluster) ? [Number(entry)] : []));
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' });
  const servers = stdout.split('\n').filter((line) => line.includes(`postgres -D ${cluster} `));
  return servers.map((line) => Number.parseInt(line, 10));
}

function worksIn(entry: string, cluster: string): boolean {
  try {
    return (
      readFileSync(`/proc/${entry}/comm`, 'utf8') === 'postgres\n' && readlinkSync(`/proc/${entry}/cwd`) === cluster
    );
  } catch {
    return false; // no process, or it has ended
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {} // already ended; the caller checks the remaining processes
}

/** Returns whether the condition became true in time. */
async function waitUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; !condition(); await sleep(POLL_MS))
    if (Date.now() > deadline) return false;
  return true;
}
