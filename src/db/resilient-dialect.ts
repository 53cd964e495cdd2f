import {
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';

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

export class ResilientDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): ResilientDriver {
    return new ResilientDriver(this.#config);
  }
}
