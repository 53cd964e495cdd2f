import { readdirSync, readFileSync } from 'node:fs';

/** What Linux counts processor time in. */
const TICK_MS = 10;

interface Stat {
  parent: number;
  /** Its own time, and that of children that ended. */
  ownMs: number;
  endedMs: number;
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name in brackets may hold blanks
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ms = (index: number): number => Number(fields[index]) * TICK_MS;
    return { parent: Number(fields[1]), ownMs: ms(11) + ms(12), endedMs: ms(13) + ms(14) };
  } catch {
    return undefined; // it has ended, or there is no /proc here
  }
}

/** User and system time of a process so far; NaN where the system does not tell. */
export const processorMs = (pid: number): number => statOf(pid)?.ownMs ?? Number.NaN;

/** The same of a process with all that it started: PostgreSQL. */
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

/** The child of this process that runs a program; NaN where there is none, or no /proc. */
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
