drop function if exists lookup_release;

-- Deletes the keys and responses of lookups that can no longer be replayed. The order and its money are retained. Several
-- processes can run it concurrently. Returns the number of lookups; fewer than p_limit means that none are left.
create function lookup_release(p_limit integer) returns integer language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $f$
declare v_developers uuid[]; v_orders uuid[];
begin
  select array_agg(s.developer_id), array_agg(s.order_id) into v_developers, v_orders from (
    select x.developer_id, x.order_id from lookup_answer x where x.settled_at < now() - interval '10 minutes'
    order by x.settled_at limit p_limit for update skip locked) s;
  -- keys are always locked in the same order before they are deleted
  perform 1 from (
      select o.developer_id, o.environment, o.operation, o.client_key, o.id from unnest(v_developers, v_orders) r(developer_id, order_id)
        join orders o on o.developer_id = r.developer_id and o.id = r.order_id
      where o.client_key is not null order by 1, 2, 3, 4) r
    cross join lateral (
      select 1 from order_key k where k.developer_id = r.developer_id and k.environment = r.environment and k.operation = r.operation
        and k.client_key = r.client_key and k.order_id = r.id for update) k;
  delete from order_key k using unnest(v_developers, v_orders) r(developer_id, order_id)
    join orders o on o.developer_id = r.developer_id and o.id = r.order_id
    -- the idempotency key may already belong to a later lookup
    where k.developer_id = o.developer_id and k.environment = o.environment and k.operation = o.operation and k.client_key = o.client_key and k.order_id = o.id;
  delete from lookup_answer a using unnest(v_developers, v_orders) s(developer_id, order_id)
    where a.developer_id = s.developer_id and a.order_id = s.order_id;
  return coalesce(cardinality(v_orders), 0);
end $f$;

revoke all on function lookup_release from public;
grant execute on function lookup_release to gateway_app;
