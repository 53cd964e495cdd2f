import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const LOCK_FILE = 'owner.lock';
const SQLITE_BUSY = 5;

/** A connection that nothing refers to is closed, and its lock gone. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the only owner of a directory. Node locks files through SQLite alone; the system gives such a lock back when
 * its holder ends in any way, kill -9 included. Returns what gives it back, or undefined when the directory has an owner.
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
  held.add(lock);
  return () => {
    if (held.delete(lock)) lock.close();
  };
}
