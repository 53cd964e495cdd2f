import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { migrationOf, requireOurBaseline } from './baseline.js';
import { closeOrm, openOrm } from './orm.js';
import { makePartitions } from './partitions.js';
import { despiteLocks, type LockPatience } from './patience.js';
import { createPool } from './pool.js';
import { applyRepeatables } from './repeatables.js';
import { headerOf, type SqlFiles, sqlFiles } from './sql-files.js';
import { requireServer } from './start-checks.js';

/** One migration at a time per database, however many processes are started at once. */
const MIGRATION_LOCK = 7_401_252;

const PATIENCE: LockPatience = { patienceMs: 600_000, onWait: () => {} };

/**
 * Brings the database to the newest version: tables, the functions that move money, the application's role and its grants.
 * Runs as the connecting user, who must own the database and may create roles. Safe to repeat, also at the same time; returns the
 * names applied now, migrations first. Each migration is a transaction of its own, unless it says otherwise: what was applied
 * before one that fails stays. Errors: CannotServe when the server is too old; OtherBaseline when the database was made by an
 * older version; one sentence when somebody holds a lock for longer than it is waited for.
 */
export async function migrate(
  connectionString: string,
  files: SqlFiles = sqlFiles,
  patience: Partial<LockPatience> = {},
): Promise<string[]> {
  requireKnownNeeds(files);
  // a connection of its own, because waiting for the lock may take longer than the pool allows
  const guard = new pg.Client({ connectionString, application_name: 'recharge-gateway migrate', keepAlive: true });
  guard.on('error', () => {}); // the migration meets the lost server itself
  await guard.connect();
  try {
    await requireServer(guard);
    // whatever limits the login has, it is idle for as long as a migration takes
    await guard.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0');
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { rows } = await guard.query<{ name: string }>('select current_database() as name');
    return await migrateAlone(connectionString, rows[0]!.name, files, { ...PATIENCE, ...patience });
  } finally {
    await guard.end();
  }
}

/** A misspelt name would be known to no program, and none would serve any more. */
function requireKnownNeeds({ migrations }: SqlFiles): void {
  for (const file of migrations) {
    const { needs } = headerOf(file);
    if (needs !== undefined && !migrations.some(({ name }) => name === needs))
      throw new Error(`${file.name} needs ${needs}, which is no migration.`);
  }
}

async function migrateAlone(
  connectionString: string,
  dbName: string,
  files: SqlFiles,
  patience: LockPatience,
): Promise<string[]> {
  // one connection: what a migration without a transaction sets is for its next statement too
  const pool = createPool(connectionString, { max: 1, asOwner: true, migrates: true });
  const orm = openOrm(pool, [], {
    // the migrator looks for it, and would create it
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
    await requireOurBaseline(pool, files.migrations);
    await despiteLocks(() => orm.migrator.up(), patience);
    const repeated = await despiteLocks(() => applyRepeatables(pool, files), patience);
    await despiteLocks(() => makePartitions(pool), patience);
    return [...applied, ...repeated];
  } finally {
    await closeOrm(orm, pool);
  }
}
