drop function if exists order_lock;

-- A payment that somebody decides about, locked until the caller's transaction ends: of two who decide at once, the second one
-- sees what the first one did.
create function order_lock(p_id uuid) returns setof orders language sql volatile security definer set search_path = public, pg_temp as $f$
  select * from orders o where o.id = p_id and o.operation in ('recharge', 'card_payment') for no key update $f$;

revoke all on function order_lock from public;
grant execute on function order_lock to gateway_app;
