import type { Queryable } from '../db/pool.js';
import type { Evidence } from '../providers/outcome.js';
import type { StoredOrder } from './order.store.js';

export interface TimelineEvent {
  at: Date;
  kind: string;
  detail: string;
}

const TIMELINE = `
  select at, kind, detail from order_event where developer_id = $1 and order_id = $2
  union all
  select created_at, kind, jsonb_build_object('amountPaise', amount_paise::text) from transfer where developer_id = $1 and subject_id = $2
  order by 1, 2`;

/** Everything that happened to an order, oldest first: what moved, what the provider said, what was asked. */
export async function timelineOf(db: Queryable, order: StoredOrder): Promise<TimelineEvent[]> {
  const { rows } = await db.query<{
    at: string;
    kind: string;
    detail: Partial<Evidence> & { amountPaise?: string; note?: string };
  }>({
    name: 'order-timeline',
    text: TIMELINE,
    values: [order.developerId, order.id],
  });
  return rows.map(({ at, kind, detail }) => ({ at: new Date(at), kind, detail: describe(detail) }));
}

function describe({
  amountPaise,
  note,
  reason,
  httpStatus,
  providerStatus,
  providerCode,
  providerTxnId,
  elapsedMs,
}: Partial<Evidence> & { amountPaise?: string; note?: string }): string {
  const parts = [
    amountPaise && `${Number(amountPaise) / 100} rupees`,
    note,
    reason?.replaceAll('_', ' '),
    httpStatus && `HTTP ${httpStatus}`,
    providerStatus && `status ${providerStatus}`,
    providerCode && `code ${providerCode}`,
    providerTxnId && `transaction ${providerTxnId}`,
    elapsedMs !== undefined && `after ${elapsedMs} ms`,
  ];
  return parts.filter(Boolean).join(', ');
}
