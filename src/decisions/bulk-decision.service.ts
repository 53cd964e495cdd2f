import type { MikroORM } from '@mikro-orm/postgresql';
import type { ActingUser, Approvable, Approval, Decided } from '../approval-requests/approval-request.service.js';
import type { ApprovalRequestStore, StoredApprovalRequest } from '../approval-requests/approval-request.store.js';
import { AppError, type ErrorCode } from '../core/errors.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { noOrder } from '../orders/archived-orders.js';
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
  /** "Failed" counts although the provider need not show a payment yet. */
  allowRecentSend?: boolean | undefined;
}

interface BulkParts extends Omit<DecisionParts, 'creditAlone'> {
  orm: MikroORM;
  approvalRequests: ApprovalRequestStore;
}

/** What became of each order, and what waits for a second person. */
export interface ListDecision extends Omit<Decided<never>, 'done'> {
  results: readonly ResolvedOrder[];
}

/** A list, with those of its orders that can be decided. */
interface ListCase {
  list: readonly ApprovalRequestOrder[];
  lines: readonly ListLine[];
  recent: ReadonlyMap<string, number>;
  reason: string;
}

/** People decide many orders at once: by the same rules as one, with one pair of people for the whole list. */
export class BulkDecisionService implements Approvable<ListCase, MoneyMoved> {
  constructor(private readonly parts: BulkParts) {}

  /**
   * Says of every order what became of it, in one commit. Those of real money count together: when their sum is above what one
   * person decides alone, at once or in a day, they become one approval request, which replaces what waits about single ones of them. An order that cannot be
   * decided is refused by itself, with RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT or SENT_RECENTLY, and the others go on.
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
        if (!order) refusals.set(id, noOrder(archived.get(id)).code);
        else if (order.statusConflictAt !== null)
          await confirm(order, outcome, reason, by, audit, tx).catch((error: unknown) => {
            // it is refused before anything is written
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
   * A requested list: an order that was decided meanwhile is refused by itself. Errors: CONFLICT when all of them were, or the list
   * is not the one that was requested; SENT_RECENTLY when a person calls one of them failed that its provider need not show yet.
   */
  async reopen(
    approvalRequest: StoredApprovalRequest,
    { reason, allowRecentSend }: Approval,
    tx: EntityManager,
  ): Promise<ListCase> {
    const list = await approvalRequestOrders(approvalRequest.id, tx);
    // if it could grow after the first person had seen it, the second one would approve nothing
    if (subjectOfList(list) !== approvalRequest.subject)
      throw new AppError('CONFLICT', { message: 'This list is not the one that was requested.' });
    const orders = await lockOrders(
      list.map(({ orderId }) => orderId),
      tx,
    );
    const lines = list.flatMap((requested) => {
      const order = orders.get(requested.orderId);
      return order && needsReview(order) ? [{ order, requested }] : [];
    });
    if (lines.length === 0)
      throw new AppError('CONFLICT', { message: 'All orders of this list were decided meanwhile.' });
    // a line of the provider's own statement shows it
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

  /** Whether this person is enough for these orders of real money. */
  async #isEnough(live: readonly StoredOrder[], { userId }: ActingUser, tx: EntityManager): Promise<boolean> {
    return live.length === 0 || takeAllowance('resolve', userId, sumOf(live), this.parts.resolveAlone, tx);
  }

  /** All money before the first audit entry: its writer holds a lock that others wait for with a wallet in hand. */
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
    // under the orders' locks nobody else can have resolved them
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
