-- Number of concurrent calls to a provider that each process can make, if a contract limits the total. This migration locks no
-- existing table. The previous version does not use the new table, so its calls are not counted.

create table provider_permit (
  provider text not null check (length(provider) between 1 and 40),
  process uuid not null,
  permits integer not null check (permits >= 0),
  -- after this time, the process and all its calls have ended
  expires_at timestamptz not null,
  primary key (provider, process));

grant select, delete on provider_permit to gateway_app;
