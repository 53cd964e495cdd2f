import type { Kind } from '../../src/retention/expired-rows.js';
import type { TestDatabase } from '../support/database.js';

const DEVELOPER = '019c0000-0000-7000-8000-00000000d001';
const USER = '019c0000-0000-7000-8000-00000000d002';
const RUN = '019c0000-0000-7000-8000-00000000d003';
const HASH = `sha256(convert_to($1 || n, 'utf8'))`;
const ID = `md5($1 || n)::uuid`;

type Side = 'ended' | 'live';

/** Retention of accounts for tests of other kinds. */
export const RETENTION = { afterClosingDays: 1826, afterRejectionDays: 180 };

/** A time just past the retention period, and one just before it with a margin for slow tests. */
const aroundLimit = (period: string): Record<Side, string> => ({
  ended: `now() - interval '${period}' - interval '1 s'`,
  live: `now() - interval '${period}' + interval '10 min'`,
});
const PERIOD_END = aroundLimit('0');

/** A closed or rejected account on each side of its retention period. */
const accounts = (state: 'closed' | 'rejected'): Record<Side, string> => ({
  ended: `md5('${state} ended')::uuid`,
  live: `md5('${state} live')::uuid`,
});
const documentsOf = (state: 'closed' | 'rejected') => ({
  into: 'kyc_document (id, details, content, size_bytes, submitted_at, developer_id)',
  row: `${ID}, 'x', 'x', 1, now()`,
  ...accounts(state),
});
const submissionsOf = (state: 'closed' | 'rejected') => ({
  into: 'kyc_submission (id, pan_hash, details, document_ids, developer_id)',
  row: `${ID}, ${HASH}, 'x', array[${ID}]`,
  ...accounts(state),
});
const notesOn = (state: 'closed' | 'rejected') => ({
  into: 'developer_note (id, author, text, developer_id)',
  row: `${ID}, 'x', 'x'`,
  ...accounts(state),
});

/**
 * SQL for rows of each kind: `ended` just past their retention period, `live` just before it. $1 is a word that makes keys
 * unique, $2 the number of rows, n the row number.
 */
const SEEDS: Readonly<Record<Kind, { into: string; row: string; owner?: string } & Record<Side, string>>> = {
  'client tokens': {
    into: 'client_token (mac, token_hash, parent_hash, developer_id, environment, scopes, max_spend_paise, expires_at)',
    row: `${HASH}, ${HASH}, sha256('parent'), '${DEVELOPER}', 'uat', '{lookups}', 0`,
    ...PERIOD_END,
  },
  // in whole days, because the test can run across midnight
  'counts of client tokens': {
    into: 'client_token_count (client_id, made, day)',
    row: `'client', length($1)`,
    ended: `current_date - 400 - n`,
    live: `current_date - 400 + n`,
  },
  'access tokens': {
    into: 'access_token (mac, token_hash, developer_id, environment, client_id, latest_expiry, expires_at)',
    row: `${HASH}, ${HASH}, '${DEVELOPER}', 'uat', 'client', 'infinity'`,
    ...PERIOD_END,
  },
  'revoked access tokens': {
    into: 'access_token (mac, token_hash, developer_id, environment, client_id, latest_expiry, expires_at, revoked_at)',
    row: `${HASH}, ${HASH}, '${DEVELOPER}', 'uat', 'client', 'infinity', now() + interval '1 h'`,
    ended: `now()`,
    live: `null::timestamptz`,
  },
  sessions: {
    into: 'session (mac, session_hash, user_id, expires_at)',
    row: `${HASH}, ${HASH}, '${USER}'`,
    ...PERIOD_END,
  },
  'ended sessions': {
    into: 'session (mac, session_hash, user_id, expires_at, revoked_at)',
    row: `${HASH}, ${HASH}, '${USER}', now() + interval '1 h'`,
    ended: `now()`,
    live: `null::timestamptz`,
  },
  'password links': {
    into: 'password_reset (mac, token_hash, user_id, expires_at)',
    row: `${HASH}, ${HASH}, '${USER}'`,
    ...PERIOD_END,
  },
  'answered challenges': {
    into: 'answered_challenge (challenge, expires_at)',
    row: `$1 || n`,
    ...PERIOD_END,
  },
  'known devices': {
    into: 'known_device (user_id, device_hash, last_seen_at)',
    row: `'${USER}', ${HASH}`,
    ...aroundLimit('180 days'),
  },
  invitations: {
    into: 'invitation (mac, id, token_hash, email, name, role, invited_by, expires_at)',
    row: `${HASH}, ${ID}, ${HASH}, $1 || n, 'x', 'admin', '${USER}'`,
    ...PERIOD_END,
  },
  // limited to one per user
  'links of new addresses': {
    owner: `insert into app_user (id, email, name, role, password_hash) select ${ID}, $1 || n || '@users.example', 'x', 'admin', 'x'
      from generate_series(1, $2::integer) n on conflict do nothing`,
    into: 'email_change (mac, token_hash, user_id, email, expires_at)',
    row: `${HASH}, ${HASH}, ${ID}, 'x'`,
    ...PERIOD_END,
  },
  'sign-ups': {
    into: 'sign_up (mac, token_hash, email_hash, details, expires_at)',
    row: `${HASH}, ${HASH}, ${HASH}, 'x'`,
    ...PERIOD_END,
  },
  // every second scenario was used by an order whose status may still be checked
  scenarios: {
    into: 'sandbox_scenario (developer_id, environment, target_hash, by_key, outcome, reference, taken_at, expires_at)',
    row: `'${DEVELOPER}', 'uat', ${HASH}, true, 'decline', case when n % 2 = 0 then $1 || n end, case when n % 2 = 0 then now() end`,
    ended: `case when n % 2 = 0 then ${aroundLimit('90 days').ended} else ${PERIOD_END.ended} end`,
    live: `case when n % 2 = 0 then ${aroundLimit('90 days').live} else ${PERIOD_END.live} end`,
  },
  'keyless recharges': {
    into: 'keyless_recharge (developer_id, environment, fingerprint, order_id, placed_at)',
    row: `'${DEVELOPER}', 'uat', ${HASH}, ${ID}`,
    ...aroundLimit('2 h'),
  },
  counters: {
    into: 'rate_limit (key, points, expire)',
    row: `$1 || n, 1`,
    ended: `extract(epoch from ${PERIOD_END.ended}) * 1000`,
    live: `extract(epoch from ${PERIOD_END.live}) * 1000`,
  },
  emails: {
    into: 'email (id, content, created_at)',
    row: `${ID}, 'x'`,
    ...aroundLimit('3 days'),
  },
  'fetched bills': {
    into: 'card_bill (developer_id, id, environment, owner_hash, provider_fetch_id, fetched_at)',
    row: `'${DEVELOPER}', ${ID}, 'uat', ${HASH}, 'x'`,
    ...aroundLimit('2 days'),
  },
  // a pending delivery is kept regardless of age
  'webhook deliveries': {
    into: `webhook_delivery (developer_id, endpoint_id, order_id, reference, event, step, environment, operation, amount_paise, occurred_at, id,
      state, next_attempt_at)`,
    row: `'${DEVELOPER}', '${USER}', ${ID}, 'r', 'succeeded', 2, 'uat', 'recharge', 1, now()`,
    ended: `uuidv7(interval '-90 days -1 s'), 'delivered', null::timestamptz`,
    live: `uuidv7(interval '-90 days' + case when n = 1 then interval '-1 day' else interval '10 min' end),
      case when n = 1 then 'pending' else 'failed' end, case when n = 1 then now() end`,
  },
  // a submitted document is kept as long as its account
  'KYC documents': {
    into: 'kyc_document (developer_id, id, details, content, size_bytes, submitted_at, created_at)',
    row: `'${DEVELOPER}', ${ID}, 'x', 'x', 1`,
    ended: `null::timestamptz, ${aroundLimit('30 days').ended}`,
    live: `case when n = 1 then now() end, case when n = 1 then now() - interval '400 days' else ${aroundLimit('30 days').live} end`,
  },
  // limited to one per account
  'KYC drafts': {
    owner: `insert into developer (id, name, email) select ${ID}, 'x', $1 || n || '@drafts.example'
      from generate_series(1, $2::integer) n on conflict do nothing`,
    into: 'kyc_draft (developer_id, details, updated_at)',
    row: `${ID}, 'x'`,
    ...aroundLimit('30 days'),
  },
  'documents of closed accounts': documentsOf('closed'),
  'KYC of closed accounts': submissionsOf('closed'),
  'notes on closed accounts': notesOn('closed'),
  'documents of rejected accounts': documentsOf('rejected'),
  'KYC of rejected accounts': submissionsOf('rejected'),
  'notes on rejected accounts': notesOn('rejected'),
  'security events': {
    into: 'security_event (since, kind, identifier_hash, address, count, reason, request_id, at, last_at)',
    row: `now(), 'sign-in', $1 || n, '192.0.2.1', 1, 'wrong password', 'r', now() - interval '900 days'`,
    ...aroundLimit('400 days'),
  },
  'rejected calls': {
    owner: `insert into developer (id, name, email) select ${ID}, 'x', $1 || n || '@rejected.example'
      from generate_series(1, $2::integer) n on conflict do nothing`,
    into: 'rejected_call (developer_id, environment, service, code, request_id, operation, at)',
    row: `${ID}, 'uat', '', 'SUSPENDED', ${ID}, 'POST /api/v1/recharge'`,
    ...aroundLimit('90 days'),
  },
  // resolved approval requests are kept permanently
  'approval requests': {
    into: 'approval_request (id, action, subject, key, folded_key, payload, reason, requested_by, expires_at, final_state, resolved_at, resolved_by)',
    row: `${ID}, 'wallet.credit', 'somebody', $1 || n, $1 || n, '{}', 'x', '${USER}'`,
    ended: `${aroundLimit('90 days').ended}, case when n % 2 = 0 then 'expired' end, case when n % 2 = 0 then now() end, null::uuid`,
    live: `case when n = 1 then now() - interval '900 days' else ${aroundLimit('90 days').live} end, case when n = 1 then 'rejected' end,
      case when n = 1 then now() end, case when n = 1 then '${USER}'::uuid end`,
  },
  // a difference that a user resolved is kept permanently
  'statement differences': {
    owner: `insert into reconcile_run (id, provider, file_hash, period_from, period_to, orders, lines, matched, differences, requested)
      select '${RUN}', $1, sha256('x'), now(), now() + interval '1 day', 0, $2::integer, 0, 0, 0 on conflict do nothing`,
    into: `reconcile_difference (id, provider, fingerprint, kind, run_id, line, reference, their_status, their_amount_paise, occurred_at,
      resolution, resolved_run_id, resolved_by, reason, resolved_at)`,
    row: `${ID}, 'x', ${HASH}, 'order_not_found', '${RUN}', n, 'x', 'succeeded', 1, now()`,
    ended: `'later_run', '${RUN}'::uuid, null::uuid, null, ${aroundLimit('400 days').ended}`,
    live: `case when n = 1 then 'staff' else 'later_run' end, case when n > 1 then '${RUN}'::uuid end, case when n = 1 then '${USER}'::uuid end,
      case when n = 1 then 'x' end, case when n = 1 then now() - interval '900 days' else ${aroundLimit('400 days').live} end`,
  },
};

export const kinds = Object.keys(SEEDS) as Kind[];
export const tableOf = (kind: Kind): string => SEEDS[kind].into.split(' ')[0]!;
export const tables = [...new Set(kinds.map(tableOf))];

/** Creates the accounts and users that the rows belong to. */
export async function seedOwners(db: TestDatabase): Promise<void> {
  await db.query(`insert into developer (id, name, email) values ('${DEVELOPER}', 'x', 'owner@x.example')`);
  const [closed, rejected] = [
    aroundLimit(`${RETENTION.afterClosingDays} days`),
    aroundLimit(`${RETENTION.afterRejectionDays} days`),
  ];
  for (const side of ['ended', 'live'] as const)
    await db.query(
      `insert into developer (id, name, email, closed_at, suspended_at, approved_at, approved_by, rejected_at) values
        (${accounts('closed')[side]}, 'x', 'closed-${side}@x.example', ${closed[side]}, now(), now(), 'x', null),
        (${accounts('rejected')[side]}, 'x', 'rejected-${side}@x.example', null, null, null, null, ${rejected[side]})`,
    );
  await db.query(
    `insert into app_user (id, email, name, role, password_hash) values ('${USER}', 'u@x.example', 'x', 'admin', 'x')`,
  );
  await db.query(
    `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4) values ('client', '${DEVELOPER}', 'uat', sha256('x'), 'xxxx')`,
  );
  await db.query(
    `insert into access_token (token_hash, developer_id, environment, client_id, expires_at, latest_expiry, mac) values (sha256('parent'), '${DEVELOPER}', 'uat', 'client', 'infinity', 'infinity', sha256('none'))`,
  );
  await db.query(
    `insert into webhook_endpoint (developer_id, id, environment, url, secret) values ('${DEVELOPER}', '${USER}', 'uat', 'x', 'x')`,
  );
}

/** Adds rows of a kind whose retention period has ended or not. */
export async function seed(db: TestDatabase, kind: Kind, side: Side, count: number): Promise<void> {
  const { owner, into, row, [side]: condition } = SEEDS[kind];
  const values = [`${kind} ${side}`, count];
  if (owner) await db.query(owner, values);
  await db.query(`insert into ${into} select ${row}, ${condition} from generate_series(1, $2::integer) n`, values);
}

export const countOf = async (db: TestDatabase, table: string): Promise<number> =>
  (await db.query<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]!.n;
