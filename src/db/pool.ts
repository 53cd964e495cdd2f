import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import pg from 'pg';
import array from 'postgres-array';
import { NeverReached } from './trouble.js';

/** The role that every query of the application runs as. The connecting user owns the tables and may become it. */
export const APPLICATION_ROLE = 'gateway_app';

const STATEMENT_LIMIT_MS = 15_000;

export interface PoolOptions {
  max: number;
  /** Runs as the connecting user: migrations only. */
  asOwner?: boolean;
  onLostConnection?: (error: Error) => void;
}

/**
 * The one pool under both the money path and the ORM. Timeouts keep a stuck statement or a forgotten transaction from
 * holding a wallet; a connection lost while idle is dropped quietly, one in use rejects its own query.
 */
export function createPool(
  connectionString: string,
  { max, asOwner = false, onLostConnection = () => {} }: PoolOptions,
): pg.Pool {
  const types = new pg.TypeOverrides();
  const parsers = createPostgreSqlTypeParsers((text: string) => array.parse(text));
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser as never);
  const settings = [
    `statement_timeout=${STATEMENT_LIMIT_MS}`,
    'lock_timeout=5000',
    'idle_in_transaction_session_timeout=10000',
    'timezone=UTC',
  ];
  if (!asOwner) settings.unshift(`role=${APPLICATION_ROLE}`);
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: 5_000,
    // longer than the server's own limit, so it is only for a server or network that has gone silent
    query_timeout: STATEMENT_LIMIT_MS + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'recharge-gateway',
  });
  pool.on('error', onLostConnection);
  pool.on('connect', (client) => client.on('error', onLostConnection));
  return pool;
}

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

/** One statement; unlike `pool.query` it tells a statement that never left (NeverReached) from one that may have run. */
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

/** Runs a statement that may take longer than the pool allows. */
export type PatientQuery = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;

/** Statements that may take longer than the pool allows, each so long at most: a look at everything, never anything that others wait for. */
export async function patiently<T>(
  pool: Connectable,
  limitMs: number,
  work: (query: PatientQuery) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(`set statement_timeout = ${limitMs}`);
    const result = await work(async <Row extends pg.QueryResultRow>(statement: Statement) => {
      const { rows } = await client.query<Row>({ ...statement, query_timeout: limitMs + 5_000 } as Statement);
      return rows;
    });
    await client.query('reset statement_timeout');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
