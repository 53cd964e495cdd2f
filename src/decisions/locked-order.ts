import { sql } from 'kysely';
import type { ApprovalRequestAction, NewApprovalRequest } from '../approval-requests/approval-request.store.js';
import { isUuid } from '../core/ids.js';
import type { EntityManager } from '../db/orm.js';
import { ARCHIVED_COLUMNS, type ArchivedOrder, orderNotFound } from '../orders/archived-orders.js';
import type { OrderStore } from '../orders/order.store.js';
import { ORDER_COLUMNS, type OrderRow, orderOf, type StoredOrder } from '../orders/stored-order.js';
import type { Order } from '../orders/views/order.types.js';
import { type Masking, orderView } from '../orders/views/order.view.js';
import type { DecisionParts } from './money-decision.js';

/**
 * Locks the payment until the transaction ends, so that decisions run one after the other. Throws RECORD_NOT_FOUND and
 * ORDER_ARCHIVED.
 */
export async function lockOrder(orderId: string, tx: EntityManager): Promise<StoredOrder> {
  const { rows } = isUuid(orderId)
    ? await sql<OrderRow>`select ${sql.raw(ORDER_COLUMNS)} from order_lock(${orderId}::uuid)`.execute(tx.getKysely())
    : { rows: [] };
  if (!rows[0]) throw orderNotFound((await archivedAmong([orderId], tx)).get(orderId));
  return orderOf(rows[0]);
}

/** Returns the archived payments among the given orders. */
export async function archivedAmong(
  orderIds: readonly string[],
  tx: EntityManager,
): Promise<Map<string, ArchivedOrder>> {
  const { rows } = await sql<ArchivedOrder>`select ${sql.raw(ARCHIVED_COLUMNS)} from archived_order
    where id = any(${orderIds.filter(isUuid)}::uuid[])`.execute(tx.getKysely());
  return new Map(rows.map((order) => [order.id, order]));
}

/** Locks the payments until the transaction ends, in the same order as postings do, to avoid deadlocks. */
export async function lockOrders(orderIds: readonly string[], tx: EntityManager): Promise<Map<string, StoredOrder>> {
  const { rows } = await sql<OrderRow>`
    select ${sql.raw(ORDER_COLUMNS)} from (
      select o.developer_id as d, o.id as i from orders o where o.id = any(${orderIds.filter(isUuid)}::uuid[])
      order by o.developer_id, o.id) k
    cross join lateral order_lock(k.i)`.execute(tx.getKysely());
  return new Map(rows.map((row) => [row.id, orderOf(row)]));
}

/** Returns the subject of the order in the audit log. */
export const subjectOf = ({ id }: StoredOrder): string => `order:${id}`;

/** Returns the approval request for a change of the order. */
export const approvalRequestAbout = (
  order: StoredOrder,
  action: ApprovalRequestAction,
  reason: string,
): NewApprovalRequest => ({
  action,
  subject: subjectOf(order),
  key: order.reference,
  developerId: order.developerId,
  orderId: order.id,
  amountPaise: order.amountPaise,
  payload: {},
  reason,
});

/** Returns the encrypted receipt that retries receive after a manual resolution. */
export function encryptedAnswer(
  order: StoredOrder,
  success: boolean,
  { statusChecks, store }: Pick<DecisionParts, 'statusChecks' | 'store'>,
): Buffer {
  const receipt = success ? statusChecks.of(order.operation, order.provider)?.receiptOf(order) : undefined;
  return store.encrypt(order.id, { value: receipt ?? null });
}

/** Returns the payment as shown to staff, or null if there is none. */
export async function orderForStaff(
  orderId: string,
  store: OrderStore,
  masking: Masking = { masked: true },
): Promise<Order | null> {
  const order = isUuid(orderId) ? await store.payment(orderId) : undefined;
  return order ? orderView(order, store, masking) : null;
}
