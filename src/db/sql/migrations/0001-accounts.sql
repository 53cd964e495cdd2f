-- Who may call what: developers, white labels, access, credentials, tokens, users, sessions, password resets, settings, audit, rate limits.
--
-- A `mac` covers the fields of its row that grant access, and needs a key that is not in the database; see src/core/row-keys.ts. A
-- `token_hash` or `session_hash` is an HMAC with another key.

-- The role that the application runs as: it owns nothing, and every grant to it stands beside what is granted.
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_app') then
    create role gateway_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;  -- another database of this cluster was faster
end $$;

do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then execute format('grant gateway_app to %I', current_user); end if;
end $$;

-- PostgreSQL 18 has it; before that it is ours. The ids of one connection follow each other to the microsecond.
do $$ begin
  if current_setting('server_version_num')::integer < 180000 then
    create function uuidv7(p_shift interval default interval '0') returns uuid language sql volatile parallel safe as $f$
      select (lpad(to_hex(t.us / 1000), 12, '0') || '7' || lpad(to_hex(t.us % 1000 * 4096 / 1000), 3, '0')
        || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid
      from (select (extract(epoch from clock_timestamp() + p_shift) * 1000000)::bigint) t (us) $f$;
  end if;
end $$;

-- What this database was made by: SHA-256 of every migration, and of every repeatable file as it was applied last.
-- `needs`: the migration that programs must know to serve on the tables since then; see sql-files.ts.
create table schema_fingerprint (name text primary key, fingerprint text not null, needs text);
create table schema_repeatable (name text primary key, fingerprint text not null);

create table white_label (
  id uuid primary key default uuidv7(),
  name text not null unique check (length(name) between 1 and 100),
  -- which there are says src/providers/registry.ts
  recharge_provider text not null check (recharge_provider ~ '^[A-Z]{2,20}$'),
  -- from then on it takes no developer; it had none at that time
  disabled_at timestamptz,
  created_at timestamptz not null default now());

create table developer (
  id uuid primary key default uuidv7(),
  -- `user.id` of the API, which the contract wants as an integer. It is shown; nothing is found by it but in the console's search.
  account_number integer generated always as identity (start with 1001) unique,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  onboarding_status text not null default 'registered'
    check (onboarding_status in ('registered', 'email_verified', 'kyc_submitted', 'kyc_changes_requested', 'approved', 'rejected')),
  email_verified_at timestamptz,
  -- the last time
  kyc_submitted_at timestamptz,
  -- waits while live access is locked
  production_requested_at timestamptz,
  production_request text check (length(production_request) <= 500),
  production_unlocked boolean not null default false,
  production_unlocked_at timestamptz,
  suspended_at timestamptz,
  suspension_reason text check (length(suspension_reason) <= 500),
  white_label_id uuid references white_label,
  recharge_provider text not null default 'ROUNDPAY' check (recharge_provider ~ '^[A-Z]{2,20}$'),
  rate_limit_per_minute integer check (rate_limit_per_minute between 1 and 1000000),
  -- so long a recharge without a key that repeats a performed one is refused; 0: it is performed
  duplicate_guard_s integer not null default 0 check (duplicate_guard_s between 0 and 3600),
  -- a session of its people ends after so many minutes without a request
  session_idle_minutes integer not null default 120 check (session_idle_minutes between 15 and 720),
  -- shorter than usual; null: as usual
  token_idle_days integer check (token_idle_days between 1 and 3650),
  token_max_days integer check (token_max_days between 1 and 3650),
  -- or what has to be mended
  rejection_reason text,
  -- while it is rejected
  rejected_at timestamptz,
  -- for good: it is suspended, nobody signs in, and the address is free for another account
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
-- the console's search, by the beginnings of words: AccountSearch has the same expression
create index developer_words on developer
  using gin (array_to_tsvector(array_remove(string_to_array(lower(name || ' ' || email), ' '), '')));
create index developer_kyc_queue on developer ((coalesce(kyc_submitted_at, 'infinity'::timestamptz)), id);
create index developer_production_request on developer (id) where production_requested_at is not null and not production_unlocked;

-- What staff write about an account for one another.
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
    -- which there are says src/core/services.ts
    check (service ~ '^[a-z_]{2,40}$'),
  enabled boolean not null default false,
  fee_paise bigint not null default 0 check (fee_paise between 0 and 10000000),
  changed_at timestamptz not null default now(),
  -- as the audit log names them
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
  -- while it has many live tokens, the use of each is noted more often; see token_issue
  many_tokens_since timestamptz,
  suspended_at timestamptz,
  suspension_reason text check (length(suspension_reason) <= 500),
  -- of a key that another one took the place of: when it ends
  expires_at timestamptz,
  revoked_at timestamptz,
  -- the key does nothing before this time; secret_hash covers the time
  starts_at timestamptz,
  -- of a key with a start time: the key that it replaces, which is kept when this key is cancelled
  replaces text references credential,
  check (replaces is null or starts_at is not null));
create index credential_developer on credential (developer_id, environment);

create table access_token (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  developer_id uuid not null references developer,
  environment text not null check (environment in ('uat', 'production')),
  -- of the key that it came from; or of the session on the console in which somebody made it, to try things in UAT
  client_id text references credential,
  session_hash bytea,
  device_name text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- the last expiry time that the service set, which the MAC covers: nothing else can move expires_at beyond it
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

-- What a server makes of its token for a browser or an app: it ends with the token, and sees no more than its scopes.
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

-- How many were made with the tokens of a key on a day of Indian time. There are too many for an audit entry each, whose chain is one lock.
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
  -- of a developer's people: what they may do within the account
  team_role text check (team_role in ('owner', 'builder', 'finance', 'reader')),
  password_hash text not null,
  -- encrypted
  mobile bytea check (octet_length(mobile) <= 1000),
  developer_id uuid references developer,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- the administrator who suspended this one in an emergency, without a second person, until another administrator settles it
  emergency_suspended_by uuid references app_user check (emergency_suspended_by <> id),
  -- gone for good: the row stays for the audit log, and the address is free for somebody else
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
  -- what its user sees of it: the hash is nobody's to see
  id uuid not null unique default uuidv7(),
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- where and with what it was opened
  address text check (length(address) <= 60),
  agent text check (length(agent) <= 200),
  -- when its user last showed a second factor in it
  confirmed_at timestamptz,
  mac bytea not null check (octet_length(mac) = 32));
create index session_of_user on session (user_id);
create index session_expiry on session (expires_at);
create index session_revoked on session (revoked_at) where revoked_at is not null;
alter table access_token add foreign key (session_hash) references session on delete cascade;

-- What a user shows beside the password: an authenticator's one-time codes, passkeys, recovery codes. One that was begun and not
-- confirmed counts for nothing.
create table second_factor (
  id uuid primary key default uuidv7(),
  user_id uuid not null references app_user,
  kind text not null check (kind in ('totp', 'passkey', 'recovery_codes')),
  name text not null check (length(name) between 1 and 100),
  added_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  -- of an authenticator: the secret, encrypted, and the period of 30 s whose code was taken last: no code counts twice
  secret bytea,
  last_period bigint,
  -- of a passkey
  credential_id text unique check (length(credential_id) <= 1400),
  public_key bytea,
  sign_count bigint,
  mac bytea not null check (octet_length(mac) = 32),
  check ((kind = 'totp') = (secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and sign_count is not null)));
create index second_factor_of_user on second_factor (user_id);

-- Keyed hashes: each code counts once, and goes when it was used.
create table recovery_code (
  factor_id uuid not null references second_factor on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (factor_id, code_hash));

-- Challenges that a passkey has answered: an answer counts once.
create table answered_challenge (
  challenge text primary key check (length(challenge) <= 100),
  expires_at timestamptz not null);
create index answered_challenge_expiry on answered_challenge (expires_at);

-- Where a user has signed in before, as a keyed hash of program and network: an email says when it is another one.
create table known_device (
  user_id uuid not null references app_user,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device_hash));
create index known_device_seen on known_device (last_seen_at);

-- Links that were mailed to set a new password; of a link only a hash is kept.
create table password_reset (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32));
create index password_reset_of_user on password_reset (user_id);
create index password_reset_expiry on password_reset (expires_at);

-- Somebody who was asked to join, and has not yet: no user, so that the address still belongs to whoever has it. The id becomes the
-- user's. Of the mailed link only a hash is kept.
create table invitation (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'finance', 'reviewer', 'support', 'developer')),
  team_role text check (team_role in ('owner', 'builder', 'finance', 'reader')),
  developer_id uuid references developer,
  -- null: a command on the machine
  invited_by uuid references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32),
  check ((role = 'developer') = (developer_id is not null)),
  check ((role = 'developer') = (team_role is not null)));
-- one per person and account: whoever is invited again gets another link
create unique index invitation_of_account on invitation (developer_id, lower(email)) nulls not distinct;
create index invitation_by on invitation (invited_by);
create index invitation_expiry on invitation (expires_at);

-- Another address of a user, which counts once the link that was mailed there is used. Of the link only a hash is kept.
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

-- A provider that staff have switched: nothing new is sent to one that is not available. No row: nobody ever switched it.
create table provider_switch (
  environment text not null check (environment in ('uat', 'production')),
  provider text not null check (provider ~ '^[A-Z]{2,20}$'),
  available boolean not null,
  reason text check (length(reason) <= 500),
  changed_at timestamptz not null default now(),
  primary key (environment, provider),
  check (available = (reason is null)));

-- Whether staff have paused the new orders of an environment, and the notice for callers. No row: they were never paused.
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
  -- where the request came from, as logs name addresses; null of commands and of what the service does by itself
  address text check (length(address) <= 100),
  action text not null,
  subject text not null,
  -- the account that it is about; no reference, because it is covered by the hash and stays
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
  -- what a top-up or a correction has to find here before it may commit
  unique (posting_id, subject, amount_paise));
create index audit_entry_subject on audit_entry (subject, id);
create index audit_entry_actor on audit_entry (actor, id);
create index audit_entry_request on audit_entry (request_id, id);
create index audit_entry_account on audit_entry (developer_id, id) where developer_id is not null;
-- what the audit log last said of something: sign-ins, of which there are many, say nothing
create index audit_entry_said on audit_entry (subject, id) where after is not null;

-- Failed attempts at a secret: one row of an identifier, an address and a quarter of an hour, in which they are counted. Beside the
-- log, because strangers make them.
create table security_event (
  id uuid primary key default uuidv7(),
  -- the quarter of an hour
  since timestamptz not null,
  kind text not null check (kind ~ '^[a-z-]{2,40}$'),
  -- keyed; empty: attempts at whatever identifiers, which were refused because there were too many from the address
  identifier_hash text not null check (length(identifier_hash) <= 100),
  -- masked
  identifier text check (length(identifier) <= 100),
  address text not null check (length(address) <= 100),
  at timestamptz not null,
  last_at timestamptz not null check (last_at >= at),
  count integer not null check (count > 0),
  user_id uuid references app_user,
  -- of the last one
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
  -- method and path of REST, or the field of GraphQL: never a value of the request
  operation text not null check (length(operation) <= 200),
  primary key (developer_id, environment, service));
create index rejected_call_at on rejected_call (at);
create index rejected_call_request on rejected_call (request_id);

-- How far the comparison of rows with the audit log has come, and what its last run found; see src/audit/comparison.look.ts.
create table audit_comparison (
  only_one boolean primary key default true check (only_one),
  -- while a process makes a step it is later, so that no other makes it
  next_step_at timestamptz not null default now(),
  kind text,
  place uuid,
  -- rows by kind: of the run under way, and of the last one that came to its end
  found jsonb not null default '{}',
  last_found jsonb,
  completed_at timestamptz);
insert into audit_comparison default values;

-- Keyed hashes of the secrets that this database was used with: a process with other secrets does not start. See
-- src/db/secret-fingerprints.ts. Only the owner changes a row.
create table secret_fingerprint (
  name text not null check (name in ('ENCRYPTION_KEYS', 'REFERENCE_SECRET', 'SECRET_PEPPER')),
  -- ID of an encryption key; the other secrets have none
  key_id text not null check ((key_id <> '') = (name = 'ENCRYPTION_KEYS')),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  registered_at timestamptz not null default now(),
  -- no stored value uses the encryption key since then
  retired_at timestamptz check (retired_at is null or name = 'ENCRYPTION_KEYS'),
  primary key (name, key_id));

-- Counters only: a crash may empty it, so it needs no write-ahead log.
create unlogged table rate_limit (key text primary key, points integer not null default 0, expire bigint);
create index rate_limit_expire on rate_limit (expire);

grant select on schema_fingerprint, schema_repeatable to gateway_app;
grant usage on schema public to gateway_app;
grant select, insert, update on white_label, developer, service_access, credential, access_token, app_user, session, provider_switch, order_pause to gateway_app;
-- a setting is never renamed: without two_admins_since one administrator could change roles
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
