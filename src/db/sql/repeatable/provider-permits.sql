drop function if exists provider_permits_lease;

-- Leases a process its share of the permits of each provider. p_held: number of calls that the process may have running until it
-- receives the result; it keeps these permits in any case. Permits held by other processes are never assigned: a new process
-- waits until the others have released the permits above their share, so the total never exceeds the limit. `share` is the target
-- of the process.
create function provider_permits_lease(p_process uuid, p_lease_ms integer, p_providers text[], p_limits integer[], p_held integer[])
  returns table (provider text, permits integer, share integer) language plpgsql volatile security definer set search_path = public, pg_temp as $f$
begin
  -- serialized, so that each statement below sees the commits of earlier calls
  perform pg_advisory_xact_lock(7401256);
  delete from provider_permit x where x.expires_at <= clock_timestamp();
  return query
    with others as (
      select a.name, a.most, a.held, coalesce(sum(x.permits), 0)::integer as taken, count(x.process)::integer as processes,
        (count(x.process) filter (where x.process < p_process))::integer as earlier
      from unnest(p_providers, p_limits, p_held) as a (name, most, held)
      left join provider_permit x on x.provider = a.name and x.process <> p_process group by a.name, a.most, a.held),
    shared as (
      -- the first processes get the remainder of the division
      select o.*, o.most / (o.processes + 1) + (o.earlier < o.most % (o.processes + 1))::integer as part from others o),
    leased as (
      insert into provider_permit as p (provider, process, permits, expires_at)
      select s.name, p_process, greatest(s.held, least(s.part, s.most - s.taken)), clock_timestamp() + p_lease_ms * interval '1 ms' from shared s
      on conflict on constraint provider_permit_pkey do update set permits = excluded.permits, expires_at = excluded.expires_at
      returning p.provider as name, p.permits as leased)
    select l.name, l.leased, s.part from leased l join shared s on s.name = l.name;
end $f$;

revoke all on function provider_permits_lease from public;
grant execute on function provider_permits_lease to gateway_app;
