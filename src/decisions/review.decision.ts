import { sql } from 'kysely';
import { type ActingUser, requesterOf } from '../approval-requests/approval-request.service.js';
import type { StoredApprovalRequest } from '../approval-requests/approval-request.store.js';
import type { AuditRecord, AuditService } from '../audit/audit.service.js';
import { indianTime } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import type { EntityManager } from '../db/orm.js';
import type { LedgerResolution } from '../ledger/ledger.service.js';
import { lastLineOf } from '../ledger/line.reader.js';
import { leftUntilShown, recheckAfter, reviewBegins } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { isCharged, needsReview } from '../orders/views/order-actions.js';
import type { ReviewParts } from '../orders/views/timeline.js';
import { takeAllowance } from './alone-allowance.js';
import type { StatementEvidence } from './bulk-approval-request.js';
import { approvalRequestAbout, encryptedAnswer, lockOrder, subjectOf } from './locked-order.js';
import type { DecisionParts, MoneyDecision, MoneyMoved } from './money-decision.js';
import type { Resolution } from './review.types.js';

const ACTIONS = { success: 'order.settle', failed: 'order.refund' } as const;
const OPPOSITE = { success: 'failed', failed: 'success' } as const;
const NOTES = { success: 'resolved by support: succeeded', failed: 'resolved by support: failed' } as const;

/** Which order a person says it of, and how they know. */
export interface OrderResolution {
  orderId: string;
  reason: string;
  /** "Failed" counts although the provider need not show the payment yet. */
  allowRecentSend?: boolean | undefined;
}

interface ReviewCase {
  order: StoredOrder;
  reason: string;
  allowRecentSend: boolean;
  /** The provider need not have shown it yet, and the person knows that. */
  recent: boolean;
}

/**
 * What a person says became of an order that no status check could decide. Money, evidence and audit entry are one commit, so they cannot
 * disagree. Real money above the limit is requested and nothing changes; the opposite decision replaces what was requested. Of a
 * decided order that its provider contradicts, a person may confirm what was decided.
 *
 * Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT when it does not wait for a decision (any more), SENT_RECENTLY.
 */
export const reviewDecision = (
  outcome: Resolution,
  parts: Omit<DecisionParts, 'creditAlone'>,
): MoneyDecision<OrderResolution, ReviewCase> => {
  async function examine(about: ReviewCase, tx: EntityManager): Promise<ReviewCase> {
    if (outcome === 'success') return about;
    const { order, allowRecentSend } = about;
    const leftMs = (await recentSends([order], parts.visibilityDelayMs, tx)).get(order.id);
    if (leftMs !== undefined && !allowRecentSend) throw sentRecently(leftMs);
    return { ...about, recent: leftMs !== undefined };
  }
  return {
    async lock({ orderId, reason, allowRecentSend = false }, tx) {
      const order = await lockOrder(orderId, tx);
      if (order.statusConflictAt === null) requireWaiting(order, parts);
      return { order, reason, allowRecentSend, recent: false };
    },
    async confirm({ order, reason }, by, tx) {
      return order.statusConflictAt === null ? undefined : confirm(order, outcome, reason, by, parts.audit, tx);
    },
    approvalRequest: ({ order, reason }) => approvalRequestAbout(order, ACTIONS[outcome], reason),
    examine,
    alone: ({ order }, { userId }, tx) =>
      order.environment === 'uat' || takeAllowance('resolve', userId, order.amountPaise, parts.resolveAlone, tx),
    opposite: ACTIONS[OPPOSITE[outcome]],
    async reopen({ orderId }, { reason, allowRecentSend }, tx) {
      const order = await lockOrder(orderId!, tx);
      requireWaiting(order, parts);
      return examine({ order, reason, allowRecentSend, recent: false }, tx);
    },
    async apply({ order, reason, recent }, by, tx, approvalRequest) {
      const posted = await parts.ledger.resolveWith(resolutionOf(order, { outcome }, parts), tx);
      // under the order's lock nobody else can have resolved it
      if (posted.outcome === 'already') throw decided();
      await parts.audit.record(by, auditOf(order, { outcome, recent }, reason, approvalRequest), tx);
      return { wallet: order, line: await lastLineOf(order.developerId, order.id, tx), orderId: order.id };
    },
  };
};

/** What a person says became of an order. */
interface Said {
  outcome: Resolution;
  /** The provider's line that says so; left out where a person found out otherwise. */
  evidence?: StatementEvidence | null;
  recent?: boolean;
}

/** What a person said of an order, for the ledger. */
export function resolutionOf(
  order: StoredOrder,
  { outcome, evidence }: Said,
  parts: Pick<DecisionParts, 'statusChecks' | 'store'>,
): LedgerResolution {
  const known = parts.statusChecks.of(order.operation, order.provider);
  const success = outcome === 'success';
  return {
    developerId: order.developerId,
    id: order.id,
    success,
    answer: encryptedAnswer(order, success, parts),
    providerTxnId: '',
    event: 'resolution',
    askAgainMs: known ? recheckAfter(order.operation, known) : null,
    detail: evidence
      ? { note: `${NOTES[outcome]}, line ${evidence.line} of the provider's statement`, statement: evidence }
      : { note: NOTES[outcome] },
  };
}

/** What a person said of an order, for the audit log. */
export const auditOf = (
  order: StoredOrder,
  { outcome, evidence, recent }: Said,
  reason: string,
  approvalRequest: StoredApprovalRequest | undefined,
): AuditRecord => ({
  action: 'order.resolve',
  subject: subjectOf(order),
  before: { state: 'review' },
  after: {
    state: outcome,
    amountPaise: String(order.amountPaise),
    ...(evidence && { statement: evidence }),
    ...(recent && { sentRecently: true }),
    ...(approvalRequest && requesterOf(approvalRequest)),
  },
  reason,
});

/** What was decided about an order that its provider contradicts. */
export const standing = (order: Parameters<typeof isCharged>[0]): Resolution =>
  isCharged(order) ? 'success' : 'failed';

/**
 * The provider is wrong and what was decided stands: no money moves, so one person is enough. Errors: CONFLICT, before anything
 * is written, when something else was decided.
 */
export async function confirm(
  order: StoredOrder,
  outcome: Resolution,
  reason: string,
  by: ActingUser,
  audit: AuditService,
  tx: EntityManager,
): Promise<MoneyMoved> {
  const { developerId, id } = order;
  const state = standing(order);
  if (outcome !== state)
    throw new AppError('CONFLICT', {
      message:
        'This order has a final status. Use `reverseOrder` to refund a success, or `reverseRefund` to charge a refunded order again.',
    });
  const detail = JSON.stringify({ note: 'confirmed by a person' });
  await sql`select order_confirm(${developerId}, ${id}::uuid, ${detail}::jsonb)`.execute(tx.getKysely());
  const before = { state, statusConflictAt: order.statusConflictAt };
  await audit.record(by, { action: 'order.confirm', subject: subjectOf(order), before, after: { state }, reason }, tx);
  return { orderId: id };
}

/** Whether one admin alone may not say what became of an order in review, whatever they have resolved that day. */
export const requiresApproval = ({ environment, amountPaise }: StoredOrder, alonePaise: Paise): boolean =>
  environment === 'production' && amountPaise > alonePaise;

/** Errors: CONFLICT. For an order that is still being checked, the message has the time when manual review begins. */
function requireWaiting(order: StoredOrder, { statusChecks, manualReviewAfterMs }: ReviewParts): void {
  if (needsReview(order)) return;
  if (order.state !== 'open') throw decided();
  const known = statusChecks.of(order.operation, order.provider);
  throw notYet(reviewBegins(order, known, manualReviewAfterMs));
}

const notYet = (reviewAt: Date | null): AppError =>
  new AppError('CONFLICT', {
    message: reviewAt
      ? `The status of this order is still being checked with the provider. Manual review begins at ${indianTime(reviewAt)} at the earliest (\`reviewAt\`). Check the status now with \`checkOrderStatus\`.`
      : 'This order is being sent to the provider. Manual review of a payment begins when the call ends without a result.',
  });

const decided = (): AppError =>
  new AppError('CONFLICT', { message: 'This order does not wait for a decision (any more).' });

/** Payments that were sent, or can have been, so short a time ago that their provider need not show them yet: ms that are left, by order. */
export async function recentSends(
  orders: readonly StoredOrder[],
  visibilityDelayMs: number,
  tx: EntityManager,
): Promise<ReadonlyMap<string, number>> {
  if (orders.length === 0) return new Map();
  // the clock that has written the instants
  const { rows } = await sql<{ ms: number }>`select extract(epoch from now())::float8 * 1000 as ms`.execute(
    tx.getKysely(),
  );
  const nowMs = rows[0]!.ms;
  return new Map(
    orders.flatMap(({ id, unknownSince }): [string, number][] => {
      const leftMs = leftUntilShown(unknownSince ? nowMs - unknownSince.getTime() : null, visibilityDelayMs);
      return leftMs > 0 ? [[id, leftMs]] : [];
    }),
  );
}

/** Who looked for a payment at its provider can only have looked too early. Nothing has changed. */
export const sentRecently = (leftMs: number): AppError =>
  new AppError('SENT_RECENTLY', {
    message:
      'This payment may have left so short a time ago that its provider need not show it yet. Look there again after ' +
      `${Math.ceil(leftMs / 1_000)} seconds, or decide with allowRecentSend when you know otherwise.`,
    retryAfterMs: Math.ceil(leftMs),
  });
