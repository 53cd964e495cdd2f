-- Tables of an archive run that detaches the orders of a month, see ../repeatable/ledger-detach.sql. It changes no table that exists, and
-- the version before does not use these tables: do not run its `gateway archive` while archive_month has a row.

-- The month whose tables are about to be replaced by tables of the orders that stay. One row, while a run is not finished.
create table archive_month (
  only_one boolean primary key default true check (only_one),
  -- of ledger_archive
  file uuid not null,
  -- end of the names of its tables
  suffix text not null check (suffix ~ '^_[0-9]{4}_[0-9]{2}$'),
  -- staging: its orders are compared with the file. copied: the orders that stay were copied, changes are copied again. detached: the
  -- tables are gone, the transfers of the orders are being deleted.
  state text not null default 'staging' check (state in ('staging', 'copied', 'detached')),
  -- when a row was last copied
  written_at timestamptz not null default clock_timestamp(),
  -- subjects of the file that stay, because they changed
  stayed bigint not null default 0,
  -- the transfers of orders up to this one were deleted
  deleted_to uuid not null default '00000000-0000-0000-0000-000000000000');

-- The orders that leave with the tables. They are part of the books until the tables are detached, and their transfers are not from
-- then on.
create table archive_leaving (
  subject_id uuid primary key,
  developer_id uuid not null,
  environment text not null,
  -- how many transfers the file has
  transfers smallint not null);

-- IDs of orders in these tables that changed after the run began. They stay.
create table archive_change (
  subject_id uuid not null);

-- Sums of archive_leaving, for wallet_opening and archived_total.
create table archive_staged_wallet (
  developer_id uuid not null,
  environment text not null,
  lines bigint not null,
  amount_paise bigint not null,
  primary key (developer_id, environment));
create table archive_staged_total (
  environment text not null,
  account text not null,
  provider text not null,
  day date not null,
  amount_paise bigint not null,
  primary key (environment, account, provider, day));
