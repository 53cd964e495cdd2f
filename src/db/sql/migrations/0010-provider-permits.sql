-- How many calls of a provider each process may have under way at once, where a contract limits them all together. It locks nothing that
-- was there; the version before it knows nothing of it, and counts for nothing.

create table provider_permit (
  provider text not null check (length(provider) between 1 and 40),
  process uuid not null,
  permits integer not null check (permits >= 0),
  -- past it the process has ended, and so has every call that it may have begun
  expires_at timestamptz not null,
  primary key (provider, process));

grant select, delete on provider_permit to gateway_app;
