import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { AuditRecord, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { LedgerResolution, LedgerService } from '../ledger/ledger.service.js';
import { lastLineOf } from '../ledger/line.reader.js';
import { isCharged, waitsForDecision } from '../order-views/order-actions.js';
import type { EnquiryRegistry } from '../orders/enquiries.js';
import type { OrderStore } from '../orders/order.store.js';
import { askAgainAfter } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { type Decider, propose, proposerOf, refuseWaiting } from '../proposals/proposal.service.js';
import type { ProposalStore, StoredProposal } from '../proposals/proposal.store.js';
import { decisionAbout, encryptedAnswer, lockOrder, proposalAbout, subjectOf } from './locked-order.js';
import type { MoneyDecision } from './money-decision.js';
import type { StatementEvidence } from './proposed-orders.js';
import { recentSends, sentRecently } from './recent-sends.js';
import type { Resolution } from './review.types.js';

const ACTIONS = { success: 'order.settle', failed: 'order.refund' } as const;
const OPPOSITE = { success: 'failed', failed: 'success' } as const;
const NOTES = { success: 'decided by a person: performed', failed: 'decided by a person: not performed' } as const;

/** What a person says became of an order. */
interface Said {
  outcome: Resolution;
  /** The provider's line that says so; left out where a person found out otherwise. */
  evidence?: StatementEvidence | null;
  /** The provider need not have shown it yet, and the person knows that. */
  recent?: boolean;
}

export interface Decision {
  orderId: string;
  outcome: Resolution;
  reason: string;
  /** "Failed" counts although the provider need not show the payment yet. */
  allowRecentSend?: boolean | undefined;
}

export interface ReviewParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  proposals: ProposalStore;
  store: OrderStore;
  enquiries: EnquiryRegistry;
  /** Up to this amount one admin decides in production; above, two have to agree. */
  alonePaise: Paise;
  /** How long after the last possible send a provider need not show a payment. */
  visibilityDelayMs: number;
}

/** People decide what no enquiry could. */
export class ReviewService {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  /**
   * What a person says became of an order. Money, evidence and audit entry are one commit, so they cannot disagree. Real money
   * above the limit is proposed and nothing changes; the opposite decision replaces what was proposed. Of a decided order that
   * its provider contradicts, a person may confirm what was decided.
   *
   * Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT when it does not wait for a decision (any more), SENT_RECENTLY.
   */
  async resolve({ orderId, outcome, reason, allowRecentSend = false }: Decision, by: Decider): Promise<MoneyDecision> {
    const { orm, proposals: store, audit } = this.#parts;
    return inTransaction(orm, async (tx) => {
      const order = await lockOrder(orderId, tx);
      if (order.contradictedAt !== null) return this.confirm(order, outcome, reason, by, tx);
      if (!waitsForDecision(order)) throw decided();
      const proposal = proposalAbout(order, ACTIONS[outcome], reason);
      const waiting = await store.waiting(proposal, tx);
      if (waiting) return { ...decisionAbout(order), proposal: waiting, replayed: true };
      const said = await this.#saidOf(order, outcome, allowRecentSend, tx);
      if (!needsSecondAdmin(order, this.#parts.alonePaise)) return this.#execute(order, said, reason, by, tx);
      const opposite = await store.waiting({ ...proposal, action: ACTIONS[OPPOSITE[outcome]] }, tx);
      if (opposite) await refuseWaiting(opposite, reason, by, { store, audit }, tx);
      return { ...decisionAbout(order), proposal: await propose(proposal, by, { store, audit }, tx) };
    });
  }

  /** A proposed decision that a second person carries out. Errors: CONFLICT when the order was decided meanwhile, SENT_RECENTLY. */
  async carryOut(
    outcome: Resolution,
    proposal: StoredProposal,
    by: Decider,
    reason: string | undefined,
    tx: EntityManager,
    allowRecentSend = false,
  ): Promise<MoneyDecision> {
    const order = await lockOrder(proposal.orderId!, tx);
    if (!waitsForDecision(order)) throw decided();
    const said = await this.#saidOf(order, outcome, allowRecentSend, tx);
    return this.#execute(order, said, reason ?? proposal.reason, by, tx, proposal);
  }

  /** Errors: SENT_RECENTLY, of money that would go back before the provider has to show the payment. */
  async #saidOf(order: StoredOrder, outcome: Resolution, allowRecentSend: boolean, tx: EntityManager): Promise<Said> {
    if (outcome === 'success') return { outcome };
    const leftMs = (await recentSends([order], this.#parts.visibilityDelayMs, tx)).get(order.id);
    if (leftMs !== undefined && !allowRecentSend) throw sentRecently(leftMs);
    return { outcome, recent: leftMs !== undefined };
  }

  async #execute(
    order: StoredOrder,
    said: Said,
    reason: string,
    by: Decider,
    tx: EntityManager,
    proposal?: StoredProposal,
  ): Promise<MoneyDecision> {
    const { ledger, audit } = this.#parts;
    const posted = await ledger.resolveWith(resolutionOf(order, said, this.#parts), tx);
    // under the order's lock nobody else can have resolved it
    if (posted.outcome === 'already') throw decided();
    await audit.record(by, auditOf(order, said, reason, proposal), tx);
    return { ...decisionAbout(order), line: await lastLineOf(order.developerId, order.id, tx) };
  }

  /**
   * The provider is wrong and what was decided stands: no money moves, so one person is enough. Errors: CONFLICT, before anything
   * is written, when something else was decided.
   */
  async confirm(
    order: StoredOrder,
    outcome: Resolution,
    reason: string,
    by: Decider,
    tx: EntityManager,
  ): Promise<MoneyDecision> {
    const { developerId, id } = order;
    const state: Resolution = isCharged(order) ? 'success' : 'failed';
    if (outcome !== state)
      throw new AppError('CONFLICT', {
        message: 'This order is decided: reverseOrder takes a success back, chargeAgain charges what was given back.',
      });
    const detail = JSON.stringify({ note: 'confirmed by a person' });
    await sql`select order_confirm(${developerId}, ${id}::uuid, ${detail}::jsonb)`.execute(tx.getKysely());
    const before = { state, contradictedAt: order.contradictedAt };
    const entry = { action: 'order.confirm' as const, subject: subjectOf(order), before, after: { state }, reason };
    await this.#parts.audit.record(by, entry, tx);
    return decisionAbout(order);
  }
}

/** What a person said of an order, for the ledger. */
export function resolutionOf(
  order: StoredOrder,
  { outcome, evidence }: Said,
  parts: Pick<ReviewParts, 'enquiries' | 'store'>,
): LedgerResolution {
  const known = parts.enquiries.of(order.operation, order.provider);
  const success = outcome === 'success';
  return {
    developerId: order.developerId,
    id: order.id,
    success,
    answer: encryptedAnswer(order, success, parts),
    providerTxnId: '',
    event: 'decision',
    askAgainMs: known ? askAgainAfter(order.operation, known) : null,
    detail: evidence
      ? { note: `${NOTES[outcome]}, line ${evidence.line} of the provider's statement`, statement: evidence }
      : { note: NOTES[outcome] },
  };
}

/** What a person said of an order, for the audit trail. */
export const auditOf = (
  order: StoredOrder,
  { outcome, evidence, recent }: Said,
  reason: string,
  proposal: StoredProposal | undefined,
): AuditRecord => ({
  action: 'order.resolve',
  subject: subjectOf(order),
  before: { state: 'review' },
  after: {
    state: outcome,
    amountPaise: String(order.amountPaise),
    ...(evidence && { statement: evidence }),
    ...(recent && { sentRecently: true }),
    ...(proposal && proposerOf(proposal)),
  },
  reason,
});

/** Whether one admin alone may not say what became of an order in review. */
export const needsSecondAdmin = ({ environment, amountPaise }: StoredOrder, alonePaise: Paise): boolean =>
  environment === 'production' && amountPaise > alonePaise;

const decided = (): AppError =>
  new AppError('CONFLICT', { message: 'This order does not wait for a decision (any more).' });
