import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import pg from 'pg';
import array from 'postgres-array';
import { APPLICATION_ROLE, LIMITS_MS, MIGRATION_LIMITS_MS, requireGuards, startupOptions } from './guards.js';
import { CannotServe, NeverReached } from './trouble.js';

const consoleReads = new AsyncLocalStorage<true>();

export const isConsoleRead = (): boolean => consoleReads.getStore() === true;

/** Runs work on the connections reserved for reads of the console, if the pool has such connections. */
export const asConsoleRead = <T>(work: () => T): T => consoleReads.run(true, work);

/** Like `asConsoleRead`, for each chunk of a generator. */
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
 * Two pools that act as one. However many reads the console makes, and however long they take, they only wait for each other, and
 * none of them uses the connections of money operations.
 */
class DividedPool extends pg.Pool {
  readonly forConsole: pg.Pool;

  constructor(options: pg.PoolConfig, consoleMax: number) {
    super(options);
    this.forConsole = new pg.Pool({
      ...options,
      max: consoleMax,
      application_name: `${options.application_name} console`,
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  /** Also called by `query`. */
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (isConsoleRead()) return this.forConsole.connect(callback!);
    return super.connect(callback!);
  }

  override async end(): Promise<void> {
    await Promise.all([super.end(), this.forConsole.end()]);
  }
}

const NAME = 'recharge-gateway';

export interface PoolOptions {
  max: number;
  /** Additional connections for reads of the console. Without them, all work shares one pool. */
  consoleMax?: number;
  /** Runs as the connecting user. For command-line programs of the owner, which connect without a pooler. */
  asOwner?: boolean;
  /** Disables the timeouts. For migrations only. */
  migrates?: boolean;
  /** False behind a pooler that rejects startup options. The login then has the role and limits, and statements are unnamed. */
  withStartupOptions?: boolean;
  /** Part of the application name of the connections. */
  name?: string;
  onLostConnection?: (error: Error) => void;
  /** Called before a retry after a conflict with another transaction. */
  onRetry?: OnRetry;
  /** False disables retries, for callers with their own fallback. */
  retries?: boolean;
}

interface ClientConfig extends pg.PoolConfig {
  /** Undefined disables retries. */
  onRetry?: OnRetry | undefined;
  /**
   * Behind a pooler, a statement can run on a connection that does not know its name, and older poolers do not support named
   * statements. Without names, a recharge of 9 ms takes 11 ms because every statement is planned again.
   */
  unnamed?: boolean;
}

/** Several statements in one query that form a transaction. */
const TRANSACTION = /^\s*begin\b/i;

/** Error of PgBouncer (any version) or Amazon RDS Proxy that rejects the startup options. */
const POOLER = /unsupported (options )?startup parameter|command-line options/;

/** Replaces the error of a new connection if a pooler caused it, with a message about the settings. */
const pooled = (error: Error): Error =>
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
      return super.connect((error: Error | null) => callback(error && pooled(error))) as never;
    return super.connect().catch((error: Error) => {
      throw pooled(error);
    }) as never;
  }

  override query(given: unknown, values?: unknown, callback?: unknown): never {
    const { onRetry, unnamed } = this.#config;
    // copies the object, because the driver stores the callback in it and a reuse would call the wrong callback
    const statement = (
      typeof given === 'string' ? given : { ...(given as Statement), ...(unnamed && { name: undefined }) }
    ) as string;
    // inside a transaction, the whole transaction has to be retried
    if (!onRetry || this.getTransactionStatus() !== 'I')
      return super.query(statement, values as [], callback as never) as never;
    const [bound, answered] = typeof values === 'function' ? [undefined, values] : [values, callback];
    const result = retryOnce(
      () => super.query(statement, bound as []),
      async (cause) => {
        if (TRANSACTION.test(statement)) await super.query('rollback');
        onRetry(cause);
      },
    );
    if (typeof answered !== 'function') return result as never;
    return void result.then(
      (value) => answered(null, value),
      (error: unknown) => answered(error),
    ) as never;
  }
}

/**
 * Pool for the money functions and the ORM. Each new connection is checked for its role and limits before it is used. A
 * connection lost while idle is removed silently; one lost while in use rejects its query.
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
    // a retry of `create index concurrently if not exists` would accept the invalid index of the first attempt
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
    // keeps connections long, because a new one plans every statement and compiles every function again
    idleTimeoutMillis: 600_000,
    // longer than the limit of the server, so it only applies if the server or network does not respond
    query_timeout: migrates ? 0 : LIMITS_MS.statement_timeout + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: name === undefined ? NAME : `${NAME} ${name}`,
  };
  const divided = consoleMax === undefined ? undefined : new DividedPool(options, consoleMax);
  const pools = divided ? [divided, divided.forConsole] : [new pg.Pool(options)];
  for (const pool of pools) {
    pool.on('error', onLostConnection);
    pool.on('connect', (client) => client.on('error', onLostConnection));
  }
  return pools[0]!;
}

/** SQLSTATEs of work that the server rolled back because of another transaction: a deadlock, or a serialization failure. */
const IN_THE_WAY = new Set(['40P01', '40001']);

/** Lets the other transaction continue first. An immediate retry could lock the same row before it and conflict again. */
const PAUSE_MS = 20;

/** Called with the cause of a retry. */
export type OnRetry = (cause: Error) => unknown;

/** Whether the error is a conflict with another transaction. Nothing was applied, and the other transaction has succeeded. */
export const isTransactionConflict = (error: unknown): error is Error =>
  IN_THE_WAY.has((error as { code?: string } | undefined)?.code ?? '');

/**
 * Retries work once after a conflict with another transaction. The work must be a whole transaction, or a single statement that
 * is one, and must not keep state of its first attempt. Errors: those of the work.
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

/** Retry callback of a pool. */
export const onRetryOf = (pool: object): OnRetry => (pool as { options?: ClientConfig }).options?.onRetry ?? (() => {});

/** Row of the driver whose columns are named like the fields of `Read`. Times are text. */
export type RowOf<Read> = {
  [Name in keyof Read]: [Extract<Read[Name], Date>] extends [never] ? Read[Name] : string | Exclude<Read[Name], Date>;
};

/** Statement with bound parameters. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

/** Part of a pool that services use: one statement with bound parameters. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: Statement): Promise<pg.QueryResult<Row>>;
}

export type Connectable = Queryable & Pick<pg.Pool, 'connect'>;

/**
 * Runs one statement. Unlike `pool.query`, distinguishes a statement that was never sent (NeverReached) from one that may have
 * run.
 */
export async function runOnce<Row extends pg.QueryResultRow>(
  pool: Connectable,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new NeverReached(error);
  });
  let lost: Error | undefined;
  try {
    return await client.query<Row>(statement);
  } catch (error) {
    lost = error as Error;
    throw error;
  } finally {
    // a connection with an error is not reused, because its state is unknown
    client.release(lost);
  }
}

/** Used and idle connections of a pool, and the number of waiting callers. */
export interface PoolFigures {
  pool: 'main' | 'console';
  used: number;
  idle: number;
  waiting: number;
  max: number;
}

/** Figures of the pool, and of the separate pool for the console if there is one. */
export function poolFigures(pool: pg.Pool): PoolFigures[] {
  const figuresOf = (name: PoolFigures['pool'], { totalCount, idleCount, waitingCount, options }: pg.Pool) => ({
    pool: name,
    used: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
    max: options.max,
  });
  return [figuresOf('main', pool), ...(pool instanceof DividedPool ? [figuresOf('console', pool.forConsole)] : [])];
}
