import type { PatientQuery } from '../db/patience.js';

/** Emails that are not sent yet: how many, at most 100,000, and the age of the oldest in seconds, 0 when there is none. */
export interface MailFigures {
  waiting: number;
  oldestS: number;
}

const COUNTED = 100_000;
/** The ids begin with their time. */
const FIGURES = `
  select (select count(*)::integer from (select from email limit ${COUNTED}) m) as waiting,
    coalesce((select extract(epoch from now() - created_at) from email order by id limit 1), 0)::float8 as "oldestS"`;

export async function mailFigures(query: PatientQuery): Promise<MailFigures> {
  const [figures] = await query<MailFigures>({ text: FIGURES });
  return figures!;
}
