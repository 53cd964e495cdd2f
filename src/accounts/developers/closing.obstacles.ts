import { sql } from 'kysely';
import { decimalText, type Paise, paise } from '../../core/money.js';
import type { DeveloperId } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';

interface Found {
  balance: string | null;
  open: { operation: keyof typeof OPEN; n: number; held: string }[];
  review: number;
  contradicted: number;
  rechecked: number;
  rechecked_until: string | null;
  proposals: string[];
}

/** What waits, by its operation. */
const OPEN = {
  recharge: ['recharge is', 'recharges are', 'open'],
  card_payment: ['card bill is', 'card bills are', 'not settled'],
  card_bill: ['fetch of a card bill is', 'fetches of card bills are', 'open'],
  lookup: ['lookup is', 'lookups are', 'open'],
} as const;

const rupees = (amount: string): string => `₹${decimalText(paise(amount) as Paise)}`;
const some = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/**
 * Why an account cannot be closed now, a sentence each; empty when it can. Of real money alone: play money is nobody's. One statement,
 * so one instant: with an empty wallet and nothing open no order can begin any more.
 */
export async function obstaclesOf(developerId: DeveloperId, tx: EntityManager): Promise<string[]> {
  const { rows } = await sql<Found>`
    with due as materialized (
      select o.operation, o.state, o.amount_paise, q.due_at from order_due q
        cross join lateral (select * from orders x where x.developer_id = q.developer_id and x.id = q.order_id limit 1) o
      where q.developer_id = ${developerId} and o.environment = 'production'),
    looked_at as materialized (
      select v.reason from order_review v
        cross join lateral (select * from orders x where x.developer_id = v.developer_id and x.id = v.order_id limit 1) o
      where v.developer_id = ${developerId} and o.environment = 'production')
    select (select w.balance_paise::text from wallet w
        where w.developer_id = ${developerId} and w.environment = 'production' and w.balance_paise > 0) as balance,
      (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from (
        select operation, count(*)::integer as n, sum(amount_paise)::text as held from due where state = 'open' group by 1 order by 1) g) as open,
      (select count(*)::integer from looked_at where reason = 'review') as review,
      (select count(*)::integer from looked_at where reason = 'contradiction') as contradicted,
      (select count(*)::integer from due where state in ('success', 'failed')) as rechecked,
      (select max(due_at) from due where state in ('success', 'failed')) as rechecked_until,
      (select coalesce(jsonb_agg('prp_' || p.id || ' (' || p.action || ')' order by p.id), '[]') from proposal p
        where p.decision is null and p.expires_at > now() and (p.developer_id = ${developerId}
          or p.subject in (select 'user:' || u.id from app_user u where u.developer_id = ${developerId}))) as proposals`.execute(
    tx.getKysely(),
  );
  return sentencesOf(rows[0]!);
}

function sentencesOf({ balance, open, review, contradicted, rechecked, rechecked_until, proposals }: Found): string[] {
  return [
    ...(balance === null ? [] : [`The wallet of production holds ${rupees(balance)}: pay it out, and debit it.`]),
    ...open.map(({ operation, n, held }) => {
      const [one, many, how] = OPEN[operation];
      return `${some(n, one, many)} ${how}, with ${rupees(held)} held: wait for the outcome.`;
    }),
    ...(review === 0 ? [] : [`${some(review, 'order waits', 'orders wait')} for a person who decides.`]),
    ...(contradicted === 0
      ? []
      : [`${some(contradicted, 'decided order', 'decided orders')} whose provider says the opposite: decide.`]),
    ...(rechecked === 0
      ? []
      : [
          `${some(rechecked, 'decided order is', 'decided orders are')} asked about again, until ${new Date(rechecked_until!).toISOString()}: a provider may take one back.`,
        ]),
    ...(proposals.length === 0
      ? []
      : [
          `${some(proposals.length, 'proposal waits', 'proposals wait')} for a second person: ${proposals.join(', ')}.`,
        ]),
  ];
}
