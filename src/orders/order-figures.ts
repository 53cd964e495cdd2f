import type { Queryable } from '../db/pool.js';

/** What waits. Ages are those of the orders, in seconds; 0 when there is none. */
export interface OrderFigures {
  open: number;
  oldestOpenS: number;
  review: number;
  oldestReviewS: number;
}

const FIGURES = `
  select w.open, r.review,
    coalesce(extract(epoch from now() - w.oldest), 0)::float8 as "oldestOpenS",
    coalesce(extract(epoch from now() - r.oldest), 0)::float8 as "oldestReviewS"
  from (select count(*)::integer as open, min(created_at) as oldest from orders where due_at is not null and state = 'open') w,
    (select count(*)::integer as review, min(created_at) as oldest from orders where state = 'review') r`;

/** Reads the two small indexes of undecided orders, whatever else there is. */
export async function orderFigures(db: Queryable): Promise<OrderFigures> {
  const { rows } = await db.query<OrderFigures>({ text: FIGURES });
  return rows[0]!;
}

/** An order that should have been asked about long ago: no sweeper runs, or every enquiry fails. */
export interface StuckOrder {
  id: string;
  developerId: number;
  provider: string;
  overdueS: number;
}

const STUCK = `
  select id, developer_id as "developerId", provider, extract(epoch from now() - due_at)::float8 as "overdueS", count(*) over ()::integer as total
  from orders where due_at is not null and (state = 'open' or doubted_since is not null) and due_at < now() - $1 * interval '1 ms' order by due_at limit $2`;

/** The most overdue orders, and how many there are in all. */
export async function stuckOrders(
  db: Queryable,
  overdueMs: number,
  limit: number,
): Promise<{ total: number; orders: StuckOrder[] }> {
  const { rows } = await db.query<StuckOrder & { total: number }>({ text: STUCK, values: [overdueMs, limit] });
  return { total: rows[0]?.total ?? 0, orders: rows.map(({ total: _total, ...order }) => order) };
}
