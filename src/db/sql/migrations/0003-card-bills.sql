-- Fetched card bills, by our fetch_id.

-- Contains neither card numbers nor mobile numbers: the owner is a keyed hash, and the fetch ID of the provider is encrypted.
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
