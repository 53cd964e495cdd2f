import { Migrator } from '@mikro-orm/migrations';
import { migrations } from './migrations/index.js';
import { closeOrm, openOrm } from './orm.js';
import { createPool } from './pool.js';

/**
 * Brings the database to the newest version: tables, the functions that move money, the application's role and its grants.
 * Runs as the connecting user, who must own the database and may create roles. Safe to repeat; returns the names applied now.
 */
export async function migrate(connectionString: string): Promise<string[]> {
  const pool = createPool(connectionString, { max: 2, asOwner: true });
  const orm = await openOrm(pool, [], {
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'schema_migration', transactional: true },
  });
  try {
    const applied = await orm.migrator.up();
    return applied.map((migration) => migration.name);
  } finally {
    await closeOrm(orm, pool);
  }
}
