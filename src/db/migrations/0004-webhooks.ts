import { Migration } from '@mikro-orm/migrations';
import { getConstructionPlans } from 'pg-boss';
import { APPLICATION_ROLE } from '../pool.js';

/**
 * The job queue's own schema, and the log of webhook deliveries.
 *
 * pg-boss is installed here, as the owner, because the application's role may not change schemas. A newer pg-boss that wants a
 * newer schema (it refuses to start then) needs a migration that runs its `getMigrationPlans` from the version that is found.
 */
export class Webhooks extends Migration {
  override up(): void {
    for (const statement of [...jobQueue(), ...deliveries, ...grants]) this.addSql(statement);
  }
}

/** Deliveries that still run when a process dies are taken up again after this; an attempt takes ten seconds at most. */
const EXPIRE_S = 60;
const DAY_S = 86_400;

const queues: readonly [name: string, options: object][] = [
  ['webhook-dead', { policy: 'standard', retryLimit: 0, retentionSeconds: 30 * DAY_S }],
  // the delivery log is ours, so finished jobs need not stay
  ['webhook', { policy: 'standard', deadLetter: 'webhook-dead', expireInSeconds: EXPIRE_S, deleteAfterSeconds: DAY_S }],
];

function jobQueue(): string[] {
  // migrations run in one transaction already
  const plans = getConstructionPlans('pgboss').replace(/^\s*(BEGIN|COMMIT);$/gm, '');
  return [
    plans,
    ...queues.map(([name, options]) => `select pgboss.create_queue('${name}', '${JSON.stringify(options)}')`),
    `grant usage on schema pgboss to ${APPLICATION_ROLE}`,
    `grant select on all tables in schema pgboss to ${APPLICATION_ROLE}`,
    `grant insert, update, delete on pgboss.job, pgboss.job_common, pgboss.job_dependency to ${APPLICATION_ROLE}`,
    `grant update on pgboss.queue, pgboss.version to ${APPLICATION_ROLE}`,
  ];
}

const deliveries = [
  // One event for one endpoint, with a copy of all that its body tells. No body is kept: it follows from the row.
  `create table webhook_delivery (
    developer_id integer not null,
    id uuid not null default uuidv7(),
    endpoint_id uuid not null,
    order_id uuid not null,
    event text not null check (event in ('succeeded', 'failed', 'reversed')),
    environment text not null check (environment in ('uat', 'production')),
    operation text not null check (operation in ('recharge', 'card_payment')),
    client_key text collate "C",
    amount_paise bigint not null,
    occurred_at timestamptz not null,
    job_id uuid not null default gen_random_uuid(),
    state text not null default 'pending' check (state in ('pending', 'delivered', 'dead', 'cancelled')),
    attempts integer not null default 0 check (attempts >= 0),
    last_attempt_at timestamptz,
    next_attempt_at timestamptz default now(),
    http_status smallint,
    error text,
    created_at timestamptz not null default now(),
    check ((state = 'pending') = (next_attempt_at is not null)),
    primary key (developer_id, id),
    foreign key (developer_id, endpoint_id) references webhook_endpoint on delete cascade)`,
  `create index webhook_delivery_id on webhook_delivery (id)`,
  `create index webhook_delivery_log on webhook_delivery (developer_id, endpoint_id, id)`,
  // every event reaches an endpoint as one delivery
  `create unique index webhook_delivery_once on webhook_delivery (developer_id, order_id, event, endpoint_id)`,
  `create index webhook_delivery_pending on webhook_delivery (next_attempt_at) where state = 'pending'`,

  // Takes events that no other process is taking and writes a delivery for each endpoint that was there when they happened.
  // The caller puts the deliveries into the job queue in the same transaction.
  `create function webhook_dispatch(p_limit integer) returns setof webhook_delivery
    language sql volatile security definer set search_path = public, pg_temp as $f$
    with taken as (
      delete from webhook_outbox w using (
        select x.developer_id, x.order_id, x.event from webhook_outbox x order by x.occurred_at limit p_limit for update skip locked) t
      where w.developer_id = t.developer_id and w.order_id = t.order_id and w.event = t.event
      returning w.*)
    insert into webhook_delivery (developer_id, endpoint_id, order_id, event, environment, operation, client_key, amount_paise, occurred_at)
    select t.developer_id, e.id, t.order_id, t.event, o.environment, o.operation, o.client_key, o.amount_paise, t.occurred_at
    from taken t
    join orders o on o.developer_id = t.developer_id and o.id = t.order_id
    join webhook_endpoint e on e.developer_id = t.developer_id and e.environment = o.environment
      and e.disabled_at is null and e.created_at <= t.occurred_at
    returning * $f$`,

  // Hourly: a delivery whose job gave up while its process was dead is dead too, and the log is kept for ninety days.
  `create function webhook_housekeeping() returns void language sql volatile security definer set search_path = public, pg_temp as $f$
    update webhook_delivery d set state = 'dead', next_attempt_at = null
      where d.state = 'pending' and d.next_attempt_at < now() - interval '10 minutes' and exists (
        select from pgboss.job j where j.name = 'webhook' and j.id = d.job_id and j.state = 'failed');
    delete from webhook_delivery d where d.id in (
      select x.id from webhook_delivery x where x.created_at < now() - interval '90 days' and x.state <> 'pending' order by x.id limit 10000) $f$`,
];

const callable = ['webhook_dispatch(integer)', 'webhook_housekeeping()'];

const grants = [
  `grant select, insert, delete on webhook_endpoint to ${APPLICATION_ROLE}`,
  `grant update (secret, previous_secret, previous_secret_until, disabled_at, disabled_reason, failing_since, unanswered, paused_until)
    on webhook_endpoint to ${APPLICATION_ROLE}`,
  `grant select on webhook_outbox, webhook_delivery to ${APPLICATION_ROLE}`,
  // what an event says never changes; only how its delivery goes does
  `grant update (job_id, state, attempts, last_attempt_at, next_attempt_at, http_status, error) on webhook_delivery to ${APPLICATION_ROLE}`,
  ...callable.map((name) => `revoke all on function ${name} from public`),
  ...callable.map((name) => `grant execute on function ${name} to ${APPLICATION_ROLE}`),
];
