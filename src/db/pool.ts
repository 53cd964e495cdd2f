import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import pg from 'pg';
import array from 'postgres-array';
import { CannotServe, NeverReached } from './database-errors.js';
import { APPLICATION_ROLE, LIMITS_MS, MIGRATION_LIMITS_MS, requireGuards, startupOptions } from './guards.js';

const consoleReads = new AsyncLocalStorage<true>();

export const isConsoleRead = (): boolean => consoleReads.getStore() === true;

/** Runs work on the connections reserved for console reads, if the pool has such connections. */
export const asConsoleRead = <T>(work: () => T): T => consoleReads.run(true, work);

/** Works like `asConsoleRead`, but for each chunk of a generator. */
export async function* asConsoleReads<T>(pieces: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const { done, value } = await asConsoleRead(() => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Two pools that act as one. Console reads wait only for each other, regardless of their number and duration, and never use the
 * connections of money operations.
 */
class DividedPool extends pg.Pool {
  readonly consolePool: pg.Pool;

  constructor(options: pg.PoolConfig, consoleMax: number) {
    super(options);
    this.consolePool = new pg.Pool({
      ...options,
      max: consoleMax,
      application_name: `${options.application_name} console`,
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  /** Returns a connection of the pool for the current work. `query` calls this method as well. */
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (isConsoleRead()) return this.consolePool.connect(callback!);
    return super.connect(callback!);
  }

  override async end(): Promise<void> {
    await Promise.all([super.end(), this.consolePool.end()]);
  }
}

const NAME = 'recharge-gateway';

export interface PoolOptions {
  max: number;
  /** Number of additional connections for console reads. If omitted, all work shares one pool. */
  consoleMax?: number;
  /** Whether statements run as the connecting user. This is set for commands of the owner, which connect without a pooler. */
  asOwner?: boolean;
  /** Whether the timeouts are disabled. It is set only for migrations. */
  migrates?: boolean;
  /**
   * Whether startup options are sent. It is set to false behind a pooler that rejects them; the role and timeouts are then those
   * of the login, and statements are unnamed.
   */
  withStartupOptions?: boolean;
  /** Part of the application name of the connections. */
  name?: string;
  onLostConnection?: (error: Error) => void;
  /** Called before a retry after a conflict with another transaction. */
  onRetry?: OnRetry;
  /** Set to false to disable retries, for callers with their own fallback. */
  retries?: boolean;
}

interface ClientConfig extends pg.PoolConfig {
  /** Retry callback. Undefined disables retries. */
  onRetry?: OnRetry | undefined;
  /**
   * Whether statements are unnamed. Behind a pooler, a statement can run on a connection that does not know its name, and older
   * poolers do not support named statements. Without names, a recharge takes 11 ms instead of 9 ms, because every statement is
   * planned again.
   */
  unnamed?: boolean;
}

/** Matches a query with several statements that form a transaction. */
const TRANSACTION = /^\s*begin\b/i;

/** Matches the error of PgBouncer (any version) or Amazon RDS Proxy if it rejects the startup options. */
const POOLER = /unsupported (options )?startup parameter|command-line options/;

/** Replaces the error of a new connection with a message about the settings, if a pooler caused it. */
const poolerError = (error: Error): Error =>
  POOLER.test(error.message)
    ? new CannotServe(
        'DATABASE_URL leads to a connection pooler, which rejects startup options. Connect to PostgreSQL directly. Only the service can use a pooler: set DATABASE_STARTUP_OPTIONS=false and DATABASE_LISTEN_URL (docs/install.md, "Connection pooler").',
        { cause: error },
      )
    : error;

/** Client for all statements. A statement outside a transaction is retried once after a conflict with another transaction. */
class Client extends pg.Client {
  readonly #config: ClientConfig;

  constructor(config: ClientConfig = {}) {
    super(config);
    this.#config = config;
  }

  override connect(callback?: unknown): never {
    if (typeof callback === 'function')
      return super.connect((error: Error | null) => callback(error && poolerError(error))) as never;
    return super.connect().catch((error: Error) => {
      throw poolerError(error);
    }) as never;
  }

  override query(query: unknown, values?: unknown, callback?: unknown): never {
    const { onRetry, unnamed } = this.#config;
    // copies the object, because the driver stores the callback in it, and reusing it would call the wrong callback
    const statement = (
      typeof query === 'string' ? query : { ...(query as Statement), ...(unnamed && { name: undefined }) }
    ) as string;
    // inside a transaction, the whole transaction must be retried
    if (!onRetry || this.getTransactionStatus() !== 'I')
      return super.query(statement, values as [], callback as never) as never;
    const [bound, onResult] = typeof values === 'function' ? [undefined, values] : [values, callback];
    const result = retryOnce(
      () => super.query(statement, bound as []),
      async (cause) => {
        if (TRANSACTION.test(statement)) await super.query('rollback');
        onRetry(cause);
      },
    );
    if (typeof onResult !== 'function') return result as never;
    return void result.then(
      (value) => onResult(null, value),
      (error: unknown) => onResult(error),
    ) as never;
  }
}

/**
 * Creates the pool for the money functions and the ORM. The role and timeouts of each new connection are checked before it is
 * used. A connection that is lost while idle is removed silently; one that is lost while in use rejects its query.
 */
export function createPool(
  connectionString: string,
  {
    max,
    consoleMax,
    asOwner = false,
    migrates = false,
    withStartupOptions = true,
    name,
    onLostConnection = () => {},
    onRetry = () => {},
    // migrations are not retried, because a retry of `create index concurrently if not exists` would accept the invalid index of
    // the first attempt
    retries = !migrates,
  }: PoolOptions,
): pg.Pool {
  const types = new pg.TypeOverrides();
  const parsers = createPostgreSqlTypeParsers((text: string) => array.parse(text));
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser as never);
  const options: ClientConfig = {
    Client,
    onRetry: retries ? onRetry : undefined,
    unnamed: !withStartupOptions && !asOwner,
    connectionString,
    max,
    types,
    ...(withStartupOptions || asOwner
      ? { options: startupOptions(asOwner ? undefined : APPLICATION_ROLE, migrates ? MIGRATION_LIMITS_MS : LIMITS_MS) }
      : {}),
    ...(asOwner ? {} : { onConnect: requireGuards }),
    connectionTimeoutMillis: 5_000,
    // connections are kept for a long time, because a new one plans every statement and compiles every function again
    idleTimeoutMillis: 600_000,
    // this is longer than the timeout of the server, so it applies only if the server or network does not respond
    query_timeout: migrates ? 0 : LIMITS_MS.statement_timeout + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: name === undefined ? NAME : `${NAME} ${name}`,
  };
  const dividedPool = consoleMax === undefined ? undefined : new DividedPool(options, consoleMax);
  const pools = dividedPool ? [dividedPool, dividedPool.consolePool] : [new pg.Pool(options)];
  for (const pool of pools) {
    pool.on('error', onLostConnection);
    pool.on('connect', (client) => client.on('error', onLostConnection));
  }
  return pools[0]!;
}

/**
 * SQLSTATEs of transactions that the server rolled back because of another transaction: a deadlock or a serialization failure.
 */
const CONFLICT_CODES = new Set(['40P01', '40001']);

/**
 * Pause before a retry, so that the other transaction can continue. An immediate retry could lock the same row first and conflict
 * again.
 */
const PAUSE_MS = 20;

/** Called with the cause of a retry. */
export type OnRetry = (cause: Error) => unknown;

/**
 * Returns whether the error is a conflict with another transaction. Nothing was applied, and the other transaction has
 * succeeded.
 */
export const isTransactionConflict = (error: unknown): error is Error =>
  CONFLICT_CODES.has((error as { code?: string } | undefined)?.code ?? '');

/**
 * Retries work once after a conflict with another transaction. The work must be a whole transaction, or a single statement
 * outside a transaction, and must not keep state of its first attempt. Throws the errors of the work.
 */
export async function retryOnce<T>(work: () => Promise<T>, onRetry: OnRetry): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTransactionConflict(error)) throw error;
    await onRetry(error);
    await sleep(PAUSE_MS * (1 + Math.random()));
    return work();
  }
}

/** Returns the retry callback of a pool. */
export const onRetryOf = (pool: object): OnRetry => (pool as { options?: ClientConfig }).options?.onRetry ?? (() => {});

/** Row of the driver whose columns have the same names as the fields of `Read`. Times are text. */
export type RowOf<Read> = {
  [Name in keyof Read]: [Extract<Read[Name], Date>] extends [never] ? Read[Name] : string | Exclude<Read[Name], Date>;
};

/** Statement with bound parameters. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

/** Part of a pool that services use, for one statement with bound parameters. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: Statement): Promise<pg.QueryResult<Row>>;
}

export type Connectable = Queryable & Pick<pg.Pool, 'connect'>;

/**
 * Runs one statement. Unlike `pool.query`, it distinguishes a statement that was never sent (NeverReached) from one that may have
 * run.
 */
export async function runOnce<Row extends pg.QueryResultRow>(
  pool: Connectable,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new NeverReached(error);
  });
  let failure: Error | undefined;
  try {
    return await client.query<Row>(statement);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // a connection with an error is not reused, because its state is unknown
    client.release(failure);
  }
}

/** Number of used and idle connections of a pool, and of waiting callers. */
export interface PoolFigures {
  pool: 'main' | 'console';
  used: number;
  idle: number;
  waiting: number;
  max: number;
}

/** Returns the figures of the pool, and of the separate console pool if there is one. */
export function poolFigures(pool: pg.Pool): PoolFigures[] {
  const figuresOf = (name: PoolFigures['pool'], { totalCount, idleCount, waitingCount, options }: pg.Pool) => ({
    pool: name,
    used: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
    max: options.max,
  });
  return [figuresOf('main', pool), ...(pool instanceof DividedPool ? [figuresOf('console', pool.consolePool)] : [])];
}
