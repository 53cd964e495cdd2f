import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import pg from 'pg';
import array from 'postgres-array';
import { APPLICATION_ROLE, LIMITS_MS, MIGRATION_LIMITS_MS, requireGuards, startupOptions } from './guards.js';
import { CannotServe, NeverReached } from './trouble.js';

const consoleReads = new AsyncLocalStorage<true>();

export const isConsoleRead = (): boolean => consoleReads.getStore() === true;

/** What this work asks the database goes over the connections that are kept for the console's reads, where a pool has such. */
export const asConsoleRead = <T>(work: () => T): T => consoleReads.run(true, work);

/** The same for each piece of something that is read piece by piece, at whatever time. */
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
 * Two pools that look like one. However much people read on the console, and however long it takes, they wait for one another
 * there: none of the connections that money moves over is taken.
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
  /** `query` comes by here too. */
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
  /** Connections besides, for the console's reads; without them there is one pool for all. */
  consoleMax?: number;
  /** Runs as the connecting user: for programs of the owner, which need a connection without a pooler between. */
  asOwner?: boolean;
  /** Takes as long as it takes: migrations only. */
  migrates?: boolean;
  /** False: a pooler is between that refuses them. The login has the role and the limits, and statements have no names. */
  withStartupOptions?: boolean;
  /** Part of what its connections call themselves. */
  name?: string;
  onLostConnection?: (error: Error) => void;
  /** Called for what is done once more because another transaction was in its way. */
  onRepeat?: OnRepeat;
  /** False: nothing is, because whoever asks has a way of their own. */
  repeats?: boolean;
}

interface ClientConfig extends pg.PoolConfig {
  /** Undefined: nothing is done once more. */
  onRepeat?: OnRepeat | undefined;
  /**
   * Behind a pooler a statement may meet another connection than the one that knows its name, and older poolers know none at all.
   * A recharge of 9 ms takes 11 when each of its statements is planned anew.
   */
  unnamed?: boolean;
}

/** Several statements that are one. */
const TRANSACTION = /^\s*begin\b/i;

/** The startup options of a connection, rejected by PgBouncer of any version or by Amazon RDS Proxy. */
const POOLER = /unsupported (options )?startup parameter|command-line options/;

/** An error of a new connection, in words that name the settings where a pooler caused it. */
const pooled = (error: Error): Error =>
  POOLER.test(error.message)
    ? new CannotServe(
        'DATABASE_URL leads to a connection pooler, which rejects startup options. Connect to PostgreSQL directly. Only the service can use a pooler: set DATABASE_STARTUP_OPTIONS=false and DATABASE_LISTEN_URL (docs/install.md, "Connection pooler").',
        { cause: error },
      )
    : error;

/** What every statement goes through. One that is a transaction of its own is done once more when another one was in its way. */
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
    const { onRepeat, unnamed } = this.#config;
    // a copy: the driver leaves the callback on what it is given, and the next to get that would be answered there
    const statement = (
      typeof given === 'string' ? given : { ...(given as Statement), ...(unnamed && { name: undefined }) }
    ) as string;
    // within a transaction it is the whole that has to be done once more
    if (!onRepeat || this.getTransactionStatus() !== 'I')
      return super.query(statement, values as [], callback as never) as never;
    const [bound, answered] = typeof values === 'function' ? [undefined, values] : [values, callback];
    const result = repeatedOnce(
      () => super.query(statement, bound as []),
      async (cause) => {
        if (TRANSACTION.test(statement)) await super.query('rollback');
        onRepeat(cause);
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
 * The pool under both the money path and the ORM. Each new connection is asked whether it has its guards before anybody gets it;
 * one that is lost while idle is dropped quietly, one in use rejects its own query.
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
    onRepeat = () => {},
    // a repeated `create index concurrently if not exists` would be content with the invalid index of its first attempt
    repeats = !migrates,
  }: PoolOptions,
): pg.Pool {
  const types = new pg.TypeOverrides();
  const parsers = createPostgreSqlTypeParsers((text: string) => array.parse(text));
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser as never);
  const options: ClientConfig = {
    Client,
    onRepeat: repeats ? onRepeat : undefined,
    unnamed: !withStartupOptions && !asOwner,
    connectionString,
    max,
    types,
    ...(withStartupOptions || asOwner
      ? { options: startupOptions(asOwner ? undefined : APPLICATION_ROLE, migrates ? MIGRATION_LIMITS_MS : LIMITS_MS) }
      : {}),
    ...(asOwner ? {} : { onConnect: requireGuards }),
    connectionTimeoutMillis: 5_000,
    // a new connection plans every statement and compiles every function again
    idleTimeoutMillis: 600_000,
    // longer than the server's own limit, so it is only for a server or network that has gone silent
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

/**
 * SQLSTATE of work that the server has rolled back whole because another transaction was in its way: a deadlock, and two that
 * cannot be put in a row.
 */
const IN_THE_WAY = new Set(['40P01', '40001']);

/** The other transaction has to wake up first: an immediate repetition may lock the same row before it, and the two meet again. */
const PAUSE_MS = 20;

/** Called with why something is done once more. */
export type OnRepeat = (cause: Error) => unknown;

/** Whether somebody else's transaction was in the way: nothing was applied, and the other one is through. */
export const wasInTheWay = (error: unknown): error is Error =>
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

/** What a pool does before something is done once more. */
export const onRepeatOf = (pool: object): OnRepeat =>
  (pool as { options?: ClientConfig }).options?.onRepeat ?? (() => {});

/** A row whose columns are named like the fields of `Read`, as the driver has it: an instant is text. */
export type RowOf<Read> = {
  [Name in keyof Read]: [Extract<Read[Name], Date>] extends [never] ? Read[Name] : string | Exclude<Read[Name], Date>;
};

/** One statement, its parameters bound. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

/** What a service needs of the pool: one statement, parameters bound. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: Statement): Promise<pg.QueryResult<Row>>;
}

export type Connectable = Queryable & Pick<pg.Pool, 'connect'>;

/** One statement; unlike `pool.query` it distinguishes a statement that never left (NeverReached) from one that may have run. */
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
    // an errored connection is not used again: it may be in the middle of something
    client.release(lost);
  }
}

/** The connections of one pool, in use and idle, and who waits for one. */
export interface PoolFigures {
  pool: 'main' | 'console';
  used: number;
  idle: number;
  waiting: number;
  max: number;
}

/** Of the pool, and of the one besides for the console's reads where there is one. */
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
