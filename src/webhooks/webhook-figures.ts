import type { PatientQuery } from '../db/patience.js';

/** Backlog of deliveries. Counts are exact up to 100,000. Ages are in seconds, or 0 if there is no backlog. */
export interface WebhookFigures {
  /** Number of events that have not been moved to the job queue yet. */
  outbox: number;
  oldestOutboxS: number;
  /** Number of pending deliveries. */
  pending: number;
  /** Longest time in seconds by which the next attempt of a delivery is overdue. */
  overdueS: number;
}

const MAX_COUNTED = 100_000;
/** SQL for the figures. It reads only the indexes of the backlog, so the cost does not depend on the size of the log. */
const FIGURES = `
  select (select count(*)::integer from (select from webhook_outbox limit ${MAX_COUNTED}) w) as outbox,
    coalesce((select extract(epoch from now() - min(occurred_at)) from webhook_outbox), 0)::float8 as "oldestOutboxS",
    (select count(*)::integer from (select from webhook_delivery where state = 'pending' limit ${MAX_COUNTED}) d) as pending,
    greatest(coalesce((select extract(epoch from now() - min(next_attempt_at)) from webhook_delivery where state = 'pending'), 0), 0)::float8 as "overdueS"`;

export async function webhookFigures(query: PatientQuery): Promise<WebhookFigures> {
  const [figures] = await query<WebhookFigures>({ text: FIGURES });
  return figures!;
}
