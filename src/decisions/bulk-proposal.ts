import { hash } from 'node:crypto';
import type { AuditService } from '../audit/audit.service.js';
import { add, type Paise, ZERO } from '../core/money.js';
import { canonicalJson } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { type Decider, propose, refuseWaiting } from '../proposals/proposal.service.js';
import type { ProposalStore } from '../proposals/proposal.store.js';
import type { ListDecision } from './money-decision.js';
import { addProposedOrders, type ProposedOrder } from './proposed-orders.js';

/** One order of a list with what became of it, as somebody says. */
export interface ListLine {
  order: StoredOrder;
  proposed: ProposedOrder;
}

/**
 * Makes one proposal of orders in review that the transaction holds; of none, none. It replaces what waits about single ones of
 * them. The same list waits once.
 */
export async function proposeList(
  lines: readonly ListLine[],
  reason: string,
  by: Decider,
  { proposals: store, audit }: { proposals: ProposalStore; audit: AuditService },
  tx: EntityManager,
): Promise<Pick<ListDecision, 'proposal' | 'replayed'>> {
  if (lines.length === 0) return { proposal: undefined, replayed: false };
  const orders = lines.map(({ order }) => order);
  const list = lines.map(({ proposed }) => proposed);
  const proposal = {
    action: 'orders.resolve',
    subject: subjectOf(list),
    key: `${lines.length} orders`,
    developerId: null,
    orderId: null,
    amountPaise: sumOf(orders),
    payload: {},
    reason,
  } as const;
  const waiting = await store.waiting(proposal, tx);
  if (waiting) return { proposal: waiting, replayed: true };
  const ids = orders.map(({ id }) => id);
  for (const single of await store.decisionsWaiting(ids, tx))
    await refuseWaiting(single, reason, by, { store, audit }, tx);
  const made = await propose(proposal, by, { store, audit }, tx);
  await addProposedOrders(made.id, list, tx);
  return { proposal: made, replayed: false };
}

export const sumOf = (orders: readonly StoredOrder[]): Paise =>
  orders.reduce((sum, { amountPaise }) => add(sum, amountPaise), ZERO);

/** A list as the audit trail names it: by the digest of everything that it says. */
export function subjectOf(list: readonly ProposedOrder[]): string {
  const sorted = list
    .map(({ orderId, outcome, evidence }) => ({ orderId, outcome, evidence }))
    .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  return `orders:${hash('sha256', canonicalJson(sorted))}`;
}
