-- Manual review of orders, and approval requests: changes that require the approval of a second person.

-- Approval requests. `payload` contains the data of the action that has no column: codes and references, but no personal data.
-- Only one approval request per action, `subject` and `folded_key` can be pending; an expired one does not prevent a new one.
create table approval_request (
  id uuid primary key,
  action text not null check (action in ('wallet.credit', 'wallet.debit', 'order.settle', 'order.refund', 'order.reverse', 'order.reverse_refund', 'orders.resolve', 'wallet.correct',
    'developer.unlock_production', 'service_access.set', 'developer.assign_provider', 'developer.set_white_label', 'white_label.assign_provider', 'user.set_role', 'user.invite', 'user.suspend', 'user.reinstate', 'user.remove', 'user.reset_factors', 'provider.set_availability', 'orders.resume')),
  subject text not null check (length(subject) between 1 and 100),
  key text not null check (length(key) between 1 and 200),
  -- key as normalized by reference_key
  folded_key text collate "C" not null,
  developer_id uuid references developer,
  order_id uuid,
  -- last transfer of the order when approval was requested; after a later transfer, the approval request is outdated
  order_step smallint,
  amount_paise bigint check (amount_paise > 0),
  -- balance of the wallet when approval was requested, which the second person can see
  balance_paise bigint,
  payload jsonb not null,
  -- reason, followed by a notice of the service, for example that the bank transfer was already credited
  reason text not null check (length(reason) <= 600),
  requested_by uuid not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  final_state text check (final_state in ('approved', 'rejected', 'expired')),
  resolved_at timestamptz,
  resolved_by uuid references app_user,
  check ((order_id is null) = (order_step is null)),
  check ((final_state is null) = (resolved_at is null)),
  check ((resolved_by is not null) = (final_state in ('approved', 'rejected'))),
  constraint approved_by_another check (final_state <> 'approved' or resolved_by <> requested_by),
  unique (id, final_state));
create unique index approval_request_pending on approval_request (action, subject, folded_key) where final_state is null;
create index approval_request_pending_id on approval_request (id) where final_state is null;
create index approval_request_of_order on approval_request (order_id) where final_state is null and order_id is not null;
-- for earlier requests about the same record or the same account
create index approval_request_of_subject on approval_request (subject, id);
create index approval_request_of_account on approval_request (developer_id, id) where order_id is null;

-- Orders of an approval request for several orders.
create table approval_request_order (
  approval_request_id uuid not null references approval_request on delete cascade,
  order_id uuid not null,
  outcome text not null check (outcome in ('success', 'failed')),
  -- line of the provider's statement that proves the outcome: number, reference, status, time and amount, but no account number
  evidence jsonb,
  primary key (approval_request_id, order_id));
create index approval_request_order_order on approval_request_order (order_id);

-- Statements of providers that were compared with our orders.
create table reconcile_run (
  id uuid primary key,
  provider text not null,
  -- SHA-256 of the file as it was read
  file_hash bytea not null check (octet_length(file_hash) = 32),
  period_from timestamptz not null,
  period_to timestamptz not null check (period_to > period_from),
  orders integer not null,
  lines integer not null,
  matched integer not null,
  differences integer not null,
  requested integer not null,
  approval_request_id uuid references approval_request,
  -- the user for whom approval was requested; null if none was requested
  run_by uuid references app_user,
  created_at timestamptz not null default now(),
  check ((requested > 0) = (approval_request_id is not null)),
  check (approval_request_id is null or run_by is not null));

-- Differences between statements and our orders, one row for each difference, also after it is resolved.
create table reconcile_difference (
  id uuid primary key,
  provider text not null,
  -- hash of the difference, by which a later run finds the row of the same difference
  fingerprint bytea not null unique check (octet_length(fingerprint) = 32),
  kind text not null check (kind in ('missing_at_provider', 'order_not_found', 'archived', 'amount_differs', 'status_differs', 'duplicate')),
  -- last run that found the difference
  run_id uuid not null references reconcile_run,
  developer_id uuid,
  order_id uuid,
  our_status text check (our_status in ('success', 'failed', 'pending', 'reversed')),
  our_amount_paise bigint,
  -- line number in the file of the run
  line integer,
  -- reference of the order, or the reference in the line
  reference text not null check (length(reference) <= 100),
  -- account number in the line, masked
  account text check (length(account) <= 100),
  their_status text check (their_status in ('succeeded', 'failed', 'pending', 'reversed')),
  their_amount_paise bigint,
  -- time the order was placed; without an order, the time of the line
  occurred_at timestamptz not null,
  found_at timestamptz not null default now(),
  resolution text check (resolution in ('staff', 'later_run')),
  resolved_at timestamptz,
  resolved_by uuid references app_user,
  resolved_run_id uuid references reconcile_run,
  reason text check (length(reason) between 1 and 500),
  check ((order_id is null) = (our_status is null) and (order_id is null) = (our_amount_paise is null)),
  check ((line is null) = (their_status is null) and (line is null) = (their_amount_paise is null)),
  check (order_id is not null or line is not null),
  check ((resolution is null) = (resolved_at is null)),
  check ((resolved_by is not null and reason is not null) = (resolution is not distinct from 'staff')),
  check ((resolved_run_id is not null) = (resolution is not distinct from 'later_run')));
create index reconcile_difference_open on reconcile_difference (provider, found_at) where resolution is null;
create index reconcile_difference_gone on reconcile_difference (resolved_at) where resolution = 'later_run';

-- Bank transfers with the Production credits that used them, for all wallets and permanently. Only bank_transfer_take writes this
-- table.
create table bank_transfer (
  posting_id uuid primary key,
  utr text not null check (utr ~ '^[A-Z0-9]{12,22}$'),
  developer_id uuid not null,
  -- for every credit except the first: approval request for another credit of the same transfer. It must be approved at commit,
  -- and its author cannot approve it.
  shared_by uuid unique,
  shared_state text generated always as (case when shared_by is not null then 'approved' end) stored,
  constraint shared_by_two_people foreign key (shared_by, shared_state) references approval_request (id, final_state) deferrable initially deferred);
create unique index bank_transfer_first on bank_transfer (utr) where shared_by is null;

-- Corrections of wallets whose balance changed without a transfer: approved by a second person, posted by the owner of the tables.
-- Only ledger_reopen writes these two tables, and the application cannot call it.
create table wallet_correction (
  -- subject of the transfer, if the balances differ
  posting_id uuid primary key,
  developer_id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  approval_request_id uuid not null unique,
  request_state text not null generated always as ('approved') stored,
  -- version of the wallet after the correction was posted
  version bigint not null,
  -- balance before the correction, and the sum of the transfers with earlier opening records
  stored_paise bigint not null,
  computed_paise bigint not null,
  -- first version with a wrong balance, and number of entries with a wrong balance
  first_version bigint not null,
  entries bigint not null,
  posted_by text not null default session_user,
  posted_at timestamptz not null default now(),
  constraint corrected_by_two_people foreign key (approval_request_id, request_state) references approval_request (id, final_state));
create index wallet_correction_wallet on wallet_correction (developer_id, environment);

-- Opening records: right after `version` the balance changed by `change_paise` without a transfer. Later entries continue from there.
create table wallet_reopening (
  developer_id uuid not null,
  environment text not null,
  version bigint not null check (version >= 0),
  posting_id uuid not null references wallet_correction,
  change_paise bigint not null check (change_paise <> 0),
  primary key (developer_id, environment, version, posting_id));

-- Amounts that a user credited, and amounts of orders that a user resolved, without a second person on a calendar day (IST).
create table alone_allowance (
  user_id uuid not null references app_user,
  kind text not null check (kind in ('credit', 'resolve')),
  day date not null,
  used_paise bigint not null check (used_paise > 0),
  primary key (user_id, kind, day));

grant select on bank_transfer, wallet_correction, wallet_reopening to gateway_app;
grant select, insert on approval_request, approval_request_order, reconcile_run, reconcile_difference, alone_allowance to gateway_app;
grant update (run_id, line, resolution, resolved_at, resolved_by, resolved_run_id, reason) on reconcile_difference to gateway_app;
grant update (final_state, resolved_at, resolved_by) on approval_request to gateway_app;
grant update (used_paise) on alone_allowance to gateway_app;
