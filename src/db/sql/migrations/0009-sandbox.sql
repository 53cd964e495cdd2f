-- What callers of UAT want their next call to come to. It locks nothing that was there; the version before it knows nothing of it.

create table sandbox_scenario (
  id uuid primary key default uuidv7(),
  developer_id uuid not null references developer,
  -- the sandbox has no other
  environment text not null check (environment = 'uat'),
  -- keyed hash of what the call is known by: the caller's own key or a number
  target_hash bytea not null check (octet_length(target_hash) = 32),
  by_key boolean not null,
  outcome text not null check (length(outcome) between 1 and 40),
  reason text check (length(reason) between 1 and 40),
  expires_at timestamptz not null,
  -- the order that took it, which is asked about later; null while it waits
  reference text collate "C" check (length(reference) between 1 and 40),
  taken_at timestamptz,
  check ((reference is null) = (taken_at is null)));
-- one waits for each target, and each order takes one
create unique index sandbox_scenario_waiting on sandbox_scenario (developer_id, environment, target_hash) where reference is null;
create unique index sandbox_scenario_taken on sandbox_scenario (reference) where reference is not null;
create index sandbox_scenario_expiry on sandbox_scenario (expires_at);

grant select, insert, delete on sandbox_scenario to gateway_app;
grant update (outcome, reason, expires_at, reference, taken_at) on sandbox_scenario to gateway_app;
