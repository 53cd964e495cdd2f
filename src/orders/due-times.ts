import { instantOrNull } from '../core/clock.js';
import type { Queryable } from '../db/pool.js';
import type { OrderKey } from './stored-order.js';

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
