drop function if exists sandbox_take;

-- Uses the next scenario for a call. A scenario for its idempotency key takes precedence over one for its number. Scenarios that
-- another call is using are skipped. For an order, the scenario is stored with its reference for later status checks; for a
-- lookup (null), it is deleted.
create function sandbox_take(p_developer uuid, p_environment text, p_targets bytea[], p_outcomes text[], p_reference text)
  returns table (scenario text, reason text) language plpgsql volatile as $f$
#variable_conflict use_column
declare s sandbox_scenario;
begin
  select * into s from sandbox_scenario x
    where x.developer_id = p_developer and x.environment = p_environment and x.target_hash = any(p_targets) and x.outcome = any(p_outcomes)
      and x.reference is null and x.expires_at > now()
    order by x.by_key desc limit 1 for update skip locked;
  if not found then return; end if;
  if p_reference is null then
    delete from sandbox_scenario x where x.id = s.id;
  else
    update sandbox_scenario x set reference = p_reference, taken_at = now() where x.id = s.id;
  end if;
  return query select s.outcome, s.reason;
end $f$;

revoke all on function sandbox_take from public;
grant execute on function sandbox_take to gateway_app;
