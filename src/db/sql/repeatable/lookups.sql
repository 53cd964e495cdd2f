drop function if exists lookup_release;

-- The answers of lookups that nobody can repeat for nothing any more: key and answer go, the order and its money stay. Several
-- processes may do it at once. Returns how many; fewer than p_limit: there are no more.
create function lookup_release(p_limit integer) returns integer language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $f$
declare v_count integer;
begin
  update orders o set client_key = null, answer = null
    from (select x.developer_id, x.id from orders x
          where x.operation in ('lookup', 'card_bill') and x.answer is not null and x.settled_at < now() - interval '10 minutes'
          order by x.settled_at limit p_limit for update skip locked) s
    where o.developer_id = s.developer_id and o.id = s.id;
  get diagnostics v_count = row_count;
  return v_count;
end $f$;

revoke all on function lookup_release from public;
grant execute on function lookup_release to gateway_app;
