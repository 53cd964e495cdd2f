import { instantOrNull } from '../../core/clock.js';
import { type Paise, paise } from '../../core/money.js';
import type { Queryable } from '../../db/pool.js';
import type { Evidence } from '../../providers/outcome.js';
import type { OrderKey } from '../stored-order.js';
import type { OrderEventKind } from './order.types.js';

export interface TimelineEvent {
  at: Date;
  kind: OrderEventKind;
  detail: string;
  /** What moved, or what a callback says was paid. */
  amount: Paise | null;
  httpStatus: number | null;
  durationMs: number | null;
  /** The provider's transaction id. */
  reference: string | null;
}

type Detail = Partial<Evidence> & { amountPaise?: string; note?: string };

// Of one instant, because of one commit, the evidence comes before what it made of the money.
const TIMELINES = `
  select k.n::integer, e.at, e.kind, e.detail from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, subject, n)
  cross join lateral (
    select at, kind, detail, 1 as part from order_event where developer_id = k.owner and order_id = k.subject
    union all
    select created_at, kind, jsonb_build_object('amountPaise', amount_paise::text), 2 from transfer where developer_id = k.owner and subject_id = k.subject) e
  order by k.n, e.at, e.part, e.kind`;

interface EventRow {
  n: number;
  at: string;
  kind: OrderEventKind;
  detail: Detail;
}

/**
 * Everything that happened to each order, in the order of the keys and oldest first: what moved, what was sent, what the provider
 * said, what was asked.
 */
export async function timelinesOf(db: Queryable, keys: readonly OrderKey[]): Promise<TimelineEvent[][]> {
  const { rows } = await db.query<EventRow>({
    name: 'order-timelines',
    text: TIMELINES,
    values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
  });
  const byKey = Map.groupBy(rows, ({ n }) => n);
  return keys.map((_key, index) => eventsOf(byKey.get(index + 1) ?? []));
}

function eventsOf(rows: readonly EventRow[]): TimelineEvent[] {
  return rows
    .flatMap(({ at, kind, detail }) => {
      const event: TimelineEvent = { at: new Date(at), kind, detail: describe(detail), ...valuesOf(detail) };
      return kind === 'answer' ? [...sendBefore(event.at, detail), event] : [event];
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * The send is not stored, which would cost every call a write: the answer says how long it took. An order without an answer
 * shows none, because nobody can say whether its request left.
 */
function sendBefore(answeredAt: Date, { reason, elapsedMs }: Detail): TimelineEvent[] {
  if (elapsedMs === undefined || reason === 'never_sent' || reason === 'breaker_open') return [];
  const at = new Date(answeredAt.getTime() - elapsedMs);
  return [{ at, kind: 'send', detail: 'to the provider, once', ...valuesOf({}) }];
}

const valuesOf = ({ amountPaise, httpStatus, elapsedMs, providerTxnId }: Detail) => ({
  amount: amountPaise === undefined ? null : paise(amountPaise),
  httpStatus: httpStatus ?? null,
  durationMs: elapsedMs ?? null,
  reference: providerTxnId || null,
});

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

/** When the provider is asked about each order next, in the order of the keys; null when nobody asks. */
export async function dueTimesOf(db: Queryable, keys: readonly OrderKey[]): Promise<(Date | null)[]> {
  const { rows } = await db.query<{ order_id: string; due_at: string }>({
    name: 'order-due-times',
    text: `select q.order_id, q.due_at from unnest($1::uuid[], $2::uuid[]) k(owner, subject)
      cross join lateral (
        select x.order_id, x.due_at from order_due x where x.developer_id = k.owner and x.order_id = k.subject limit 1) q`,
    values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
  });
  const found = new Map(rows.map(({ order_id, due_at }) => [order_id, due_at]));
  return keys.map(({ id }) => instantOrNull(found.get(id) ?? null));
}
