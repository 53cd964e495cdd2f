import { setTimeout as sleep } from 'node:timers/promises';
import { troubleOf } from './trouble.js';

/**
 * SQLSTATE of work that the server has rolled back whole because another transaction was in its way: a deadlock, and two that
 * cannot be put in a row.
 */
const IN_THE_WAY = new Set(['40P01', '40001']);

/** The other transaction has to wake up first: an immediate repetition may lock the same row before it, and the two meet again. */
const PAUSE_MS = 20;

/** Is told why something is done once more. */
export type OnRepeat = (cause: Error) => unknown;

/** Whether somebody else's transaction was in the way: nothing was applied, and the other one is through. */
const wasInTheWay = (error: unknown): error is Error =>
  IN_THE_WAY.has((error as { code?: string } | undefined)?.code ?? '');

/**
 * Does work once more when another transaction was in its way. It must be a whole transaction, or a statement that is one, and keep
 * nothing of its first attempt. Errors: those of the work.
 */
export async function repeatedOnce<T>(work: () => Promise<T>, onRepeat: OnRepeat): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!wasInTheWay(error)) throw error;
    await onRepeat(error);
    await sleep(PAUSE_MS * (1 + Math.random()));
    return work();
  }
}

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

/** Between two looks at whether the database is back. */
const AWAY_PAUSE_MS = 200;

/** Repeats work that is safe to repeat while the database is away and `mayGoOn`. Errors: those of the work. */
export async function outlast<T>(work: () => Promise<T>, mayGoOn: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if ((trouble !== 'away' && trouble !== 'doubt') || !mayGoOn()) throw error;
      await sleep(AWAY_PAUSE_MS);
    }
  }
}
