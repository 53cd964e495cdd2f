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
import { recheckAfter, remainingVisibilityDelay, reviewStart } from '../orders/states.js';
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

/** Order to resolve, and the evidence. */
export interface OrderResolution {
  orderId: string;
  reason: string;
  /** Whether the outcome "failed" is allowed although the provider may not list the payment yet. */
  allowRecentSend?: boolean | undefined;
}

interface ReviewCase {
  order: StoredOrder;
  reason: string;
  allowRecentSend: boolean;
  /** Whether the provider may not list the payment yet and the user accepts that. */
  recent: boolean;
}

/**
 * Creates the decision that resolves an order in review, which no status check could resolve. Money, evidence and audit entry
 * are one commit. In Production, an amount above the limit requires approval, and a decision with the opposite outcome
 * replaces the pending one. An order with a conflicting provider status can be confirmed.
 *
 * Throws RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT if it is not in review, and SENT_RECENTLY.
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
      // this is not possible while the order is locked
      if (posted.outcome === 'already') throw decided();
      await parts.audit.record(by, auditOf(order, { outcome, recent }, reason, approvalRequest), tx);
      return { wallet: order, line: await lastLineOf(order.developerId, order.id, tx), orderId: order.id };
    },
  };
};

/** Outcome of an order as claimed by a user. */
interface Said {
  outcome: Resolution;
  /** Line of the provider statement that proves the outcome. Omitted for other evidence. */
  evidence?: StatementEvidence | null;
  recent?: boolean;
}

/** Returns the claimed outcome in the form for the ledger. */
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
    result: encryptedAnswer(order, success, parts),
    providerTxnId: '',
    event: 'resolution',
    recheckAfterMs: known ? recheckAfter(order.operation, known) : null,
    detail: evidence
      ? { note: `${NOTES[outcome]}, line ${evidence.line} of the provider's statement`, statement: evidence }
      : { note: NOTES[outcome] },
  };
}

/** Returns the claimed outcome in the form for the audit log. */
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

/** Returns the final status of an order with a conflicting provider status. */
export const standing = (order: Parameters<typeof isCharged>[0]): Resolution =>
  isCharged(order) ? 'success' : 'failed';

/**
 * Confirms the final status against the provider. No money moves, so one person is enough. Throws CONFLICT for a different
 * final status, before anything is written.
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
        'This order has a final status. Use `reverseOrder` to refund a successful order, or `reverseRefund` to reverse its refund.',
    });
  const detail = JSON.stringify({ note: 'final status confirmed by support' });
  await sql`select order_confirm(${developerId}, ${id}::uuid, ${detail}::jsonb)`.execute(tx.getKysely());
  const before = { state, statusConflictAt: order.statusConflictAt };
  await audit.record(by, { action: 'order.confirm', subject: subjectOf(order), before, after: { state }, reason }, tx);
  return { orderId: id };
}

/** Whether an order in review requires two people, regardless of the daily limit. */
export const requiresApproval = ({ environment, amountPaise }: StoredOrder, alonePaise: Paise): boolean =>
  environment === 'production' && amountPaise > alonePaise;

/**
 * Throws CONFLICT if the order is not in review. For an order that is still being checked, the message contains the time when
 * manual review begins.
 */
function requireWaiting(order: StoredOrder, { statusChecks, manualReviewAfterMs }: ReviewParts): void {
  if (needsReview(order)) return;
  if (order.state !== 'open') throw decided();
  const known = statusChecks.of(order.operation, order.provider);
  throw notYet(reviewStart(order, known, manualReviewAfterMs));
}

const notYet = (reviewAt: Date | null): AppError =>
  new AppError('CONFLICT', {
    message: reviewAt
      ? `The status of this order is still being checked with the provider. Manual review begins at ${indianTime(reviewAt)} at the earliest (\`reviewAt\`). Check the status now with \`checkOrderStatus\`.`
      : 'This order is being sent to the provider. Manual review begins if the call ends without a result.',
  });

const decided = (): AppError => new AppError('CONFLICT', { message: 'This order is not in review.' });

/**
 * Returns the payments that may have been sent so recently that their provider may not list them yet, with the remaining
 * milliseconds by order.
 */
export async function recentSends(
  orders: readonly StoredOrder[],
  visibilityDelayMs: number,
  tx: EntityManager,
): Promise<ReadonlyMap<string, number>> {
  if (orders.length === 0) return new Map();
  // reads the clock that wrote these times
  const { rows } = await sql<{ ms: number }>`select extract(epoch from now())::float8 * 1000 as ms`.execute(
    tx.getKysely(),
  );
  const nowMs = rows[0]!.ms;
  return new Map(
    orders.flatMap(({ id, unknownSince }): [string, number][] => {
      const leftMs = remainingVisibilityDelay(unknownSince ? nowMs - unknownSince.getTime() : null, visibilityDelayMs);
      return leftMs > 0 ? [[id, leftMs]] : [];
    }),
  );
}

/** Returns the error for a user who may have looked for the payment at the provider too early. Nothing has changed. */
export const sentRecently = (leftMs: number): AppError =>
  new AppError('SENT_RECENTLY', {
    message:
      'This payment was sent too recently; the provider may not list it yet. Look it up again after ' +
      `${Math.ceil(leftMs / 1_000)} seconds, or set \`allowRecentSend\` if you have other evidence.`,
    retryAfterMs: Math.ceil(leftMs),
  });
