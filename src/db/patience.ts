import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Connectable, onRepeatOf, repeatedOnce, type Statement, wasInTheWay } from './pool.js';
import { troubleOf } from './trouble.js';

/** Runs a statement that may take longer than the pool allows. */
export type PatientQuery = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;

/**
 * Statements that may take longer than the pool allows, each so long at most: a look at everything, never anything that others wait
 * for. They are one transaction, because a limit of the session would stay behind on the connection of a pooler.
 *
 * @param signal ends them; what is under way in the database then runs to its end there
 */
export const patiently = <T>(
  pool: Connectable,
  limitMs: number,
  work: (query: PatientQuery) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> =>
  repeatedOnce(
    () => withLimit(pool, limitMs, `begin; set local statement_timeout = ${limitMs}`, 'commit', work, signal),
    onRepeatOf(pool),
  );

/** The same on a connection of its own, each statement a commit of its own: for programs, without a pooler between. */
export const inPatientSession = <T>(
  pool: Connectable,
  limitMs: number,
  work: (query: PatientQuery) => Promise<T>,
): Promise<T> => withLimit(pool, limitMs, `set statement_timeout = ${limitMs}`, 'reset statement_timeout', work);

async function withLimit<T>(
  pool: Connectable,
  limitMs: number,
  before: string,
  after: string,
  work: (query: PatientQuery) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  let released = false;
  const release = (error?: Error): void => {
    if (!released) client.release(error);
    released = true;
  };
  const stop = (): void => release(new Error('stopped'));
  signal?.addEventListener('abort', stop);
  try {
    // it may have come while this waited for its connection
    signal?.throwIfAborted();
    await client.query(before);
    const result = await work(async <Row extends pg.QueryResultRow>(statement: Statement) => {
      const { rows } = await client.query<Row>({ ...statement, query_timeout: limitMs + 5_000 } as Statement);
      return rows;
    });
    await client.query(after);
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    // with a transaction that failed ends its connection
    release(failure);
  }
}

/** SQLSTATE of a statement that waited for a lock for longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface LockPatience {
  /** After so long somebody has to look who holds the lock. */
  patienceMs: number;
  /** Called before each pause. */
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

/** Repeats work that is safe to repeat while the database is away and `canGoOn`. Errors: those of the work. */
export async function outlast<T>(work: () => Promise<T>, canGoOn: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if ((trouble !== 'away' && trouble !== 'doubt') || !canGoOn()) throw error;
      await sleep(AWAY_PAUSE_MS);
    }
  }
}
