import type { PatientQuery } from '../db/patience.js';
import type { Queryable } from '../db/pool.js';
import { ASKED_ABOUT, LOOKED_AT } from './stored-order.js';

/** What waits, in all or of one provider. Ages are those of the orders, in seconds; 0 when there is none. */
export interface OrderFigures {
  open: number;
  oldestOpenS: number;
  review: number;
  oldestReviewS: number;
  /** Final orders whose provider reports the opposite status. */
  conflicting: number;
}

/** The columns of OrderFigures over rows of what is waited for: which kind each is, and its age. */
const FIGURES_OF_ALL = `count(*) filter (where kind = 'open')::integer as open,
    coalesce(max(age) filter (where kind = 'open'), 0)::float8 as "oldestOpenS",
    count(*) filter (where kind = 'review')::integer as review,
    coalesce(max(age) filter (where kind = 'review'), 0)::float8 as "oldestReviewS",
    count(*) filter (where kind = 'status_conflict')::integer as conflicting`;
const WAITING = `(
    select o.provider, 'open' as kind, extract(epoch from now() - o.created_at) as age from ${ASKED_ABOUT} where q.waited_for and o.state = 'open'
    union all
    select o.provider, v.reason, extract(epoch from now() - o.created_at) from ${LOOKED_AT}) w`;

/** Reads the small tables of orders that wait, whatever else there is. */
export async function orderFigures(db: Queryable): Promise<OrderFigures> {
  const { rows } = await db.query<OrderFigures>({ text: `select ${FIGURES_OF_ALL} from ${WAITING}` });
  return rows[0]!;
}

/** The same by provider; those of which nothing waits are not there. */
export const orderFiguresByProvider = (query: PatientQuery): Promise<(OrderFigures & { provider: string })[]> =>
  query({ text: `select provider, ${FIGURES_OF_ALL} from ${WAITING} group by provider` });

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
/** A lease moves the due time on, also for a status check that fails each time, so the age counts as well. */
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
 * @param ageMs pending for longer: every status check fails
 */
export async function stuckOrders(
  db: Queryable,
  { overdueMs, ageMs }: { overdueMs: number; ageMs: number },
  limit: number,
): Promise<{ total: number; orders: StuckOrder[] }> {
  const { rows } = await db.query<StuckOrder & { total: number }>({ text: STUCK, values: [overdueMs, ageMs, limit] });
  return { total: rows[0]?.total ?? 0, orders: rows.map(({ total: _total, ...order }) => order) };
}
