import { type SqlFile } from './sql-files.js';

/** Migration that was applied to the database. */
export interface AppliedMigration {
  name: string;
  /** Name of the migration that a version of the service must have to use the database; see `Header`. */
  needs: string | null;
}

/**
 * Returns the reason why a version of the service with `migrations` cannot use a database with the `applied` ones. Returns
 * undefined if it can. The database must have all of our migrations. It can be newer: a migration keeps everything that earlier
 * versions use, unless its header names the first compatible migration.
 */
export function misfit(applied: readonly AppliedMigration[], migrations: readonly SqlFile[]): string | undefined {
  const known = new Set(migrations.map(({ name }) => name));
  const appliedNames = new Set(applied.map(({ name }) => name));
  const missing = [...known].filter((name) => !appliedNames.has(name));
  if (missing.length > 0)
    return `The database is too old for this program because it lacks ${missing.join(', ')}. Run "gateway migrate".`;
  const later = applied.find(({ needs }) => needs !== null && !known.has(needs));
  if (later)
    return `The database is too new for this program. Since ${later.name}, it requires a program that includes ${later.needs}.`;
  return undefined;
}
