import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const LOCK_FILE = 'owner.lock';
const SQLITE_BUSY = 5;

/** Open locks. The set keeps references, because garbage collection would close a connection and release its lock. */
const openLocks = new Set<DatabaseSync>();

/**
 * Makes this process the only owner of a directory. Node can lock files only through SQLite. The system releases such a lock when
 * its holder ends in any way, including kill -9. Returns a function that releases the lock, or undefined if the directory has an
 * owner.
 */
export function lockDirectory(directory: string): (() => void) | undefined {
  const lock = new DatabaseSync(path.join(directory, LOCK_FILE));
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  openLocks.add(lock);
  return () => {
    if (openLocks.delete(lock)) lock.close();
  };
}
