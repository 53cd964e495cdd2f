import type { StaffRole } from '../core/principal.js';
import { DELIVERY_FAILED } from '../mails/mailer-jobs.js';
import { ORDERS_TO_REVIEW } from '../orders/stored-order.js';

/** What can wait for staff, and how it is found. */
interface Kind {
  /** For whoever reads the schema. */
  readonly description: string;
  /** Who may open what waits. */
  readonly seenBy: readonly StaffRole[];
  /** SQL of what waits, along an index or a small table, whatever else there is. */
  readonly from: string;
  /** SQL of since when one of them waits. */
  readonly since: string;
  /** SQL of the real money that it is about; left out where it is about none. */
  readonly paise?: string;
  /** SQL: whether one is about UAT; left out where none is. */
  readonly isUat?: string;
}

const everyone: readonly StaffRole[] = ['admin', 'finance', 'reviewer', 'support'];
const beyondKyc: readonly StaffRole[] = ['admin', 'finance', 'support'];
/** Of an order in UAT it is play money. */
const REAL_PAISE = `case when o.environment = 'production' then o.amount_paise end`;
/** Retention keeps them for months, and what nobody cared about for a week nobody will. */
const FAILED_DELIVERIES = `(select w.created_at, w.environment from webhook_delivery w
  where w.state = 'failed' and w.id > (select uuidv7(interval '-7 days')) order by w.id limit 10000) d`;

/** The one table: a row here is a kind of the graph, in the order in which a page shows them. */
export const workKinds = {
  kyc: {
    description: 'KYC that was handed in: approveDeveloper, requestKycChanges or rejectDeveloper.',
    seenBy: everyone,
    from: `developer d where d.onboarding_status = 'kyc_submitted' and d.closed_at is null`,
    since: 'coalesce(d.kyc_submitted_at, d.created_at)',
  },
  production_request: {
    description: 'Accounts that ask for live access: unlockProduction.',
    seenBy: everyone,
    from: 'developer d where d.production_requested_at is not null and not d.production_unlocked',
    since: 'd.production_requested_at',
  },
  approval_request: {
    description: 'Pending approval requests: approveApprovalRequest or rejectApprovalRequest.',
    seenBy: beyondKyc,
    from: 'approval_request p where p.final_state is null and p.expires_at > now()',
    since: 'p.created_at',
    paise: 'p.amount_paise',
  },
  review: {
    description: 'Payments whose outcome nobody could find out: resolveOrder or resolveOrders.',
    seenBy: beyondKyc,
    from: `${ORDERS_TO_REVIEW} where v.reason = 'review'`,
    since: 'v.since',
    paise: REAL_PAISE,
    isUat: `o.environment = 'uat'`,
  },
  status_conflict: {
    description: 'Payments with a conflicting provider status: resolveOrder, reverseOrder or reverseRefund.',
    seenBy: beyondKyc,
    from: `${ORDERS_TO_REVIEW} where v.reason = 'status_conflict'`,
    since: 'v.since',
    paise: REAL_PAISE,
    isUat: `o.environment = 'uat'`,
  },
  statement_difference: {
    description:
      'Differences between statements of providers and our orders: statementDifferences, resolveStatementDifference.',
    seenBy: beyondKyc,
    from: 'reconcile_difference d where d.resolution is null',
    since: 'd.found_at',
    paise: 'coalesce(d.our_amount_paise, d.their_amount_paise)',
  },
  failed_delivery: {
    description:
      'Webhooks of the last seven days that were given up, counted up to 10,000: redeliverWebhook, once the receiver works again.',
    seenBy: beyondKyc,
    from: FAILED_DELIVERIES,
    since: 'd.created_at',
    isUat: `d.environment = 'uat'`,
  },
  failed_email: {
    description:
      'Emails whose retries were exhausted in the last three days: their mail server rejects them or is unavailable. failedEmails, resendEmail.',
    seenBy: beyondKyc,
    from: `email m where ${DELIVERY_FAILED}`,
    since: 'm.created_at',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type WorkKind = keyof typeof workKinds;
const kinds = Object.entries<Kind>(workKinds) as [WorkKind, Kind][];

export const kindsSeenBy = (role: StaffRole): WorkKind[] =>
  kinds.filter(([, { seenBy }]) => seenBy.includes(role)).map(([kind]) => kind);

/** One statement for all of them: a row each, also where nothing waits. */
export const workStatement = (wanted: readonly WorkKind[]): string =>
  kinds
    .filter(([kind]) => wanted.includes(kind))
    .map(
      ([kind, { from, since, paise, isUat = 'false' }]) =>
        `select '${kind}' as kind, count(*)::integer as count, count(*) filter (where ${isUat})::integer as uat_count, min(${since}) as oldest_at,
          ${paise === undefined ? 'null' : `coalesce(sum(${paise}), 0)::text`} as amount_paise from ${from}`,
    )
    .join(' union all ');
