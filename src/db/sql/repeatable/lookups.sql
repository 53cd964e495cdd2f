drop function if exists lookup_release;

-- The answers of lookups that nobody can repeat for nothing any more: key and answer go, the order and its money stay. Several
-- processes may do it at once. Returns how many; fewer than p_limit: there are no more.
create function lookup_release(p_limit integer) returns integer language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $f$
declare v_count integer;
begin
  with released as (
    delete from lookup_answer a using (
      select x.developer_id, x.order_id from lookup_answer x where x.settled_at < now() - interval '10 minutes'
      order by x.settled_at limit p_limit for update skip locked) s
    where a.developer_id = s.developer_id and a.order_id = s.order_id returning a.developer_id, a.order_id),
  given_back as (
    delete from order_key k using released r join orders o on o.developer_id = r.developer_id and o.id = r.order_id
    -- the key may be that of a later lookup already
    where k.developer_id = o.developer_id and k.environment = o.environment and k.operation = o.operation and k.client_key = o.client_key and k.order_id = o.id)
  select count(*) into v_count from released;
  return v_count;
end $f$;

revoke all on function lookup_release from public;
grant execute on function lookup_release to gateway_app;
