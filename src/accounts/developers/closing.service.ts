import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditRecord, AuditService } from '../../audit/audit.service.js';
import { decimalText, type Paise, paise } from '../../core/money.js';
import type { DeveloperId } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import { ServiceAccessEntity } from '../account.entities.js';
import { closedMail } from '../account.mails.js';
import type { CredentialService } from '../keys/credential.service.js';
import type { UserService } from '../people/user.service.js';
import { close, lockDeveloper, stateOf, subjectOf } from './developer.state.js';
import { switchService } from './service-access.js';

interface Found {
  balance: string | null;
  open: { operation: keyof typeof OPEN; n: number; held: string }[];
  review: number;
  conflicting: number;
  rechecked: number;
  rechecked_until: string | null;
  approvalRequests: string[];
}

/** Names of open orders in messages, by operation. */
const OPEN = {
  recharge: ['recharge is', 'recharges are', 'open'],
  card_payment: ['card bill payment is', 'card bill payments are', 'not settled'],
  card_bill: ['card bill request is', 'card bill requests are', 'open'],
  lookup: ['lookup is', 'lookups are', 'open'],
} as const;

const rupees = (amount: string): string => `₹${decimalText(paise(amount) as Paise)}`;
const some = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/**
 * Returns the reasons why an account cannot be closed now, one sentence each; empty if it can be closed. Only Production money
 * is considered. A single statement reads all facts at one moment: with an empty wallet and no open orders, no new order can
 * start.
 */
async function obstaclesOf(developerId: DeveloperId, tx: EntityManager): Promise<string[]> {
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
      (select count(*)::integer from looked_at where reason = 'status_conflict') as conflicting,
      (select count(*)::integer from due where state in ('success', 'failed')) as rechecked,
      (select max(due_at) from due where state in ('success', 'failed')) as rechecked_until,
      (select coalesce(jsonb_agg('apr_' || p.id || ' (' || p.action || ')' order by p.id), '[]') from approval_request p
        where p.final_state is null and p.expires_at > now() and (p.developer_id = ${developerId}
          or p.subject in (select 'user:' || u.id from app_user u where u.developer_id = ${developerId}))) as "approvalRequests"`.execute(
    tx.getKysely(),
  );
  return sentencesOf(rows[0]!);
}

function sentencesOf({
  balance,
  open,
  review,
  conflicting,
  rechecked,
  rechecked_until,
  approvalRequests,
}: Found): string[] {
  return [
    ...(balance === null
      ? []
      : [`The Production wallet has a balance of ${rupees(balance)}. Pay it out, then debit the wallet.`]),
    ...open.map(({ operation, n, held }) => {
      const [one, many, how] = OPEN[operation];
      return `${some(n, one, many)} ${how}, with ${rupees(held)} held. Wait for the outcome.`;
    }),
    ...(review === 0
      ? []
      : [`${some(review, 'order needs', 'orders need')} review. Resolve ${review === 1 ? 'it' : 'them'} first.`]),
    ...(conflicting === 0
      ? []
      : [
          `${some(conflicting, 'order has', 'orders have')} a conflicting provider status. Resolve ${conflicting === 1 ? 'it' : 'them'} first.`,
        ]),
    ...(rechecked === 0
      ? []
      : [
          `${some(rechecked, 'resolved order is', 'resolved orders are')} rechecked until ${new Date(rechecked_until!).toISOString()}, because the provider may still reverse the payment.`,
        ]),
    ...(approvalRequests.length === 0
      ? []
      : [
          `${some(approvalRequests.length, 'approval request is', 'approval requests are')} pending: ${approvalRequests.join(', ')}.`,
        ]),
  ];
}

/** Webhook endpoints, which are deleted when the account is closed, in the caller's transaction. */
interface EndpointsOfAccounts {
  /** Removes the endpoints and returns the audit entries that the caller must write. */
  removeAll(developerId: DeveloperId, tx: EntityManager): Promise<AuditRecord[]>;
}

interface ClosingParts {
  orm: MikroORM;
  audit: AuditService;
  users: UserService;
  credentials: CredentialService;
  endpoints: EndpointsOfAccounts;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
}

/** Result of closing an account. */
export type Closing =
  | { outcome: 'closed_before'; at: Date }
  | { outcome: 'refused'; obstacles: string[] }
  | { outcome: 'closed'; ended: Record<string, number>; erased: Record<string, number> };

/** Error that rolls back a transaction and contains its result. */
class OnlyTried extends Error {
  constructor(readonly closing: Closing) {
    super('only tried');
  }
}

export class ClosingService {
  constructor(private readonly parts: ClosingParts) {}

  /**
   * Closes an account, revokes all access to it and erases data that the law does not require to be kept. Changes nothing if
   * there are obstacles. With `tries`, reports the result and rolls back. Throws RECORD_NOT_FOUND.
   */
  async close(developerId: DeveloperId, reason: string, by: Actor, { tries = false } = {}): Promise<Closing> {
    try {
      return await withEmails(this.parts, async (tx) => {
        const closing = await this.#close(developerId, reason, by, tx);
        if (tries) throw new OnlyTried(closing);
        return closing;
      });
    } catch (error) {
      if (error instanceof OnlyTried) return error.closing;
      throw error;
    }
  }

  async #close(developerId: DeveloperId, reason: string, by: Actor, tx: EntityManager): Promise<Closing> {
    const { audit, users, credentials, endpoints, mails } = this.parts;
    // locks in this order: account, users, API keys, endpoints, audit log
    const developer = await lockDeveloper(developerId, tx);
    if (developer.closedAt) return { outcome: 'closed_before', at: developer.closedAt };
    const obstacles = await obstaclesOf(developerId, tx);
    if (obstacles.length > 0) return { outcome: 'refused', obstacles };
    const before = stateOf(developer);
    const removed = {
      people: await users.removeAll(developerId, reason, tx),
      keys: await credentials.endAll(developerId, reason, tx),
      'webhook endpoints': await endpoints.removeAll(developerId, tx),
      services: await this.#switchOff(developerId, by, tx),
    };
    close(developer, reason);
    await tx.flush();
    const erased = await eraseClosed(developerId, tx);
    const ended = Object.fromEntries(Object.entries(removed).map(([what, records]) => [what, records.length]));
    const after = { ...stateOf(developer), ended, erased };
    const entry: AuditRecord = { action: 'developer.close', subject: subjectOf(developerId), before, after, reason };
    await audit.recordAll(by, [...Object.values(removed).flat(), entry], tx);
    await mails.queue(closedMail(developer.email), tx);
    return { outcome: 'closed', ended, erased };
  }

  async #switchOff(developerId: DeveloperId, by: Actor, tx: EntityManager): Promise<AuditRecord[]> {
    const records: AuditRecord[] = [];
    for (const { service } of await tx.find(ServiceAccessEntity, { developerId, enabled: true }))
      records.push({
        action: 'service_access.set',
        ...(await switchService(developerId, { service, enabled: false }, by, tx)),
      });
    return records;
  }
}

async function eraseClosed(developerId: DeveloperId, tx: EntityManager): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; erased: string }>`select * from erase_closed(${developerId})`.execute(
    tx.getKysely(),
  );
  return Object.fromEntries(rows.map(({ kind, erased }) => [kind, Number(erased)]));
}
