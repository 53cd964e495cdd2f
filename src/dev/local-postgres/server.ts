import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOfProcess } from '../process-identity.js';

/** "Fast", then "immediate": the next start recovers from the write-ahead log. */
const STOP_STEPS = [
  { signal: 'SIGINT', limitMs: 20_000 },
  { signal: 'SIGQUIT', limitMs: 10_000 },
] as const;
const POLL_MS = 10;

/** A postmaster that really runs, as its pid file describes it. */
export interface RunningServer {
  pid: number;
  port: number;
  /** The address it listens on. */
  host: string;
  ready: boolean;
  /** Its program file was replaced since it started, e.g. by `npm ci`: new connections would fail to load libraries. */
  outdated: boolean;
}

/** Finds the server of a data directory through its pid file. Undefined when the file is missing or stale. */
export function findServer(cluster: string): RunningServer | undefined {
  const lines = readText(path.join(cluster, 'postmaster.pid')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isPostgresOf(cluster, pid)) return undefined;
  return {
    pid,
    port: Number(lines[3]),
    host: lines[5]?.trim() ?? '',
    ready: lines[7]?.trim() === 'ready',
    outdated: readLink(`/proc/${pid}/exe`).endsWith(' (deleted)'),
  };
}

/**
 * Guards against a process id that now belongs to another program. Every process of PostgreSQL works in its data directory;
 * without /proc the directory is looked for in the command line.
 */
function isPostgresOf(cluster: string, pid: number): boolean {
  if (process.platform === 'linux') {
    return (
      readText(`/proc/${pid}/comm`).trim() === 'postgres' && readLink(`/proc/${pid}/cwd`) === realpathSync(cluster)
    );
  }
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.includes(cluster) ?? false;
}

/** Stops the server if it runs: "fast" (connections are ended, data is flushed), and by force if that takes too long. */
export async function stopServer(cluster: string): Promise<void> {
  const server = findServer(cluster);
  if (!server) return;
  const start = startOfProcess(server.pid);
  const runs = (): boolean => start !== undefined && startOfProcess(server.pid) === start;
  for (const { signal, limitMs } of STOP_STEPS) {
    if (runs()) signalProcess(server.pid, signal);
    const deadline = Date.now() + limitMs;
    while (runs() && Date.now() < deadline) await sleep(POLL_MS);
    if (!runs()) return;
  }
  throw new Error(`The PostgreSQL server of ${cluster} (process ${server.pid}) does not stop.`);
}

/**
 * Ends the children of a postmaster that was killed. Most notice by themselves; one that computes does not, and keeps the next
 * server from starting. Only to be called when `findServer` finds none. Without /proc the caller can only wait.
 */
export function endLeftovers(cluster: string): void {
  if (process.platform !== 'linux') return;
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (pid > 0 && isPostgresOf(cluster, pid)) signalProcess(pid, 'SIGKILL');
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended by itself
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readLink(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
