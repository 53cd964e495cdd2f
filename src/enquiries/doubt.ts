import type { Queryable } from '../db/pool.js';

/**
 * Somebody says that a success was taken back: the provider is asked about it as soon as nobody else asks. False when the order is
 * no success (any more).
 */
export async function doubtSuccess(db: Queryable, developerId: string, orderId: string): Promise<boolean> {
  const { rows } = await db.query<{ doubted: boolean }>({
    text: 'select order_doubt($1, $2, 0) as doubted',
    values: [developerId, orderId],
  });
  return rows[0]!.doubted;
}
