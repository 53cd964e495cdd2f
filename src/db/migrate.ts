import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { migrationOf, requireOurBaseline } from './baseline.js';
import { closeOrm, openOrm } from './orm.js';
import { makePartitions } from './partitions.js';
import { createPool } from './pool.js';
import { applyRepeatables } from './repeatables.js';
import { type SqlFiles, sqlFiles } from './sql-files.js';

/** One migration at a time per database, however many processes are started at once. */
const MIGRATION_LOCK = 7_401_252;

/**
 * Brings the database to the newest version: tables, the functions that move money, the application's role and its grants.
 * Runs as the connecting user, who must own the database and may create roles. Safe to repeat, also at the same time; returns the
 * names applied now, migrations first. Errors: OtherBaseline when the database was made by an older version.
 */
export async function migrate(connectionString: string, files: SqlFiles = sqlFiles): Promise<string[]> {
  // a connection of its own, because waiting for the lock may take longer than the pool allows
  const guard = new pg.Client({ connectionString, application_name: 'recharge-gateway migrate' });
  guard.on('error', () => {}); // the migration meets the lost server itself
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { rows } = await guard.query<{ name: string }>('select current_database() as name');
    return await migrateAlone(connectionString, rows[0]!.name, files);
  } finally {
    await guard.end();
  }
}

async function migrateAlone(connectionString: string, dbName: string, files: SqlFiles): Promise<string[]> {
  const pool = createPool(connectionString, { max: 2, asOwner: true });
  const orm = openOrm(pool, [], {
    // the migrator looks for it, and would create it
    dbName,
    extensions: [Migrator],
    migrations: {
      migrationsList: files.migrations.map(migrationOf),
      snapshot: false,
      tableName: 'schema_migration',
      transactional: true,
    },
  });
  try {
    await requireOurBaseline(pool, files.migrations);
    const applied = await orm.migrator.up();
    const repeated = await applyRepeatables(pool, files);
    await makePartitions(pool);
    return [...applied.map((migration) => migration.name), ...repeated];
  } finally {
    await closeOrm(orm, pool);
  }
}
