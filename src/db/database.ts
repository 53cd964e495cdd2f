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

/** What every room stands on. */
export interface Base {
  config: Config;
  log: Logger;
  pool: Pool;
  /** For lists and statements that may be some seconds old; the pool itself where there is no replica. */
  reads: Queryable;
  replica: Replica | undefined;
  orm: MikroORM;
  encryption: FieldEncryption;
  rowKeys: RowKeys;
}

/** Connects to nothing yet: the first query does. A replica is measured from now on. */
export function openDatabase(
  config: Config,
  log: Logger,
  metrics: Metrics,
  entities: EntitySchema[],
): Base & { close: () => Promise<void> } {
  // a counter that begins above 0 has no increase that an alert would see
  for (const table of authenticatedTables) metrics.counter('macMismatches').add(0, table);
  let closed = false;
  const options: PoolOptions = {
    max: config.databasePoolSize,
    consoleMax: config.consolePoolSize,
    withStartupOptions: config.startupOptions,
    onLostConnection: (err) => {
      // a server that stops right after us may still meet connections that are on their way out
      if (!closed) log.warn({ err }, 'database connection lost');
    },
    onRepeat: (err) => log.warn({ err }, 'another transaction was in the way, it is done once more'),
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
      closed = true;
      await replica?.stop();
      await closeOrm(orm, pool);
    },
  };
}

/** With connections of its own, as many as the primary's and one more; nobody measures it yet. */
export function replicaAt(url: string, primary: Pool, options: PoolOptions, log: Logger): Replica {
  const { consoleMax: _, ...undivided } = options;
  const name = 'replica';
  return new Replica({
    primary,
    // what is in the way of a read there is what it follows: the primary answers sooner
    replica: createPool(url, { ...options, name, repeats: false }),
    measuring: createPool(url, { ...undivided, max: 1, name }),
    log,
  });
}
