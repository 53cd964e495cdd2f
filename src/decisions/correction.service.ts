import type { MikroORM } from '@mikro-orm/postgresql';
import type { AuditService } from '../audit/audit.service.js';
import { AppError, insufficientBalance } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { balanceIn, lastLineOf } from '../ledger/line.reader.js';
import { isCharged, isGivenBack } from '../order-views/order-actions.js';
import { noOrder } from '../orders/archived-orders.js';
import type { EnquiryRegistry } from '../orders/enquiries.js';
import type { OrderStore } from '../orders/order.store.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { type Decider, propose, proposerOf } from '../proposals/proposal.service.js';
import type { ProposalStore, StoredProposal } from '../proposals/proposal.store.js';
import { decisionAbout, encryptedAnswer, lockOrder, proposalAbout, subjectOf } from './locked-order.js';
import type { MoneyDecision } from './money-decision.js';

export type CorrectionAction = 'order.reverse' | 'order.charge_again';

/** Each undoes the other, as often as people change their minds; `note` is for the order's timeline. */
const CORRECTIONS = {
  'order.reverse': { kind: 'reversal', note: 'taken back by a person' },
  'order.charge_again': { kind: 'charge_again', note: 'charged again by a person' },
} as const;

export interface CorrectionParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  proposals: ProposalStore;
  store: OrderStore;
  enquiries: EnquiryRegistry;
}

/** What people undo when the outcome of an order was wrong. Real money always takes two of them. */
export class CorrectionService {
  readonly #parts: CorrectionParts;

  constructor(parts: CorrectionParts) {
    this.#parts = parts;
  }

  /**
   * Corrects an order of play money, or proposes to correct one of real money. Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT when the order
   * is in no state to be corrected so or its card bill was paid otherwise, INSUFFICIENT_BALANCE.
   */
  async correct(action: CorrectionAction, orderId: string, reason: string, by: Decider): Promise<MoneyDecision> {
    const { orm, proposals, audit } = this.#parts;
    return inTransaction(orm, async (tx) => {
      const order = await lockOrder(orderId, tx);
      requireState(action, order);
      const proposal = proposalAbout(order, action, reason);
      const waiting = await proposals.waiting(proposal, tx);
      if (waiting) return { ...decisionAbout(order), proposal: waiting, replayed: true };
      if (order.environment === 'uat') return this.#post(action, order, reason, by, tx);
      return { ...decisionAbout(order), proposal: await propose(proposal, by, { store: proposals, audit }, tx) };
    });
  }

  /** A proposed correction that a second person carries out. Errors: as for `correct`. */
  async carryOut(
    action: CorrectionAction,
    proposal: StoredProposal,
    by: Decider,
    reason: string | undefined,
    tx: EntityManager,
  ): Promise<MoneyDecision> {
    const order = await lockOrder(proposal.orderId!, tx);
    return this.#post(action, order, reason ?? proposal.reason, by, tx, proposal);
  }

  async #post(
    action: CorrectionAction,
    order: StoredOrder,
    reason: string,
    by: Decider,
    tx: EntityManager,
    proposal?: StoredProposal,
  ): Promise<MoneyDecision> {
    const { ledger, audit } = this.#parts;
    const { developerId, id: orderId, amountPaise } = order;
    const { kind, note } = CORRECTIONS[action];
    const postingId = newId();
    // an order that has been a success before keeps the answer that it had then
    const answer = order.state === 'failed' ? encryptedAnswer(order, true, this.#parts) : undefined;
    const outcome = await ledger.correct({ developerId, orderId, kind, postingId, answer, detail: { note } }, tx);
    switch (outcome) {
      case 'missing':
        throw noOrder();
      case 'not_charged':
      case 'not_given_back':
        throw wrongState(action);
      case 'insufficient':
        throw insufficientBalance(amountPaise, await balanceIn(order, tx));
      case 'bill_paid':
        throw new AppError('CONFLICT', { message: 'Another payment of this card bill was made meanwhile.' });
      case 'posted':
        break;
    }
    const entry = {
      action,
      subject: subjectOf(order),
      before: { state: order.reversedAt ? 'reversed' : order.state },
      after: {
        state: kind === 'reversal' ? 'reversed' : 'success',
        amountPaise: String(amountPaise),
        ...(proposal && proposerOf(proposal)),
      },
      reason,
      posting: { id: postingId, amountPaise },
    };
    await audit.record(by, entry, tx);
    return { ...decisionAbout(order), line: await lastLineOf(developerId, orderId, tx) };
  }
}

/** Errors: CONFLICT. The ledger decides again when it posts; this tells who proposes. */
function requireState(action: CorrectionAction, order: StoredOrder): void {
  if (action === 'order.reverse' ? !isCharged(order) : !isGivenBack(order)) throw wrongState(action);
}

const wrongState = (action: CorrectionAction): AppError =>
  new AppError('CONFLICT', {
    message:
      action === 'order.reverse'
        ? 'Only a success can be taken back, and only once until it is charged again.'
        : 'Only an order that has failed or was reversed can be charged again.',
  });
