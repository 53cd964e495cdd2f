import { sql } from 'kysely';
import { type Paise, paise } from '../core/money.js';
import type { EntityManager } from '../db/orm.js';
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

/** Writes the list of a proposal, in the transaction that makes it. */
export async function addProposedOrders(
  proposalId: string,
  list: readonly ProposedOrder[],
  tx: EntityManager,
): Promise<void> {
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
