-- Schema of the job queue, and the log of webhook deliveries.

-- pg-boss is installed here by the owner, because the role of the application cannot change schemas. A newer pg-boss that requires
-- a newer schema does not start; it needs a migration that runs its `getMigrationPlans` from the installed version. The line below
-- is replaced by the statements of the installed pg-boss (`getConstructionPlans`); see sql-files.ts.
-- {{pg-boss}}

-- Failed deliveries are kept for thirty days. Other jobs are deleted after a day at most, because the delivery log is a separate
-- table. If a process ends during a delivery, the delivery is retried after a minute; an attempt takes at most 15 seconds.
select pgboss.create_queue('webhook-dead', '{"policy": "standard", "retryLimit": 0, "retentionSeconds": 2592000}');
select pgboss.create_queue('webhook', '{"policy": "standard", "deadLetter": "webhook-dead", "expireInSeconds": 60, "deleteAfterSeconds": 86400}');

grant usage on schema pgboss to gateway_app;
grant select on all tables in schema pgboss to gateway_app;
grant insert, update, delete on pgboss.job, pgboss.job_common, pgboss.job_dependency to gateway_app;
grant update on pgboss.queue, pgboss.version to gateway_app;

-- Deliveries: one event for one endpoint, with a copy of all values of the body that can change. The body is not stored, because
-- it can be created from the row and the request of the order, which never changes. Orders are kept longer than their deliveries;
-- see docs/archiving.md.
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
  -- results of the attempts: at, httpStatus, error, durationMs
  attempts jsonb not null default '[]',
  created_at timestamptz not null default now(),
  -- a test message has no order; its order_id is its own ID
  check ((operation = 'test') = (event = 'sent')),
  check ((state = 'pending') = (next_attempt_at is not null)),
  primary key (developer_id, id),
  foreign key (developer_id, endpoint_id) references webhook_endpoint on delete cascade);
create index webhook_delivery_id on webhook_delivery (id);
create index webhook_delivery_log on webhook_delivery (developer_id, endpoint_id, id);

-- each event has one delivery per endpoint
create unique index webhook_delivery_once on webhook_delivery (developer_id, order_id, step, endpoint_id);
-- for searches of undelivered events, which are few
create index webhook_delivery_undelivered on webhook_delivery (developer_id, id) where state <> 'delivered';
-- for the list of failed deliveries for staff; filters are applied within the index
create index webhook_delivery_failed on webhook_delivery (id, environment, (operation || '.' || event)) where state = 'failed';
create index webhook_delivery_pending on webhook_delivery (next_attempt_at) where state = 'pending';

grant select, insert, delete on webhook_endpoint to gateway_app;
grant update (client_id, types, secret, previous_secret, previous_secret_until, disabled_at, disabled_reason, failing_since, unanswered, paused_until)
  on webhook_endpoint to gateway_app;
grant select on webhook_outbox, webhook_delivery to gateway_app;

-- the event never changes, only the state of its delivery
grant update (job_id, state, attempt_count, last_attempt_at, next_attempt_at, http_status, error, attempts) on webhook_delivery to gateway_app;
