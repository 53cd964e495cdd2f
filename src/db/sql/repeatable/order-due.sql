-- Schedule of status checks. The caller has locked the row of the order, which prevents deadlocks.

drop function if exists order_due_soon;
drop function if exists order_due_set;

-- Schedules a status check. p_due is null if there is no further automatic check. p_waited_for: a caller waits for the status.
-- Runs with the rights of the calling function, because the application has no such right.
create function order_due_set(o orders, p_waited_for boolean, p_due timestamptz) returns void language plpgsql volatile as $f$
begin
  if p_due is null then
    delete from order_due q where q.developer_id = o.developer_id and q.order_id = o.id;
  else
    insert into order_due (developer_id, order_id, provider, waited_for, due_at) values (o.developer_id, o.id, o.provider, p_waited_for, p_due)
      on conflict (developer_id, order_id) do update set waited_for = excluded.waited_for, due_at = excluded.due_at;
  end if;
end $f$;

-- Schedules a check at p_from because a caller waits for the status. If a check is due earlier, it is kept; if a check is running
-- or has just ended, none is added.
create function order_due_soon(o orders, p_from timestamptz) returns void language plpgsql volatile as $f$
begin
  perform order_due_set(o, true, least(greatest(p_from, o.quiet_until),
    (select q.due_at from order_due q where q.developer_id = o.developer_id and q.order_id = o.id)));
end $f$;

revoke all on function order_due_set, order_due_soon from public;
