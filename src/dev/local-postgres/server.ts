import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const HOST = '127.0.0.1';
const ATTEMPTS = 5;
/** Long, because recovery after a crash is part of starting. */
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const KILL_LIMIT_MS = 10_000;
const POLL_MS = 10;
const TAIL_CHARACTERS = 2_000;
/** The port was taken in between, or a server of a process that was killed began or ended only now. */
const PASSING = /could not bind|lock file "postmaster.pid" already exists|pre-existing shared memory block/;

/** PostgreSQL's programs, and how they are run. */
export interface Programs {
  /** The directory of `initdb` and `postgres`. */
  bin: string;
  /** Data directories of another major version cannot be opened. */
  majorVersion: string;
  /** As whom (left out: as ourselves); the PG* variables of our environment would steer them, and its secrets are not theirs. */
  as: { uid?: number; gid?: number; env: Record<string, string> };
}

export interface ServerSettings {
  logFile: string;
  /** PostgreSQL's own settings, by name. */
  settings: Readonly<Record<string, string | number>>;
  choosePort: () => Promise<number>;
}

/** Starts a server on a free port, after what a kill -9 left of an earlier one has been ended. Resolves to the port. */
export async function startServer(programs: Programs, cluster: string, server: ServerSettings): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    await stopServer(cluster);
    // it may be empty, or name a process that is another program by now
    rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
    const port = await server.choosePort();
    const failure = await launch(programs, cluster, server, port);
    if (failure === undefined) return port;
    if (attempt === ATTEMPTS || !PASSING.test(failure))
      throw new Error(`PostgreSQL did not start. The end of ${server.logFile}:\n${failure}`);
    await sleep(100 * attempt);
  }
}

/**
 * Starts the server in a session of its own: neither Ctrl-C nor the end of this process reaches it. Not through pg_ctl, which
 * builds a shell command in which a dollar sign or quote of a path is taken as syntax. Resolves to undefined when the server
 * accepts connections, to the end of its log when it ended instead.
 */
async function launch({ bin, as }: Programs, cluster: string, server: ServerSettings, port: number) {
  const { settings, logFile } = server;
  const ours = { listen_addresses: HOST, port, unix_socket_directories: '', log_destination: 'stderr' };
  const options = Object.entries({ ...settings, ...ours }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.old`);
  const log = openSync(logFile, 'a', 0o600);
  const how: SpawnOptions = { ...as, cwd: cluster, detached: true, stdio: ['ignore', log, log] };
  const child = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...options], how);
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const isUp = (): boolean => child.exitCode === null && child.signalCode === null;
  const isReady = (): boolean => {
    const [pid, , , , , , , status] = pidFile(cluster);
    return isUp() && Number(pid) === child.pid && ['ready', 'standby'].includes(status?.trim() ?? '');
  };
  if ((await until(() => !isUp() || isReady(), READY_LIMIT_MS)) && isUp()) return undefined;
  child.kill('SIGQUIT');
  return readFileSync(logFile, 'utf8').slice(-TAIL_CHARACTERS).trim();
}

/**
 * Ends whatever works on the data: the server "fast" (connections are ended, data is flushed), and by force what is left, such as
 * a server that takes too long or a backend that computes and has not noticed that its server was killed.
 */
export async function stopServer(cluster: string): Promise<void> {
  const pid = Number(pidFile(cluster)[0]);
  if (processesOf(cluster).includes(pid)) {
    kill(pid, 'SIGINT');
    await until(() => !processesOf(cluster).includes(pid), STOP_LIMIT_MS);
  }
  for (const left of processesOf(cluster)) kill(left, 'SIGKILL');
  if (!(await until(() => processesOf(cluster).length === 0, KILL_LIMIT_MS)))
    throw new Error(`The PostgreSQL server of ${cluster} does not stop.`);
}

/** The server's lines about itself: the first is its process id, the eighth how far it is. */
function pidFile(cluster: string): string[] {
  const file = path.join(cluster, 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

/**
 * The server and its backends: each works in the data directory, a zombie in none. Without /proc the server alone, by its command
 * line; then backends end by themselves.
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
  } catch {} // it has ended by itself; the caller looks for what has not
}

/** Whether it came true in time. */
async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; !condition(); await sleep(POLL_MS))
    if (Date.now() > deadline) return false;
  return true;
}
