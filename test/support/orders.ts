import type { TestDatabase } from './database.js';

type Db = Pick<TestDatabase, 'query'>;

/** Whatever was sent for a payment without an outcome, its provider shows by now. */
export async function wasSentLongAgo(db: Db, orderId: string): Promise<void> {
  await db.query(`update orders set unknown_since = now() - interval '1 hour' where id = $1`, [orderId]);
}

/** A payment that a person has to decide and that nobody asks about any more; whatever was sent, its provider shows. */
export async function putInReview(db: Db, orderId: string): Promise<void> {
  await db.query(`update orders set state = 'review' where id = $1`, [orderId]);
  await wasSentLongAgo(db, orderId);
  await db.query('delete from order_due where order_id = $1', [orderId]);
  await db.query(
    `insert into order_review (order_id, developer_id, reason) select id, developer_id, 'review' from orders where id = $1`,
    [orderId],
  );
}

/** A decided payment of which its provider says the opposite, or does no longer. */
export async function putInStatusConflict(db: Db, orderIds: readonly string[], conflicting = true): Promise<void> {
  await db.query('update orders set status_conflict_at = case when $2 then now() end where id = any($1)', [
    orderIds,
    conflicting,
  ]);
  await db.query('delete from order_review where order_id = any($1)', [orderIds]);
  if (conflicting)
    await db.query(
      `insert into order_review (order_id, developer_id, reason) select id, developer_id, 'status_conflict' from orders where id = any($1)`,
      [orderIds],
    );
}

/** The stored answers of a developer's lookups are so much older, oldest first: of all, or of so many. */
export async function ageLookups(db: Db, developerId: string, minutes: number, count = 1_000): Promise<void> {
  await db.query(
    `update lookup_answer set settled_at = settled_at - $2 * interval '1 minute' where order_id in (
       select order_id from lookup_answer where developer_id = $1 order by order_id limit $3)`,
    [developerId, minutes, count],
  );
}
