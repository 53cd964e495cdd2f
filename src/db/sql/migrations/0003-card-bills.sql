-- Fetched card bills: what our fetch_id stands for, and the rule that one payment at a time may use it.

-- Neither card nor mobile stands here: the owner is a keyed hash, the provider's fetch id is encrypted.
create table card_bill (
  developer_id uuid not null,
  id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  owner_hash bytea not null check (octet_length(owner_hash) = 32),
  provider_fetch_id bytea not null,
  fetched_at timestamptz not null default now(),
  primary key (developer_id, id));
create index card_bill_age on card_bill (fetched_at);

grant select, insert on card_bill to gateway_app;
