import { hash } from 'node:crypto';
import { sql } from 'kysely';
import {
  type ActingUser,
  type Decided,
  rejectPending,
  requestApproval,
} from '../approval-requests/approval-request.service.js';
import type { ApprovalRequestStore } from '../approval-requests/approval-request.store.js';
import type { AuditService } from '../audit/audit.service.js';
import { add, type Paise, paise, ZERO } from '../core/money.js';
import { canonicalJson } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import type { StoredOrder } from '../orders/stored-order.js';
import type { StatementStatus } from '../providers/provider.js';
import type { Resolution } from './review.types.js';

/** Line of a provider statement that proves the outcome of an order, as stored. It contains no account number. */
export interface StatementEvidence {
  /** Line number in the file. */
  line: number;
  /** Reference of the provider. Empty if there is none. */
  reference: string;
  status: StatementStatus;
  /** Time in ISO 8601. */
  at: string;
  /** Amount in paise, as an integer. */
  amountPaise: string;
}

/** Order in the list of an approval request. */
export interface ApprovalRequestOrder {
  orderId: string;
  outcome: Resolution;
  /** Statement line. Null if a user specified the outcome. */
  evidence: StatementEvidence | null;
}

/** Order of a list, with its claimed outcome. */
export interface ListLine {
  order: StoredOrder;
  requested: ApprovalRequestOrder;
}

/**
 * Creates one approval request for locked orders in review, or none for an empty list. It replaces pending approval requests
 * about single orders of the list. Only one request per list can be pending.
 */
export async function requestList(
  lines: readonly ListLine[],
  reason: string,
  by: ActingUser,
  parts: { approvalRequests: ApprovalRequestStore; audit: AuditService },
  tx: EntityManager,
): Promise<Omit<Decided<never>, 'done'>> {
  if (lines.length === 0) return { replayed: false };
  const orders = lines.map(({ order }) => order);
  const list = lines.map(({ requested }) => requested);
  const approvalRequest = {
    action: 'orders.resolve',
    subject: subjectOfList(list),
    key: `${lines.length} orders`,
    developerId: null,
    orderId: null,
    amountPaise: sumOf(orders),
    payload: {},
    reason,
  } as const;
  const waiting = await parts.approvalRequests.pending(approvalRequest, tx);
  if (waiting) return { approvalRequest: waiting, replayed: true };
  const ids = orders.map(({ id }) => id);
  for (const single of await parts.approvalRequests.pendingDecisions(ids, tx))
    await rejectPending(single, reason, by, parts, tx);
  const made = await requestApproval(approvalRequest, by, parts, tx);
  await addApprovalRequestOrders(made.id, list, tx);
  return { approvalRequest: made, replayed: false };
}

export const sumOf = (orders: readonly StoredOrder[]): Paise =>
  orders.reduce((sum, { amountPaise }) => add(sum, amountPaise), ZERO);

/** Returns the subject of a list in the audit log, which is a digest of its content. */
export function subjectOfList(list: readonly ApprovalRequestOrder[]): string {
  const sorted = list
    .map(({ orderId, outcome, evidence }) => ({ orderId, outcome, evidence }))
    .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  return `orders:${hash('sha256', canonicalJson(sorted))}`;
}

/** Stores the list of an approval request, in the transaction that creates it. */
async function addApprovalRequestOrders(
  approvalRequestId: string,
  list: readonly ApprovalRequestOrder[],
  tx: EntityManager,
): Promise<void> {
  const ids = list.map(({ orderId }) => orderId);
  const outcomes = list.map(({ outcome }) => outcome);
  const evidence = list.map((one) => one.evidence && JSON.stringify(one.evidence));
  await sql`insert into approval_request_order (approval_request_id, order_id, outcome, evidence)
    select ${approvalRequestId}::uuid, x.id, x.outcome, x.evidence
    from unnest(${ids}::uuid[], ${outcomes}::text[], ${evidence}::jsonb[]) x(id, outcome, evidence)`.execute(
    tx.getKysely(),
  );
}

interface Row {
  order_id: string;
  outcome: Resolution;
  evidence: StatementEvidence | null;
  amount_paise: string;
}

/** Returns the list of an approval request with the amounts of its orders, oldest first. Empty if the request has no list. */
export async function approvalRequestOrders(
  approvalRequestId: string,
  em: EntityManager,
): Promise<(ApprovalRequestOrder & { amountPaise: Paise })[]> {
  const { rows } = await sql<Row>`
    select l.order_id, l.outcome, l.evidence, o.amount_paise::text from approval_request_order l join orders o on o.id = l.order_id
    where l.approval_request_id = ${approvalRequestId}::uuid order by l.order_id`.execute(em.getKysely());
  return rows.map(({ order_id, outcome, evidence, amount_paise }) => ({
    orderId: order_id,
    outcome,
    evidence,
    amountPaise: paise(amount_paise),
  }));
}
