-- Callers and their access: developers, white labels, service access, API keys, tokens, users, sessions, password resets,
-- settings, audit log, rate limits.
--
-- A `mac` covers the fields of its row that grant access, and requires a key that is not in the database; see
-- src/core/row-keys.ts. A `token_hash` or `session_hash` is an HMAC with a different key.

-- Role of the application. The role owns no objects. Each file that creates an object grants the rights on it.
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_app') then
    create role gateway_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;  -- another database of this cluster has just created the role
end $$;

do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then execute format('grant gateway_app to %I', current_user); end if;
end $$;

-- PostgreSQL 18 has this function. Earlier versions use our implementation, in which the IDs of a connection are in order to the
-- microsecond.
do $$ begin
  if current_setting('server_version_num')::integer < 180000 then
    create function uuidv7(p_shift interval default interval '0') returns uuid language sql volatile parallel safe as $f$
      select (lpad(to_hex(t.us / 1000), 12, '0') || '7' || lpad(to_hex(t.us % 1000 * 4096 / 1000), 3, '0')
        || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid
      from (select (extract(epoch from clock_timestamp() + p_shift) * 1000000)::bigint) t (us) $f$;
  end if;
end $$;

-- SHA-256 of every applied migration, and of the last applied version of every repeatable file.
-- `needs`: migration that a version of the service must have to use the tables since then; see sql-files.ts.
create table schema_fingerprint (name text primary key, fingerprint text not null, needs text);
create table schema_repeatable (name text primary key, fingerprint text not null);

create table white_label (
  id uuid primary key default uuidv7(),
  name text not null unique check (length(name) between 1 and 100),
  -- src/providers/registry.ts defines the providers
  recharge_provider text not null check (recharge_provider ~ '^[A-Z]{2,20}$'),
  -- time the white label was disabled; it had no developers then and accepts none afterwards
  disabled_at timestamptz,
  created_at timestamptz not null default now());

create table developer (
  id uuid primary key default uuidv7(),
  -- `user.id` of the API, which must be an integer according to the contract; displayed, and used for lookups only by the search
  -- of the console
  account_number integer generated always as identity (start with 1001) unique,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  onboarding_status text not null default 'registered'
    check (onboarding_status in ('registered', 'email_verified', 'kyc_submitted', 'kyc_changes_requested', 'approved', 'rejected')),
  email_verified_at timestamptz,
  -- time of the last submission
  kyc_submitted_at timestamptz,
  -- time of the last request for Production access, which is pending until access is granted
  production_requested_at timestamptz,
  production_request text check (length(production_request) <= 500),
  production_unlocked boolean not null default false,
  production_unlocked_at timestamptz,
  suspended_at timestamptz,
  suspension_reason text check (length(suspension_reason) <= 500),
  white_label_id uuid references white_label,
  recharge_provider text not null default 'ROUNDPAY' check (recharge_provider ~ '^[A-Z]{2,20}$'),
  rate_limit_per_minute integer check (rate_limit_per_minute between 1 and 1000000),
  -- seconds during which a recharge without an idempotency key is rejected if it duplicates an earlier one; 0: it is processed
  duplicate_guard_s integer not null default 0 check (duplicate_guard_s between 0 and 3600),
  -- minutes without a request after which a session of a user of the account expires
  session_idle_minutes integer not null default 120 check (session_idle_minutes between 15 and 720),
  -- token lifetime, if shorter than the default; null: the default
  token_idle_days integer check (token_idle_days between 1 and 3650),
  token_max_days integer check (token_max_days between 1 and 3650),
  -- reason for the rejection, or the requested changes
  rejection_reason text,
  -- time of the rejection; null if the account is not rejected
  rejected_at timestamptz,
  -- closed permanently: the account is suspended, its users cannot sign in, and another account can use the address
  closed_at timestamptz,
  approved_at timestamptz,
  approved_by text check (length(approved_by) <= 100),
  created_at timestamptz not null default now(),
  check ((approved_at is null) = (approved_by is null)),
  check (production_request is null or production_requested_at is not null),
  check (closed_at is null or (suspended_at is not null and not production_unlocked)),
  check (not production_unlocked or onboarding_status = 'approved'));
create unique index developer_email on developer (lower(email)) where closed_at is null;
create index developer_gone on developer ((least(closed_at, rejected_at))) where closed_at is not null or rejected_at is not null;
create index developer_white_label on developer (white_label_id);
create index developer_status on developer (onboarding_status, id);
-- for the search of the console by word prefixes; AccountSearch uses the same expression
create index developer_words on developer
  using gin (array_to_tsvector(array_remove(string_to_array(lower(name || ' ' || email), ' '), '')));
create index developer_kyc_queue on developer ((coalesce(kyc_submitted_at, 'infinity'::timestamptz)), id);
create index developer_production_request on developer (id) where production_requested_at is not null and not production_unlocked;

-- Notes of staff about an account, visible only to staff.
create table developer_note (
  id uuid primary key,
  developer_id uuid not null references developer,
  author text not null check (length(author) <= 100),
  text text not null check (length(text) between 1 and 1000),
  created_at timestamptz not null default now());
create index developer_note_of on developer_note (developer_id, id);

create table service_access (
  developer_id uuid not null references developer,
  service text not null
    -- src/core/services.ts defines the services
    check (service ~ '^[a-z_]{2,40}$'),
  enabled boolean not null default false,
  fee_paise bigint not null default 0 check (fee_paise between 0 and 10000000),
  changed_at timestamptz not null default now(),
  -- actor, as in the audit log
  changed_by text check (length(changed_by) <= 100),
  primary key (developer_id, service));
create index service_access_enabled on service_access (service, developer_id) where enabled;

create table credential (
  client_id text primary key,
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  secret_last4 text not null,
  label text check (length(label) <= 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- set while the API key has many valid tokens; their use is then recorded more often, see token_issue
  many_tokens_since timestamptz,
  suspended_at timestamptz,
  suspension_reason text check (length(suspension_reason) <= 500),
  -- time a rotated API key expires
  expires_at timestamptz,
  revoked_at timestamptz,
  -- time from which the API key works; covered by secret_hash
  starts_at timestamptz,
  -- API key that an API key with a start time replaces; it remains active if the new API key is cancelled
  replaces text references credential,
  check (replaces is null or starts_at is not null));
create index credential_developer on credential (developer_id, environment);

create table access_token (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  -- API key that issued the token, or console session of a test token for UAT
  client_id text references credential,
  session_hash bytea,
  device_name text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- last expiry time that the service set; covered by the MAC, so that expires_at cannot be moved beyond it
  latest_expiry timestamptz not null,
  revoked_at timestamptz,
  mac bytea not null check (octet_length(mac) = 32),
  check (expires_at <= latest_expiry),
  check ((client_id is null) <> (session_hash is null)),
  check (session_hash is null or environment = 'uat'));
create index access_token_expiry on access_token (expires_at);
create index access_token_of_session on access_token (session_hash) where session_hash is not null;
create index access_token_live on access_token (client_id, last_used_at desc) where revoked_at is null;
create index access_token_revoked on access_token (revoked_at) where revoked_at is not null;

-- Client tokens, which servers create for browsers and apps. A client token expires with the token that created it, and can only
-- use its scopes.
create table client_token (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null default uuidv7(),
  parent_hash bytea not null references access_token on delete cascade,
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['lookups', 'products', 'order']),
  order_id uuid check ((order_id is not null) = ('order' = any(scopes))),
  max_spend_paise bigint not null check (max_spend_paise >= 0),
  spent_paise bigint not null default 0 check (spent_paise between 0 and max_spend_paise),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  mac bytea not null check (octet_length(mac) = 32));
create index client_token_of_parent on client_token (parent_hash);
create index client_token_expiry on client_token (expires_at);
create unique index client_token_of_developer on client_token (developer_id, environment, id);
create index client_token_live on client_token (developer_id, environment, expires_at) where revoked_at is null;

-- Number of client tokens created per API key and calendar day (IST). There are too many for separate audit entries, because the
-- chain of the audit log requires a lock.
create table client_token_count (
  client_id text not null references credential,
  day date not null,
  made integer not null check (made > 0),
  primary key (client_id, day));
create index client_token_count_day on client_token_count (day);

create table app_user (
  id uuid primary key default uuidv7(),
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'finance', 'reviewer', 'support', 'developer')),
  -- role of a user of a developer account within the account
  team_role text check (team_role in ('owner', 'builder', 'finance', 'reader')),
  password_hash text not null,
  -- encrypted
  mobile bytea check (octet_length(mobile) <= 1000),
  developer_id uuid references developer,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- administrator who suspended this administrator in an emergency, without a second person; null once another administrator has
  -- confirmed or undone the suspension
  emergency_suspended_by uuid references app_user check (emergency_suspended_by <> id),
  -- time the user was removed permanently; the row is kept for the audit log, and the address can be used again
  removed_at timestamptz,
  check ((role = 'developer') = (developer_id is not null)),
  check ((role = 'developer') = (team_role is not null)),
  check (emergency_suspended_by is null or disabled_at is not null),
  check (removed_at is null or (disabled_at is not null and mobile is null)));
create unique index app_user_email on app_user (lower(email)) where removed_at is null;
create index app_user_developer on app_user (developer_id);
create index app_user_emergency on app_user (emergency_suspended_by) where emergency_suspended_by is not null;
create index app_user_words on app_user
  using gin (array_to_tsvector(array_remove(string_to_array(lower(name || ' ' || email), ' '), '')));

create table session (
  session_hash bytea primary key check (octet_length(session_hash) = 32),
  -- ID shown to the user; the hash is never shown
  id uuid not null unique default uuidv7(),
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- client address and user agent at sign-in
  address text check (length(address) <= 60),
  agent text check (length(agent) <= 200),
  -- time the user last verified a second factor in this session
  confirmed_at timestamptz,
  mac bytea not null check (octet_length(mac) = 32));
create index session_of_user on session (user_id);
create index session_expiry on session (expires_at);
create index session_revoked on session (revoked_at) where revoked_at is not null;
alter table access_token add foreign key (session_hash) references session on delete cascade;

-- Second factors: authenticator apps with one-time codes, passkeys, and recovery codes. A factor that was started but not
-- confirmed has no effect.
create table second_factor (
  id uuid primary key default uuidv7(),
  user_id uuid not null references app_user,
  kind text not null check (kind in ('totp', 'passkey', 'recovery_codes')),
  name text not null check (length(name) between 1 and 100),
  added_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  -- for an authenticator app: the encrypted secret, and the 30 s period of the last accepted code, so that no code is accepted
  -- twice
  secret bytea,
  last_period bigint,
  -- for a passkey
  credential_id text unique check (length(credential_id) <= 1400),
  public_key bytea,
  sign_count bigint,
  mac bytea not null check (octet_length(mac) = 32),
  check ((kind = 'totp') = (secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and sign_count is not null)));
create index second_factor_of_user on second_factor (user_id);

-- Keyed hashes of recovery codes. Each code is valid once and is deleted when it is used.
create table recovery_code (
  factor_id uuid not null references second_factor on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (factor_id, code_hash));

-- Challenges of passkey responses that were already used, because each response is valid only once.
create table answered_challenge (
  challenge text primary key check (length(challenge) <= 100),
  expires_at timestamptz not null);
create index answered_challenge_expiry on answered_challenge (expires_at);

-- Devices from which a user has signed in, as a keyed hash of user agent and network. A sign-in from another device sends an
-- email.
create table known_device (
  user_id uuid not null references app_user,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device_hash));
create index known_device_seen on known_device (last_seen_at);

-- Emailed links to reset a password. Only the hash of a link is stored.
create table password_reset (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32));
create index password_reset_of_user on password_reset (user_id);
create index password_reset_expiry on password_reset (expires_at);

-- Pending invitations. An invited person is not a user yet, so an invitation does not reserve the address. The user gets the ID
-- of the invitation. Only the hash of the emailed link is stored.
create table invitation (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'finance', 'reviewer', 'support', 'developer')),
  team_role text check (team_role in ('owner', 'builder', 'finance', 'reader')),
  developer_id uuid references developer,
  -- null if a command on the server created the invitation
  invited_by uuid references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32),
  check ((role = 'developer') = (developer_id is not null)),
  check ((role = 'developer') = (team_role is not null)));
-- one invitation per address and account; a second invitation replaces the link
create unique index invitation_of_account on invitation (developer_id, lower(email)) nulls not distinct;
create index invitation_by on invitation (invited_by);
create index invitation_expiry on invitation (expires_at);

-- Pending changes of email addresses. A new address applies when the link that was emailed to it is used. Only the hash of the
-- link is stored.
create table email_change (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null unique references app_user,
  -- encrypted
  email bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32));
create index email_change_expiry on email_change (expires_at);

create table setting (
  environment text not null check (environment in ('uat', 'production')),
  name text not null,
  value text not null,
  updated_at timestamptz not null default now(),
  primary key (environment, name));

-- Providers that staff have disabled or enabled. New orders are not sent to a disabled provider. A provider that was never
-- disabled has no row.
create table provider_switch (
  environment text not null check (environment in ('uat', 'production')),
  provider text not null check (provider ~ '^[A-Z]{2,20}$'),
  available boolean not null,
  reason text check (length(reason) <= 500),
  changed_at timestamptz not null default now(),
  primary key (environment, provider),
  check (available = (reason is null)));

-- Whether staff have paused the new orders of an environment, and the notice for callers. An environment without a pause has no
-- row.
create table order_pause (
  environment text primary key check (environment in ('uat', 'production')),
  paused boolean not null,
  notice text check (length(notice) between 1 and 200),
  -- time of the last pause or resumption
  changed_at timestamptz not null default now(),
  check (paused = (notice is not null)));

create table audit_entry (
  id bigint primary key,
  at timestamptz not null,
  actor text not null,
  -- client address of the request, in the form used in logs; null for commands and for actions of the service itself
  address text check (length(address) <= 100),
  action text not null,
  subject text not null,
  -- account that the entry is about; not a foreign key, because the hash covers it and the entry is kept
  developer_id uuid,
  before jsonb,
  after jsonb,
  reason text,
  request_id text not null,
  key_id text not null,
  posting_id uuid,
  amount_paise bigint,
  previous_hash bytea not null,
  hash bytea not null,
  check ((posting_id is null) = (amount_paise is null)),
  -- a top-up or correction can commit only if this entry exists
  unique (posting_id, subject, amount_paise));
create index audit_entry_subject on audit_entry (subject, id);
create index audit_entry_actor on audit_entry (actor, id);
create index audit_entry_request on audit_entry (request_id, id);
create index audit_entry_account on audit_entry (developer_id, id) where developer_id is not null;
-- for the newest values of a subject; excludes sign-ins, which are frequent and contain no values
create index audit_entry_said on audit_entry (subject, id) where after is not null;

-- Failed attempts to use a secret, with one row and a count per identifier, address and 15 minutes. They are not in the audit
-- log, because anonymous callers can cause them.
create table security_event (
  id uuid primary key default uuidv7(),
  -- start of the 15 minutes
  since timestamptz not null,
  kind text not null check (kind ~ '^[a-z-]{2,40}$'),
  -- keyed hash; empty for attempts with any identifier that were rejected because there were too many from the address
  identifier_hash text not null check (length(identifier_hash) <= 100),
  -- masked
  identifier text check (length(identifier) <= 100),
  address text not null check (length(address) <= 100),
  at timestamptz not null,
  last_at timestamptz not null check (last_at >= at),
  count integer not null check (count > 0),
  user_id uuid references app_user,
  -- reason for the last failure
  reason text not null check (length(reason) <= 100),
  request_id text not null,
  unique (since, kind, identifier_hash, address));
create index security_event_user on security_event (user_id, id) where user_id is not null;
create index security_event_address on security_event (address, id);
create index security_event_last on security_event (last_at);

-- The last call of an account, environment and service that was rejected because of its caller; see src/accounts/rejected-calls.ts.
create table rejected_call (
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  -- empty for a call that requires no service
  service text not null check (service ~ '^[a-z_]{0,40}$'),
  at timestamptz not null,
  code text not null check (code ~ '^[A-Z_]{2,60}$'),
  request_id uuid not null,
  -- REST method and path, or GraphQL field; never a value of the request
  operation text not null check (length(operation) <= 200),
  primary key (developer_id, environment, service));
create index rejected_call_at on rejected_call (at);
create index rejected_call_request on rejected_call (request_id);

-- Progress of the comparison of rows with the audit log, and the result of its last run; see src/audit/comparison.look.ts.
create table audit_comparison (
  only_one boolean primary key default true check (only_one),
  -- moved forward while a process runs a step, so that no other process runs the same step
  next_step_at timestamptz not null default now(),
  kind text,
  place uuid,
  -- number of rows by kind, in the current run and in the last completed run
  found jsonb not null default '{}',
  last_found jsonb,
  completed_at timestamptz);
insert into audit_comparison default values;

-- Keyed hashes of the secrets that were used with this database. A process with different secrets does not start; see
-- src/db/secret-fingerprints.ts. Only the owner of the tables can change a row.
create table secret_fingerprint (
  name text not null check (name in ('ENCRYPTION_KEYS', 'REFERENCE_SECRET', 'SECRET_PEPPER')),
  -- ID of an encryption key; the other secrets have none
  key_id text not null check ((key_id <> '') = (name = 'ENCRYPTION_KEYS')),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  registered_at timestamptz not null default now(),
  -- time since which no stored value uses the encryption key
  retired_at timestamptz check (retired_at is null or name = 'ENCRYPTION_KEYS'),
  primary key (name, key_id));

-- Counters. They may be lost in a crash, so the table needs no write-ahead log.
create unlogged table rate_limit (key text primary key, points integer not null default 0, expire bigint);
create index rate_limit_expire on rate_limit (expire);

grant select on schema_fingerprint, schema_repeatable to gateway_app;
grant usage on schema public to gateway_app;
grant select, insert, update on white_label, developer, service_access, credential, access_token, app_user, session, provider_switch, order_pause to gateway_app;
-- settings cannot be renamed, because one administrator could change roles without two_admins_since
grant select, insert, update (value, updated_at) on setting to gateway_app;
grant select, insert on developer_note to gateway_app;
grant select, update on client_token to gateway_app;
grant select on client_token_count to gateway_app;
grant select, insert, update, delete on second_factor to gateway_app;
grant select, insert, update on known_device to gateway_app;
grant select, insert on answered_challenge to gateway_app;
grant select, insert, delete on password_reset, email_change, recovery_code to gateway_app;
grant select, insert, update, delete on invitation to gateway_app;
grant select, insert on audit_entry to gateway_app;
grant select, insert (name, key_id, fingerprint) on secret_fingerprint to gateway_app;
grant select, update on audit_comparison to gateway_app;
grant select, insert, update on security_event, rejected_call to gateway_app;
grant select, insert, update on rate_limit to gateway_app;
