import type { PatientQuery } from '../db/patience.js';

/** When a month last left for the archive, in Unix seconds; 0: never. */
export async function lastArchivedS(query: PatientQuery): Promise<number> {
  const [row] = await query<{ at: number }>({
    text: 'select coalesce(extract(epoch from max(left_at)), 0)::float8 as at from ledger_archive',
  });
  return row!.at;
}
