import { type EntityManager, type EntitySchema, MikroORM, type Options } from '@mikro-orm/postgresql';
import {
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import type { Pool } from 'pg';
import { type OnRepeat, onRepeatOf, repeatedOnce } from './pool.js';

export type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/**
 * A connection that dies inside a transaction must give its pool slot back (kysely #1990): otherwise `max` losses hang the
 * process. A failed BEGIN releases the slot; a failed ROLLBACK is no error, because the server rolled back with the connection.
 */
class ResilientDriver extends PostgresDriver {
  /** The pool belongs to its creator, and is shared with the money path. */
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
      // the connection is gone, and its transaction with it
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

const repeats = new WeakMap<MikroORM, OnRepeat>();

/**
 * The ORM on a pool that the caller owns and closes. Entities are handed in, so that db/ knows no table of others. By its constructor:
 * `init` would look for extensions that are installed and load them, and with them a second copy of the ORM beside the bundle.
 */
export function openOrm(pool: Pool, entities: EntitySchema[], more: Partial<Options> = {}): MikroORM {
  const orm = new MikroORM({
    dbName: 'from-pool',
    driverOptions: new ResilientDialect({ pool: pool }),
    entities,
    discovery: { warnWhenNoEntities: false },
    forceUndefined: true,
    implicitTransactions: true,
    ensureDatabase: false,
    logger: () => {},
    ...more,
  } as Options);
  repeats.set(orm, onRepeatOf(pool));
  return orm;
}

/**
 * Work in a transaction of its own: it commits when the work resolves, and takes everything back when it rejects. It is done once more
 * when another transaction was in its way, so it reads what it decides on itself, and what it sets outside it sets anew.
 */
export const inTransaction = <T>(orm: MikroORM, work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  repeatedOnce(
    () => orm.em.fork().transactional((tx) => work(tx as EntityManager)),
    (cause) => repeats.get(orm)?.(cause),
  );

/** A column of bytes as the driver gives it. */
export const bytesOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Closes the ORM, then the pool under it. */
export async function closeOrm(orm: MikroORM, pool: Pool): Promise<void> {
  await orm.close();
  await pool.end();
}
