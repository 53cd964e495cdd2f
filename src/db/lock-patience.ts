import { setTimeout as sleep } from 'node:timers/promises';
import { wasInTheWay } from './repeat.js';

/** SQLSTATE of a statement that waited for a lock for longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface LockPatience {
  /** After so long somebody has to look who holds the lock. */
  patienceMs: number;
  /** Told before each pause. */
  onWait: () => void;
}

/**
 * Repeats work, which takes everything back when it fails, until it gets its locks: each attempt waits for a moment alone, and in the
 * pauses between whoever queued up behind it goes on. Errors: those of the work; one sentence when the patience ends.
 */
export async function despiteLocks<T>(work: () => Promise<T>, { patienceMs, onWait }: LockPatience): Promise<T> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== LOCK_NOT_AVAILABLE && !wasInTheWay(error)) throw error;
      if (performance.now() - startedAt > patienceMs)
        throw new Error(
          'Somebody holds a lock that a migration needs, for too long: end what pg_locks shows, and migrate again.',
          { cause: error },
        );
      onWait();
      await sleep(pauseMs);
    }
  }
}
