import { sql } from 'kysely';
import { type Paise, paise } from '../core/money.js';
import type { EntityManager } from '../db/orm.js';
import type { Resolution } from './review.types.js';

/** One order of a proposed list. */
export interface ProposedOrder {
  orderId: string;
  outcome: Resolution;
}

/** Writes the list of a proposal, in the transaction that makes it. */
export async function addProposedOrders(
  proposalId: string,
  list: readonly ProposedOrder[],
  tx: EntityManager,
): Promise<void> {
  const ids = list.map(({ orderId }) => orderId);
  const outcomes = list.map(({ outcome }) => outcome);
  await sql`insert into proposal_order (proposal_id, order_id, outcome)
    select ${proposalId}::uuid, x.id, x.outcome from unnest(${ids}::uuid[], ${outcomes}::text[]) x(id, outcome)`.execute(
    tx.getKysely(),
  );
}

interface Row {
  order_id: string;
  outcome: Resolution;
  amount_paise: string;
}

/** The list of a proposal with the amounts of its orders, oldest first; none when it is about no list. */
export async function proposedOrders(
  proposalId: string,
  em: EntityManager,
): Promise<(ProposedOrder & { amountPaise: Paise })[]> {
  const { rows } = await sql<Row>`
    select l.order_id, l.outcome, o.amount_paise::text from proposal_order l join orders o on o.id = l.order_id
    where l.proposal_id = ${proposalId}::uuid order by l.order_id`.execute(em.getKysely());
  return rows.map(({ order_id, outcome, amount_paise }) => ({
    orderId: order_id,
    outcome,
    amountPaise: paise(amount_paise),
  }));
}
