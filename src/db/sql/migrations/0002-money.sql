-- Wallets, orders and transfers. They can be changed only with the functions in ../repeatable, which run with the rights of the
-- owner. The role of the application can only read the tables and call the functions. Therefore, not even a defect or an injected
-- statement can overdraw a wallet, settle an order twice or change past transfers.

create table wallet (
  developer_id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  balance_paise bigint not null default 0 check (balance_paise >= 0),
  version bigint not null default 0 check (version >= 0),
  -- time of the last payment, by which accounts can be sorted
  last_order_at timestamptz,
  primary key (developer_id, environment)) with (fillfactor = 50);

-- Orders: one row per charged call. No index includes a column that changes later, so that every new version of a row stays on
-- its page (HOT). Schedules, claims and search keys are therefore in the narrow tables below. The partitions are months of the
-- ID, which starts with its creation time. order_partitions_ahead creates partitions in advance, and the default partition
-- contains all other rows.
create table orders (
  developer_id uuid not null,
  id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  operation text not null check (operation in ('recharge', 'card_payment', 'card_bill', 'lookup')),
  -- reference sent to the provider, and our api_request_id. It is derived from the idempotency key if there is one. If newer rows
  -- are lost in a restore or failover, a retry therefore sends the same reference to the provider.
  reference text collate "C" not null check (length(reference) = 25),
  -- idempotency key as sent by the client, or "h:" and its keyed hash if it may contain a card number; order_key contains the
  -- order that currently owns the key
  client_key text collate "C" check (length(client_key) between 1 and 100),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  amount_paise bigint not null check (amount_paise > 0),
  provider text not null,
  state text not null default 'open' check (state in ('open', 'success', 'failed', 'review')),
  request bytea not null,
  account_hash bytea not null check (octet_length(account_hash) = 32),
  -- for a recharge, as requested
  operator_sp_key integer,
  unknown_since timestamptz,
  -- for a payment at a provider without a status check: time before sending, or '-infinity' if it will never be sent; see
  -- order_claim
  send_claimed_at timestamptz,
  -- no status check starts before this time, because one is running or has just ended
  quiet_until timestamptz,
  -- number of status checks started since the last callback; 0 while a callback requires one
  asked integer not null default 0,
  -- time since which the provider may have reversed a success, or staff requested a status check of an order with a final status;
  -- null during the routine second check of a success
  doubted_since timestamptz,
  status_checks integer not null default 0,
  not_found integer not null default 0,
  provider_txn_id text,
  -- reason for the failure of a payment; the stored response contains it as well
  decline_reason text check (decline_reason ~ '^[A-Z_]{2,40}$'),
  -- stored response of a payment; the response of a lookup is in lookup_answer
  answer bytea,
  -- by the clock of the database, like all times in this file, because resolutions depend on ages; responses contain the time in
  -- the ID
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  reversed_at timestamptz,
  reversed_by text check (reversed_by in ('provider', 'support')),
  -- time since which the provider reports a conflicting status: success for a refunded payment, or failure for a charged one
  status_conflict_at timestamptz,
  check ((state in ('success', 'failed')) = (settled_at is not null)),
  check (reversed_at is null or state = 'success'),
  check ((reversed_at is null) = (reversed_by is null)),
  check (status_conflict_at is null or state in ('success', 'failed')),
  primary key (developer_id, id)) partition by range (id);
create index orders_id on orders (id);
-- for the first success of an account in UAT; updates of orders do not change this index, because the environment never changes
create index orders_uat on orders (developer_id, id) where environment = 'uat';
create table orders_default partition of orders default with (fillfactor = 40);

-- Order of each idempotency key. The key of a payment is kept permanently, even after its order was archived. The key of a lookup
-- is kept for ten minutes to replay the response, and is deleted immediately if the lookup fails.
create table order_key (
  developer_id uuid not null,
  environment text not null,
  operation text not null,
  client_key text collate "C" not null,
  order_id uuid not null,
  primary key (developer_id, environment, operation, client_key));

-- Payments by our reference, because callbacks and statements of providers contain only the reference.
create table order_reference (
  reference text collate "C" primary key,
  developer_id uuid not null,
  order_id uuid not null);

-- Search keys of payments: the first 16 bytes of keyed hashes of the account number, the last digits of the card, the operator's
-- reference, the UTR and the provider's transaction ID. Partitioned by month like the orders, so that the index of the current
-- month stays small. A payment has three rows, so each byte is stored three times, and again in the index. The hash is therefore
-- a UUID (16 bytes without length or padding), and the developer is read from the order.
create table order_search (
  hash uuid not null,
  order_id uuid not null,
  primary key (hash, order_id)) partition by range (order_id);
create table order_search_default partition of order_search default;

-- Last recharge without an idempotency key for each number, operator and amount. keyless_repetition compares new recharges
-- without a key to it. Rows older than two hours are deleted.
create table keyless_recharge (
  developer_id uuid not null,
  environment text not null,
  fingerprint bytea not null,
  order_id uuid not null,
  placed_at timestamptz not null default now(),
  -- time the caller received the outcome; null if this is not known
  answered_at timestamptz,
  primary key (developer_id, environment, fingerprint)) with (fillfactor = 70);
create index keyless_recharge_placed on keyless_recharge (placed_at);

-- Claims on card bills. The fingerprint of a card payment is that of its fetch_id, so the hold also claims the bill. A second
-- payment is rejected by the statement that would have held its amount, and a failed payment releases the bill in the commit of
-- its refund.
create table bill_claim (
  developer_id uuid not null,
  fingerprint bytea not null,
  order_id uuid not null,
  primary key (developer_id, fingerprint));

-- Schedule of status checks. It contains every open order, orders in review if the provider has a status check, successes that
-- are in doubt or due for a second check, and other orders for which staff requested a status check.
create table order_due (
  developer_id uuid not null,
  order_id uuid not null,
  provider text not null,
  -- false for the second check of a success; there are as many of these as payments of a day, so all other checks take precedence
  waited_for boolean not null,
  due_at timestamptz not null,
  primary key (developer_id, order_id)) with (fillfactor = 70);
create index order_due_next on order_due (provider, waited_for, due_at);

-- Orders that need manual review: orders without a conclusive status (`review`), and orders with a conflicting provider status.
create table order_review (
  order_id uuid primary key,
  developer_id uuid not null,
  reason text not null check (reason in ('review', 'status_conflict')),
  since timestamptz not null default now());

-- Stored responses of lookups, kept for ten minutes.
create table lookup_answer (
  developer_id uuid not null,
  order_id uuid not null,
  settled_at timestamptz not null default now(),
  answer bytea not null,
  primary key (developer_id, order_id));
create index lookup_answer_age on lookup_answer (settled_at);

-- Transfers. Each row moves one amount from one account to another, so that postings always balance. The accounts are derived
-- from kind and operation. Step 1 is the first posting of a subject, and step 2 is its only resolution. Each later step undoes
-- the previous one: a reversal refunds a success, and a refund reversal debits the amount again. The primary key rejects a second
-- posting of the same step.
create table transfer (
  developer_id uuid not null,
  subject_id uuid not null,
  step smallint not null,
  kind text not null,
  operation text not null check (operation in ('recharge', 'card_payment', 'card_bill', 'lookup', 'lead', 'top_up', 'debit', 'correction_in', 'correction_out')),
  environment text not null check (environment in ('uat', 'production')),
  amount_paise bigint not null check (amount_paise > 0),
  wallet_version bigint check (wallet_version > 0),
  balance_after_paise bigint check (balance_after_paise >= 0),
  -- reference in the statement: that of the order, the lead code, or the reference of the credit or debit
  reference text check (length(reference) <= 100),
  created_at timestamptz not null default now(),
  -- transaction that posted the transfer. The snapshot of a ledger check shows whether the check included this transaction, no
  -- matter when it committed. Times and versions could not show this, because a settlement has no version.
  posted_in xid8 not null default pg_current_xact_id(),
  primary key (developer_id, subject_id, step),
  check ((kind, step) in (('hold', 1), ('settle', 2), ('refund', 2), ('lead_fee', 1), ('top_up', 1), ('debit', 1))
    or kind in ('reversal', 'refund_reversal') and step > 2
    or kind = 'correction' and step = 1 and operation in ('correction_in', 'correction_out')),
  check ((kind <> 'settle') = (wallet_version is not null and balance_after_paise is not null and reference is not null)));
create unique index transfer_statement on transfer (developer_id, environment, wallet_version) where wallet_version is not null;
-- for filters of the statement; most entries are holds and settlements, which do not need this index
create index transfer_kind on transfer (developer_id, environment, kind, wallet_version) where kind not in ('hold', 'settle');
create index transfer_posted on transfer (posted_in);

-- References that a wallet accepts only once, permanently, even after the transfer was archived: for a top-up or debit, the
-- reference as normalized by reference_key; for a lead fee, the ID of the lead; for a correction, the ID of its approval request.
create table ledger_reference (
  developer_id uuid not null,
  environment text not null,
  kind text not null check (kind in ('top_up', 'debit', 'lead_fee', 'correction')),
  reference text collate "C" not null,
  -- subject of the transfer
  posting_id uuid not null,
  primary key (developer_id, environment, kind, reference));

-- Opening records: all transfers of a wallet up to this version were archived, except those of orders that had to stay.
-- balance_paise is the balance right after this version. Only archive_leave writes this table and the next one.
create table wallet_opening (
  developer_id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  version bigint not null check (version >= 0),
  balance_paise bigint not null check (balance_paise >= 0),
  -- number of archived transfers with a version, and the sum of their wallet changes
  left_lines bigint not null check (left_lines >= 0),
  left_paise bigint not null,
  -- earliest time with a known balance
  before timestamptz not null,
  primary key (developer_id, environment));

-- Totals of archived transfers, in the form of ledger_total.
create table archived_total (
  environment text not null,
  account text not null check (account in ('in_flight', 'provider_payable', 'fee_income', 'funding', 'correction')),
  provider text not null,
  day date not null,
  amount_paise bigint not null,
  primary key (environment, account, provider, day));

-- Final status of archived payments, for later queries. Only archive_orders writes this table.
create table archived_order (
  id uuid primary key,
  developer_id uuid not null,
  environment text not null,
  operation text not null check (operation in ('recharge', 'card_payment')),
  reference text collate "C" not null,
  status text not null check (status in ('success', 'failed', 'reversed')));
create index archived_order_uat on archived_order (developer_id, id) where environment = 'uat' and status <> 'failed';

-- Archive files. While `left_at` is null, the database may still contain rows of the file.
create table ledger_archive (
  id uuid primary key,
  file text not null unique,
  -- SHA-256 of the compressed file
  file_hash bytea not null check (octet_length(file_hash) = 32),
  month date not null,
  before timestamptz not null,
  subjects bigint not null check (subjects > 0),
  orders bigint not null,
  transfers bigint not null,
  events bigint not null,
  amount_paise bigint not null,
  written_by text not null default session_user,
  written_at timestamptz not null default now(),
  left_at timestamptz,
  -- number of subjects that stayed, because they changed after the file was written
  stayed bigint,
  check ((left_at is null) = (stayed is null)));

-- Weekly full check of the ledger, which runs in steps; see ledger_check_step. Only this function writes these five tables. One
-- row.
create table ledger_full_check (
  only_one boolean primary key default true check (only_one),
  -- time the last run ended, with or without findings. An empty ledger is consistent, so the initial value is the time of
  -- creation.
  completed_at timestamptz not null default now(),
  -- timeline of the server at that time, and the object ID of transfer, which differs after a dump is restored
  completed_timeline integer not null,
  completed_table oid not null,
  next_step_at timestamptz not null,
  -- start of the current run; null if none is running
  started_at timestamptz,
  -- server, snapshot of ledger_total, and number of archived entries, each at the start of the run
  system_identifier bigint,
  timeline integer,
  snapshot pg_snapshot,
  left_lines numeric,
  -- estimated number of entries and orders to read
  rows_total bigint);
insert into ledger_full_check (next_step_at, completed_timeline, completed_table)
  values (now() + interval '7 days', ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer, 'transfer'::regclass);

-- Parts that the current run has not read yet: the entries of a wallet after a version with its balance, or the orders of a
-- developer from an ID on. A step locks its row, so that workers read different parts. The longest parts are read first.
create table ledger_full_part (
  ord integer primary key,
  developer_id uuid not null,
  part text not null check (part in ('production', 'uat', 'orders')),
  version bigint,
  balance_paise numeric,
  subject_id uuid,
  -- estimated number of rows
  rows_left bigint not null);

-- Workers of the full check. A step uses one worker, which pauses afterwards. The settings limit the number of workers for all
-- processes together.
create table ledger_full_worker (
  worker integer primary key,
  next_step_at timestamptz not null default '-infinity');
insert into ledger_full_worker select * from generate_series(1, 16);

-- Differences from ledger_total, as far as each worker of the current run has read. The rows of worker 0 contain ledger_total at
-- the start of the run.
create table ledger_full_total (
  worker integer not null,
  environment text not null,
  account text not null,
  provider text not null,
  day date not null,
  missing_paise numeric not null,
  primary key (worker, environment, account, provider, day));

-- Findings of the last run and of the current run.
create table ledger_full_finding (
  rule text not null,
  developer_id uuid,
  detail text not null,
  found_at timestamptz not null,
  unique nulls not distinct (rule, developer_id, detail));

-- Progress of the ledger check: every transfer that is visible in this snapshot is included in the wallet checkpoints and totals
-- below. One row. Only ledger_check_new writes these three tables.
create table ledger_checkpoint (
  only_one boolean primary key default true check (only_one),
  snapshot pg_snapshot not null,
  -- server that assigned the transaction numbers. A different server (after a dump is restored) has different numbers, so
  -- everything is checked again.
  system_identifier bigint not null,
  verified_at timestamptz not null);
insert into ledger_checkpoint values (true, '3:3:', 0, '-infinity');

create table wallet_checkpoint (
  developer_id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  version bigint not null,
  balance_paise bigint not null,
  verified_at timestamptz not null,
  primary key (developer_id, environment));

-- Net amount received by each account except the wallets, per calendar day (IST) and provider ('' if none was involved). funding
-- is negative by the amounts paid in, provider_payable is the amount that we owe, and correction is the sum of balance changes
-- without a transfer.
create table ledger_total (
  environment text not null,
  account text not null check (account in ('in_flight', 'provider_payable', 'fee_income', 'funding', 'correction')),
  provider text not null,
  day date not null,
  amount_paise bigint not null,
  primary key (environment, account, provider, day));

-- Top-ups, each of which requires an audit entry. ledger_post writes the row, and the transaction commits only if it contains an
-- audit entry for the same wallet and amount. This is a separate table, so that other transfers need no such check.
create table top_up (
  posting_id uuid primary key,
  subject text not null,
  amount_paise bigint not null,
  constraint top_up_has_an_audit_entry foreign key (posting_id, subject, amount_paise)
    references audit_entry (posting_id, subject, amount_paise) deferrable initially deferred);

-- Corrections by staff, which also require an audit entry: debits, reversals and refund reversals.
create table correction (
  posting_id uuid primary key,
  subject text not null,
  amount_paise bigint not null,
  constraint correction_has_an_audit_entry foreign key (posting_id, subject, amount_paise)
    references audit_entry (posting_id, subject, amount_paise) deferrable initially deferred);

-- Events of orders other than transfers: responses, status checks, callbacks and resolutions. They contain only codes, never
-- personal data.
create table order_event (
  developer_id uuid not null,
  order_id uuid not null,
  id uuid not null default uuidv7(),
  at timestamptz not null default now(),
  kind text not null check (kind in ('response', 'status_check', 'callback', 'review', 'status_conflict', 'resolution')),
  detail jsonb not null,
  primary key (developer_id, order_id, id)) partition by range (order_id);
create table order_event_default partition of order_event default;

-- Tables of finished months that are being or were rewritten without free space; see order_month_step. At most one rewrite is in
-- progress.
create table month_rewrite (
  -- name of the table
  name text primary key,
  parent text not null check (parent in ('orders', 'order_event', 'order_search')),
  state text not null check (state in ('copying', 'indexing', 'comparing', 'swapping', 'done')),
  -- file of the table; in a different file, rows are in different blocks
  filenode oid not null,
  -- first block that was not copied yet
  next_block bigint not null default 0,
  -- time a row was last copied
  written_at timestamptz not null default now(),
  started_at timestamptz not null default now(),
  finished_at timestamptz);

-- Keys of changed rows of this table, which must be copied again.
create table month_change (
  developer_id uuid,
  order_id uuid not null,
  hash uuid);
create index month_change_order on month_change (order_id);

-- Webhook endpoints. They are in this file because the ledger functions read them in the transaction that resolves an order.
create table webhook_endpoint (
  developer_id uuid not null references developer,
  id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  -- API key that created the endpoint or last enabled it; null if a user did
  client_id text references credential,
  url text not null check (length(url) between 1 and 2000),
  -- subscribed event types, such as recharge.failed; null for all types, including types added later
  types text[] check (cardinality(types) > 0),
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null default now(),
  -- time from which events are sent
  starts_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('request', 'gone', 'failing')),
  -- time since which no delivery has succeeded
  failing_since timestamptz,
  -- number of consecutive attempts without a response, and the time until which deliveries are paused because of them
  unanswered integer not null default 0 check (unanswered >= 0),
  paused_until timestamptz,
  check (failing_since is not null or (unanswered = 0 and paused_until is null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((disabled_at is null) = (disabled_reason is null)),
  primary key (developer_id, id));
create index webhook_endpoint_active on webhook_endpoint (developer_id, environment) where disabled_at is null;
create index webhook_endpoint_id on webhook_endpoint (id);
create index webhook_endpoint_of_key on webhook_endpoint (client_id) where client_id is not null;

-- Webhook events, written in the transaction that causes them and deleted when they are in the job queue. Values of the order
-- that can change later are copied, so that every attempt sends the same event.
create table webhook_outbox (
  developer_id uuid not null,
  order_id uuid not null,
  event text not null check (event in ('succeeded', 'failed', 'reversed')),
  -- step of the transfer that caused the event
  step smallint not null default 2,
  reversed_by text check ((event = 'reversed') = (reversed_by is not null)),
  answer bytea,
  provider_txn_id text,
  settled_at timestamptz,
  occurred_at timestamptz not null default now(),
  primary key (developer_id, order_id, step));
create index webhook_outbox_age on webhook_outbox (occurred_at);

-- with outdated statistics, pages of the statement would read the whole table
alter table transfer set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- a queue with frequent inserts and deletes; with outdated statistics, the planner would treat it as empty
alter table order_due set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
grant select on wallet, orders, order_key, order_reference, order_search, keyless_recharge, bill_claim, order_due, order_review, lookup_answer, transfer, order_event, ledger_checkpoint, wallet_checkpoint, ledger_total, ledger_full_check, ledger_full_part, ledger_full_worker, ledger_full_finding, ledger_reference, wallet_opening, archived_total, archived_order to gateway_app;
-- for the metric of the last archive run
grant select on ledger_archive to gateway_app;
-- the doctor looks for rows of months without a partition
grant select on orders_default to gateway_app;

-- a wallet is created empty; only the functions change its other columns
grant insert (developer_id, environment) on wallet to gateway_app;
grant insert on order_event to gateway_app;
