import { Migration } from '@mikro-orm/migrations';
import type { Queryable } from './pool.js';
import { fingerprintOf, headerOf, type SqlFile, statementsOf } from './sql-files.js';
import { CannotServe } from './trouble.js';

/** A migration as the migrator wants it. */
interface NamedMigration {
  name: string;
  class: new (...parts: ConstructorParameters<typeof Migration>) => Migration;
}

/** The database was made by migrations that have changed since; nothing can bring it up to date. */
export class OtherBaseline extends CannotServe {
  constructor() {
    super('The database was made by an older version of this product; use an empty one.');
    this.name = 'OtherBaseline';
  }
}

/**
 * A file as the migrator wants it. In its own transaction it leaves its fingerprint, and has every repeatable file applied again:
 * it may have changed, or had to drop, what one of them made. One without a transaction runs statement by statement, and waits for
 * locks: what cannot run in a transaction takes none that traffic would queue up behind.
 */
export function migrationOf(file: SqlFile): NamedMigration {
  const { transactional, needs } = headerOf(file);
  const remembered = `insert into schema_fingerprint (name, fingerprint, needs)
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
        for (const statement of [...statements, remembered]) this.addSql(statement);
      }
    },
  };
}

/**
 * Refuses a database whose tables were made by other statements than ours. An empty one is fine, and so is one that lacks our
 * newest migrations or has newer ones. Errors: OtherBaseline; those of the connection.
 */
export async function requireOurBaseline(db: Queryable, migrations: readonly SqlFile[]): Promise<void> {
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
  // neither older nor newer than ours: some of ours are missing, and some are there that we do not know
  if (missing.length > 0 && found.size > 0) throw new OtherBaseline();
  const ours = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, fingerprint } of rows) {
    const migration = ours.get(name);
    if (migration && fingerprintOf(migration) !== fingerprint) throw new OtherBaseline();
  }
}
