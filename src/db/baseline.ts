import { Migration } from '@mikro-orm/migrations';
import type { Queryable } from './pool.js';
import { fingerprintOf, type SqlFile } from './sql-files.js';

/** A migration as the migrator wants it. */
interface NamedMigration {
  name: string;
  class: new (...parts: ConstructorParameters<typeof Migration>) => Migration;
}

/** The database was made by migrations that have changed since; nothing can bring it up to date. */
export class OtherBaseline extends Error {
  constructor() {
    super('The database was made by an older version of this product; use an empty one.');
    this.name = 'OtherBaseline';
  }
}

/**
 * A file as the migrator wants it. In its own transaction it leaves its fingerprint, and has every repeatable file applied again:
 * it may have changed, or had to drop, what one of them made.
 */
export function migrationOf(file: SqlFile): NamedMigration {
  return {
    name: file.name,
    class: class extends Migration {
      override up(): void {
        this.addSql(file.sql);
        this.addSql(
          `insert into schema_fingerprint (name, fingerprint) values ('${file.name}', '${fingerprintOf(file)}')`,
        );
        this.addSql('delete from schema_repeatable');
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
