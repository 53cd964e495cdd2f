-- Monthly partitions of orders, their events and their search entries.

drop function if exists order_partitions_ahead;
drop function if exists first_id_at;

-- Lowest ID for a time. A version 7 UUID starts with the time in milliseconds.
create function first_id_at(p_at timestamptz) returns uuid language sql immutable as $f$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from p_at) * 1000))::bigint), 12, '0') || repeat('0', 20))::uuid $f$;

-- Creates missing partitions for the current month (IST) and the following ones, and returns their number. Rows in the default
-- partition (because a partition was not created in time, or a clock is ahead) are moved to their month. Several processes can
-- run it concurrently. Waits at most two seconds for a lock, because all readers of orders would queue behind it; a later attempt
-- completes the work.
create function order_partitions_ahead(p_months integer default 2) returns integer
  language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '2s' as $f$
declare v_parent text; v_key text; v_name text; v_from timestamp; v_bounds uuid[]; v_made integer := 0;
begin
  perform pg_advisory_xact_lock(7401253);
  for v_from in select generate_series(m, m + p_months * interval '1 month', '1 month') from date_trunc('month', now() at time zone 'Asia/Kolkata') m loop
    v_bounds := array[first_id_at(v_from at time zone 'Asia/Kolkata'), first_id_at((v_from + interval '1 month') at time zone 'Asia/Kolkata')];
    foreach v_parent in array array['orders', 'order_event', 'order_search'] loop
      v_name := v_parent || to_char(v_from, '_YYYY_MM');
      continue when to_regclass(v_name) is not null;
      v_key := case v_parent when 'orders' then 'id' else 'order_id' end;
      execute format('create table %I (like %I including all)', v_name, v_parent);
      if v_parent = 'orders' then
        -- leaves space for the settled version of a row on the same page: 87 % fit; with fillfactor 60, only 41 % fit, in less
        -- space
        execute format('alter table %I set (fillfactor = 40, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05)', v_name);
      end if;
      execute format('lock table %I in access exclusive mode', v_parent || '_default');
      execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from moved',
        v_parent || '_default', v_key, v_bounds[1], v_bounds[2], v_name);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_parent, v_name, v_bounds[1], v_bounds[2]);
      v_made := v_made + 1;
    end loop;
  end loop;
  return v_made;
end $f$;

revoke all on function first_id_at, order_partitions_ahead from public;
grant execute on function first_id_at, order_partitions_ahead to gateway_app;
