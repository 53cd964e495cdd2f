import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { inTransaction } from '../db/orm.js';
import type { EnquiryRegistry } from '../orders/enquiries.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { canBeAsked } from '../orders/views/order-actions.js';
import { lockOrder, subjectOf } from './locked-order.js';

/** Admins who want to know now what a provider says of an order. */
export class ProviderQuestionService {
  constructor(private readonly parts: { orm: MikroORM; audit: AuditService; enquiries: EnquiryRegistry }) {}

  /**
   * Makes an order due, whatever its state; a sweeper asks within its interval. Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT when the
   * provider knows no enquiry or the order is still being sent.
   */
  async ask(orderId: string, by: Actor): Promise<StoredOrder> {
    const { orm, audit, enquiries } = this.parts;
    return inTransaction(orm, async (tx) => {
      const order = await lockOrder(orderId, tx);
      if (!canBeAsked(order, enquiries))
        throw new AppError('CONFLICT', {
          message: 'This provider cannot be asked about an order: its own statement has to tell.',
        });
      const { rows } = await sql<{ outcome: string }>`select order_ask(${order.id}::uuid) as outcome`.execute(
        tx.getKysely(),
      );
      if (rows[0]!.outcome === 'sending')
        throw new AppError('CONFLICT', { message: 'This order is still being sent: its answer comes first.' });
      const state = order.reversedAt ? 'reversed' : order.state;
      const entry = {
        action: 'order.ask_provider' as const,
        subject: subjectOf(order),
        before: { state },
        after: { state },
      };
      await audit.record(by, entry, tx);
      return order;
    });
  }
}
