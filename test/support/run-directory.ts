import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Waits for the end of its standard input, then stops every PostgreSQL with data in the directory and deletes it. The pid file
 * may be outdated, so the name of the program is checked. The loop outlasts a server or an initdb that is still writing.
 */
const GUARD = `
  read -r _
  round=0
  while [ -e "$1" ] && [ $round -lt 100 ]; do
    find "$1" -name postmaster.pid 2>/dev/null | while read -r file; do
      pid=$(head -n 1 "$file")
      name=$(cat "/proc/$pid/comm" 2>/dev/null || ps -o comm= -p "$pid" 2>/dev/null)
      case "$name" in *postgres*) kill -QUIT "$pid" ;; esac
    done
    rm -rf "$1" 2>/dev/null || sleep 0.05
    round=$((round + 1))
  done`;

/** In-memory file system of Linux. */
const IN_MEMORY = '/dev/shm';
/** Several times the data of a run; containers often have 64 MB there. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/**
 * In memory if it has enough space: a database consists of a thousand files, and creating them on a disk is slower than writing
 * their data.
 */
function base(): string {
  if (process.env.TMPDIR) return tmpdir();
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= ENOUGH_BYTES) return IN_MEMORY;
  } catch {
    // not Linux
  }
  return tmpdir();
}

/** A temporary directory for everything that one test run writes. */
export interface RunDirectory {
  path: string;
  remove(): Promise<void>;
}

/**
 * Creates the directory and a guard process that cleans up when this process ends in any way, including kill -9: the guard holds
 * the other end of a pipe. It runs in a separate session, so that Ctrl-C does not reach it.
 */
export function createRunDirectory(): RunDirectory {
  const directory = mkdtempSync(path.join(base(), 'recharge-gateway-test-'));
  chmodSync(directory, 0o711); // as root, the server runs as another user, which must be able to enter the directory
  const guard: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'guard', directory], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  const remove = async (): Promise<void> => {
    if (guard.exitCode !== null) return;
    guard.ref();
    const ended = once(guard, 'exit');
    guard.stdin?.end();
    await ended;
  };
  return { path: directory, remove };
}
