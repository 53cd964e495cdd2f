import type { Queryable } from '../db/pool.js';

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
  from (select count(*)::integer as open, min(created_at) as oldest from orders where due_at is not null and state = 'open') w,
    (select count(*)::integer as review, min(created_at) as oldest from orders where state = 'review') r,
    (select count(*)::integer as contradicted from orders where contradicted_at is not null) c`;

/** Reads the small indexes of orders that wait, whatever else there is. */
export async function orderFigures(db: Queryable): Promise<OrderFigures> {
  const { rows } = await db.query<OrderFigures>({ text: FIGURES });
  return rows[0]!;
}

/** An order that nobody asks about, or that is open although a person should have it by now. */
export interface StuckOrder {
  reference: string;
  developerId: number;
  provider: string;
  /** How long it has been due, in seconds; below 0 when its time is still to come. */
  overdueS: number;
  /** Since it was placed, or since a success is in doubt. */
  ageS: number;
}

const SINCE = `case when state = 'success' then doubted_since else created_at end`;
/** A lease moves the due time on, also for an enquiry that fails each time, so the age counts as well. */
const STUCK = `
  select reference, developer_id as "developerId", provider, extract(epoch from now() - due_at)::float8 as "overdueS",
    extract(epoch from now() - ${SINCE})::float8 as "ageS", count(*) over ()::integer as total
  from orders where due_at is not null and (state = 'open' or doubted_since is not null)
    and (due_at < now() - $1 * interval '1 ms' or ${SINCE} < now() - $2 * interval '1 ms')
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
