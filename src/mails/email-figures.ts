import type { PatientQuery } from '../db/patience.js';

/** Number of unsent emails, at most 100,000, and the age of the oldest one in seconds. The age is 0 if there are none. */
export interface EmailFigures {
  waiting: number;
  oldestS: number;
}

const MAX_COUNTED = 100_000;
/** SQL for the figures. IDs begin with their creation time. */
const FIGURES = `
  select (select count(*)::integer from (select from email limit ${MAX_COUNTED}) m) as waiting,
    coalesce((select extract(epoch from now() - created_at) from email order by id limit 1), 0)::float8 as "oldestS"`;

export async function emailFigures(query: PatientQuery): Promise<EmailFigures> {
  const [figures] = await query<EmailFigures>({ text: FIGURES });
  return figures!;
}
