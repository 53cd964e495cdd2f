drop function if exists order_lock;

-- Locks a payment for a resolution by staff until the transaction of the caller ends. A concurrent second resolution sees the
-- result of the first.
create function order_lock(p_id uuid) returns setof orders language sql volatile security definer set search_path = public, pg_temp as $f$
  select * from orders o where o.id = p_id and o.operation in ('recharge', 'card_payment') for no key update $f$;

revoke all on function order_lock from public;
grant execute on function order_lock to gateway_app;
