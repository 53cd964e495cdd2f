-- When the provider of an order is asked next. The caller has locked the order's row, so that nobody waits crosswise.

drop function if exists order_due_soon;
drop function if exists order_due_set;

-- p_due null: nobody asks by itself any more. p_waited_for: somebody waits for what the provider says. It runs with the rights of the
-- function that calls it; the application cannot.
create function order_due_set(o orders, p_waited_for boolean, p_due timestamptz) returns void language plpgsql volatile as $f$
begin
  if p_due is null then
    delete from order_due q where q.developer_id = o.developer_id and q.order_id = o.id;
  else
    insert into order_due (developer_id, order_id, provider, waited_for, due_at) values (o.developer_id, o.id, o.provider, p_waited_for, p_due)
      on conflict (developer_id, order_id) do update set waited_for = excluded.waited_for, due_at = excluded.due_at;
  end if;
end $f$;

-- Somebody waits for it: at p_from, or before where it is due before, but not while a status check is under way or has just ended.
create function order_due_soon(o orders, p_from timestamptz) returns void language plpgsql volatile as $f$
begin
  perform order_due_set(o, true, least(greatest(p_from, o.quiet_until),
    (select q.due_at from order_due q where q.developer_id = o.developer_id and q.order_id = o.id)));
end $f$;

revoke all on function order_due_set, order_due_soon from public;
