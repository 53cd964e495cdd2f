import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { migrationOf, requireSameBaseline } from './baseline.js';
import { closeOrm, openOrm } from './orm.js';
import { makePartitions } from './partitions.js';
import { type LockPatience, retryWhileLocked } from './patience.js';
import { createPool } from './pool.js';
import { applyRepeatables } from './repeatables.js';
import { headerOf, type SqlFiles, sqlFiles } from './sql-files.js';
import { requireServer } from './start-checks.js';

/** Lock that prevents concurrent migrations of a database if several processes start at the same time. */
const MIGRATION_LOCK = 7_401_252;

const PATIENCE: LockPatience = { patienceMs: 600_000, onWait: () => {} };

/**
 * Upgrades the database to the newest version: tables, the functions that move money, the role of the application and its
 * grants. Runs as the connecting user, who must own the database and be able to create roles. The upgrade is safe to repeat,
 * even concurrently. Returns the names of the applied files, migrations first. Each migration is a separate transaction unless
 * it declares otherwise, so migrations before a failed one remain applied. Throws CannotServe if the server is too old,
 * and OtherBaseline if the database was created by an incompatible older version. If a lock is held for too long, the error is
 * one sentence.
 */
export async function migrate(
  connectionString: string,
  files: SqlFiles = sqlFiles,
  patience: Partial<LockPatience> = {},
): Promise<string[]> {
  requireKnownNeeds(files);
  // the connection is separate, because waiting for the lock can take longer than the pool allows
  const guard = new pg.Client({ connectionString, application_name: 'recharge-gateway migrate', keepAlive: true });
  guard.on('error', () => {}); // the migration itself reports a lost connection
  await guard.connect();
  try {
    await requireServer(guard);
    // overrides the timeouts of the login, because this session is idle during the migration
    await guard.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0');
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { rows } = await guard.query<{ name: string }>('select current_database() as name');
    return await migrateExclusively(connectionString, rows[0]!.name, files, { ...PATIENCE, ...patience });
  } finally {
    await guard.end();
  }
}

/**
 * Checks the `needs` headers. Throws if a header contains an unknown name, because no version of the service could use the
 * database with a misspelled name.
 */
function requireKnownNeeds({ migrations }: SqlFiles): void {
  for (const file of migrations) {
    const { needs } = headerOf(file);
    if (needs !== undefined && !migrations.some(({ name }) => name === needs))
      throw new Error(`${file.name} needs ${needs}, which is not a migration.`);
  }
}

async function migrateExclusively(
  connectionString: string,
  dbName: string,
  files: SqlFiles,
  patience: LockPatience,
): Promise<string[]> {
  // a single connection is used, because the settings of a migration without a transaction also apply to its next statement
  const pool = createPool(connectionString, { max: 1, asOwner: true, migrates: true });
  const orm = openOrm(pool, [], {
    // the migrator checks that the database exists and would otherwise create it
    dbName,
    extensions: [Migrator],
    migrations: {
      migrationsList: files.migrations.map(migrationOf),
      snapshot: false,
      tableName: 'schema_migration',
      transactional: true,
      allOrNothing: false,
    },
  });
  const applied: string[] = [];
  orm.migrator.on('migrated', ({ name }) => void applied.push(name));
  try {
    await requireSameBaseline(pool, files.migrations);
    await retryWhileLocked(() => orm.migrator.up(), patience);
    const repeatables = await retryWhileLocked(() => applyRepeatables(pool, files), patience);
    await retryWhileLocked(() => makePartitions(pool), patience);
    return [...applied, ...repeatables];
  } finally {
    await closeOrm(orm, pool);
  }
}
