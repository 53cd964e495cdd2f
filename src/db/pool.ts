import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import pg from 'pg';
import array from 'postgres-array';

/** The role that every query of the application runs as. The connecting user owns the tables and may become it. */
export const APPLICATION_ROLE = 'gateway_app';

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
  const parsers = createPostgreSqlTypeParsers((text: string) => array.parse(text) as never);
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser as never);
  const settings = [
    'statement_timeout=15000',
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
    keepAlive: true,
    application_name: 'recharge-gateway',
  });
  pool.on('error', onLostConnection);
  pool.on('connect', (client) => client.on('error', onLostConnection));
  return pool;
}

/** What a service needs of the pool: one statement, parameters bound. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: {
    name?: string;
    text: string;
    values?: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}
