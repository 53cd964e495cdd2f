import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { AuditService } from '../audit/audit.service.js';
import { add, type Paise, paise, ZERO } from '../core/money.js';
import { canonicalJson } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { type Decided, type Decider, propose, refuseWaiting } from '../proposals/proposal.service.js';
import type { ProposalStore } from '../proposals/proposal.store.js';
import type { StatementStatus } from '../providers/provider.js';
import type { Resolution } from './review.types.js';

/** The line of a provider's statement that says what became of an order, as it is stored. No account. */
export interface StatementEvidence {
  /** Where it stands in the file. */
  line: number;
  /** Empty where the provider takes none. */
  reference: string;
  status: StatementStatus;
  /** ISO 8601. */
  at: string;
  /** Integer paise. */
  amountPaise: string;
}

/** One order of a proposed list. */
export interface ProposedOrder {
  orderId: string;
  outcome: Resolution;
  /** Null where a person says so. */
  evidence: StatementEvidence | null;
}

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
  parts: { proposals: ProposalStore; audit: AuditService },
  tx: EntityManager,
): Promise<Omit<Decided<never>, 'done'>> {
  if (lines.length === 0) return { replayed: false };
  const orders = lines.map(({ order }) => order);
  const list = lines.map(({ proposed }) => proposed);
  const proposal = {
    action: 'orders.resolve',
    subject: subjectOfList(list),
    key: `${lines.length} orders`,
    developerId: null,
    orderId: null,
    amountPaise: sumOf(orders),
    payload: {},
    reason,
  } as const;
  const waiting = await parts.proposals.waiting(proposal, tx);
  if (waiting) return { proposal: waiting, replayed: true };
  const ids = orders.map(({ id }) => id);
  for (const single of await parts.proposals.decisionsWaiting(ids, tx))
    await refuseWaiting(single, reason, by, parts, tx);
  const made = await propose(proposal, by, parts, tx);
  await addProposedOrders(made.id, list, tx);
  return { proposal: made, replayed: false };
}

export const sumOf = (orders: readonly StoredOrder[]): Paise =>
  orders.reduce((sum, { amountPaise }) => add(sum, amountPaise), ZERO);

/** A list as the audit trail names it: by the digest of everything that it says. */
export function subjectOfList(list: readonly ProposedOrder[]): string {
  const sorted = list
    .map(({ orderId, outcome, evidence }) => ({ orderId, outcome, evidence }))
    .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  return `orders:${hash('sha256', canonicalJson(sorted))}`;
}

/** Writes the list of a proposal, in the transaction that makes it. */
async function addProposedOrders(proposalId: string, list: readonly ProposedOrder[], tx: EntityManager): Promise<void> {
  const ids = list.map(({ orderId }) => orderId);
  const outcomes = list.map(({ outcome }) => outcome);
  const evidence = list.map((one) => one.evidence && JSON.stringify(one.evidence));
  await sql`insert into proposal_order (proposal_id, order_id, outcome, evidence)
    select ${proposalId}::uuid, x.id, x.outcome, x.evidence
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

/** The list of a proposal with the amounts of its orders, oldest first; none when it is about no list. */
export async function proposedOrders(
  proposalId: string,
  em: EntityManager,
): Promise<(ProposedOrder & { amountPaise: Paise })[]> {
  const { rows } = await sql<Row>`
    select l.order_id, l.outcome, l.evidence, o.amount_paise::text from proposal_order l join orders o on o.id = l.order_id
    where l.proposal_id = ${proposalId}::uuid order by l.order_id`.execute(em.getKysely());
  return rows.map(({ order_id, outcome, evidence, amount_paise }) => ({
    orderId: order_id,
    outcome,
    evidence,
    amountPaise: paise(amount_paise),
  }));
}
