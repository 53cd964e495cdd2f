import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activeUser } from '../approval-requests/active-user.js';
import type { ActingUser } from '../approval-requests/approval-request.service.js';
import type { ApprovalRequestStore } from '../approval-requests/approval-request.store.js';
import type { AuditService } from '../audit/audit.service.js';
import { indianDay } from '../core/clock.js';
import { newId } from '../core/ids.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { requestList } from '../decisions/bulk-approval-request.js';
import { lockOrders } from '../decisions/locked-order.js';
import type { Comparison, Period } from './compare.js';
import { type KeptDifferences, keepDifferences } from './difference.store.js';
import type { StatementResolution } from './resolved-by-statement.js';

/** Maximum number of orders in one approval request, which one transaction resolves. */
const MAX_ORDERS = 1_000;

export interface StatementRun {
  provider: string;
  /** SHA-256 of the file. */
  fileHash: Buffer;
  period: Period;
  comparison: Comparison;
  decided: readonly StatementResolution[];
}

/** Changes of one run. */
export interface RunResult {
  kept: KeptDifferences;
  /** Approval request; undefined if no approval was requested. */
  approvalRequest: RunApproval | undefined;
}

export interface RunApproval {
  requested: number;
  /** Orders that the statement resolves but that exceed the limit. Another run requests them after this request is resolved. */
  left: number;
  /** ID of the approval request; undefined if no approval was requested. */
  approvalRequestId: string | undefined;
  /** Whether the same approval request was already pending. */
  replayed: boolean;
}

export interface RunParts {
  orm: MikroORM;
  audit: AuditService;
  approvalRequests: ApprovalRequestStore;
}

/**
 * Stores a comparison with a statement and its differences. With the email address of a user, requests approval on behalf of
 * that user for the orders in review that the statement resolves, oldest first. Another user approves the request.
 * Throws a one-sentence message if no administrator or finance user has that email address.
 */
export async function keepRun(
  run: StatementRun,
  email: string | undefined,
  { orm, ...parts }: RunParts,
): Promise<RunResult> {
  const { provider, fileHash, period, comparison } = run;
  return inTransaction(orm, async (tx) => {
    const person = email === undefined ? undefined : await activeUser(email, 'reconcile', tx);
    const approvalRequest = person && (await requestRun(run, person, parts, tx));
    const id = newId();
    const { orders, lines: theirs, matched, differences } = comparison;
    const { requested = 0, approvalRequestId = null } = approvalRequest ?? {};
    await sql`insert into reconcile_run (id, provider, file_hash, period_from, period_to, orders, lines, matched, differences, requested,
        approval_request_id, run_by)
      values (${id}, ${provider}, ${fileHash}, ${period.from.toISOString()}, ${period.to.toISOString()}, ${orders}, ${theirs}, ${matched},
        ${differences.length}, ${requested}, ${approvalRequestId}, ${person?.userId ?? null})`.execute(tx.getKysely());
    const kept = await keepDifferences({ id, provider, period, comparison }, tx);
    const by = person ?? { actor: 'system:reconcile', requestId: `reconcile ${newId()}` };
    const after = {
      provider,
      fileHash: fileHash.toString('hex'),
      differences: differences.length,
      ...kept,
      requested,
      approvalRequestId,
    };
    await parts.audit.record(by, { action: 'reconcile.run', subject: `reconcile:${id}`, before: null, after }, tx);
    return { kept, approvalRequest };
  });
}

async function requestRun(
  { provider, fileHash, period, decided }: StatementRun,
  by: ActingUser,
  parts: Omit<RunParts, 'orm'>,
  tx: EntityManager,
): Promise<RunApproval> {
  const byOrder = new Map(decided.map((resolution) => [resolution.order.id, resolution]));
  const orders = await lockOrders([...byOrder.keys()], tx);
  const inReview = [...orders.values()]
    .filter(({ state }) => state === 'review')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lines = inReview.slice(0, MAX_ORDERS).map((order) => {
    const { outcome, line } = byOrder.get(order.id)!;
    const { reference, status, at, amountPaise } = line;
    const evidence = { line: line.line, reference, status, at: at.toISOString(), amountPaise: String(amountPaise) };
    return { order, requested: { orderId: order.id, outcome, evidence } };
  });
  const days = [period.from, new Date(period.to.getTime() - 1)].map((at) => indianDay(at));
  const reason = `Statement of ${provider}, ${days.join(' to ')}, SHA-256 ${fileHash.toString('hex')}`;
  const { approvalRequest, replayed } = await requestList(lines, reason, by, parts, tx);
  return {
    requested: lines.length,
    left: inReview.length - lines.length,
    approvalRequestId: approvalRequest?.id,
    replayed,
  };
}
