import type { EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Config } from '../config.js';
import { FieldEncryption } from '../core/field-encryption.js';
import type { Logger } from '../core/log.js';
import type { Metrics } from '../core/metrics.js';
import { authenticatedTables, RowKeys } from '../core/row-keys.js';
import { closeOrm, openOrm } from './orm.js';
import { createPool, type PoolOptions, type Queryable } from './pool.js';
import { Replica } from './replica.js';

/** Shared dependencies of all modules. */
export interface Base {
  config: Config;
  log: Logger;
  pool: Pool;
  /**
   * Connections for lists and statements that can be a few seconds old: those of the replica, or those of the main pool if there
   * is no replica.
   */
  reads: Queryable;
  replica: Replica | undefined;
  orm: MikroORM;
  encryption: FieldEncryption;
  rowKeys: RowKeys;
}

/** Creates the pool without connecting; the first query connects. Starts monitoring the replica. */
export function openDatabase(
  config: Config,
  log: Logger,
  metrics: Metrics,
  entities: EntitySchema[],
): Base & { close: () => Promise<void> } {
  // the counter starts at 0, because an alert cannot detect the first increase of a counter that does not exist yet
  for (const table of authenticatedTables) metrics.counter('macMismatches').add(0, table);
  let isClosed = false;
  const options: PoolOptions = {
    max: config.databasePoolSize,
    consoleMax: config.consolePoolSize,
    withStartupOptions: config.startupOptions,
    onLostConnection: (err) => {
      // the server may stop right after this process, while connections are being closed
      if (!isClosed) log.warn({ err }, 'database connection lost');
    },
    onRetry: (err) => log.warn({ err }, 'transaction conflicted with another one, retrying once'),
  };
  const pool = createPool(config.databaseUrl, options);
  const { databaseReplicaUrl } = config;
  const replica = databaseReplicaUrl === undefined ? undefined : replicaAt(databaseReplicaUrl, pool, options, log);
  replica?.start();
  const orm = openOrm(pool, entities);
  return {
    config,
    log,
    pool,
    reads: replica ?? pool,
    replica,
    orm,
    encryption: new FieldEncryption(config.encryptionKeys),
    rowKeys: new RowKeys(config.pepper, (table) => {
      metrics.counter('macMismatches').add(1, table);
      log.error({ table }, 'a row was rejected because its MAC does not match: it was written without the key');
    }),
    async close() {
      isClosed = true;
      await replica?.stop();
      await closeOrm(orm, pool);
    },
  };
}

/** Creates a replica with its own connections, one more than the primary has. Does not start monitoring. */
export function replicaAt(url: string, primary: Pool, options: PoolOptions, log: Logger): Replica {
  const { consoleMax: _, ...mainOptions } = options;
  const name = 'replica';
  return new Replica({
    primary,
    // there are no retries, because reads on a replica can conflict with replication, and the primary responds sooner than a
    // retry
    replica: createPool(url, { ...options, name, retries: false }),
    measuringPool: createPool(url, { ...mainOptions, max: 1, name }),
    log,
  });
}
