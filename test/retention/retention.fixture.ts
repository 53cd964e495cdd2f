import type { TestDatabase } from '../support/database.js';

const DEVELOPER = '019c0000-0000-7000-8000-00000000d001';
const USER = '019c0000-0000-7000-8000-00000000d002';
const HASH = `sha256(convert_to($1 || n, 'utf8'))`;
const ID = `md5($1 || n)::uuid`;

/**
 * How each kind of rows is made: `ended` and `live` are what its instant (and what else matters) is; $1 is a word that makes keys
 * differ, $2 how many.
 */
const KINDS: Readonly<Record<string, { into: string; row: string; ended: string; live: string; owner?: string }>> = {
  access_token: {
    into: 'access_token (token_hash, developer_id, environment, client_id, expires_at, revoked_at)',
    row: `${HASH}, '${DEVELOPER}', 'uat', 'client'`,
    ended: `case when n % 2 = 0 then now() - interval '1 s' else now() + interval '1 h' end, case when n % 2 = 0 then null else now() end`,
    live: `now() + interval '1 h', null`,
  },
  client_token: {
    into: 'client_token (token_hash, parent_hash, developer_id, environment, scopes, max_spend_paise, expires_at)',
    row: `${HASH}, sha256('parent'), '${DEVELOPER}', 'uat', '{lookups}', 0`,
    ended: `now() - interval '1 s'`,
    live: `now() + interval '1 h'`,
  },
  client_token_count: {
    into: 'client_token_count (client_id, made, day)',
    row: `'client', length($1)`,
    ended: `current_date - 400 - n`,
    live: `current_date - n`,
  },
  session: {
    into: 'session (session_hash, user_id, expires_at, revoked_at)',
    row: `${HASH}, '${USER}'`,
    ended: `case when n % 2 = 0 then now() - interval '1 s' else now() + interval '1 h' end, case when n % 2 = 0 then null else now() end`,
    live: `now() + interval '1 h', null`,
  },
  password_reset: {
    into: 'password_reset (token_hash, user_id, expires_at)',
    row: `${HASH}, '${USER}'`,
    ended: `now() - interval '1 s'`,
    live: `now() + interval '1 h'`,
  },
  sign_up: {
    into: 'sign_up (token_hash, email_hash, details, expires_at)',
    row: `${HASH}, ${HASH}, 'x'`,
    ended: `now() - interval '1 s'`,
    live: `now() + interval '1 h'`,
  },
  sandbox_scenario: {
    into: 'sandbox_scenario (developer_id, environment, target_hash, by_key, outcome, expires_at, reference, taken_at)',
    row: `'${DEVELOPER}', 'uat', ${HASH}, true, 'decline'`,
    ended: `now() - interval '91 days', case when n % 2 = 0 then $1 || n end, case when n % 2 = 0 then now() end`,
    // expired, and taken by an order that may be asked about
    live: `now() - interval '89 days', $1 || n, now()`,
  },
  rate_limit: {
    into: 'rate_limit (key, points, expire)',
    row: `$1 || n, 1`,
    ended: `extract(epoch from now()) * 1000 - 1000`,
    live: `extract(epoch from now()) * 1000 + 3600000`,
  },
  mail: {
    into: 'mail (id, content, created_at)',
    row: `${ID}, 'x'`,
    ended: `now() - interval '73 h'`,
    live: `now() - interval '71 h'`,
  },
  card_bill: {
    into: 'card_bill (developer_id, id, environment, owner_hash, provider_fetch_id, fetched_at)',
    row: `'${DEVELOPER}', ${ID}, 'uat', ${HASH}, 'x'`,
    ended: `now() - interval '49 h'`,
    live: `now() - interval '47 h'`,
  },
  webhook_delivery: {
    into: `webhook_delivery (developer_id, endpoint_id, order_id, reference, event, step, environment, operation, amount_paise, occurred_at, id,
      state, next_attempt_at)`,
    row: `'${DEVELOPER}', '${USER}', ${ID}, 'r', 'succeeded', 2, 'uat', 'recharge', 1, now()`,
    ended: `uuidv7(interval '-91 days'), 'delivered', null`,
    live: `uuidv7(case when n = 1 then interval '-91 days' else interval '-89 days' end), case when n = 1 then 'pending' else 'dead' end,
      case when n = 1 then now() end`,
  },
  kyc_document: {
    into: 'kyc_document (developer_id, id, details, content, size_bytes, created_at, submitted_at)',
    row: `'${DEVELOPER}', ${ID}, 'x', 'x', 1`,
    ended: `now() - interval '31 days', null`,
    live: `now() - interval '400 days', now()`,
  },
  // one of each account
  kyc_draft: {
    owner: `insert into developer (id, name, email) select ${ID}, 'x', $1 || n || '@drafts.example'
      from generate_series(1, $2::integer) n on conflict do nothing`,
    into: 'kyc_draft (developer_id, details, updated_at)',
    row: `${ID}, 'x'`,
    ended: `now() - interval '31 days'`,
    live: `now() - interval '29 days'`,
  },
  security_event: {
    into: 'security_event (since, kind, identifier_hash, address, count, reason, request_id, at, last_at)',
    row: `now(), 'sign-in', $1 || n, '192.0.2.1', 1, 'wrong password', 'r', now() - interval '900 days'`,
    ended: `now() - interval '401 days'`,
    live: `now() - interval '399 days'`,
  },
  proposal: {
    into: 'proposal (id, action, subject, key, folded_key, payload, reason, proposed_by, expires_at, decision, decided_at)',
    row: `${ID}, 'wallet.credit', 'somebody', $1 || n, $1 || n, '{}', 'x', '${USER}'`,
    ended: `now() - interval '91 days', case when n % 2 = 0 then 'expired' end, case when n % 2 = 0 then now() end`,
    live: `now() - interval '89 days', null, null`,
  },
};

/** For tests of other kinds. */
export const KEPT = { afterClosingDays: 1826, afterRejectionDays: 180 };

export const tables = Object.keys(KINDS);

/** What the rows below belong to. */
export async function seedOwners(db: TestDatabase): Promise<void> {
  await db.query(`insert into developer (id, name, email) values ('${DEVELOPER}', 'x', 'owner@x.example')`);
  await db.query(
    `insert into app_user (id, email, name, role, password_hash) values ('${USER}', 'u@x.example', 'x', 'admin', 'x')`,
  );
  await db.query(
    `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4) values ('client', '${DEVELOPER}', 'uat', sha256('x'), 'xxxx')`,
  );
  await db.query(
    `insert into access_token (token_hash, developer_id, environment, client_id, expires_at) values (sha256('parent'), '${DEVELOPER}', 'uat', 'client', 'infinity')`,
  );
  await db.query(
    `insert into webhook_endpoint (developer_id, id, environment, url, secret) values ('${DEVELOPER}', '${USER}', 'uat', 'x', 'x')`,
  );
}

/** Adds so many rows of a kind that ended, or that live. */
export async function seed(db: TestDatabase, table: string, which: 'ended' | 'live', count: number): Promise<void> {
  const kind = KINDS[table]!;
  if (kind.owner) await db.query(kind.owner, [which, count]);
  await db.query(`insert into ${kind.into} select ${kind.row}, ${kind[which]} from generate_series(1, $2::integer) n`, [
    which,
    count,
  ]);
}

export const countOf = async (db: TestDatabase, table: string): Promise<number> =>
  (await db.query<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]!.n;
