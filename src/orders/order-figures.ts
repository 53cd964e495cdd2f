import type { PatientQuery } from '../db/patience.js';
import type { Queryable } from '../db/pool.js';
import { ORDERS_TO_REVIEW, SCHEDULED_ORDERS } from './stored-order.js';

/** Orders that are pending or need review, in total or for one provider. Ages are in seconds, or 0 if there are none. */
export interface OrderFigures {
  open: number;
  oldestOpenS: number;
  review: number;
  oldestReviewS: number;
  /** Number of final orders with a conflicting provider status. */
  conflicting: number;
}

/** SQL: columns of OrderFigures over rows with a kind and an age. */
const FIGURES_OF_ALL = `count(*) filter (where kind = 'open')::integer as open,
    coalesce(max(age) filter (where kind = 'open'), 0)::float8 as "oldestOpenS",
    count(*) filter (where kind = 'review')::integer as review,
    coalesce(max(age) filter (where kind = 'review'), 0)::float8 as "oldestReviewS",
    count(*) filter (where kind = 'status_conflict')::integer as conflicting`;
const PENDING_ORDERS = `(
    select o.provider, 'open' as kind, extract(epoch from now() - o.created_at) as age from ${SCHEDULED_ORDERS} where q.waited_for and o.state = 'open'
    union all
    select o.provider, v.reason, extract(epoch from now() - o.created_at) from ${ORDERS_TO_REVIEW}) w`;

/**
 * Returns the figures of all orders. Reads only the small tables of open orders, so the cost does not depend on the total
 * number of orders.
 */
export async function orderFigures(db: Queryable): Promise<OrderFigures> {
  const { rows } = await db.query<OrderFigures>({ text: `select ${FIGURES_OF_ALL} from ${PENDING_ORDERS}` });
  return rows[0]!;
}

/** Returns the figures by provider. Providers without open orders are omitted. */
export const orderFiguresByProvider = (query: PatientQuery): Promise<(OrderFigures & { provider: string })[]> =>
  query({ text: `select provider, ${FIGURES_OF_ALL} from ${PENDING_ORDERS} group by provider` });

/** Order without status checks, or one that is still open although its manual review should have begun. */
export interface StuckOrder {
  reference: string;
  developerId: string;
  provider: string;
  /** Time since its check was due, in seconds. Negative if it is not due yet. */
  overdueS: number;
  /** Time in seconds since the order was placed, or since its success is in doubt. */
  ageS: number;
}

const SINCE = `case when o.state = 'success' then o.doubted_since else o.created_at end`;
/** SQL: stuck orders. The age is checked as well, because a lease postpones the due time even if every status check fails. */
const STUCK = `
  select o.reference, o.developer_id as "developerId", o.provider, extract(epoch from now() - q.due_at)::float8 as "overdueS",
    extract(epoch from now() - ${SINCE})::float8 as "ageS", count(*) over ()::integer as total
  from ${SCHEDULED_ORDERS} where q.waited_for and (o.state = 'open' or o.doubted_since is not null)
    and (q.due_at < now() - $1 * interval '1 ms' or ${SINCE} < now() - $2 * interval '1 ms')
  order by ${SINCE} limit $3`;

/**
 * Returns the oldest stuck orders and their total number.
 *
 * @param overdueMs overdue time that indicates that no sweeper is running
 * @param ageMs age that indicates that every status check fails
 */
export async function stuckOrders(
  db: Queryable,
  { overdueMs, ageMs }: { overdueMs: number; ageMs: number },
  limit: number,
): Promise<{ total: number; orders: StuckOrder[] }> {
  const { rows } = await db.query<StuckOrder & { total: number }>({ text: STUCK, values: [overdueMs, ageMs, limit] });
  return { total: rows[0]?.total ?? 0, orders: rows.map(({ total: _total, ...order }) => order) };
}
