-- The job queue's own schema, and the log of webhook deliveries.

-- pg-boss is installed here, as the owner, because the application's role may not change schemas. A newer pg-boss that wants a
-- newer schema (it refuses to start then) needs a migration that runs its `getMigrationPlans` from the version that is found.
-- The line below stands for the statements of the installed pg-boss (`getConstructionPlans`); see sql-files.ts.
-- {{pg-boss}}

-- Thirty days for what nobody could be told. Of the other jobs none stays for longer than a day: the delivery log is ours.
-- A delivery that still runs when its process dies is taken up again after a minute; an attempt takes 15 seconds at most.
select pgboss.create_queue('webhook-dead', '{"policy": "standard", "retryLimit": 0, "retentionSeconds": 2592000}');
select pgboss.create_queue('webhook', '{"policy": "standard", "deadLetter": "webhook-dead", "expireInSeconds": 60, "deleteAfterSeconds": 86400}');

grant usage on schema pgboss to gateway_app;
grant select on all tables in schema pgboss to gateway_app;
grant insert, update, delete on pgboss.job, pgboss.job_common, pgboss.job_dependency to gateway_app;
grant update on pgboss.queue, pgboss.version to gateway_app;

-- One event for one endpoint, with a copy of all that its body tells and that may change. No body is kept: it follows from the row
-- and from the request of its order, which never changes. An order stays for longer than its deliveries: see docs/archiving.md.
create table webhook_delivery (
  developer_id uuid not null,
  id uuid not null default uuidv7(),
  endpoint_id uuid not null,
  order_id uuid not null,
  reference text collate "C" not null,
  event text not null check (event in ('succeeded', 'failed', 'reversed', 'sent')),
  step smallint not null,
  environment text not null check (environment in ('uat', 'production')),
  operation text not null check (operation in ('recharge', 'card_payment', 'test')),
  client_key text collate "C",
  amount_paise bigint not null,
  reversed_by text check ((event = 'reversed') = (reversed_by is not null)),
  -- encrypted, with the context of the order
  answer bytea,
  provider_txn_id text,
  settled_at timestamptz,
  occurred_at timestamptz not null,
  job_id uuid not null default gen_random_uuid(),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  last_attempt_at timestamptz,
  next_attempt_at timestamptz default now(),
  http_status smallint,
  error text,
  -- how each attempt went: at, httpStatus, error, durationMs
  attempts jsonb not null default '[]',
  created_at timestamptz not null default now(),
  -- a test stands for no order: its order_id is its own
  check ((operation = 'test') = (event = 'sent')),
  check ((state = 'pending') = (next_attempt_at is not null)),
  primary key (developer_id, id),
  foreign key (developer_id, endpoint_id) references webhook_endpoint on delete cascade);
create index webhook_delivery_id on webhook_delivery (id);
create index webhook_delivery_log on webhook_delivery (developer_id, endpoint_id, id);

-- every event reaches an endpoint as one delivery
create unique index webhook_delivery_once on webhook_delivery (developer_id, order_id, step, endpoint_id);
-- what people look for, among very many that went well
create index webhook_delivery_undelivered on webhook_delivery (developer_id, id) where state <> 'delivered';
-- what staff are told of, and sift: what does not fit is passed over within the index
create index webhook_delivery_failed on webhook_delivery (id, environment, (operation || '.' || event)) where state = 'failed';
create index webhook_delivery_pending on webhook_delivery (next_attempt_at) where state = 'pending';

grant select, insert, delete on webhook_endpoint to gateway_app;
grant update (client_id, types, secret, previous_secret, previous_secret_until, disabled_at, disabled_reason, failing_since, unanswered, paused_until)
  on webhook_endpoint to gateway_app;
grant select on webhook_outbox, webhook_delivery to gateway_app;

-- what an event says never changes; only how its delivery goes does
grant update (job_id, state, attempt_count, last_attempt_at, next_attempt_at, http_status, error, attempts) on webhook_delivery to gateway_app;
