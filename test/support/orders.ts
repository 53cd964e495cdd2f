import type { TestDatabase } from './database.js';

type Db = Pick<TestDatabase, 'query'>;

/** Makes a payment without an outcome old enough that the provider would list it. */
export async function backdateSend(db: Db, orderId: string): Promise<void> {
  await db.query(`update orders set unknown_since = now() - interval '1 hour' where id = $1`, [orderId]);
}

/** Puts a payment into review without further status checks. It is old enough that the provider would list it. */
export async function putInReview(db: Db, orderId: string): Promise<void> {
  await db.query(`update orders set state = 'review' where id = $1`, [orderId]);
  await backdateSend(db, orderId);
  await db.query('delete from order_due where order_id = $1', [orderId]);
  await db.query(
    `insert into order_review (order_id, developer_id, reason) select id, developer_id, 'review' from orders where id = $1`,
    [orderId],
  );
}

/** Marks settled payments as having a conflicting provider status, or removes the mark. */
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

/** Makes the stored responses of a developer's lookups older, oldest first: all of them, or `count`. */
export async function ageLookups(db: Db, developerId: string, minutes: number, count = 1_000): Promise<void> {
  await db.query(
    `update lookup_answer set settled_at = settled_at - $2 * interval '1 minute' where order_id in (
       select order_id from lookup_answer where developer_id = $1 order by order_id limit $3)`,
    [developerId, minutes, count],
  );
}
