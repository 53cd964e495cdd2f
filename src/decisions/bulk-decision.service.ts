import type { MikroORM } from '@mikro-orm/postgresql';
import type { ActingUser, Approvable, Approval, Decided } from '../approval-requests/approval-request.service.js';
import type { ApprovalRequestStore, StoredApprovalRequest } from '../approval-requests/approval-request.store.js';
import { AppError, type ErrorCode } from '../core/errors.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { orderNotFound } from '../orders/archived-orders.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { needsReview } from '../orders/views/order-actions.js';
import { takeAllowance } from './alone-allowance.js';
import {
  type ApprovalRequestOrder,
  approvalRequestOrders,
  type ListLine,
  requestList,
  subjectOfList,
  sumOf,
} from './bulk-approval-request.js';
import type { ResolvedOrder } from './bulk-decision.types.js';
import { archivedAmong, lockOrders } from './locked-order.js';
import type { DecisionParts, MoneyMoved } from './money-decision.js';
import { auditOf, confirm, recentSends, resolutionOf, sentRecently } from './review.decision.js';
import type { Resolution } from './review.types.js';

export interface ListToDecide {
  orderIds: readonly string[];
  outcome: Resolution;
  reason: string;
  /** Whether the outcome "failed" is allowed although the provider may not list a payment yet. */
  allowRecentSend?: boolean | undefined;
}

interface BulkParts extends Omit<DecisionParts, 'creditAlone'> {
  orm: MikroORM;
  approvalRequests: ApprovalRequestStore;
}

/** Result for each order, and the approval request if there is one. */
export interface ListDecision extends Omit<Decided<never>, 'done'> {
  results: readonly ResolvedOrder[];
}

/** List with the orders that can be resolved. */
interface ListCase {
  list: readonly ApprovalRequestOrder[];
  lines: readonly ListLine[];
  recent: ReadonlyMap<string, number>;
  reason: string;
}

/** Resolves several orders by the rules for one order. One pair of people is enough for the whole list. */
export class BulkDecisionService implements Approvable<ListCase, MoneyMoved> {
  constructor(private readonly parts: BulkParts) {}

  /**
   * Resolves the orders in one commit and returns a result for each. If the sum of the Production orders exceeds the limits
   * for one person, they become one approval request, which replaces pending ones about single orders. An order that cannot be
   * resolved is rejected with RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT or SENT_RECENTLY; the other orders are resolved.
   */
  async resolve(
    { orderIds, outcome, reason, allowRecentSend = false }: ListToDecide,
    by: ActingUser,
  ): Promise<ListDecision> {
    const { orm, visibilityDelayMs, audit } = this.parts;
    return inTransaction(orm, async (tx) => {
      const orders = await lockOrders(orderIds, tx);
      const pending = [...orders.values()].filter(needsReview);
      const recent = await recentSends(outcome === 'failed' ? pending : [], visibilityDelayMs, tx);
      const inReview = pending.filter(({ id }) => allowRecentSend || !recent.has(id));
      const live = inReview.filter(({ environment }) => environment === 'production');
      const together = new Set((await this.#isEnough(live, by, tx)) ? [] : live);
      const lines = inReview.map((order) => ({ order, requested: { orderId: order.id, outcome, evidence: null } }));
      const takesTwo = ({ order }: ListLine): boolean => together.has(order);

      await this.#execute({ lines: lines.filter((line) => !takesTwo(line)), recent, reason }, by, tx);
      const refusals = new Map<string, ErrorCode>();
      const archived = await archivedAmong(
        orderIds.filter((id) => !orders.has(id)),
        tx,
      );
      for (const id of orderIds) {
        const order = orders.get(id);
        if (!order) refusals.set(id, orderNotFound(archived.get(id)).code);
        else if (order.statusConflictAt !== null)
          await confirm(order, outcome, reason, by, audit, tx).catch((error: unknown) => {
            // the order is rejected before anything is written
            if (!(error instanceof AppError)) throw error;
            refusals.set(id, error.code);
          });
        else if (!needsReview(order)) refusals.set(id, 'CONFLICT');
        else if (!inReview.includes(order)) refusals.set(id, 'SENT_RECENTLY');
      }
      const waiting = await requestList(lines.filter(takesTwo), reason, by, this.parts, tx);
      const requested = new Set([...together].map(({ id }) => id));
      const results = orderIds.map((orderId): ResolvedOrder => {
        const code = refusals.get(orderId) ?? null;
        return {
          orderId,
          result: code ? 'rejected' : requested.has(orderId) ? 'approval_requested' : 'resolved',
          code,
        };
      });
      return { results, ...waiting };
    });
  }

  /**
   * Reopens a requested list. Orders resolved in the meantime are rejected. Throws CONFLICT if all of them are resolved, or if
   * the list is not the requested one. Throws SENT_RECENTLY if a user claims that a payment failed that its provider may not
   * list yet.
   */
  async reopen(
    approvalRequest: StoredApprovalRequest,
    { reason, allowRecentSend }: Approval,
    tx: EntityManager,
  ): Promise<ListCase> {
    const list = await approvalRequestOrders(approvalRequest.id, tx);
    // the second person must approve exactly the list that was requested
    if (subjectOfList(list) !== approvalRequest.subject)
      throw new AppError('CONFLICT', {
        message:
          'The list differs from the list that was requested. Reject this approval request and request approval again.',
      });
    const orders = await lockOrders(
      list.map(({ orderId }) => orderId),
      tx,
    );
    const lines = list.flatMap((requested) => {
      const order = orders.get(requested.orderId);
      return order && needsReview(order) ? [{ order, requested }] : [];
    });
    if (lines.length === 0)
      throw new AppError('CONFLICT', { message: 'All orders of this list have been resolved in the meantime.' });
    // orders with a line of the provider statement need no check
    const looked = lines.filter(({ requested }) => requested.outcome === 'failed' && requested.evidence === null);
    const recent = await recentSends(
      looked.map(({ order }) => order),
      this.parts.visibilityDelayMs,
      tx,
    );
    if (recent.size > 0 && !allowRecentSend) throw sentRecently(Math.max(...recent.values()));
    return { list, lines, recent, reason };
  }

  async apply(
    about: ListCase,
    by: ActingUser,
    tx: EntityManager,
    approvalRequest?: StoredApprovalRequest,
  ): Promise<MoneyMoved> {
    await this.#execute(about, by, tx, approvalRequest);
    const decided = new Set(about.lines.map(({ order }) => order.id));
    const results = about.list.map(
      ({ orderId }): ResolvedOrder =>
        decided.has(orderId)
          ? { orderId, result: 'resolved', code: null }
          : { orderId, result: 'rejected', code: 'CONFLICT' },
    );
    return { results };
  }

  /** Whether one person is enough for these Production orders. */
  async #isEnough(live: readonly StoredOrder[], { userId }: ActingUser, tx: EntityManager): Promise<boolean> {
    return live.length === 0 || takeAllowance('resolve', userId, sumOf(live), this.parts.resolveAlone, tx);
  }

  /** Moves all money before it writes the first audit entry, because writing the audit log takes a lock that others wait for. */
  async #execute(
    { lines, recent, reason }: Omit<ListCase, 'list'>,
    by: ActingUser,
    tx: EntityManager,
    approvalRequest?: StoredApprovalRequest,
  ): Promise<void> {
    if (lines.length === 0) return;
    const { ledger, audit } = this.parts;
    const outcomes = await ledger.resolveAllWith(
      lines.map(({ order, requested }) => resolutionOf(order, requested, this.parts)),
      tx,
    );
    // this is not possible while the orders are locked
    if (outcomes.includes('already')) throw new AppError('CONFLICT');
    await audit.recordAll(
      by,
      lines.map(({ order, requested }) =>
        auditOf(order, { ...requested, recent: recent.has(order.id) }, reason, approvalRequest),
      ),
      tx,
    );
  }
}
