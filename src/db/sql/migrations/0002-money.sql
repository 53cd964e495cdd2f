-- Wallets, orders, transfers. The functions in ../repeatable are the only way to change them: they run with the owner's rights,
-- the application's role may read and call, nothing more. So even a defect or an injected statement of the application cannot
-- overdraw a wallet, settle twice or rewrite history.

create table wallet (
  developer_id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  balance_paise bigint not null default 0 check (balance_paise >= 0),
  version bigint not null default 0 check (version >= 0),
  -- of a payment: by it accounts are listed, who paid last first
  last_order_at timestamptz,
  primary key (developer_id, environment)) with (fillfactor = 50);

-- One charged call. No index of it names a column that changes later, so that every change of a row stays on its page (HOT): what an
-- order waits for, what it claims and what it is found by stand in the slim tables below. Partitions are months of the id, which
-- begins with its time: order_partitions_ahead makes them before they are needed, the default one catches what they do not cover.
create table orders (
  developer_id uuid not null,
  id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  operation text not null check (operation in ('recharge', 'card_payment', 'card_bill', 'lookup')),
  -- what the provider is sent, and our api_request_id. It follows from the client's key where there is one: should newer rows be
  -- lost (a restore, a failover), the same key comes to the provider with the same reference again.
  reference text collate "C" not null check (length(reference) = 25),
  -- as the client sent it, or "h:" and its keyed hash where it may hold a card number. Whose it is now says order_key.
  client_key text collate "C" check (length(client_key) between 1 and 100),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  amount_paise bigint not null check (amount_paise > 0),
  provider text not null,
  state text not null default 'open' check (state in ('open', 'success', 'failed', 'review')),
  request bytea not null,
  account_hash bytea not null check (octet_length(account_hash) = 32),
  -- of a recharge, as it was asked for
  operator_sp_key integer,
  unknown_since timestamptz,
  -- of a payment whose provider cannot be asked: when it was about to be sent, or '-infinity': it will never be. See order_claim.
  send_claimed_at timestamptz,
  -- nobody asks before: a status check is under way until then at the latest, or has just ended
  quiet_until timestamptz,
  -- status checks begun since the last callback; 0 while a callback waits for one
  asked integer not null default 0,
  -- since when there is reason to think that the provider took a success back, or an admin asks about a decided order;
  -- none while a success is only checked again
  doubted_since timestamptz,
  status_checks integer not null default 0,
  not_found integer not null default 0,
  provider_txn_id text,
  -- of a payment that has failed: why, beside the answer that says it too
  decline_reason text check (decline_reason ~ '^[A-Z_]{2,40}$'),
  -- of a payment; that of a lookup is in lookup_answer
  answer bytea,
  -- by the database's clock, as every instant here: ages decide about money. The id holds the instant that the answers show.
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  reversed_at timestamptz,
  reversed_by text check (reversed_by in ('provider', 'support')),
  -- since when the provider says something else than a decided order: it performed what was refunded, or refused what was charged
  status_conflict_at timestamptz,
  check ((state in ('success', 'failed')) = (settled_at is not null)),
  check (reversed_at is null or state = 'success'),
  check ((reversed_at is null) = (reversed_by is null)),
  check (status_conflict_at is null or state in ('success', 'failed')),
  primary key (developer_id, id)) partition by range (id);
create index orders_id on orders (id);
-- the first success of an account in UAT. An order never changes its environment, so this costs no update of one anything
create index orders_uat on orders (developer_id, id) where environment = 'uat';
create table orders_default partition of orders default with (fillfactor = 40);

-- Whose a client's key is. A payment's is kept for ever, also when its order has been archived; a lookup's protects a repetition for
-- ten minutes and goes at once when the lookup fails.
create table order_key (
  developer_id uuid not null,
  environment text not null,
  operation text not null,
  client_key text collate "C" not null,
  order_id uuid not null,
  primary key (developer_id, environment, operation, client_key));

-- Payments by our reference, which is all that a provider's callback or statement knows.
create table order_reference (
  reference text collate "C" primary key,
  developer_id uuid not null,
  order_id uuid not null);

-- Payments by what people know of them: the first 16 bytes of keyed hashes of the account, the end of the card, the operator's
-- reference, the UTR and the provider's transaction id. In the same months as the orders, so that the index of the current one stays small.
-- A payment has three rows, so each byte is stored three times and again in the index: a uuid is 16 bytes without a length or padding, and
-- the developer follows from the order.
create table order_search (
  hash uuid not null,
  order_id uuid not null,
  primary key (hash, order_id)) partition by range (order_id);
create table order_search_default partition of order_search default;

-- The last recharge without a key of each number, operator and amount: what a repetition without a key is compared with, by
-- keyless_repetition. Rows of more than two hours are deleted.
create table keyless_recharge (
  developer_id uuid not null,
  environment text not null,
  fingerprint bytea not null,
  order_id uuid not null,
  placed_at timestamptz not null default now(),
  -- when its caller had received how it ended; null: nobody knows that it was received
  answered_at timestamptz,
  primary key (developer_id, environment, fingerprint)) with (fillfactor = 70);
create index keyless_recharge_placed on keyless_recharge (placed_at);

-- A card payment's fingerprint is that of its fetch_id, so the hold itself is the claim on the bill: a second live payment is refused
-- in the statement that would have moved its money, and a failed one frees the bill in the commit of its refund.
create table bill_claim (
  developer_id uuid not null,
  fingerprint bytea not null,
  order_id uuid not null,
  primary key (developer_id, fingerprint));

-- When the provider is to be asked: every open order is here, one in review where its provider can be asked, and a success while
-- it is in doubt or has to be checked again; any other while an admin wants to know.
create table order_due (
  developer_id uuid not null,
  order_id uuid not null,
  provider text not null,
  -- false: a success that is only checked again. There are as many of those as payments of a day, and everybody else goes first.
  waited_for boolean not null,
  due_at timestamptz not null,
  primary key (developer_id, order_id)) with (fillfactor = 70);
create index order_due_next on order_due (provider, waited_for, due_at);

-- What a person has to look at: orders that nobody could decide (`review`), and decided ones whose provider says the opposite.
create table order_review (
  order_id uuid primary key,
  developer_id uuid not null,
  reason text not null check (reason in ('review', 'status_conflict')),
  since timestamptz not null default now());

-- The answers of lookups, which are kept for ten minutes.
create table lookup_answer (
  developer_id uuid not null,
  order_id uuid not null,
  settled_at timestamptz not null default now(),
  answer bytea not null,
  primary key (developer_id, order_id));
create index lookup_answer_age on lookup_answer (settled_at);

-- One row = one amount from one account to another, so it cannot be unbalanced; the accounts follow from kind and operation.
-- Step 1 = first posting of a subject, 2 = its one resolution, from 3 on what undoes the step before it: a success is taken back
-- (reversal), what was given back is charged again. The primary key refuses a second of each step.
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
  -- what the statement shows of the line: the order's reference, the lead's code, or the one that the credit or debit was given
  reference text check (length(reference) <= 100),
  created_at timestamptz not null default now(),
  -- the transaction that posted it: whether a check of the books has seen it follows from the snapshot of that check, however late
  -- the transaction committed. No clock and no order of versions could say that of a settlement, which has no version.
  posted_in xid8 not null default pg_current_xact_id(),
  primary key (developer_id, subject_id, step),
  check ((kind, step) in (('hold', 1), ('settle', 2), ('refund', 2), ('lead_fee', 1), ('top_up', 1), ('debit', 1))
    or kind in ('reversal', 'refund_reversal') and step > 2
    or kind = 'correction' and step = 1 and operation in ('correction_in', 'correction_out')),
  check ((kind <> 'settle') = (wallet_version is not null and balance_after_paise is not null and reference is not null)));
create unique index transfer_statement on transfer (developer_id, environment, wallet_version) where wallet_version is not null;
-- what a statement is sifted by: most lines are holds and settlements, which need none
create index transfer_kind on transfer (developer_id, environment, kind, wallet_version) where kind not in ('hold', 'settle');
create index transfer_posted on transfer (posted_in);

-- What a wallet takes once, for ever: also when its transfer has left with its month. The reference of a top-up or debit, as
-- reference_key writes it; of a lead fee, the lead's id; of a correction, the ID of its approval request.
create table ledger_reference (
  developer_id uuid not null,
  environment text not null,
  kind text not null check (kind in ('top_up', 'debit', 'lead_fee', 'correction')),
  reference text collate "C" not null,
  -- the transfer's subject
  posting_id uuid not null,
  primary key (developer_id, environment, kind, reference));

-- Where the transfers of a wallet begin: every one up to this version has left, but for those of orders that were not over. The
-- balance is that right after this version. Only archive_leave writes this table and the next one.
create table wallet_opening (
  developer_id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  version bigint not null check (version >= 0),
  balance_paise bigint not null check (balance_paise >= 0),
  -- of the transfers that left: how many had a version, and what they moved into the wallet
  left_lines bigint not null check (left_lines >= 0),
  left_paise bigint not null,
  -- the first instant whose balance is still known
  before timestamptz not null,
  primary key (developer_id, environment));

-- What the transfers that left had moved, as ledger_total counts it.
create table archived_total (
  environment text not null,
  account text not null check (account in ('in_flight', 'provider_payable', 'fee_income', 'funding', 'correction')),
  provider text not null,
  day date not null,
  amount_paise bigint not null,
  primary key (environment, account, provider, day));

-- What is still known of a payment that has left, for who asks what became of it. Only archive_orders writes it.
create table archived_order (
  id uuid primary key,
  developer_id uuid not null,
  environment text not null,
  operation text not null check (operation in ('recharge', 'card_payment')),
  reference text collate "C" not null,
  status text not null check (status in ('success', 'failed', 'reversed')));
create index archived_order_uat on archived_order (developer_id, id) where environment = 'uat' and status <> 'failed';

-- The files that the archive was written to. While `left_at` is null, what a file holds may still be here.
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
  -- subjects of the file that stayed, because they changed after it was written
  stayed bigint,
  check ((left_at is null) = (stayed is null)));

-- The check of everything that goes step by step, once a week; see ledger_check_step, which alone writes these five tables. One row.
create table ledger_full_check (
  only_one boolean primary key default true check (only_one),
  -- when a run last ended, whatever it found. Empty books are right, so it begins with their first instant.
  completed_at timestamptz not null default now(),
  -- where it ended: the time line of the server, and the object ID of transfer, which another restored dump does not have
  completed_timeline integer not null,
  completed_table oid not null,
  next_step_at timestamptz not null,
  -- of the run under way; null: there is none
  started_at timestamptz,
  -- the server, what its ledger_total had counted, and how many lines had left by then
  system_identifier bigint,
  timeline integer,
  snapshot pg_snapshot,
  left_lines numeric,
  -- estimate of the lines and orders to read
  rows_total bigint);
insert into ledger_full_check (next_step_at, completed_timeline, completed_table)
  values (now() + interval '7 days', ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer, 'transfer'::regclass);

-- What the run under way still has to read: the lines of a wallet after this version, where the balance was so much, or the orders of
-- a developer from this ID on. A step locks its row, so workers read different parts. The longest parts come first.
create table ledger_full_part (
  ord integer primary key,
  developer_id uuid not null,
  part text not null check (part in ('production', 'uat', 'orders')),
  version bigint,
  balance_paise numeric,
  subject_id uuid,
  -- estimate
  rows_left bigint not null);

-- A step takes one of these, as many as the settings allow, and gives it a rest: so all processes together take no more than that.
create table ledger_full_worker (
  worker integer primary key,
  next_step_at timestamptz not null default '-infinity');
insert into ledger_full_worker select * from generate_series(1, 16);

-- What is missing in ledger_total, as far as each worker of the run under way has read; of worker 0, what ledger_total had counted.
create table ledger_full_total (
  worker integer not null,
  environment text not null,
  account text not null,
  provider text not null,
  day date not null,
  missing_paise numeric not null,
  primary key (worker, environment, account, provider, day));

-- What the last run found, and the one under way.
create table ledger_full_finding (
  rule text not null,
  developer_id uuid,
  detail text not null,
  found_at timestamptz not null,
  unique nulls not distinct (rule, developer_id, detail));

-- How far the books have been checked: every transfer that this snapshot sees is part of the wallet checkpoints and totals below.
-- One row. Only ledger_check_new writes these three tables.
create table ledger_checkpoint (
  only_one boolean primary key default true check (only_one),
  snapshot pg_snapshot not null,
  -- of the server that counts the transactions. Another one (a restored dump) counts anew, and everything is checked again.
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

-- What every account but the wallets received less what it gave, per Indian day and provider ('' where none took part). Funding is
-- negative by what was paid in; provider_payable is what we owe; correction is the sum of balance changes without a transfer.
create table ledger_total (
  environment text not null,
  account text not null check (account in ('in_flight', 'provider_payable', 'fee_income', 'funding', 'correction')),
  provider text not null,
  day date not null,
  amount_paise bigint not null,
  primary key (environment, account, provider, day));

-- Money enters only together with the audit entry that accounts for it: written by ledger_post, and at commit the entry of
-- this wallet and amount has to be there. A table of its own, so that nothing is looked at when other transfers are posted.
create table top_up (
  posting_id uuid primary key,
  subject text not null,
  amount_paise bigint not null,
  constraint top_up_has_an_audit_entry foreign key (posting_id, subject, amount_paise)
    references audit_entry (posting_id, subject, amount_paise) deferrable initially deferred);

-- The same for what people correct: a debit of a wallet, a success that is taken back, a payment that is charged again.
create table correction (
  posting_id uuid primary key,
  subject text not null,
  amount_paise bigint not null,
  constraint correction_has_an_audit_entry foreign key (posting_id, subject, amount_paise)
    references audit_entry (posting_id, subject, amount_paise) deferrable initially deferred);

-- What happened to an order beside its transfers: answers, status checks, callbacks, decisions. Codes only, never personal data.
create table order_event (
  developer_id uuid not null,
  order_id uuid not null,
  id uuid not null default uuidv7(),
  at timestamptz not null default now(),
  kind text not null check (kind in ('response', 'status_check', 'callback', 'review', 'status_conflict', 'resolution')),
  detail jsonb not null,
  primary key (developer_id, order_id, id)) partition by range (order_id);
create table order_event_default partition of order_event default;

-- The tables of finished months that are, or were, rewritten without free space: see order_month_step. One at most is not done.
create table month_rewrite (
  -- of the table
  name text primary key,
  parent text not null check (parent in ('orders', 'order_event', 'order_search')),
  state text not null check (state in ('copying', 'indexing', 'comparing', 'swapping', 'done')),
  -- of the table: another one has its rows in other blocks
  filenode oid not null,
  -- the blocks before this one were copied
  next_block bigint not null default 0,
  -- when a row was last copied
  written_at timestamptz not null default now(),
  started_at timestamptz not null default now(),
  finished_at timestamptz);

-- Keys of rows of this table that have changed and are to be copied again.
create table month_change (
  developer_id uuid,
  order_id uuid not null,
  hash uuid);
create index month_change_order on month_change (order_id);

-- Who wants to hear of final outcomes. It stands here because the functions of the ledger look at it in the transaction that decides.
create table webhook_endpoint (
  developer_id uuid not null references developer,
  id uuid not null,
  environment text not null check (environment in ('uat', 'production')),
  -- the key that made it, or switched it on last; null: a person did
  client_id text references credential,
  url text not null check (length(url) between 1 and 2000),
  -- the events that it wants, such as recharge.failed; null: all, also those that come later
  types text[] check (cardinality(types) > 0),
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null default now(),
  -- nothing is sent to it before this time
  starts_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('request', 'gone', 'failing')),
  -- nothing was delivered to it since then
  failing_since timestamptz,
  -- attempts in a row without an answer, and until when none is made because of them
  unanswered integer not null default 0 check (unanswered >= 0),
  paused_until timestamptz,
  check (failing_since is not null or (unanswered = 0 and paused_until is null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((disabled_at is null) = (disabled_reason is null)),
  primary key (developer_id, id));
create index webhook_endpoint_active on webhook_endpoint (developer_id, environment) where disabled_at is null;
create index webhook_endpoint_id on webhook_endpoint (id);
create index webhook_endpoint_of_key on webhook_endpoint (client_id) where client_id is not null;

-- What is to be told, written in the transaction that made it true and gone once it is in the job queue. What the order's row held
-- at that moment and may change later is copied, so that every attempt says the same.
create table webhook_outbox (
  developer_id uuid not null,
  order_id uuid not null,
  event text not null check (event in ('succeeded', 'failed', 'reversed')),
  -- of the transfer that made it true
  step smallint not null default 2,
  reversed_by text check ((event = 'reversed') = (reversed_by is not null)),
  answer bytea,
  provider_txn_id text,
  settled_at timestamptz,
  occurred_at timestamptz not null default now(),
  primary key (developer_id, order_id, step));
create index webhook_outbox_age on webhook_outbox (occurred_at);

-- statistics that lag behind fast growth make statement pages read the whole table
alter table transfer set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- queues: their rows come and go, and a plan for an empty one would be made for ever
alter table order_due set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
grant select on wallet, orders, order_key, order_reference, order_search, keyless_recharge, bill_claim, order_due, order_review, lookup_answer, transfer, order_event, ledger_checkpoint, wallet_checkpoint, ledger_total, ledger_full_check, ledger_full_part, ledger_full_worker, ledger_full_finding, ledger_reference, wallet_opening, archived_total, archived_order to gateway_app;
-- a metric says when a month was last archived
grant select on ledger_archive to gateway_app;
-- the doctor looks for rows of months that nobody made
grant select on orders_default to gateway_app;

-- a wallet opens empty; everything else about it moves through the functions
grant insert (developer_id, environment) on wallet to gateway_app;
grant insert on order_event to gateway_app;
