import type { Queryable } from '../db/pool.js';
import type { Evidence } from '../providers/outcome.js';
import type { StoredOrder } from './stored-order.js';

export interface TimelineEvent {
  at: Date;
  kind: string;
  detail: string;
}

type Detail = Partial<Evidence> & { amountPaise?: string; note?: string };

// Of one instant, because of one commit, the evidence comes before what it made of the money.
const TIMELINE = `
  select at, kind, detail, 1 as part from order_event where developer_id = $1 and order_id = $2
  union all
  select created_at, kind, jsonb_build_object('amountPaise', amount_paise::text), 2 from transfer where developer_id = $1 and subject_id = $2
  order by 1, 4, 2`;

/** Everything that happened to an order, oldest first: what moved, what was sent, what the provider said, what was asked. */
export async function timelineOf(db: Queryable, order: StoredOrder): Promise<TimelineEvent[]> {
  const { rows } = await db.query<{ at: string; kind: string; detail: Detail }>({
    name: 'order-timeline',
    text: TIMELINE,
    values: [order.developerId, order.id],
  });
  return rows
    .flatMap(({ at, kind, detail }) => {
      const event = { at: new Date(at), kind, detail: describe(detail) };
      return kind === 'answer' ? [...sendBefore(event.at, detail), event] : [event];
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * The send is not stored, which would cost every call a write: the answer tells how long it took. An order without an answer
 * shows none, because nobody can say whether its request left.
 */
function sendBefore(answeredAt: Date, { reason, elapsedMs }: Detail): TimelineEvent[] {
  if (elapsedMs === undefined || reason === 'never_sent' || reason === 'breaker_open') return [];
  return [{ at: new Date(answeredAt.getTime() - elapsedMs), kind: 'send', detail: 'to the provider, once' }];
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
}: Detail): string {
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
