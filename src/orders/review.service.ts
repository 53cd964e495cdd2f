import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import type { UserId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { EnquiryRegistry } from './enquiries.js';
import type { OrderStore } from './order.store.js';
import type { ReviewQueue } from './review.queue.js';
import type { Resolution } from './review.types.js';
import { askAgainAfter } from './states.js';
import type { StoredOrder } from './stored-order.js';

/** What `order_decide` says; see order-review.sql. */
type Verdict = 'execute' | 'proposed' | 'same_person' | 'not_in_review' | 'missing';

export interface Decision {
  orderId: string;
  outcome: Resolution;
  reason: string;
  userId: UserId;
}

export interface ReviewParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  store: OrderStore;
  queue: ReviewQueue;
  enquiries: EnquiryRegistry;
  /** Up to this amount one admin decides; above, two have to agree. */
  alonePaise: Paise;
}

/** People decide what no enquiry could. */
export class ReviewService {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  /**
   * One person's decision. Money, evidence and audit entry are one commit, so they cannot disagree. Above the limit the first
   * decision is a proposal and changes nothing; a different admin who decides the same executes it, and one who decides the
   * opposite replaces it. Returns the order as it is afterwards.
   *
   * Errors: RECORD_NOT_FOUND, CONFLICT when it is not in review (any more), FORBIDDEN for confirming one's own proposal.
   */
  async resolve(decision: Decision, by: Actor): Promise<StoredOrder> {
    const { orm, queue } = this.#parts;
    const order = await queue.find(decision.orderId);
    if (!order) throw noSuchOrder();
    await (orm.em.fork() as EntityManager).transactional((tx) => this.#decide(order, decision, by, tx));
    return (await queue.find(order.id))!;
  }

  async #decide(order: StoredOrder, decision: Decision, by: Actor, tx: EntityManager): Promise<void> {
    const { ledger, audit, alonePaise } = this.#parts;
    const { outcome, reason } = decision;
    const success = outcome === 'success';
    const known = this.#parts.enquiries.of(order.operation, order.provider);
    const entry = { subject: `order:${order.id}`, before: { state: 'review' }, reason };
    const amountPaise = String(order.amountPaise);
    switch (await this.#verdict(decision, alonePaise, tx)) {
      case 'missing':
        throw noSuchOrder();
      case 'not_in_review':
        throw new AppError('CONFLICT', { message: 'This order does not wait for a decision (any more).' });
      case 'same_person':
        throw new AppError('FORBIDDEN', {
          message: 'You have decided this already; an order of this amount needs a second admin who agrees.',
        });
      case 'proposed':
        await audit.record(
          by,
          { ...entry, action: 'order.propose_resolution', after: { proposed: outcome, amountPaise } },
          tx,
        );
        return;
      case 'execute': {
        const { outcome: posted } = await ledger.resolveWith(
          {
            developerId: order.developerId,
            id: order.id,
            success,
            answer: this.#answerOf(order, success),
            providerTxnId: '',
            event: 'decision',
            askAgainMs: known ? askAgainAfter(order.operation, known) : null,
            detail: { note: success ? 'decided by a person: performed' : 'decided by a person: not performed' },
          },
          tx,
        );
        // under the order's lock nobody else can have resolved it
        if (posted === 'already')
          throw new AppError('CONFLICT', { message: 'This order was decided by somebody else.' });
        await audit.record(by, { ...entry, action: 'order.resolve', after: { state: outcome, amountPaise } }, tx);
      }
    }
  }

  async #verdict(
    { orderId, outcome, reason, userId }: Decision,
    alonePaise: Paise,
    tx: EntityManager,
  ): Promise<Verdict> {
    const { rows } = await sql<{ verdict: Verdict }>`
      select verdict from order_decide(${orderId}::uuid, ${outcome === 'success'}, ${userId}::integer, ${reason}, ${String(alonePaise)}::bigint)`.execute(
      tx.getKysely(),
    );
    return rows[0]!.verdict;
  }

  /** What a repetition of the call is answered with from now on. */
  #answerOf(order: StoredOrder, success: boolean): Buffer {
    const { enquiries, store } = this.#parts;
    const receipt = success ? enquiries.of(order.operation, order.provider)?.receiptOf(order) : undefined;
    return store.seal(order.id, { value: receipt ?? null });
  }
}

const noSuchOrder = (): AppError => new AppError('RECORD_NOT_FOUND', { message: 'There is no such order.' });
