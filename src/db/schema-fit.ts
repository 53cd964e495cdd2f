import { type SqlFile } from './sql-files.js';

/** A migration that the database has. */
export interface AppliedMigration {
  name: string;
  /** Programs that do not know the migration of this name cannot serve on the database any more; see `Header`. */
  needs: string | null;
}

/**
 * Why a program with these migrations cannot serve on a database that has those; undefined: it can. The database must have all of
 * ours. It may be newer: each migration leaves what the programs before it use, unless it says from which one on they fit.
 */
export function misfit(applied: readonly AppliedMigration[], migrations: readonly SqlFile[]): string | undefined {
  const known = new Set(migrations.map(({ name }) => name));
  const made = new Set(applied.map(({ name }) => name));
  const missing = [...known].filter((name) => !made.has(name));
  if (missing.length > 0)
    return `The database is too old for this program, it lacks ${missing.join(', ')}: run "gateway migrate".`;
  const later = applied.find(({ needs }) => needs !== null && !known.has(needs));
  if (later)
    return `The database is too new for this program: since ${later.name} it serves only those that know ${later.needs}.`;
  return undefined;
}
