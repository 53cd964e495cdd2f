import { sql } from 'kysely';
import { instantOrNull } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { newId, UUID } from '../core/ids.js';
import { type Paise, paise } from '../core/money.js';
import { type DeveloperId, moneyRoles, type UserId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable, RowOf } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';

/** What can be proposed, as it is stored: the name that its audit entry has, but for a decision about an order. */
export type ProposalAction =
  | 'wallet.credit'
  | 'wallet.debit'
  | 'wallet.correct'
  | 'order.settle'
  | 'order.refund'
  | 'order.reverse'
  | 'order.reverse_refund'
  | 'orders.resolve'
  | 'developer.unlock_production'
  | 'service_access.set'
  | 'developer.assign_provider'
  | 'developer.set_white_label'
  | 'white_label.assign_provider'
  | 'user.set_role'
  | 'user.disable'
  | 'user.enable'
  | 'user.remove'
  | 'user.reset_factors'
  | 'user.invite'
  | 'provider.set_availability'
  | 'orders.set_hold';

/** What somebody proposes. Of one action, subject and key, however that is written, one proposal waits at a time. */
export interface NewProposal {
  action: ProposalAction;
  /** As the audit trail names it, e.g. `developer:<id>/production`. */
  subject: string;
  /** What distinguishes two proposals about one subject: the reference of a credit or debit, or the order's own. */
  key: string;
  developerId: DeveloperId | null;
  orderId: string | null;
  amountPaise: Paise | null;
  /** What the action needs beside the above: codes and references, no personal data. */
  payload: object;
  reason: string;
}

/** What a proposal that moves no money would change: words, numbers and amounts by the names that the audit trail has for them. */
export interface ProposedChange {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

/** Nothing of one that moves money. */
export const changeOf = ({ payload }: Pick<NewProposal, 'payload'>): Partial<ProposedChange> => {
  const { before, after } = payload as Partial<ProposedChange>;
  return before && after ? { before, after } : {};
};

/** What is about accounts, access and people is for admins alone. */
export const isAboutMoney = (proposal: Pick<NewProposal, 'payload'>): boolean => changeOf(proposal).after === undefined;

export interface StoredProposal extends NewProposal {
  id: string;
  /** Balance of the wallet when approval was requested; null if the request changes no wallet, or several. */
  balancePaise: Paise | null;
  proposedBy: UserId;
  proposerName: string;
  /** The proposer may still sign in, as an admin. */
  proposerActive: boolean;
  createdAt: Date;
  expiresAt: Date;
  decision: 'carried_out' | 'refused' | 'expired' | null;
  /** Who decided; null while nobody has. */
  decidedBy: UserId | null;
  decidedAt: Date | null;
  /** Nobody decided in time, whether or not that is written down. */
  expired: boolean;
}

/** What became of a proposal, or that it waits. */
export type ProposalState = 'waiting' | 'carried_out' | 'refused' | 'expired';

/** Which proposals; what is left out may be anything. */
export interface ProposalSelection {
  states?: readonly ProposalState[] | undefined;
  actions?: readonly ProposalAction[] | undefined;
  developerId?: DeveloperId | undefined;
  proposedBy?: UserId | undefined;
}

interface Row extends Omit<RowOf<StoredProposal>, 'amountPaise' | 'balancePaise'> {
  amountPaise: string | null;
  balancePaise: string | null;
}

/** Words of ours, no input. */
const MONEY_ROLES = moneyRoles.map((role) => `'${role}'`).join();
/**
 * SQL of a proposal `p` and a user `u`: the user may take part in it. Whoever suspended an administrator in an emergency takes part in
 * no change of people until another administrator has settled that; a further suspension with a second person stays possible.
 */
const MAY_TAKE_PART = `(p.action not like 'user.%' or p.action = 'user.disable' or not exists (
  select from app_user e where e.emergency_suspended_by = u.id))`;
/** A reviewer may propose to remove the second factors of a person of an account. */
const REVIEWER_PROPOSES = `(u.role = 'reviewer' and p.action = 'user.reset_factors' and p.developer_id is not null)`;
const COLUMNS = `p.id, p.action, p.subject, p.key, p.developer_id as "developerId", p.order_id as "orderId", p.amount_paise::text as "amountPaise", p.balance_paise::text as "balancePaise",
  p.payload, p.reason, p.proposed_by as "proposedBy", u.name as "proposerName", u.disabled_at is null and (u.role = 'admin' or ${REVIEWER_PROPOSES} or p.payload->'after' is null and u.role in (${MONEY_ROLES}))
  and ${MAY_TAKE_PART} as "proposerActive",
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.decision, p.decided_by as "decidedBy", p.decided_at as "decidedAt",
  p.expires_at <= now() as expired`;
const FROM = 'proposal p join app_user u on u.id = p.proposed_by';
/** $1 states, $2 actions, $3 developer, $4 proposer; each may be null. What waits has an index of its own. */
const SELECTED = `($1::text[] is null or coalesce(p.decision, case when p.expires_at > now() then 'waiting' else 'expired' end) = any($1))
  and (p.decision is null or $1::text[] is null or $1 <> '{waiting}') and ($2::text[] is null or p.action = any($2))
  and ($3::uuid is null or p.developer_id = $3) and ($4::uuid is null or p.proposed_by = $4)`;
const valuesOf = ({ states, actions, developerId, proposedBy }: ProposalSelection): unknown[] => [
  states ?? null,
  actions ?? null,
  developerId ?? null,
  proposedBy ?? null,
];
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** From the trail, along the index of its subject: the proposal itself keeps who decided, and when. */
const REFUSALS = `select p.id, a.reason from proposal p join audit_entry a on a.subject = p.subject
  where p.id = any($1) and a.action = 'proposal.refuse' and a.before->>'proposalId' = p.id::text`;

export const EARLIER_SHOWN = 5;
/** For an order, requests about lists that include it are found too. */
const EARLIER = `select t.id as later, ${COLUMNS} from unnest($1::uuid[]) k(id) join proposal t on t.id = k.id cross join lateral (
    select id from (
      select q.id from proposal q where q.subject = t.subject and q.id < t.id
      union select q.id from proposal q where t.order_id is null and q.order_id is null and q.developer_id = t.developer_id and q.id < t.id
      union select l.proposal_id from proposal_order l where l.order_id = t.order_id and l.proposal_id < t.id) found
    order by id desc limit ${EARLIER_SHOWN}) e
  join proposal p on p.id = e.id join app_user u on u.id = p.proposed_by order by p.id desc`;

/** Proposals in the database. */
export class ProposalStore {
  readonly #refusals: Loader<string, string | null>;
  readonly #earlier: Loader<string, StoredProposal[]>;

  constructor(private readonly db: Queryable) {
    this.#refusals = batchedLoader(async (ids) => {
      const { rows } = await db.query<{ id: string; reason: string }>({ text: REFUSALS, values: [ids] });
      const found = new Map(rows.map(({ id, reason }) => [id, reason]));
      return ids.map((id) => found.get(id) || null);
    });
    this.#earlier = batchedLoader(async (ids) => {
      const { rows } = await db.query<Row & { later: string }>({ text: EARLIER, values: [ids] });
      const found = Map.groupBy(rows, ({ later }) => later);
      return ids.map((id) => (found.get(id) ?? []).map(proposalOf));
    });
  }

  /** Oldest first. Errors: VALIDATION_FAILED for a page size or cursor that is none. */
  async page(selection: ProposalSelection, request: PageRequest): Promise<Page<StoredProposal>> {
    const slice = sliceOf('proposals', request, UUID);
    const { rows } = await this.db.query<Row>({
      text: `select ${COLUMNS} from ${FROM} where ${SELECTED} and p.id > $5
          and ($6::uuid is null or p.id < $6) order by p.id ${slice.backwards ? 'desc' : 'asc'} limit $7`,
      values: [...valuesOf(selection), slice.after ?? FIRST_ID, slice.before ?? null, slice.size + 1],
    });
    return pageOf(rows, slice, ({ id }) => id, proposalOf);
  }

  /** How many there are on all pages. */
  async count(selection: ProposalSelection): Promise<number> {
    const text = `select count(*)::integer as n from proposal p where ${SELECTED}`;
    const { rows } = await this.db.query<{ n: number }>({ text, values: valuesOf(selection) });
    return rows[0]!.n;
  }

  /** Whatever became of it; undefined when there is none. */
  async find(id: string): Promise<StoredProposal | undefined> {
    const { rows } = await this.db.query<Row>({
      text: `select ${COLUMNS} from ${FROM} where p.id = $1`,
      values: [id],
    });
    return rows[0] && proposalOf(rows[0]);
  }

  /** Why it was refused or withdrawn; null for one that was not. */
  refusalReason(id: string): Promise<string | null> {
    return this.#refusals.load(id);
  }

  /** Earlier requests about the same order or, for a request about no order, the same account or record; newest first. */
  earlier(id: string): Promise<StoredProposal[]> {
    return this.#earlier.load(id);
  }

  /** The one that waits for a decision; one that expired is written down as such and waits no more. */
  async waiting(
    { action, subject, key }: Pick<NewProposal, 'action' | 'subject' | 'key'>,
    tx: EntityManager,
  ): Promise<StoredProposal | undefined> {
    const db = tx.getKysely();
    await sql`update proposal set decision = 'expired', decided_at = now()
      where action = ${action} and subject = ${subject} and folded_key = reference_key(${key}) and decision is null
        and expires_at <= now()`.execute(db);
    const { rows } = await sql<Row>`select ${sql.raw(COLUMNS)} from ${sql.raw(FROM)}
      where p.action = ${action} and p.subject = ${subject} and p.folded_key = reference_key(${key}) and p.decision is null`.execute(
      db,
    );
    return rows[0] && proposalOf(rows[0]);
  }

  async add(proposal: NewProposal, by: UserId, lifeDays: number, tx: EntityManager): Promise<string> {
    const { action, subject, key, developerId, orderId, amountPaise, payload, reason } = proposal;
    const id = newId();
    const amount = amountPaise === null ? null : String(amountPaise);
    const { environment = 'production' } = payload as { environment?: Environment };
    await sql`insert into proposal (id, action, subject, key, folded_key, developer_id, order_id, order_step, amount_paise, balance_paise, payload, reason, proposed_by, expires_at)
      values (${id}, ${action}, ${subject}, ${key}, reference_key(${key}), ${developerId}, ${orderId}::uuid,
        (select max(t.step) from transfer t where t.developer_id = ${developerId}::uuid and t.subject_id = ${orderId}::uuid), ${amount}::bigint,
        (select w.balance_paise from wallet w where ${amount}::bigint is not null and w.developer_id = ${developerId}::uuid and w.environment = ${environment}),
        ${JSON.stringify(payload)}::jsonb,
        ${reason}, ${by}, now() + ${lifeDays} * interval '1 day')`.execute(tx.getKysely());
    return id;
  }

  /** The newest of those that wait, for each of the orders that has one, alone or in a list. */
  async waitingFor(orderIds: readonly string[]): Promise<Map<string, StoredProposal>> {
    const { rows } = await this.db.query<Row & { about: string }>({
      text: `select ${COLUMNS}, a.about from (
          select q.id, q.order_id as about from proposal q where q.order_id = any($1) and q.decision is null
          union all
          select l.proposal_id, l.order_id from proposal_order l where l.order_id = any($1)) a
        join proposal p on p.id = a.id join app_user u on u.id = p.proposed_by where p.decision is null and p.expires_at > now() order by p.id`,
      values: [orderIds],
    });
    return new Map(rows.map((row) => [row.about, proposalOf(row)]));
  }

  /** What waits about single ones of the orders that somebody holds: that they were performed, or not. */
  async decisionsWaiting(orderIds: readonly string[], tx: EntityManager): Promise<StoredProposal[]> {
    const { rows } = await sql<Row>`select ${sql.raw(COLUMNS)} from ${sql.raw(FROM)}
      where p.order_id = any(${orderIds}::uuid[]) and p.decision is null and p.action in ('order.settle', 'order.refund')
      order by p.id`.execute(tx.getKysely());
    return rows.map(proposalOf);
  }

  /**
   * Locked until the transaction ends, after its orders, or the account that it would change, as by those who propose; undefined
   * when there is no such proposal. Its author stays who they are so long.
   */
  async lock(id: string, tx: EntityManager): Promise<StoredProposal | undefined> {
    await sql`select 1 from developer d where d.id = (
      select p.developer_id from proposal p where p.id = ${id}::uuid and p.payload -> 'after' is not null) for update`.execute(
      tx.getKysely(),
    );
    await sql`select count(*) from (
        select o.id from orders o where o.id in (
          select p.order_id from proposal p where p.id = ${id}::uuid
          union select l.order_id from proposal_order l where l.proposal_id = ${id}::uuid)
        order by o.developer_id, o.id) k
      cross join lateral order_lock(k.id)`.execute(tx.getKysely());
    const { rows } = await sql<Row>`
      select ${sql.raw(COLUMNS)} from ${sql.raw(FROM)} where p.id = ${id}::uuid for no key update of p for share of u`.execute(
      tx.getKysely(),
    );
    return rows[0] && proposalOf(rows[0]);
  }

  /** Whether somebody may decide at this moment, about money or, as an admin, about anything, and may until the transaction ends. */
  async decidesNow(userId: UserId, about: StoredProposal, tx: EntityManager): Promise<boolean> {
    const roles = sql.raw(isAboutMoney(about) ? MONEY_ROLES : "'admin'");
    const { rows } = await sql`select from app_user u join proposal p on p.id = ${about.id}::uuid
      where u.id = ${userId} and u.disabled_at is null and u.role in (${roles}) and ${sql.raw(MAY_TAKE_PART)} for share of u`.execute(
      tx.getKysely(),
    );
    return rows.length > 0;
  }

  /** Whether the order of the proposal has had a further transfer since. The caller holds the order. */
  async isOutdated(id: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql`select from proposal p where p.id = ${id}::uuid and p.order_step <> (
      select max(t.step) from transfer t where t.developer_id = p.developer_id and t.subject_id = p.order_id)`.execute(
      tx.getKysely(),
    );
    return rows.length > 0;
  }

  async decide(id: string, decision: 'carried_out' | 'refused', by: UserId, tx: EntityManager): Promise<void> {
    await sql`update proposal set decision = ${decision}, decided_at = now(), decided_by = ${by} where id = ${id}::uuid`.execute(
      tx.getKysely(),
    );
  }
}

const proposalOf = ({ amountPaise, balancePaise, createdAt, expiresAt, decidedAt, ...row }: Row): StoredProposal => ({
  ...row,
  amountPaise: amountPaise === null ? null : paise(amountPaise),
  balancePaise: balancePaise === null ? null : paise(balancePaise),
  createdAt: new Date(createdAt),
  expiresAt: new Date(expiresAt),
  decidedAt: instantOrNull(decidedAt),
});
