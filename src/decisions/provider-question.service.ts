import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditRecord, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { orderNotFound } from '../orders/archived-orders.js';
import type { StatusCheckRegistry } from '../orders/outcomes.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { hasStatusCheck } from '../orders/views/order-actions.js';
import { archivedAmong, lockOrder, lockOrders, subjectOf } from './locked-order.js';

/** Reason the status of an order cannot be checked. Undefined if it can be checked. */
type Refusal = AppError | undefined;

/** Status checks that staff start. */
export class ProviderQuestionService {
  constructor(private readonly parts: { orm: MikroORM; audit: AuditService; statusChecks: StatusCheckRegistry }) {}

  /**
   * Schedules an immediate status check, for an order in any state. Throws RECORD_NOT_FOUND, ORDER_ARCHIVED, and CONFLICT if
   * the provider has no status check or the order is still being sent.
   */
  async ask(orderId: string, by: Actor): Promise<StoredOrder> {
    return inTransaction(this.parts.orm, async (tx) => {
      const order = await lockOrder(orderId, tx);
      const refusal = (await this.#makeDue([order], by, tx)).get(order.id);
      if (refusal) throw refusal;
      return order;
    });
  }

  /**
   * Calls `ask` for several orders in one commit. Orders that cannot be checked are rejected with the errors of `ask`. The
   * result is keyed by the IDs of the call.
   */
  async askAll(orderIds: readonly string[], by: Actor): Promise<Map<string, Refusal>> {
    return inTransaction(this.parts.orm, async (tx) => {
      const orders = await lockOrders(orderIds, tx);
      const missing = orderIds.filter((id) => !orders.has(id));
      const archived = missing.length > 0 ? await archivedAmong(missing, tx) : undefined;
      const asked = await this.#makeDue([...orders.values()], by, tx);
      return new Map(orderIds.map((id) => [id, orders.has(id) ? asked.get(id) : orderNotFound(archived?.get(id))]));
    });
  }

  /** Makes the orders due. The caller has locked them. */
  async #makeDue(orders: readonly StoredOrder[], by: Actor, tx: EntityManager): Promise<Map<string, Refusal>> {
    const { audit, statusChecks } = this.parts;
    const askable = orders.filter((order) => hasStatusCheck(order, statusChecks));
    const { rows } = await sql<{ id: string; outcome: string }>`
      select k.id, order_ask(k.id) as outcome from unnest(${askable.map(({ id }) => id)}::uuid[]) k(id)`.execute(
      tx.getKysely(),
    );
    const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));
    const due = askable.filter(({ id }) => outcomes.get(id) === 'due');
    if (due.length > 0) await audit.recordAll(by, due.map(auditOf), tx);
    return new Map(orders.map(({ id }) => [id, refusalOf(outcomes.get(id))]));
  }
}

/** @param outcome result of `order_ask`. Undefined if the provider has no status check. */
function refusalOf(outcome: string | undefined): Refusal {
  if (outcome === 'due') return undefined;
  return new AppError('CONFLICT', {
    message:
      outcome === undefined
        ? 'This provider has no status check. Look up the order in the provider statement.'
        : 'This order is still being sent. Wait for the provider’s response.',
  });
}

function auditOf(order: StoredOrder): AuditRecord {
  const state = order.reversedAt ? 'reversed' : order.state;
  return { action: 'order.check_status', subject: subjectOf(order), before: { state }, after: { state } };
}
