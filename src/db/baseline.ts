import { Migration } from '@mikro-orm/migrations';
import { CannotServe } from './database-errors.js';
import type { Queryable } from './pool.js';
import { fingerprintOf, headerOf, type SqlFile, statementsOf } from './sql-files.js';

/** Migration in the format of the migrator. */
interface NamedMigration {
  name: string;
  class: new (...parts: ConstructorParameters<typeof Migration>) => Migration;
}

/** Error for tables that were created by a different version of our migrations. Such a database cannot be upgraded. */
export class OtherBaseline extends CannotServe {
  constructor() {
    super('The database was created by an incompatible older version of this product. Use an empty database.');
    this.name = 'OtherBaseline';
  }
}

/**
 * Converts a file for the migrator. A transactional migration stores its fingerprint in its own transaction. After a migration,
 * every repeatable file is applied again, because the migration may have changed or dropped an object that one of those files
 * created. A migration without a transaction runs statement by statement and waits for locks without a timeout, because
 * statements that cannot run in a transaction take no locks that block traffic.
 */
export function migrationOf(file: SqlFile): NamedMigration {
  const { transactional, needs } = headerOf(file);
  const registerStatement = `insert into schema_fingerprint (name, fingerprint, needs)
      values ('${file.name}', '${fingerprintOf(file)}', ${needs === undefined ? 'null' : `'${needs}'`}) on conflict (name) do nothing;
    delete from schema_repeatable`;
  return {
    name: file.name,
    class: class extends Migration {
      override isTransactional(): boolean {
        return transactional;
      }

      override up(): void {
        const statements = transactional
          ? [file.sql]
          : ['set lock_timeout = 0', ...statementsOf(file), 'reset lock_timeout'];
        for (const statement of [...statements, registerStatement]) this.addSql(statement);
      }
    },
  };
}

/**
 * Rejects a database whose tables were not created by our migrations. Accepts an empty database, and a database that lacks our
 * newest migrations or has newer ones. Throws OtherBaseline and the errors of the connection.
 */
export async function requireSameBaseline(db: Queryable, migrations: readonly SqlFile[]): Promise<void> {
  const { rows: tables } = await db.query<{ made: boolean; known: boolean }>({
    text: `select to_regclass('public.developer') is not null as made, to_regclass('public.schema_fingerprint') is not null as known`,
  });
  const { made, known } = tables[0]!;
  if (!made) return;
  if (!known) throw new OtherBaseline();
  const { rows } = await db.query<{ name: string; fingerprint: string }>({
    text: 'select name, fingerprint from schema_fingerprint',
  });
  const found = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  const missing = migrations.filter(({ name }) => !found.delete(name));
  // the database is neither older nor newer, because some of our migrations are missing, and unknown ones exist
  if (missing.length > 0 && found.size > 0) throw new OtherBaseline();
  const migrationByName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, fingerprint } of rows) {
    const migration = migrationByName.get(name);
    if (migration && fingerprintOf(migration) !== fingerprint) throw new OtherBaseline();
  }
}
