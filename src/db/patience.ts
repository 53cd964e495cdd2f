import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { failureKindOf } from './database-errors.js';
import { type Connectable, isTransactionConflict, onRetryOf, retryOnce, type Statement } from './pool.js';

/** Runs a statement that can exceed the statement timeout of the pool. */
export type PatientQuery = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;

/**
 * Runs statements that can exceed the statement timeout of the pool, each with a timeout of `limitMs`. This is only for
 * extensive reads, never for work that others wait for. The statements share one transaction, because a session setting would
 * remain on the connection of a pooler.
 * @param signal cancels the statements; a running statement continues in the database
 */
export const patiently = <T>(
  pool: Connectable,
  limitMs: number,
  work: (query: PatientQuery) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> =>
  retryOnce(
    () => withLimit(pool, limitMs, `begin; set local statement_timeout = ${limitMs}`, 'commit', work, signal),
    onRetryOf(pool),
  );

/** Works like `patiently`, but commits each statement separately. It is for commands, which connect without a pooler. */
export const inPatientSession = <T>(
  pool: Connectable,
  limitMs: number,
  work: (query: PatientQuery) => Promise<T>,
): Promise<T> => withLimit(pool, limitMs, `set statement_timeout = ${limitMs}`, 'reset statement_timeout', work);

async function withLimit<T>(
  pool: Connectable,
  limitMs: number,
  firstStatement: string,
  lastStatement: string,
  work: (query: PatientQuery) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  let isReleased = false;
  const release = (error?: Error): void => {
    if (!isReleased) client.release(error);
    isReleased = true;
  };
  const stop = (): void => release(new Error('stopped'));
  signal?.addEventListener('abort', stop);
  try {
    // the signal may have been aborted while waiting for the connection
    signal?.throwIfAborted();
    await client.query(firstStatement);
    const result = await work(async <Row extends pg.QueryResultRow>(statement: Statement) => {
      const { rows } = await client.query<Row>({ ...statement, query_timeout: limitMs + 5_000 } as Statement);
      return rows;
    });
    await client.query(lastStatement);
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    // closes the connection after a failed transaction
    release(failure);
  }
}

/** SQLSTATE of a statement that exceeded `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface LockPatience {
  /** Time after which manual action is required. */
  patienceMs: number;
  /** Called before each pause. */
  onWait: () => void;
}

/**
 * Repeats work until it acquires its locks. The work must roll back when it fails. Each attempt waits only briefly for a lock,
 * so that queued transactions can continue between the attempts. Throws the errors of the work, or a one-sentence error if
 * `patienceMs` is exceeded.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>, { patienceMs, onWait }: LockPatience): Promise<T> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== LOCK_NOT_AVAILABLE && !isTransactionConflict(error)) throw error;
      if (performance.now() - startedAt > patienceMs)
        throw new Error(
          'A lock that the migration needs was held for too long. End the session shown in pg_locks, then run the migration again.',
          { cause: error },
        );
      onWait();
      await sleep(pauseMs);
    }
  }
}

/** Pause between attempts while the database is unavailable. */
const UNAVAILABLE_PAUSE_MS = 200;

/**
 * Repeats work while the database is unavailable and `canContinue` returns true. The work must be safe to repeat. Throws the errors
 * of the work.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, canContinue: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const kind = failureKindOf(error);
      if ((kind !== 'away' && kind !== 'doubt') || !canContinue()) throw error;
      await sleep(UNAVAILABLE_PAUSE_MS);
    }
  }
}
