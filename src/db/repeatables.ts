import type { Connectable, Queryable } from './pool.js';
import { fingerprintOf, type SqlFile, type SqlFiles } from './sql-files.js';

/** Returns the files whose text differs from the last applied version. */
export async function outdatedRepeatables(db: Queryable, repeatables: readonly SqlFile[]): Promise<SqlFile[]> {
  const { rows } = await db.query<{ name: string; fingerprint: string }>({
    text: 'select name, fingerprint from schema_repeatable',
  });
  const applied = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  return repeatables.filter((file) => applied.get(file.name) !== fingerprintOf(file));
}

/**
 * Applies all changed files in one transaction and returns their names. Does nothing if the database has newer migrations,
 * because our functions may not match its tables. The caller must prevent concurrent calls.
 */
export async function applyRepeatables(pool: Connectable, { migrations, repeatables }: SqlFiles): Promise<string[]> {
  const { rows: newer } = await pool.query({
    text: 'select name from schema_fingerprint where name <> all($1)',
    values: [migrations.map(({ name }) => name)],
  });
  if (newer.length > 0) return [];
  const outdated = await outdatedRepeatables(pool, repeatables);
  if (outdated.length === 0) return [];
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const file of outdated) {
      await client.query(file.sql);
      await client.query(
        `insert into schema_repeatable (name, fingerprint) values ($1, $2)
          on conflict (name) do update set fingerprint = excluded.fingerprint`,
        [file.name, fingerprintOf(file)],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return outdated.map(({ name }) => name);
}
