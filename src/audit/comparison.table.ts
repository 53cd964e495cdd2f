/** Rows that the audit log must explain. Their current state must be identical to the state in their latest audit entries. */
export interface ComparedTable {
  /** Table whose IDs define the pages of rows. */
  owners: string;
  /**
   * SQL for page `owner`. Returns the `subject` of the row's entries and `state`, an object that contains the audited fields
   * in the same format as the entries. If only some actions write a field, its value comes from the latest entry that has it.
   */
  rows: string;
  /** SQL condition on entry `a` and row `r`: whether the entry refers to this row. Omitted if every subject has only one row. */
  entryFilter?: string;
  /** SQL for the state in entry `a`. Defaults to the state after the change. */
  auditState?: string;
}

/** Table with one row, for kinds that are read in a single page. */
const ALL_AT_ONCE = `(values ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) whole (id)`;

/** SQL: a time in the format of the entries. */
const timeText = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: mark of a hash. The result is the same as that of `markOf` in audit-marks.ts. */
const mark = (bytes: string): string => `left(encode(sha256(${bytes}), 'hex'), 32)`;

/**
 * Compared rows by kind. The metric and `gateway doctor` use the same names. The table includes everything that grants rights
 * or affects money and that the application role can write. Each database table has one entry. If a field is added to a state,
 * every audit entry that creates or changes it must contain it under the same name.
 */
export const comparedTables = {
  user: {
    owners: 'app_user',
    rows: `select 'user:' || o.id as subject, o.id::text as id, jsonb_build_object('role', o.role, 'teamRole', o.team_role, 'developerId', o.developer_id,
      'disabled', o.disabled_at is not null, 'emergencySuspension', o.emergency_suspended_by is not null, 'passwordMark', ${mark(`convert_to(o.password_hash, 'UTF8')`)},
      -- if a row was deleted, the password alone would be enough
      'secondFactors', (select count(*) from second_factor f
        where f.user_id = o.id and f.confirmed_at is not null and f.kind <> 'recovery_codes')) as state from owner o`,
  },
  // adding a factor to a user makes it possible to sign in as that user
  second_factor: {
    owners: 'app_user',
    rows: `select 'user:' || o.id as subject, f.id::text as id, jsonb_build_object('factorId', f.id, 'kind', f.kind) as state
      from owner o join second_factor f on f.user_id = o.id where f.confirmed_at is not null and f.kind <> 'recovery_codes'`,
    entryFilter: `a.after->>'factorId' = r.id and a.action = 'user.add_factor'`,
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
    entryFilter: `a.after->>'clientId' = r.id and starts_with(a.action, 'credential.')`,
  },
  // an added endpoint would reveal the orders of an account
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
  // an approved request proves that there was a second person; a pending one shows its requester to the approver
  approval_request: {
    owners: `(select * from approval_request where final_state is null) waiting`,
    rows: `select o.subject, o.id::text as id, jsonb_build_object('action', o.action, 'key', o.key, 'amountPaise', o.amount_paise::text,
      'by', 'user:' || o.requested_by) as state from owner o`,
    entryFilter: `a.after->>'approvalRequestId' = r.id and a.action = 'approval_request.create'`,
    auditState: `a.after || jsonb_build_object('by', a.actor)`,
  },
  setting: {
    owners: ALL_AT_ONCE,
    rows: `select 'setting:' || s.environment || '/' || s.name as subject, s.name as id, jsonb_build_object('customerId', s.value) as state
      from owner cross join setting s where s.name = 'default_lead_customer'`,
  },
} as const satisfies Readonly<Record<string, ComparedTable>>;

export type ComparedKind = keyof typeof comparedTables;
export const comparedKinds = Object.keys(comparedTables) as ComparedKind[];
