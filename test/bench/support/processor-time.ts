import { readdirSync, readFileSync } from 'node:fs';

/** Unit of processor time on Linux. */
const TICK_MS = 10;

interface Stat {
  parent: number;
  /** Time of the process itself, and of its children that have exited. */
  ownMs: number;
  endedMs: number;
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name in parentheses can contain spaces
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ms = (index: number): number => Number(fields[index]) * TICK_MS;
    return { parent: Number(fields[1]), ownMs: ms(11) + ms(12), endedMs: ms(13) + ms(14) };
  } catch {
    return undefined; // the process has exited, or the system has no /proc
  }
}

/** User and system time of a process so far; NaN if the system does not provide it. */
export const processorMs = (pid: number): number => statOf(pid)?.ownMs ?? Number.NaN;

/** Processor time of a process and all processes that it started, for PostgreSQL. */
export function familyMs(pid: number): number {
  const first = statOf(pid);
  if (!first) return Number.NaN;
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    return stat?.parent === pid ? [stat.ownMs + stat.endedMs] : [];
  });
  return children.reduce((sum, ms) => sum + ms, first.ownMs + first.endedMs);
}

export const parentOf = (pid: number): number => statOf(pid)?.parent ?? Number.NaN;

/** Child process that runs a program; NaN if there is none or the system has no /proc. */
export function childRunning(program: string): number {
  try {
    const found = readdirSync('/proc').find(
      (name) =>
        /^\d+$/.test(name) &&
        statOf(name)?.parent === process.pid &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(program),
    );
    return found === undefined ? Number.NaN : Number(found);
  } catch {
    return Number.NaN;
  }
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}
