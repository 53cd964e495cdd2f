-- Tables of an archive run that detaches the orders of a month; see ../repeatable/ledger-detach.sql. This migration changes no
-- existing table. The previous version does not use these tables, so do not run its `gateway archive` while archive_month has a
-- row.

-- Month whose tables are being replaced by tables of the orders that stay. One row while a run is in progress.
create table archive_month (
  only_one boolean primary key default true check (only_one),
  -- ID in ledger_archive
  file uuid not null,
  -- suffix of the table names
  suffix text not null check (suffix ~ '^_[0-9]{4}_[0-9]{2}$'),
  -- staging: the orders are being compared with the file. copied: the orders that stay were copied, and changes are copied again.
  -- detached: the tables were removed, and the transfers of the orders are being deleted.
  state text not null default 'staging' check (state in ('staging', 'copied', 'detached')),
  -- time a row was last copied
  written_at timestamptz not null default clock_timestamp(),
  -- number of subjects of the file that stay, because they changed
  stayed bigint not null default 0,
  -- ID of the last order whose transfers were deleted
  deleted_to uuid not null default '00000000-0000-0000-0000-000000000000');

-- Orders that are archived with the tables. Their transfers are part of the ledger until the tables are detached.
create table archive_leaving (
  subject_id uuid primary key,
  developer_id uuid not null,
  environment text not null,
  -- number of transfers in the file
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
