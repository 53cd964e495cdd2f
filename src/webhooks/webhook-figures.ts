import type { PatientQuery } from '../db/patience.js';

/** What waits to be delivered. Counts are true up to 100,000, ages are seconds and 0 when nothing waits. */
export interface WebhookFigures {
  /** Events that no process has put into the job queue yet. */
  outbox: number;
  oldestOutboxS: number;
  /** Deliveries that are still to succeed. */
  pending: number;
  /** How long the next attempt of one has been due, at most. */
  overdueS: number;
}

const COUNTED = 100_000;
/** Along the indexes of what waits, however many deliveries the log holds. */
const FIGURES = `
  select (select count(*)::integer from (select from webhook_outbox limit ${COUNTED}) w) as outbox,
    coalesce((select extract(epoch from now() - min(occurred_at)) from webhook_outbox), 0)::float8 as "oldestOutboxS",
    (select count(*)::integer from (select from webhook_delivery where state = 'pending' limit ${COUNTED}) d) as pending,
    greatest(coalesce((select extract(epoch from now() - min(next_attempt_at)) from webhook_delivery where state = 'pending'), 0), 0)::float8 as "overdueS"`;

export async function webhookFigures(query: PatientQuery): Promise<WebhookFigures> {
  const [figures] = await query<WebhookFigures>({ text: FIGURES });
  return figures!;
}
