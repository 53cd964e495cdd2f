import type { PatientQuery } from '../db/patience.js';

/** Returns the time the last month was archived, in Unix seconds. Returns 0 if none was archived. */
export async function lastArchivedS(query: PatientQuery): Promise<number> {
  const [row] = await query<{ at: number }>({
    text: 'select coalesce(extract(epoch from max(left_at)), 0)::float8 as at from ledger_archive',
  });
  return row!.at;
}
