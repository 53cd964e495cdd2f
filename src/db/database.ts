import type { EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Config } from '../config.js';
import type { Logger } from '../core/log.js';
import { FieldEncryption } from './field-encryption.js';
import { closeOrm, openOrm } from './orm.js';
import { createPool } from './pool.js';

/** What every room stands on. */
export interface Base {
  config: Config;
  log: Logger;
  pool: Pool;
  orm: MikroORM;
  encryption: FieldEncryption;
}

/** Connects to nothing yet: the first query does. */
export function openDatabase(
  config: Config,
  log: Logger,
  entities: EntitySchema[],
): Base & { close: () => Promise<void> } {
  let closed = false;
  const pool = createPool(config.databaseUrl, {
    max: config.databasePoolSize,
    consoleMax: config.consolePoolSize,
    withStartupOptions: config.startupOptions,
    onLostConnection: (err) => {
      // a server that stops right after us may still meet connections that are on their way out
      if (!closed) log.warn({ err }, 'database connection lost');
    },
  });
  const orm = openOrm(pool, entities);
  return {
    config,
    log,
    pool,
    orm,
    encryption: new FieldEncryption(config.encryptionKeys),
    async close() {
      closed = true;
      await closeOrm(orm, pool);
    },
  };
}
