import type { Queryable } from '../db/pool.js';
import { ASKED_ABOUT, LOOKED_AT } from './stored-order.js';

/** What waits. Ages are those of the orders, in seconds; 0 when there is none. */
export interface OrderFigures {
  open: number;
  oldestOpenS: number;
  review: number;
  oldestReviewS: number;
  /** Decided orders of which the provider says the opposite. */
  contradicted: number;
}

const FIGURES = `
  select w.open, r.review, c.contradicted,
    coalesce(extract(epoch from now() - w.oldest), 0)::float8 as "oldestOpenS",
    coalesce(extract(epoch from now() - r.oldest), 0)::float8 as "oldestReviewS"
  from (select count(*)::integer as open, min(created_at) as oldest from ${ASKED_ABOUT} where q.waited_for and o.state = 'open') w,
    (select count(*)::integer as review, min(created_at) as oldest from ${LOOKED_AT} where v.reason = 'review') r,
    (select count(*)::integer as contradicted from order_review where reason = 'contradiction') c`;

/** Reads the small tables of orders that wait, whatever else there is. */
export async function orderFigures(db: Queryable): Promise<OrderFigures> {
  const { rows } = await db.query<OrderFigures>({ text: FIGURES });
  return rows[0]!;
}

/** An order that nobody asks about, or that is open although a person should have it by now. */
export interface StuckOrder {
  reference: string;
  developerId: string;
  provider: string;
  /** How long it has been due, in seconds; below 0 when its time is still to come. */
  overdueS: number;
  /** Since it was placed, or since a success is in doubt. */
  ageS: number;
}

const SINCE = `case when o.state = 'success' then o.doubted_since else o.created_at end`;
/** A lease moves the due time on, also for an enquiry that fails each time, so the age counts as well. */
const STUCK = `
  select o.reference, o.developer_id as "developerId", o.provider, extract(epoch from now() - q.due_at)::float8 as "overdueS",
    extract(epoch from now() - ${SINCE})::float8 as "ageS", count(*) over ()::integer as total
  from ${ASKED_ABOUT} where q.waited_for and (o.state = 'open' or o.doubted_since is not null)
    and (q.due_at < now() - $1 * interval '1 ms' or ${SINCE} < now() - $2 * interval '1 ms')
  order by ${SINCE} limit $3`;

/**
 * The oldest stuck orders, and how many there are in all.
 *
 * @param overdueMs due for longer: no sweeper runs
 * @param ageMs undecided for longer: every enquiry fails
 */
export async function stuckOrders(
  db: Queryable,
  { overdueMs, ageMs }: { overdueMs: number; ageMs: number },
  limit: number,
): Promise<{ total: number; orders: StuckOrder[] }> {
  const { rows } = await db.query<StuckOrder & { total: number }>({ text: STUCK, values: [overdueMs, ageMs, limit] });
  return { total: rows[0]?.total ?? 0, orders: rows.map(({ total: _total, ...order }) => order) };
}
