import type { StaffRole } from '../core/principal.js';
import { DELIVERY_FAILED } from '../mails/email-jobs.js';
import { ORDERS_TO_REVIEW } from '../orders/stored-order.js';

/** Kind of work for staff, and the SQL that finds it. */
interface Kind {
  /** Description in the schema. */
  readonly description: string;
  /** Roles that can open the work. */
  readonly visibleTo: readonly StaffRole[];
  /** SQL of the items, which uses an index or a small table. */
  readonly from: string;
  /** SQL of the time an item was added. */
  readonly since: string;
  /** SQL of the Production amount. Omitted if there is none. */
  readonly paise?: string;
  /** SQL: whether an item is in UAT. Omitted if no item can be. */
  readonly isUat?: string;
}

const allStaff: readonly StaffRole[] = ['admin', 'finance', 'reviewer', 'support'];
const exceptReviewers: readonly StaffRole[] = ['admin', 'finance', 'support'];
/** SQL: amount of real money. An order in UAT uses only test funds. */
const REAL_PAISE = `case when o.environment = 'production' then o.amount_paise end`;
/** SQL for failed deliveries of the last 7 days. Older ones are kept for months but need no action. */
const FAILED_DELIVERIES = `(select w.created_at, w.environment from webhook_delivery w
  where w.state = 'failed' and w.id > (select uuidv7(interval '-7 days')) order by w.id limit 10000) d`;

/** All kinds in display order. Each is a value of the GraphQL enum. */
export const workKinds = {
  kyc: {
    description: 'KYC submissions to review. Use `approveDeveloper`, `requestKycChanges` or `rejectDeveloper`.',
    visibleTo: allStaff,
    from: `developer d where d.onboarding_status = 'kyc_submitted' and d.closed_at is null`,
    since: 'coalesce(d.kyc_submitted_at, d.created_at)',
  },
  production_request: {
    description: 'Requests for Production access. Use `unlockProduction`.',
    visibleTo: allStaff,
    from: 'developer d where d.production_requested_at is not null and not d.production_unlocked',
    since: 'd.production_requested_at',
  },
  approval_request: {
    description: 'Pending approval requests. Use `approveApprovalRequest` or `rejectApprovalRequest`.',
    visibleTo: exceptReviewers,
    from: 'approval_request p where p.final_state is null and p.expires_at > now()',
    since: 'p.created_at',
    paise: 'p.amount_paise',
  },
  review: {
    description: 'Payments in review, without a known outcome. Use `resolveOrder` or `resolveOrders`.',
    visibleTo: exceptReviewers,
    from: `${ORDERS_TO_REVIEW} where v.reason = 'review'`,
    since: 'v.since',
    paise: REAL_PAISE,
    isUat: `o.environment = 'uat'`,
  },
  status_conflict: {
    description: 'Payments with a conflicting provider status. Use `resolveOrder`, `reverseOrder` or `reverseRefund`.',
    visibleTo: exceptReviewers,
    from: `${ORDERS_TO_REVIEW} where v.reason = 'status_conflict'`,
    since: 'v.since',
    paise: REAL_PAISE,
    isUat: `o.environment = 'uat'`,
  },
  statement_difference: {
    description:
      'Differences between provider statements and orders. See `statementDifferences`; use `resolveStatementDifference`.',
    visibleTo: exceptReviewers,
    from: 'reconcile_difference d where d.resolution is null',
    since: 'd.found_at',
    paise: 'coalesce(d.our_amount_paise, d.their_amount_paise)',
  },
  failed_delivery: {
    description:
      'Failed webhook deliveries of the last 7 days, at most 10,000. Use `redeliverWebhook` when the receiver is available again.',
    visibleTo: exceptReviewers,
    from: FAILED_DELIVERIES,
    since: 'd.created_at',
    isUat: `d.environment = 'uat'`,
  },
  failed_email: {
    description:
      'Failed emails of the last 3 days: the mail server rejected them or was unavailable. See `failedEmails`; use `resendEmail`.',
    visibleTo: exceptReviewers,
    from: `email m where ${DELIVERY_FAILED}`,
    since: 'm.created_at',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type WorkKind = keyof typeof workKinds;
const kinds = Object.entries<Kind>(workKinds) as [WorkKind, Kind][];

export const kindsVisibleTo = (role: StaffRole): WorkKind[] =>
  kinds.filter(([, { visibleTo }]) => visibleTo.includes(role)).map(([kind]) => kind);

/** Returns one statement with a row for each kind, including kinds without items. */
export const workStatement = (requested: readonly WorkKind[]): string =>
  kinds
    .filter(([kind]) => requested.includes(kind))
    .map(
      ([kind, { from, since, paise, isUat = 'false' }]) =>
        `select '${kind}' as kind, count(*)::integer as count, count(*) filter (where ${isUat})::integer as uat_count, min(${since}) as oldest_at,
          ${paise === undefined ? 'null' : `coalesce(sum(${paise}), 0)::text`} as amount_paise from ${from}`,
    )
    .join(' union all ');
