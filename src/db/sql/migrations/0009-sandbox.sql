-- Scenarios for the next call in UAT. This migration locks no existing table, and the previous version does not use the new one.

create table sandbox_scenario (
  id uuid primary key default uuidv7(),
  developer_id uuid not null references developer,
  -- scenarios exist only in UAT
  environment text not null check (environment = 'uat'),
  -- keyed hash of the idempotency key or number that identifies the call
  target_hash bytea not null check (octet_length(target_hash) = 32),
  by_key boolean not null,
  outcome text not null check (length(outcome) between 1 and 40),
  reason text check (length(reason) between 1 and 40),
  expires_at timestamptz not null,
  -- order that used the scenario, for later status checks; null until then
  reference text collate "C" check (length(reference) between 1 and 40),
  taken_at timestamptz,
  check ((reference is null) = (taken_at is null)));
-- at most one unused scenario per target, and one scenario per order
create unique index sandbox_scenario_waiting on sandbox_scenario (developer_id, environment, target_hash) where reference is null;
create unique index sandbox_scenario_taken on sandbox_scenario (reference) where reference is not null;
create index sandbox_scenario_expiry on sandbox_scenario (expires_at);

grant select, insert, delete on sandbox_scenario to gateway_app;
grant update (outcome, reason, expires_at, reference, taken_at) on sandbox_scenario to gateway_app;
