drop function if exists order_still_success;
drop function if exists order_callback;
drop function if exists order_doubt;
drop function if exists order_lease_due;
drop function if exists order_unknown;
drop function if exists order_claim;

-- Determines which process handles an open order of a provider without a status check: the call that is about to send it, or the
-- sweeper that refunds it after the process of the call has crashed. The first claim applies, so an order is never both sent and
-- refunded as not sent. The next sweeper can repeat the claim of a sweeper.
create function order_claim(p_developer uuid, p_id uuid, p_send boolean) returns boolean
  language sql volatile security definer set search_path = public, pg_temp as $f$
  with claimed as (
    update orders o set send_claimed_at = case when p_send then now() else '-infinity' end
    where o.developer_id = p_developer and o.id = p_id and o.state = 'open'
      and (o.send_claimed_at is null or (not p_send and o.send_claimed_at = '-infinity'))
    returning 1)
  select exists (select from claimed) $f$;

-- Records that the status is not known (yet). Stores the time of the first unknown result and schedules the next status check, or
-- moves the order to manual review. With p_due_ms null, no further check is scheduled. Status checks continue during manual
-- review, and a conclusive one resolves the order as usual. A pause follows each status check; if a callback arrived in the
-- meantime, the next check is due right after the pause. Nothing was sent after unknown_since: the response to the request is
-- recorded after it was sent (but possibly after status checks of other processes), and the first status check follows the lease.
-- The age for "not found" is measured from that time.
-- The response to the request is recorded only once, because its process repeats a call whose commit was not confirmed. A
-- response during manual review is recorded as well: it can contain the transaction ID, and the order may have been sent until
-- then.
-- Returns the state, `in_review` if the order was already in review, `already` if it is resolved.
create function order_unknown(p_developer uuid, p_id uuid, p_due_ms integer, p_pause_ms integer, p_review boolean, p_status_check boolean,
    p_not_found boolean, p_txn text, p_event text, p_detail jsonb, p_search bytea default '')
  returns text language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare v_before text; o orders;
begin
  select x.state into v_before from orders x where x.developer_id = p_developer and x.id = p_id for no key update;
  if not p_status_check and v_before in ('open', 'review')
    and exists (select from order_event e where e.developer_id = p_developer and e.order_id = p_id and e.kind = 'response' and e.detail = p_detail) then
    return v_before;
  end if;
  update orders x set
    unknown_since = case when p_status_check then coalesce(x.unknown_since, now()) else now() end,
    -- not counted if the provider has no status check
    status_checks = x.status_checks + (p_status_check and p_event is not distinct from 'status_check')::integer,
    not_found = case when p_not_found then x.not_found + 1 else 0 end,
    provider_txn_id = coalesce(nullif(p_txn, ''), x.provider_txn_id),
    state = case when p_review then 'review' else x.state end,
    quiet_until = case when p_status_check then now() + p_pause_ms * interval '1 ms' else x.quiet_until end
    where x.developer_id = p_developer and x.id = p_id and x.state in ('open', 'review') returning * into o;
  if not found then return 'already'; end if;
  -- a response during the review does not cancel a check that is due
  if v_before = 'open' or p_status_check or p_due_ms is not null then
    perform order_due_set(o, true, now() + (case when p_due_ms is not null and p_status_check and o.asked = 0 then p_pause_ms else p_due_ms end) * interval '1 ms');
  end if;
  insert into order_search (hash, order_id)
    select encode(substring(p_search from 1 + 16 * n for 16), 'hex')::uuid, p_id from generate_series(0, length(p_search) / 16 - 1) n on conflict do nothing;
  if p_event is not null then
    insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, p_event, p_detail);
  end if;
  if o.state = 'review' and v_before = 'open' then
    insert into order_review (order_id, developer_id, reason) values (p_id, p_developer, 'review');
    insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'review', '{}');
  end if;
  return case v_before when 'review' then 'in_review' else o.state end;
end $f$;

-- Leases due orders of one provider. Their due time is moved beyond the lease, so that other sweepers skip them; another sweeper
-- takes over if this one crashes. Rechecks of successes use the remaining part of the limit. The row of an order is locked before
-- its row in the queue, as everywhere, and in a separate statement; see "Locks" in docs/architecture.md. The queue is read in
-- order up to the limit, regardless of the planner's estimates, and each order by its key.
create function order_lease_due(p_provider text, p_limit integer, p_lease_ms integer)
  returns setof orders language plpgsql volatile security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off as $f$
declare v_waited_for boolean; v_developers uuid[] := '{}'; v_orders uuid[] := '{}';
begin
  foreach v_waited_for in array array[true, false] loop
    select v_developers || coalesce(array_agg(d.developer_id), '{}'), v_orders || coalesce(array_agg(d.id), '{}') into v_developers, v_orders from (
      select o.developer_id, o.id from order_due q join orders o on o.developer_id = q.developer_id and o.id = q.order_id
      where q.provider = p_provider and q.waited_for = v_waited_for and q.due_at <= now()
      order by q.due_at limit p_limit - cardinality(v_orders) for no key update of o skip locked) d;
  end loop;
  -- another sweeper may have leased the order between the read of the queue and the lock
  with leased as (
    update order_due q set due_at = now() + p_lease_ms * interval '1 ms'
    from unnest(v_developers, v_orders) d(developer_id, id)
    where q.developer_id = d.developer_id and q.order_id = d.id and q.due_at <= now() returning d.developer_id, d.id)
  select array_agg(l.developer_id), array_agg(l.id) into v_developers, v_orders from leased l;
  return query update orders o set quiet_until = now() + p_lease_ms * interval '1 ms', asked = o.asked + 1
    from unnest(v_developers, v_orders) l(developer_id, id) where o.developer_id = l.developer_id and o.id = l.id returning o.*;
end $f$;

-- Records that a success is in doubt. Schedules a status check in p_due_ms, but not before a running check has ended.
create function order_doubt(p_developer uuid, p_id uuid, p_due_ms integer) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  update orders x set doubted_since = now(), asked = 0
    where x.developer_id = p_developer and x.id = p_id and x.state = 'success' and x.reversed_at is null and x.operation in ('recharge', 'card_payment')
    returning * into o;
  if not found then return false; end if;
  perform order_due_soon(o, now() + p_due_ms * interval '1 ms');
  return true;
end $f$;

-- Callback of a provider, which only contains our reference. Stored (the first p_keep of an order), and only triggers a status
-- check. An order with an unknown status, in review or not, or a success that conflicts with the callback, is due as soon as
-- no status check is running. An order that is still being sent, has a provider without a status check or has a matching final
-- status is unchanged.
create function order_callback(p_provider text, p_reference text, p_says text, p_keep integer, p_detail jsonb) returns text language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  select x.* into o from order_reference r join orders x on x.developer_id = r.developer_id and x.id = r.order_id
    where r.reference = p_reference and x.provider = p_provider for no key update of x;
  if o.id is null then
    return case when exists (select from order_reference r where r.reference = p_reference
        and not exists (select from orders x where x.developer_id = r.developer_id and x.id = r.order_id)) then 'archived' else 'unknown_order' end;
  end if;
  if (select count(*) from order_event e where e.developer_id = o.developer_id and e.order_id = o.id and e.kind = 'callback') < p_keep then
    insert into order_event (developer_id, order_id, kind, detail) values (o.developer_id, o.id, 'callback', p_detail);
  end if;
  if (o.state = 'open' and o.unknown_since is not null) or (o.state = 'review' and exists (select from order_due q where q.developer_id = o.developer_id and q.order_id = o.id)) then
    update orders x set asked = 0 where x.developer_id = o.developer_id and x.id = o.id;
    perform order_due_soon(o, now());
    return 'status_check';
  end if;
  if o.state = 'success' and p_says in ('failure', 'unexpected') and order_doubt(o.developer_id, o.id, 0) then return 'status_check'; end if;
  if p_says <> 'success' or not (o.state = 'failed' or o.reversed_at is not null) then return 'noted'; end if;
  perform order_status_conflict(o.developer_id, o.id, true, p_detail);
  return 'status_conflict';
end $f$;

-- Records that a status check of a success did not prove a reversal. Schedules the next check in p_due_ms (null for none), or
-- after the pause if another callback arrived in the meantime. p_over: the success is no longer in doubt. p_detail is null if the
-- provider has no status check, so that none was made.
create function order_still_success(p_developer uuid, p_id uuid, p_asked integer, p_due_ms integer, p_pause_ms integer, p_over boolean, p_detail jsonb)
  returns void language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  update orders x set status_checks = x.status_checks + (p_detail is not null)::integer, quiet_until = now() + p_pause_ms * interval '1 ms',
    doubted_since = case when p_over and x.asked = p_asked then null else x.doubted_since end
    where x.developer_id = p_developer and x.id = p_id and x.state = 'success' and x.reversed_at is null returning * into o;
  if found then
    perform order_due_set(o, o.doubted_since is not null, now() + (case when o.asked <> p_asked then p_pause_ms else p_due_ms end) * interval '1 ms');
    insert into order_event (developer_id, order_id, kind, detail) select p_developer, p_id, 'status_check', p_detail where p_detail is not null;
  end if;
end $f$;

revoke all on function order_claim, order_unknown, order_lease_due, order_doubt, order_callback, order_still_success from public;
grant execute on function order_claim, order_unknown, order_lease_due, order_doubt, order_callback, order_still_success to gateway_app;
