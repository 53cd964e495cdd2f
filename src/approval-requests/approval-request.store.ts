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

/** Stored actions. They have the names of their audit actions, except resolutions of orders. */
export type ApprovalRequestAction =
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
  | 'user.suspend'
  | 'user.reinstate'
  | 'user.remove'
  | 'user.reset_factors'
  | 'user.invite'
  | 'provider.set_availability'
  | 'orders.resume';

/** Approval request to create. Only one per action, subject and key can be pending. */
export interface NewApprovalRequest {
  action: ApprovalRequestAction;
  /** Subject in the form of the audit log, for example `developer:<id>/production`. */
  subject: string;
  /** Reference of a credit, debit or order. It distinguishes approval requests about one subject. */
  key: string;
  developerId: DeveloperId | null;
  orderId: string | null;
  amountPaise: Paise | null;
  /** Further values for the action: codes and references, but no personal data. */
  payload: object;
  reason: string;
}

/** Values before and after a change that moves no money, with the field names of the audit log. */
export interface RequestedChange {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

/** Returns the change of an approval request. It is empty if the change moves money. */
export const changeOf = ({ payload }: Pick<NewApprovalRequest, 'payload'>): Partial<RequestedChange> => {
  const { before, after } = payload as Partial<RequestedChange>;
  return before && after ? { before, after } : {};
};

/** Whether the approval request is about money. Others are visible only to administrators. */
export const isAboutMoney = (approvalRequest: Pick<NewApprovalRequest, 'payload'>): boolean =>
  changeOf(approvalRequest).after === undefined;

export interface StoredApprovalRequest extends NewApprovalRequest {
  id: string;
  /** Balance of the wallet when approval was requested. Null if the request changes no wallet or several wallets. */
  balancePaise: Paise | null;
  requestedBy: UserId;
  requesterName: string;
  /** Whether the requester is active and still has the required role. */
  requesterActive: boolean;
  createdAt: Date;
  expiresAt: Date;
  finalState: 'approved' | 'rejected' | 'expired' | null;
  /** User who approved or rejected it. Null if there is none. */
  resolvedBy: UserId | null;
  resolvedAt: Date | null;
  /** Whether the request has expired, even if this is not stored yet. */
  expired: boolean;
}

export type ApprovalRequestState = 'pending' | 'approved' | 'rejected' | 'expired';

/** Filter for approval requests. Omitted fields do not filter. */
export interface ApprovalRequestSelection {
  states?: readonly ApprovalRequestState[] | undefined;
  actions?: readonly ApprovalRequestAction[] | undefined;
  developerId?: DeveloperId | undefined;
  requestedBy?: UserId | undefined;
}

interface Row extends Omit<RowOf<StoredApprovalRequest>, 'amountPaise' | 'balancePaise'> {
  amountPaise: string | null;
  balancePaise: string | null;
}

/** SQL list of the roles. It contains only constants, never input. */
const MONEY_ROLES = moneyRoles.map((role) => `'${role}'`).join();
/**
 * SQL: whether user `u` can take part in approval request `p`. A user who suspended an administrator in an emergency cannot
 * take part in user changes until another administrator resolves it, except in further suspensions with a second person.
 */
const CAN_TAKE_PART = `(p.action not like 'user.%' or p.action = 'user.suspend' or not exists (
  select from app_user e where e.emergency_suspended_by = u.id))`;
/** SQL: whether a reviewer can request the change. Reviewers can request to reset the second factors of users of an account. */
const REVIEWER_REQUESTS = `(u.role = 'reviewer' and p.action = 'user.reset_factors' and p.developer_id is not null)`;
const COLUMNS = `p.id, p.action, p.subject, p.key, p.developer_id as "developerId", p.order_id as "orderId", p.amount_paise::text as "amountPaise", p.balance_paise::text as "balancePaise",
  p.payload, p.reason, p.requested_by as "requestedBy", u.name as "requesterName", u.disabled_at is null and (u.role = 'admin' or ${REVIEWER_REQUESTS} or p.payload->'after' is null and u.role in (${MONEY_ROLES}))
  and ${CAN_TAKE_PART} as "requesterActive",
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.final_state as "finalState", p.resolved_by as "resolvedBy", p.resolved_at as "resolvedAt",
  p.expires_at <= now() as expired`;
const FROM = 'approval_request p join app_user u on u.id = p.requested_by';
/**
 * SQL condition with the parameters $1 states, $2 actions, $3 developer and $4 requester, each of which may be null. Pending
 * approval requests have their own index.
 */
const SELECTED = `($1::text[] is null or coalesce(p.final_state, case when p.expires_at > now() then 'pending' else 'expired' end) = any($1))
  and (p.final_state is null or $1::text[] is null or $1 <> '{pending}') and ($2::text[] is null or p.action = any($2))
  and ($3::uuid is null or p.developer_id = $3) and ($4::uuid is null or p.requested_by = $4)`;
const valuesOf = ({ states, actions, developerId, requestedBy }: ApprovalRequestSelection): unknown[] => [
  states ?? null,
  actions ?? null,
  developerId ?? null,
  requestedBy ?? null,
];
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL for rejection reasons, from the audit log. The approval request itself contains only the user and the time of the
 * resolution.
 */
const REFUSALS = `select p.id, a.reason from approval_request p join audit_entry a on a.subject = p.subject
  where p.id = any($1) and a.action = 'approval_request.reject' and a.before->>'approvalRequestId' = p.id::text`;

export const EARLIER_SHOWN = 5;
/** SQL for earlier requests. For an order, it also finds requests about lists that include the order. */
const EARLIER = `select t.id as later, ${COLUMNS} from (select distinct unnest($1::uuid[]) as id) k join approval_request t on t.id = k.id cross join lateral (
    select id from (
      select q.id from approval_request q where q.subject = t.subject and q.id < t.id
      union select q.id from approval_request q where t.order_id is null and q.order_id is null and q.developer_id = t.developer_id and q.id < t.id
      union select l.approval_request_id from approval_request_order l where l.order_id = t.order_id and l.approval_request_id < t.id) found
    order by id desc limit ${EARLIER_SHOWN}) e
  join approval_request p on p.id = e.id join app_user u on u.id = p.requested_by order by p.id desc`;

export class ApprovalRequestStore {
  readonly #rejectionReasons: Loader<string, string | null>;
  readonly #earlier: Loader<string, StoredApprovalRequest[]>;

  constructor(private readonly db: Queryable) {
    this.#rejectionReasons = batchedLoader(async (ids) => {
      const { rows } = await db.query<{ id: string; reason: string }>({ text: REFUSALS, values: [ids] });
      const found = new Map(rows.map(({ id, reason }) => [id, reason]));
      return ids.map((id) => found.get(id) || null);
    });
    this.#earlier = batchedLoader(async (ids) => {
      const { rows } = await db.query<Row & { later: string }>({ text: EARLIER, values: [ids] });
      const found = Map.groupBy(rows, ({ later }) => later);
      return ids.map((id) => (found.get(id) ?? []).map(approvalRequestOf));
    });
  }

  /** Returns a page of approval requests, oldest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(selection: ApprovalRequestSelection, request: PageRequest): Promise<Page<StoredApprovalRequest>> {
    const slice = sliceOf('approvalRequests', request, UUID);
    const { rows } = await this.db.query<Row>({
      text: `select ${COLUMNS} from ${FROM} where ${SELECTED} and p.id > $5
          and ($6::uuid is null or p.id < $6) order by p.id ${slice.backwards ? 'desc' : 'asc'} limit $7`,
      values: [...valuesOf(selection), slice.after ?? FIRST_ID, slice.before ?? null, slice.size + 1],
    });
    return pageOf(rows, slice, ({ id }) => id, approvalRequestOf);
  }

  /** Returns the number of approval requests on all pages. */
  async count(selection: ApprovalRequestSelection): Promise<number> {
    const text = `select count(*)::integer as n from approval_request p where ${SELECTED}`;
    const { rows } = await this.db.query<{ n: number }>({ text, values: valuesOf(selection) });
    return rows[0]!.n;
  }

  /** Returns an approval request in any state, or undefined if there is none. */
  async find(id: string): Promise<StoredApprovalRequest | undefined> {
    const { rows } = await this.db.query<Row>({
      text: `select ${COLUMNS} from ${FROM} where p.id = $1`,
      values: [id],
    });
    return rows[0] && approvalRequestOf(rows[0]);
  }

  /** Returns the reason for the rejection or withdrawal. Null in other states. */
  rejectionReason(id: string): Promise<string | null> {
    return this.#rejectionReasons.load(id);
  }

  /**
   * Returns earlier approval requests about the same order or, without an order, about the same account or record, newest
   * first.
   */
  earlier(id: string): Promise<StoredApprovalRequest[]> {
    return this.#earlier.load(id);
  }

  /** Returns the pending approval request. If it has expired, first stores it as expired. */
  async pending(
    { action, subject, key }: Pick<NewApprovalRequest, 'action' | 'subject' | 'key'>,
    tx: EntityManager,
  ): Promise<StoredApprovalRequest | undefined> {
    const db = tx.getKysely();
    await sql`update approval_request set final_state = 'expired', resolved_at = now()
      where action = ${action} and subject = ${subject} and folded_key = reference_key(${key}) and final_state is null
        and expires_at <= now()`.execute(db);
    const { rows } = await sql<Row>`select ${sql.raw(COLUMNS)} from ${sql.raw(FROM)}
      where p.action = ${action} and p.subject = ${subject} and p.folded_key = reference_key(${key}) and p.final_state is null`.execute(
      db,
    );
    return rows[0] && approvalRequestOf(rows[0]);
  }

  async add(approvalRequest: NewApprovalRequest, by: UserId, lifeDays: number, tx: EntityManager): Promise<string> {
    const { action, subject, key, developerId, orderId, amountPaise, payload, reason } = approvalRequest;
    const id = newId();
    const amount = amountPaise === null ? null : String(amountPaise);
    const { environment = 'production' } = payload as { environment?: Environment };
    await sql`insert into approval_request (id, action, subject, key, folded_key, developer_id, order_id, order_step, amount_paise, balance_paise, payload, reason, requested_by, expires_at)
      values (${id}, ${action}, ${subject}, ${key}, reference_key(${key}), ${developerId}, ${orderId}::uuid,
        (select max(t.step) from transfer t where t.developer_id = ${developerId}::uuid and t.subject_id = ${orderId}::uuid), ${amount}::bigint,
        (select w.balance_paise from wallet w where ${amount}::bigint is not null and w.developer_id = ${developerId}::uuid and w.environment = ${environment}),
        ${JSON.stringify(payload)}::jsonb,
        ${reason}, ${by}, now() + ${lifeDays} * interval '1 day')`.execute(tx.getKysely());
    return id;
  }

  /** Returns the newest pending approval request of each order that has one. The request can be about the order or a list. */
  async pendingFor(orderIds: readonly string[]): Promise<Map<string, StoredApprovalRequest>> {
    const { rows } = await this.db.query<Row & { about: string }>({
      text: `select ${COLUMNS}, a.about from (
          select q.id, q.order_id as about from approval_request q where q.order_id = any($1) and q.final_state is null
          union all
          select l.approval_request_id, l.order_id from approval_request_order l where l.order_id = any($1)) a
        join approval_request p on p.id = a.id join app_user u on u.id = p.requested_by where p.final_state is null and p.expires_at > now() order by p.id`,
      values: [orderIds],
    });
    return new Map(rows.map((row) => [row.about, approvalRequestOf(row)]));
  }

  /** Returns the pending approval requests to resolve single orders among those that the caller has locked. */
  async pendingDecisions(orderIds: readonly string[], tx: EntityManager): Promise<StoredApprovalRequest[]> {
    const { rows } = await sql<Row>`select ${sql.raw(COLUMNS)} from ${sql.raw(FROM)}
      where p.order_id = any(${orderIds}::uuid[]) and p.final_state is null and p.action in ('order.settle', 'order.refund')
      order by p.id`.execute(tx.getKysely());
    return rows.map(approvalRequestOf);
  }

  /**
   * Locks an approval request until the transaction ends, after its orders or account, in the lock order of its creation. Also
   * locks the requester. Returns undefined if there is none.
   */
  async lock(id: string, tx: EntityManager): Promise<StoredApprovalRequest | undefined> {
    await sql`select 1 from developer d where d.id = (
      select p.developer_id from approval_request p where p.id = ${id}::uuid and p.payload -> 'after' is not null) for update`.execute(
      tx.getKysely(),
    );
    await sql`select count(*) from (
        select o.id from orders o where o.id in (
          select p.order_id from approval_request p where p.id = ${id}::uuid
          union select l.order_id from approval_request_order l where l.approval_request_id = ${id}::uuid)
        order by o.developer_id, o.id) k
      cross join lateral order_lock(k.id)`.execute(tx.getKysely());
    const { rows } = await sql<Row>`
      select ${sql.raw(COLUMNS)} from ${sql.raw(FROM)} where p.id = ${id}::uuid for no key update of p for share of u`.execute(
      tx.getKysely(),
    );
    return rows[0] && approvalRequestOf(rows[0]);
  }

  /**
   * Whether the user can approve now: with a money role if the request is about money, otherwise as an administrator. Locks
   * the user until the transaction ends.
   */
  async canApproveNow(userId: UserId, about: StoredApprovalRequest, tx: EntityManager): Promise<boolean> {
    const roles = sql.raw(isAboutMoney(about) ? MONEY_ROLES : "'admin'");
    const { rows } = await sql`select from app_user u join approval_request p on p.id = ${about.id}::uuid
      where u.id = ${userId} and u.disabled_at is null and u.role in (${roles}) and ${sql.raw(CAN_TAKE_PART)} for share of u`.execute(
      tx.getKysely(),
    );
    return rows.length > 0;
  }

  /** Whether the order of the approval request has had another transfer since. The caller has locked the order. */
  async isOutdated(id: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql`select from approval_request p where p.id = ${id}::uuid and p.order_step <> (
      select max(t.step) from transfer t where t.developer_id = p.developer_id and t.subject_id = p.order_id)`.execute(
      tx.getKysely(),
    );
    return rows.length > 0;
  }

  async resolve(id: string, state: 'approved' | 'rejected', by: UserId, tx: EntityManager): Promise<void> {
    await sql`update approval_request set final_state = ${state}, resolved_at = now(), resolved_by = ${by} where id = ${id}::uuid`.execute(
      tx.getKysely(),
    );
  }
}

const approvalRequestOf = ({
  amountPaise,
  balancePaise,
  createdAt,
  expiresAt,
  resolvedAt,
  ...row
}: Row): StoredApprovalRequest => ({
  ...row,
  amountPaise: amountPaise === null ? null : paise(amountPaise),
  balancePaise: balancePaise === null ? null : paise(balancePaise),
  createdAt: new Date(createdAt),
  expiresAt: new Date(expiresAt),
  resolvedAt: instantOrNull(resolvedAt),
});
