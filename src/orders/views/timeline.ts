import { instantOrNull } from '../../core/clock.js';
import { type Paise, paise } from '../../core/money.js';
import type { Queryable } from '../../db/pool.js';
import type { Operation } from '../../ledger/ledger.service.js';
import type { EvidenceReason } from '../../providers/outcome.js';
import type { StatusCheckRegistry } from '../outcomes.js';
import { type OrderState, reviewStart } from '../states.js';
import type { OrderKey } from '../stored-order.js';
import { type EventDetail, eventSummary } from './event-summary.js';
import type { OrderEventKind } from './order.types.js';

export interface TimelineEvent {
  at: Date;
  kind: OrderEventKind;
  summary: string;
  detail: string;
  /** Amount moved, or amount paid according to a callback. */
  amount: Paise | null;
  httpStatus: number | null;
  durationMs: number | null;
  /** Transaction ID of the provider. */
  reference: string | null;
}

// Events of one commit have the same time. They are sorted so that evidence comes before the review, and both come before the
// resulting money movements.
const TIMELINES = `
  select k.n::integer, e.at, e.kind, e.detail from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, subject, n)
  cross join lateral (
    select at, kind, detail, 1 as part from order_event where developer_id = k.owner and order_id = k.subject
    union all
    select created_at, kind, jsonb_build_object('amountPaise', amount_paise::text), 2 from transfer where developer_id = k.owner and subject_id = k.subject) e
  order by k.n, e.at, e.part, e.kind = 'review', e.kind`;

interface EventRow {
  n: number;
  at: string;
  kind: OrderEventKind;
  detail: EventDetail;
}

/**
 * Returns all events of each order, oldest first, in the order of the keys: money movements, the request to the provider, its
 * responses and status checks.
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

/** Events that determine the outcome. Status checks after them no longer look for it. */
const FINAL_KINDS: ReadonlySet<OrderEventKind> = new Set(['settle', 'refund']);

function eventsOf(rows: readonly EventRow[]): TimelineEvent[] {
  let isFinal = false;
  return rows
    .flatMap(({ at, kind, detail }) => {
      const summary = eventSummary(kind, detail, isFinal);
      isFinal ||= FINAL_KINDS.has(kind);
      const event: TimelineEvent = { at: new Date(at), kind, summary, detail: describe(detail), ...valuesOf(detail) };
      return kind === 'response' ? [...sendEvents(event.at, detail), event] : [event];
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Returns the send event, which is derived from the duration stored with the response. Storing the event would add a write to
 * every call. An order without a response has no send event, because it is unknown whether its request was sent.
 */
function sendEvents(respondedAt: Date, { reason, elapsedMs }: EventDetail): TimelineEvent[] {
  if (elapsedMs === undefined || reason === 'never_sent' || reason === 'breaker_open') return [];
  const at = new Date(respondedAt.getTime() - elapsedMs);
  return [{ at, kind: 'send', summary: eventSummary('send', {}, false), detail: 'sent once', ...valuesOf({}) }];
}

const valuesOf = ({ amountPaise, httpStatus, elapsedMs, providerTxnId }: EventDetail) => ({
  amount: amountPaise === undefined ? null : paise(amountPaise),
  httpStatus: httpStatus ?? null,
  durationMs: elapsedMs ?? null,
  reference: providerTxnId || null,
});

/** Texts for the evidence in the detail of an event. */
const REASONS: Readonly<Record<EvidenceReason, string>> = {
  provider_success: 'provider reported success',
  provider_failure: 'provider reported failure',
  provider_pending: 'provider reported pending',
  provider_not_found: 'not found at the provider',
  never_sent: 'not sent',
  breaker_open: 'circuit breaker open',
  timeout: 'timeout',
  connection_lost: 'connection lost',
  http_error: 'HTTP error',
  not_json: 'response is not JSON',
  unexpected_answer: 'unexpected response',
  answer_not_stored: 'response not stored',
  status_check_failed: 'status check failed',
  amount_mismatch: 'amount mismatch',
  reference_mismatch: 'reference mismatch',
};

function describe({
  amountPaise,
  note,
  reason,
  httpStatus,
  providerStatus,
  providerCode,
  providerTxnId,
  elapsedMs,
}: EventDetail): string {
  const parts = [
    amountPaise && `${Number(amountPaise) / 100} rupees`,
    note,
    reason && REASONS[reason],
    httpStatus && `HTTP ${httpStatus}`,
    providerStatus && `status ${providerStatus}`,
    providerCode && `code ${providerCode}`,
    providerTxnId && `transaction ${providerTxnId}`,
    elapsedMs !== undefined && `after ${elapsedMs} ms`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Returns the time of the next status check of each order, in the order of the keys. Null if no check is scheduled. */
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

/**
 * Returns the time when manual review of each order began or can begin, in the order of the keys. `Order.reviewAt` explains
 * null.
 */
export async function reviewTimesOf(
  db: Queryable,
  keys: readonly OrderKey[],
  { statusChecks, manualReviewAfterMs }: ReviewParts,
): Promise<(Date | null)[]> {
  const { rows } = await db.query<ReviewRow>({
    name: 'order-review-times',
    text: REVIEW_TIMES,
    values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ id }) => {
    const row = found.get(id);
    if (!row) return null;
    if (row.since !== null) return new Date(row.since);
    const order = { ...row, createdAt: new Date(row.created_at) };
    const earliest = reviewStart(order, statusChecks.of(row.operation, row.provider), manualReviewAfterMs);
    // manual review begins after a status check without a result
    return earliest && row.due_at !== null ? new Date(Math.max(+earliest, Date.parse(row.due_at))) : earliest;
  });
}

export interface ReviewParts {
  statusChecks: Pick<StatusCheckRegistry, 'of'>;
  /** Age at which an order without an outcome enters manual review. */
  manualReviewAfterMs: number;
}

const REVIEW_TIMES = `
  select o.id, o.state, o.operation, o.provider, o.created_at, q.due_at, v.since
  from unnest($1::uuid[], $2::uuid[]) k(owner, subject)
  cross join lateral (select * from orders x where x.developer_id = k.owner and x.id = k.subject limit 1) o
  left join lateral (select d.due_at from order_due d where d.developer_id = o.developer_id and d.order_id = o.id limit 1) q on true
  left join lateral (select r.since from order_review r where r.order_id = o.id and r.reason = 'review' limit 1) v on true`;

interface ReviewRow {
  id: string;
  state: OrderState;
  operation: Operation;
  provider: string;
  created_at: string;
  due_at: string | null;
  since: string | null;
}
