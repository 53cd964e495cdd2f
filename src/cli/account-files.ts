import { mobileContext } from '../accounts/people/people.reader.js';
import { canHoldCardNumber, type KeptKey, orderContext } from '../core/card-number.js';
import { maskDigits, maskedCard } from '../core/secret.js';
import { profileContext } from '../leads/profile.store.js';
import { draftContext, submissionContext } from '../onboarding/kyc.store.js';
import { contactContext } from '../onboarding/sign-up.store.js';

/** Row of a file: its sort key, its plain columns, and its encrypted columns. */
export interface AccountRow {
  key: string;
  line: object;
  [sealed: string]: unknown;
}

/**
 * Decrypts a part of a row. Returns null if the part does not exist or cannot be decrypted; the latter is listed in the index.
 */
export type Unseal = <T>(part: string, context: string, sealed: unknown) => T | null;

/** File with data of an account: JSON lines, sorted by a key. */
export interface AccountFile {
  name: string;
  /** Description in the index. */
  holds: string;
  /**
   * SQL of a page. $1: account, $2: key of the last line, $3: number of lines, $4: upper limit of IDs at the time of the export.
   */
  text: string;
  /** Key that is lower than all keys. */
  first: string;
  /** Returns the decrypted parts of a line. */
  unsealed?(row: AccountRow, unseal: Unseal, developerId: string): object;
}

const MIN_ID = '00000000-0000-0000-0000-000000000000';

/** Returns the SQL expression for these columns as one object with times in ISO 8601. */
const line = (columns: string): string => `(select to_jsonb(l) from (select ${columns}) l) as line`;
/** Returns the SQL expression that converts paise to rupees. */
const rupees = (column: string): string => `(${column} / 100.0)::numeric(20, 2)::text`;

/** Files with few rows, read in one snapshot. */
export const smallFiles: readonly AccountFile[] = [
  {
    name: 'account.jsonl',
    holds: 'The account: name, email address, mobile number, state and limits.',
    text: `select d.id::text as key, c.contact, ${line(`'dev_' || d.id as id, d.account_number as "accountNumber", d.name, d.email,
        d.created_at as "createdAt", d.onboarding_status as "onboardingStatus", d.email_verified_at as "emailVerifiedAt",
        d.kyc_submitted_at as "kycSubmittedAt", d.rejection_reason as "rejectionReason", d.approved_at as "approvedAt",
        d.production_requested_at as "productionRequestedAt", d.production_request as "productionRequest", d.production_unlocked as "productionUnlocked", d.suspended_at as "suspendedAt",
        d.suspension_reason as "suspensionReason", d.rejected_at as "rejectedAt", d.closed_at as "closedAt", w.name as "whiteLabel",
        coalesce(w.recharge_provider, d.recharge_provider) as "rechargeProvider", d.rate_limit_per_minute as "rateLimitPerMinute",
        d.duplicate_guard_s as "duplicateGuardSeconds", d.session_idle_minutes as "sessionIdleMinutes", d.token_idle_days as "tokenIdleDays", d.token_max_days as "tokenMaxDays"`)}
      from developer d left join white_label w on w.id = d.white_label_id left join developer_contact c on c.developer_id = d.id
      where d.id = $1 and d.id > $2::uuid order by d.id limit $3`,
    first: MIN_ID,
    unsealed: ({ contact }, unseal, id) => ({
      mobile: unseal<{ mobile: string }>('mobile', contactContext(id), contact)?.mobile ?? null,
    }),
  },
  {
    name: 'people.jsonl',
    holds: 'Current and former users: name, email address, mobile number, role.',
    text: `select u.id::text as key, u.mobile, ${line(`'usr_' || u.id as id, u.name, u.email, u.team_role as "teamRole",
        u.created_at as "createdAt", u.disabled_at as "disabledAt", u.removed_at as "removedAt"`)}
      from app_user u where u.developer_id = $1 and u.id > $2::uuid order by u.id limit $3`,
    first: MIN_ID,
    unsealed: ({ key, mobile }, unseal) => ({ mobile: unseal<string>('mobile', mobileContext(key), mobile) }),
  },
  {
    name: 'invitations.jsonl',
    holds: 'Pending invitations.',
    text: `select i.id::text as key, ${line(`i.name, i.email, i.team_role as "teamRole", i.created_at as "createdAt", i.expires_at as "expiresAt"`)}
      from invitation i where i.developer_id = $1 and i.id > $2::uuid order by i.id limit $3`,
    first: MIN_ID,
  },
  {
    name: 'second-factors.jsonl',
    holds: 'Second factors of users, without their secrets.',
    text: `select f.id::text as key, ${line(`'usr_' || f.user_id as user, f.kind, f.name, f.added_at as "addedAt",
        f.confirmed_at as "confirmedAt", f.last_used_at as "lastUsedAt"`)}
      from app_user u join second_factor f on f.user_id = u.id where u.developer_id = $1 and f.id > $2::uuid order by f.id limit $3`,
    first: MIN_ID,
  },
  {
    name: 'sessions.jsonl',
    holds: 'Portal sessions of users. Ended sessions are deleted within an hour.',
    text: `select s.id::text as key, ${line(`'usr_' || s.user_id as user, s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
        s.expires_at as "expiresAt", s.revoked_at as "endedAt", s.address, s.agent, s.confirmed_at as "confirmedAt"`)}
      from app_user u join session s on s.user_id = u.id where u.developer_id = $1 and s.id > $2::uuid order by s.id limit $3`,
    first: MIN_ID,
  },
  {
    name: 'devices.jsonl',
    holds: 'Last sign-in of each user from a device. Only a hash of the device is kept.',
    text: `select k.key, k.line from (select d.user_id || ' ' || encode(d.device_hash, 'hex') as key,
          ${line(`'usr_' || d.user_id as user, d.last_seen_at as "lastSeenAt"`)}
        from app_user u join known_device d on d.user_id = u.id where u.developer_id = $1) k
      where k.key > $2 order by k.key limit $3`,
    first: '',
  },
  {
    name: 'failed-attempts.jsonl',
    holds: 'Failed attempts to sign in as a user of the account.',
    text: `select s.id::text as key, ${line(`'usr_' || s.user_id as user, s.kind, s.at, s.last_at as "lastAt", s.count,
        s.identifier, s.address, s.reason`)}
      from app_user u join security_event s on s.user_id = u.id where u.developer_id = $1 and s.id > $2::uuid order by s.id limit $3`,
    first: MIN_ID,
  },
  {
    name: 'keys.jsonl',
    holds: 'API keys, without their secrets.',
    text: `select c.client_id as key, ${line(`c.client_id as "clientId", c.environment, c.label, c.secret_last4 as "secretLast4",
        c.created_at as "createdAt", c.last_used_at as "lastUsedAt", c.suspended_at as "suspendedAt",
        c.suspension_reason as "suspensionReason", c.starts_at as "startsAt", c.expires_at as "expiresAt", c.revoked_at as "revokedAt"`)}
      from credential c where c.developer_id = $1 and c.client_id > $2 order by c.client_id limit $3`,
    first: '',
  },
  {
    name: 'tokens.jsonl',
    holds: 'Valid access tokens of API keys, without the token values.',
    text: `select k.key, k.line from (select encode(t.token_hash, 'hex') as key, ${line(`t.client_id as "clientId", t.environment,
          t.device_name as "deviceName", t.created_at as "createdAt", t.last_used_at as "lastUsedAt", t.expires_at as "expiresAt"`)}
        from credential c join access_token t on t.client_id = c.client_id and t.revoked_at is null where c.developer_id = $1) k
      where k.key > $2 order by k.key limit $3`,
    first: '',
  },
  {
    name: 'client-tokens.jsonl',
    holds: 'Number of client tokens created per API key and day.',
    text: `select k.key, k.line from (select t.client_id || ' ' || t.day as key, ${line('t.client_id as "clientId", t.day, t.made')}
        from credential c join client_token_count t on t.client_id = c.client_id where c.developer_id = $1) k
      where k.key > $2 order by k.key limit $3`,
    first: '',
  },
  {
    name: 'services.jsonl',
    holds: 'Services that were enabled or disabled, with their fees in rupees.',
    text: `select s.service as key, ${line(`s.service, s.enabled, ${rupees('s.fee_paise')} as fee`)}
      from service_access s where s.developer_id = $1 and s.service > $2 order by s.service limit $3`,
    first: '',
  },
  {
    name: 'rejected-calls.jsonl',
    holds: 'The last rejected call of each environment and service.',
    text: `select k.key, k.line from (select r.environment || ' ' || r.service as key, ${line(`r.environment, r.service, r.at, r.code,
          r.request_id as "requestId", r.operation`)}
        from rejected_call r where r.developer_id = $1) k
      where k.key > $2 order by k.key limit $3`,
    first: '',
  },
  {
    name: 'kyc-submissions.jsonl',
    holds: 'KYC submissions, with the IDs of their documents.',
    text: `select s.id::text as key, s.details, ${line(`s.id, s.created_at as "submittedAt", s.document_ids as "documentIds"`)}
      from kyc_submission s where s.developer_id = $1 and s.id > $2::uuid order by s.id limit $3`,
    first: MIN_ID,
    unsealed: ({ key, details }, unseal, id) => ({
      details: unseal('details', submissionContext(id, key), details),
    }),
  },
  {
    name: 'kyc-draft.jsonl',
    holds: 'KYC draft that was not submitted.',
    text: `select d.developer_id::text as key, d.details, ${line('d.updated_at as "updatedAt"')}
      from kyc_draft d where d.developer_id = $1 and d.developer_id > $2::uuid order by d.developer_id limit $3`,
    first: MIN_ID,
    unsealed: ({ details }, unseal, id) => ({ details: unseal('details', draftContext(id), details) }),
  },
  {
    name: 'notes.jsonl',
    holds: 'Notes by staff about the account.',
    text: `select n.id::text as key, ${line('n.created_at as "createdAt", n.text')}
      from developer_note n where n.developer_id = $1 and n.id > $2::uuid order by n.id limit $3`,
    first: MIN_ID,
  },
  {
    name: 'wallets.jsonl',
    holds: 'Balances in rupees.',
    text: `select w.environment as key, ${line(`w.environment, ${rupees('w.balance_paise')} as balance, o.before as "archivedBefore"`)}
      from wallet w left join wallet_opening o on o.developer_id = w.developer_id and o.environment = w.environment
      where w.developer_id = $1 and w.environment > $2 order by w.environment limit $3`,
    first: '',
  },
  {
    name: 'webhook-endpoints.jsonl',
    holds: 'Webhook endpoints, without their secrets.',
    text: `select e.id::text as key, ${line(`'whe_' || e.id as id, e.environment, e.url, e.types, e.client_id as "clientId",
        e.created_at as "createdAt", e.starts_at as "startsAt", e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason"`)}
      from webhook_endpoint e where e.developer_id = $1 and e.id > $2::uuid order by e.id limit $3`,
    first: MIN_ID,
  },
];

interface StoredRequest extends KeptKey {
  card?: string;
}

/** Masks card numbers, including those in idempotency keys chosen by clients. */
function withoutCard(request: StoredRequest | null): StoredRequest | null {
  if (!request) return null;
  const { card, clientKey, ...rest } = request;
  return {
    ...rest,
    ...(card === undefined ? {} : { card: maskedCard(card) }),
    ...(clientKey === undefined ? {} : { clientKey: canHoldCardNumber(clientKey) ? maskDigits(clientKey) : clientKey }),
  };
}

/** Files that can have millions of rows. They are read page by page, up to the time of the snapshot. */
export const largeFiles: readonly AccountFile[] = [
  {
    name: 'orders.jsonl',
    holds: 'Orders with their requests and outcomes. Amounts in rupees; of a card number, only the last digits.',
    // the rows of a page are selected first, because the responses are large
    text: `select o.id::text as key, o.request, coalesce(o.answer, a.answer) as answer, ${line(`'ord_' || o.id as id, o.reference,
        o.environment, o.operation, case when o.client_key not like 'h:%' then o.client_key end as "clientKey",
        ${rupees('o.amount_paise')} as amount, o.state, o.decline_reason as "declineReason", o.provider_txn_id as "providerTxnId",
        o.created_at as "createdAt", o.settled_at as "settledAt", o.reversed_at as "reversedAt"`)}
      from (select * from orders x where x.developer_id = $1 and x.id > $2::uuid and x.id < $4::uuid order by x.id limit $3) o
      left join lookup_answer a on a.developer_id = o.developer_id and a.order_id = o.id order by o.id`,
    first: MIN_ID,
    unsealed: ({ key, request, answer }, unseal) => ({
      request: withoutCard(unseal<StoredRequest>('request', orderContext(key), request)),
      answer: unseal('answer', orderContext(key), answer),
    }),
  },
  {
    name: 'order-events.jsonl',
    holds: 'Events of orders: responses, status checks, callbacks, resolutions. Postings are in the statements.',
    text: `select e.order_id || ' ' || e.id as key, ${line(`'ord_' || e.order_id as "order", e.at, e.kind,
        ${rupees(`(e.detail->>'amountPaise')::bigint`)} as amount, e.detail - '{amountPaise,statement}'::text[] as detail`)}
      from order_event e where e.developer_id = $1 and e.order_id < $4::uuid and e.id < $4::uuid
        and (e.order_id, e.id) > (split_part($2, ' ', 1)::uuid, split_part($2, ' ', 2)::uuid)
      order by e.order_id, e.id limit $3`,
    first: `${MIN_ID} ${MIN_ID}`,
  },
  {
    name: 'leads.jsonl',
    holds: 'Leads.',
    text: `select e.id::text as key, ${line(`'lea_' || e.id as id, e.environment, e.lead_code as "leadCode", e.product_id as "productId",
        e.status, e.created_at as "createdAt", e.status_at as "statusAt", e.approved_at as "approvedAt"`)}
      from lead e where e.developer_id = $1 and e.id > $2::uuid and e.id < $4::uuid order by e.id limit $3`,
    first: MIN_ID,
  },
  {
    name: 'lead-profiles.jsonl',
    holds: 'Customers for whom leads were created.',
    text: `select p.environment || ' ' || encode(p.mobile_hash, 'hex') as key, p.environment, p.mobile_hash, p.profile,
        ${line(`p.environment, p.created_at as "createdAt", p.updated_at as "updatedAt"`)}
      from lead_profile p where p.developer_id = $1
        and (p.environment, p.mobile_hash) > (split_part($2, ' ', 1), decode(split_part($2, ' ', 2), 'hex'))
      order by p.environment, p.mobile_hash limit $3`,
    first: '',
    unsealed({ environment, mobile_hash, profile }, unseal, developer_id) {
      const row = { developer_id, environment: environment as string, mobile_hash: mobile_hash as Buffer };
      return { profile: unseal('profile', profileContext(row), profile) };
    },
  },
  {
    name: 'webhook-deliveries.jsonl',
    holds: 'Webhook deliveries of the last 90 days, and their results.',
    text: `select d.id::text as key, ${line(`d.id, 'whe_' || d.endpoint_id as endpoint, d.environment, d.reference, d.event, d.state, d.attempts,
        d.http_status as "httpStatus", d.error, d.created_at as "createdAt", d.last_attempt_at as "lastAttemptAt"`)}
      from webhook_delivery d where d.developer_id = $1 and d.id > $2::uuid and d.id < $4::uuid order by d.id limit $3`,
    first: MIN_ID,
  },
];

/** Data that the export does not include: reason → tables. */
export const excludedTables: Readonly<Record<string, readonly string[]>> = {
  'Passwords and secrets of API keys, tokens, webhooks and second factors: most are hashes and cannot be read.': [
    'recovery_code',
  ],
  'Provider statements and their differences, and approval requests of staff.': [
    'alone_allowance',
    'approval_request',
    'approval_request_order',
    'reconcile_difference',
    'reconcile_run',
  ],
  'Data kept for minutes or days: fetched bills, sandbox scenarios, counters, queued emails, emailed links, client tokens.':
    [
      'card_bill',
      'client_token',
      'email_change',
      'keyless_recharge',
      'month_change',
      'password_reset',
      'sandbox_scenario',
    ],
  'Indexes, queues and checks for payments, leads and entries: keys, hashes and sums of data in the files.': [
    'bank_transfer',
    'bill_claim',
    'correction',
    'lead_customer',
    'ledger_full_finding',
    'ledger_full_part',
    'ledger_reference',
    'order_due',
    'order_key',
    'order_reference',
    'order_review',
    'order_search',
    'top_up',
    'wallet_checkpoint',
    'wallet_correction',
    'wallet_reopening',
    'webhook_outbox',
  ],
  'Orders and entries of archived months: they are in the archive files.': [
    'archived_order',
    'archive_leaving',
    'archive_staged_wallet',
  ],
};
