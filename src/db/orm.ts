import { type EntityManager, type EntitySchema, MikroORM, type Options } from '@mikro-orm/postgresql';
import {
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import type { Pool } from 'pg';
import { type OnRetry, onRetryOf, retryOnce } from './pool.js';

export type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/**
 * Driver that releases the pool slot of a connection that is lost inside a transaction (kysely #1990). Otherwise, `max` lost
 * connections would block the process. A failed BEGIN releases the slot. A failed ROLLBACK is not an error, because the server
 * rolled back when the connection was lost.
 */
class ResilientDriver extends PostgresDriver {
  /** Does nothing, because the creator of the pool owns it and the money functions share it. */
  override async destroy(): Promise<void> {}

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    try {
      await super.beginTransaction(connection, settings);
    } catch (error) {
      await this.releaseConnection(connection as never);
      throw error;
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch {
      // the connection is lost, so the server has rolled back the transaction
    }
  }
}

class ResilientDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): ResilientDriver {
    return new ResilientDriver(this.#config);
  }
}

const retryHandlers = new WeakMap<MikroORM, OnRetry>();

/**
 * Creates the ORM on a pool that the caller owns and closes. Entities are parameters, so that db/ does not depend on the tables
 * of other modules. Uses the constructor, because `init` would search for installed extensions and load them, and with them a
 * second copy of the ORM outside the bundle.
 */
export function openOrm(pool: Pool, entities: EntitySchema[], overrides: Partial<Options> = {}): MikroORM {
  const orm = new MikroORM({
    dbName: 'from-pool',
    driverOptions: new ResilientDialect({ pool }),
    entities,
    discovery: { warnWhenNoEntities: false },
    forceUndefined: true,
    implicitTransactions: true,
    ensureDatabase: false,
    logger: () => {},
    ...overrides,
  } as Options);
  retryHandlers.set(orm, onRetryOf(pool));
  return orm;
}

/**
 * Runs work in a transaction. Commits if the work resolves and rolls back if it rejects. The work is retried once after a
 * conflict with another transaction, so it must read all its inputs itself and reassign all outer variables.
 */
export const inTransaction = <T>(orm: MikroORM, work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  retryOnce(
    () => orm.em.fork().transactional((tx) => work(tx as EntityManager)),
    (cause) => retryHandlers.get(orm)?.(cause),
  );

/** Converts bytes of the driver to a Buffer. */
export const bytesOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Closes the ORM, then the pool under it. */
export async function closeOrm(orm: MikroORM, pool: Pool): Promise<void> {
  await orm.close();
  await pool.end();
}
