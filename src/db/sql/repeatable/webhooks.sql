drop function if exists webhook_housekeeping;
drop function if exists webhook_dispatch;
drop function if exists webhook_test;

-- Takes events that no other process is taking, and writes a delivery for each subscribed endpoint that existed and was active
-- when the event occurred. If the outbox has an earlier event of the same order, the event is left for the next call: its
-- delivery must wait for that of the earlier event, which another process may be writing. The caller adds the deliveries to the
-- job queue in the same transaction.
create function webhook_dispatch(p_limit integer) returns setof webhook_delivery
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $f$
declare v_developers uuid[]; v_orders uuid[]; v_steps smallint[];
begin
  select array_agg(t.developer_id), array_agg(t.order_id), array_agg(t.step) into v_developers, v_orders, v_steps from (
    select x.developer_id, x.order_id, x.step from webhook_outbox x
    where not exists (select from webhook_outbox y where y.developer_id = x.developer_id and y.order_id = x.order_id and y.step < x.step)
    order by x.occurred_at limit p_limit for update of x skip locked) t;
  return query with taken as (
    delete from webhook_outbox w using unnest(v_developers, v_orders, v_steps) t(developer_id, order_id, step)
    where w.developer_id = t.developer_id and w.order_id = t.order_id and w.step = t.step
    returning w.*)
  insert into webhook_delivery (developer_id, endpoint_id, order_id, reference, event, step, reversed_by, environment, operation, client_key, amount_paise, answer, provider_txn_id, settled_at, occurred_at)
  select t.developer_id, e.id, t.order_id, o.reference, t.event, t.step, t.reversed_by, o.environment, o.operation, o.client_key, o.amount_paise, t.answer, t.provider_txn_id, t.settled_at, t.occurred_at
  from taken t
  join orders o on o.developer_id = t.developer_id and o.id = t.order_id
  join webhook_endpoint e on e.developer_id = t.developer_id and e.environment = o.environment
    and e.disabled_at is null and coalesce(e.starts_at, e.created_at) <= t.occurred_at and (e.types is null or o.operation || '.' || t.event = any(e.types))
  returning *;
end $f$;

-- Test message without an order. The caller adds it to the job queue in the same transaction.
create function webhook_test(p_developer uuid, p_endpoint uuid, p_id uuid, p_reference text) returns setof webhook_delivery
  language sql volatile security definer set search_path = public, pg_temp as $f$
  insert into webhook_delivery (developer_id, endpoint_id, order_id, reference, event, step, environment, operation, amount_paise, occurred_at)
  select e.developer_id, e.id, p_id, p_reference, 'sent', 1, e.environment, 'test', 0, now()
  from webhook_endpoint e where e.developer_id = p_developer and e.id = p_endpoint and e.disabled_at is null
    and (e.starts_at is null or e.starts_at <= now())
  returning * $f$;

-- Runs hourly. Marks deliveries as failed if their job failed permanently while its process was not running.
create function webhook_housekeeping() returns void language sql volatile security definer set search_path = public, pg_temp as $f$
  update webhook_delivery d set state = 'failed', next_attempt_at = null
    where d.state = 'pending' and d.next_attempt_at < now() - interval '10 minutes' and exists (
      select from pgboss.job j where j.name = 'webhook' and j.id = d.job_id and j.state = 'failed') $f$;

revoke all on function webhook_dispatch, webhook_test, webhook_housekeeping from public;
grant execute on function webhook_dispatch, webhook_test, webhook_housekeeping to gateway_app;
