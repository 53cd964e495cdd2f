/** Rows of the database that the audit log has to explain: what they say now is what an entry said of them last. */
export interface Compared {
  /** The table by whose ids the rows are walked through, a page at a time. */
  owners: string;
  /**
   * SQL, of the page `owner`: the `subject` that entries about a row name, and its `state`, an object of the fields that entries
   * write, as they write them. A field that one kind of entry writes is looked for in the newest entry that has it.
   */
  rows: string;
  /** SQL of an entry `a` about the subject of a row `r`: whether it is about this row; left out where a subject is one row. */
  about?: string;
  /** SQL of an entry `a`: what it says; left out where that is what it says came after. */
  said?: string;
}

/** A table of one row, for what is read as a whole. */
const ALL_AT_ONCE = `(values ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) whole (id)`;

/** SQL: a time as entries write it. */
const timeText = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: names a secret's hash without telling it. `markOf` in audit-marks.ts makes the same. */
const mark = (bytes: string): string => `left(encode(sha256(${bytes}), 'hex'), 32)`;

/**
 * What is compared, by the word that the metric and the doctor use: what gives somebody rights, or has to do with money, and can be
 * written by the role of the application. One row for each table; a field that is added to its state has to be written by every
 * entry that makes or changes it, under the same name.
 */
export const compared = {
  user: {
    owners: 'app_user',
    rows: `select 'user:' || o.id as subject, o.id::text as id, jsonb_build_object('role', o.role, 'teamRole', o.team_role, 'developerId', o.developer_id,
      'disabled', o.disabled_at is not null, 'emergencySuspension', o.emergency_suspended_by is not null, 'passwordMark', ${mark(`convert_to(o.password_hash, 'UTF8')`)},
      -- without a row that somebody deleted, the password is enough
      'secondFactors', (select count(*) from second_factor f
        where f.user_id = o.id and f.confirmed_at is not null and f.kind <> 'recovery_codes')) as state from owner o`,
  },
  // whoever adds one to somebody else's user signs in as them
  second_factor: {
    owners: 'app_user',
    rows: `select 'user:' || o.id as subject, f.id::text as id, jsonb_build_object('factorId', f.id, 'kind', f.kind) as state
      from owner o join second_factor f on f.user_id = o.id where f.confirmed_at is not null and f.kind <> 'recovery_codes'`,
    about: `a.after->>'factorId' = r.id and a.action = 'user.add_factor'`,
  },
  developer: {
    owners: 'developer',
    rows: `select 'developer:' || o.id as subject, o.id::text as id, jsonb_build_object('onboardingStatus', o.onboarding_status,
      'productionUnlocked', o.production_unlocked, 'rechargeProvider', o.recharge_provider, 'whiteLabelId', o.white_label_id,
      'rateLimitPerMinute', o.rate_limit_per_minute, 'duplicateGuardS', o.duplicate_guard_s, 'sessionIdleMinutes', o.session_idle_minutes,
      'tokenIdleDays', o.token_idle_days,
      'tokenMaxDays', o.token_max_days, 'suspended', o.suspended_at is not null,
      'closed', o.closed_at is not null) as state from owner o`,
  },
  service_access: {
    owners: 'developer',
    rows: `select 'developer:' || o.id || '/' || s.service as subject, s.service as id,
      jsonb_build_object('enabled', s.enabled, 'feePaise', s.fee_paise::text) as state
      from owner o join service_access s on s.developer_id = o.id`,
  },
  credential: {
    owners: 'developer',
    rows: `select 'developer:' || o.id || '/' || c.environment as subject, c.client_id as id, jsonb_build_object('clientId', c.client_id,
      'suspended', c.suspended_at is not null, 'revoked', false, 'startsAt', ${timeText('c.starts_at')},
      'secretMark', ${mark('c.secret_hash')}) as state
      from owner o join credential c on c.developer_id = o.id where c.revoked_at is null`,
    about: `a.after->>'clientId' = r.id and starts_with(a.action, 'credential.')`,
  },
  // whoever adds one reads the outcomes of somebody else's orders
  webhook_endpoint: {
    owners: 'developer',
    rows: `select 'developer:' || o.id || '/' || e.environment || '/webhook:' || e.id as subject, e.id::text as id,
      jsonb_build_object('environment', e.environment, 'types', e.types, 'disabled', e.disabled_at is not null,
      'startsAt', ${timeText('e.starts_at')}, 'urlMark', ${mark(`convert_to(e.id || ' ' || e.url, 'UTF8')`)}) as state
      from owner o join webhook_endpoint e on e.developer_id = o.id`,
  },
  white_label: {
    owners: 'white_label',
    rows: `select 'white_label:' || o.id as subject, o.id::text as id,
      jsonb_build_object('rechargeProvider', o.recharge_provider) as state from owner o`,
  },
  provider_switch: {
    owners: ALL_AT_ONCE,
    rows: `select 'provider:' || s.environment || '/' || s.provider as subject, s.provider as id, jsonb_build_object('available', s.available) as state
      from owner cross join provider_switch s`,
  },
  order_pause: {
    owners: ALL_AT_ONCE,
    rows: `select 'orders:' || p.environment as subject, p.environment as id, jsonb_build_object('paused', p.paused, 'notice', p.notice) as state
      from owner cross join order_pause p`,
  },
  // an approved request needed a second person; a pending request shows that person its requester
  approvalRequest: {
    owners: `(select * from approval_request where final_state is null) waiting`,
    rows: `select o.subject, o.id::text as id, jsonb_build_object('action', o.action, 'key', o.key, 'amountPaise', o.amount_paise::text,
      'by', 'user:' || o.requested_by) as state from owner o`,
    about: `a.after->>'approvalRequestId' = r.id and a.action = 'approval_request.create'`,
    said: `a.after || jsonb_build_object('by', a.actor)`,
  },
  setting: {
    owners: ALL_AT_ONCE,
    rows: `select 'setting:' || s.environment || '/' || s.name as subject, s.name as id, jsonb_build_object('customerId', s.value) as state
      from owner cross join setting s where s.name = 'default_lead_customer'`,
  },
} as const satisfies Readonly<Record<string, Compared>>;

export type ComparedKind = keyof typeof compared;
export const comparedKinds = Object.keys(compared) as ComparedKind[];
