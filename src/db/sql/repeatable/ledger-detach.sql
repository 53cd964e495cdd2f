-- Removes most orders of an archived month with the tables of the month, instead of row by row.
--
-- Each order in the file of the month is compared with the file (archive_leave) and listed in archive_leaving. The orders that
-- stay are copied to new tables. A trigger records the IDs of orders that change in the meantime: these stay, too. Then, in one
-- short transaction, the copies replace the tables, and the sums of the archived orders are added to wallet_opening and
-- archived_total. The table of transfers is not partitioned, so transfers are deleted afterwards, in batches. Until then, the
-- ledger checks ignore them (booked_entry). An interrupted run continues with the next step.

drop function if exists archive_step;
drop function if exists archive_detach;
drop function if exists archive_delete;
drop function if exists archive_changes;
drop function if exists archive_copy;
drop function if exists archive_begin;
drop function if exists archive_stage;
drop function if exists archive_parents;

-- Tables of orders with the column of the order ID, in the order in which statements lock them.
create function archive_parents() returns table (parent text, key text) language sql immutable as $f$
  values ('orders', 'id'), ('order_event', 'order_id'), ('order_search', 'order_id')
$f$;

create or replace function archive_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $f$
declare v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into archive_change values (coalesce(v_row ->> 'order_id', v_row ->> 'id')::uuid);
  return null;
end $f$;

-- Adds orders of archive_leaving to the sums, or subtracts them (p_sign -1). Only transfers that are in the file are included.
create function archive_stage(p_ids uuid[], p_sign integer) returns void language sql volatile
  set enable_seqscan = off set jit = off as $f$
  with moved as materialized (
    select l.developer_id, l.environment, o.provider, t.wallet_version, t.wallet_change, t.from_account, t.to_account, t.amount_paise,
      (t.created_at at time zone 'Asia/Kolkata')::date as day
    from unnest(p_ids) i join archive_leaving l on l.subject_id = i
    join ledger_entry t on t.developer_id = l.developer_id and t.subject_id = l.subject_id and t.step <= l.transfers
    join orders o on o.developer_id = l.developer_id and o.id = l.subject_id),
  wallets as (
    insert into archive_staged_wallet (developer_id, environment, lines, amount_paise)
      select x.developer_id, x.environment, p_sign * count(x.wallet_version), p_sign * sum(x.wallet_change) from moved x group by 1, 2
      on conflict (developer_id, environment) do update set lines = archive_staged_wallet.lines + excluded.lines,
        amount_paise = archive_staged_wallet.amount_paise + excluded.amount_paise)
  insert into archive_staged_total (environment, account, provider, day, amount_paise)
    select x.environment, m.account, x.provider, x.day, p_sign * sum(m.change) from moved x
    cross join lateral (values (x.from_account, -x.amount_paise), (x.to_account, x.amount_paise)) m(account, change)
    where m.account <> 'wallet' group by 1, 2, 3, 4
    on conflict (environment, account, provider, day) do update set amount_paise = archive_staged_total.amount_paise + excluded.amount_paise;
$f$;

-- Starts with the month of a recorded file, or continues with it. Returns its state. 'none': the month has no separate tables, or
-- a subscriber would keep its orders, so orders are deleted row by row. 'locked': retry later.
create function archive_begin(p_file uuid) returns text language plpgsql volatile set lock_timeout = '500ms' as $f$
declare m archive_month; p record; v_suffix text; v_from timestamp; v_name text; v_new text;
begin
  select * into m from archive_month for update;
  if m.file = p_file then return m.state; end if;
  if m.file is not null then raise exception 'the archive of file % is not finished', m.file; end if;
  select to_char(a.month, '_YYYY_MM'), a.month into v_suffix, v_from from ledger_archive a where a.id = p_file;
  if to_regclass('orders' || v_suffix) is null or exists (select from pg_publication) then return 'none'; end if;
  -- no month is being rewritten now, and the rewrite of this one is cancelled
  if not pg_try_advisory_xact_lock(7401257) then return 'locked'; end if;
  perform month_rewrite_cancel(r) from month_rewrite r where r.state <> 'done' and r.name = r.parent || v_suffix;
  truncate archive_leaving;
  delete from archive_change;
  delete from archive_staged_wallet;
  delete from archive_staged_total;
  for p in select * from archive_parents() loop
    v_name := p.parent || v_suffix;
    v_new := v_name || '_new';
    continue when to_regclass(v_name) is null;
    execute format('drop table if exists %I', v_new);
    execute format('create table %I (like %I including all)', v_new, p.parent);
    -- with this constraint, attaching the copy does not scan it
    execute format('alter table %I add constraint archived_month check (%2$I >= %3$L and %2$I < %4$L)', v_new, p.key,
      first_id_at(v_from at time zone 'Asia/Kolkata'), first_id_at((v_from + interval '1 month') at time zone 'Asia/Kolkata'));
    execute format('create or replace trigger archived_month after insert or update or delete on %I for each row execute function archive_changed()', v_name);
    -- a replication session skips other triggers
    execute format('alter table %I enable always trigger archived_month', v_name);
    insert into month_rewrite (name, parent, state, filenode, finished_at) values (v_name, p.parent, 'done', pg_relation_filenode(v_name), now())
      on conflict (name) do nothing;
  end loop;
  insert into archive_month (file, suffix) values (p_file, v_suffix);
  return 'staging';
exception when lock_not_available then
  return 'locked';
end $f$;

-- Copies the rows of orders of the month that stay. p_stayed: number of subjects of the file that had changed.
create function archive_copy(p_file uuid, p_stayed bigint) returns void language plpgsql volatile set jit = off as $f$
declare m archive_month; p record; v_right boolean;
begin
  select * into m from archive_month x where x.file = p_file and x.state = 'staging' for update;
  if m.file is null then return; end if;
  analyze archive_leaving;
  for p in select * from archive_parents() loop
    continue when to_regclass(p.parent || m.suffix || '_new') is null;
    -- one statement, so table and copy are from one snapshot, in which each order is either archived or copied
    execute format('with copied as (
        insert into %1$I (%2$s) select %2$s from %3$I o where not exists (select from archive_leaving l where l.subject_id = o.%4$I) returning 1)
      select %5$L <> ''orders'' or (select count(*) from %3$I) = (select count(*) from copied) + (select count(*) from archive_leaving)',
      p.parent || m.suffix || '_new', month_rewrite_columns(p.parent::regclass), p.parent || m.suffix, p.key, p.parent) into v_right;
    if not v_right then raise exception 'an order of % is neither archived nor copied', p.parent || m.suffix; end if;
  end loop;
  update archive_month set state = 'copied', stayed = p_stayed, written_at = clock_timestamp();
end $f$;

-- Keeps orders that have changed, for at most p_limit records. Returns the number of records. Orders of pending approval requests
-- are added, because a request does not change the row of its order.
create function archive_changes(m archive_month, p_limit integer) returns integer language plpgsql volatile as $f$
declare p record; v_ids uuid[]; v_kept uuid[]; v_records integer;
begin
  insert into archive_change
    select l.subject_id from archive_leaving l where l.subject_id in (select archive_requested());
  with taken as (delete from archive_change where ctid = any(array(select ctid from archive_change limit p_limit)) returning subject_id)
    select array_agg(distinct subject_id), count(*) into v_ids, v_records from taken;
  if v_records = 0 then return 0; end if;
  select coalesce(array_agg(l.subject_id), '{}') into v_kept from archive_leaving l where l.subject_id = any(v_ids);
  perform archive_stage(v_kept, -1);
  delete from archive_leaving where subject_id = any(v_kept);
  delete from archived_order where id = any(v_kept);
  for p in select * from archive_parents() loop
    continue when to_regclass(p.parent || m.suffix || '_new') is null;
    execute format('delete from %I where %I = any($1)', p.parent || m.suffix || '_new', p.key) using v_ids;
    -- a separate statement, so it sees at least every recorded change
    execute format('insert into %I (%s) select %2$s from %3$I where %4$I = any($1)', p.parent || m.suffix || '_new',
      month_rewrite_columns(p.parent::regclass), p.parent || m.suffix, p.key) using v_ids;
  end loop;
  update archive_month set stayed = stayed + cardinality(v_kept), written_at = clock_timestamp();
  return v_records;
end $f$;

-- Replaces the tables by the copies, in the transaction that adds the archived amounts to the opening records and totals.
-- Statements wait while this runs, which takes a few milliseconds, and while it waits for locks, which takes at most a second.
-- False if an order has changed, or a lock was not available.
create function archive_detach(m archive_month) returns boolean language plpgsql volatile as $f$
declare p record; v_from timestamp := to_date(m.suffix, '_YYYY_MM')::timestamp; v_tables text[] := '{}'; v_table text; v_rest boolean; v_index text;
  v_until timestamptz; v_wallets integer;
begin
  -- no check of new postings runs, and no partition is created, at the same time
  perform from ledger_checkpoint for share;
  if not pg_try_advisory_xact_lock(7401253) then return false; end if;
  for p in select * from archive_parents() loop
    if to_regclass(p.parent || m.suffix || '_new') is not null then
      v_tables := v_tables || p.parent || (p.parent || m.suffix) || (p.parent || '_default');
      -- attaching scans the default partition
      execute format('select exists (select from %I offset 1000)', p.parent || '_default') into v_rest;
      if v_rest then return false; end if;
    end if;
  end loop;
  v_until := clock_timestamp() + interval '1 s';
  foreach v_table in array v_tables loop
    perform set_config('lock_timeout', greatest(1, extract(epoch from v_until - clock_timestamp()) * 1000)::integer::text, true);
    execute format('lock table only %I in access exclusive mode', v_table);
  end loop;
  if exists (select from archive_change) or exists (
      select from archive_leaving l where l.subject_id in (select archive_requested())) then
    raise exception 'an order has changed' using errcode = '55P03';
  end if;
  for p in select * from archive_parents() loop
    v_table := p.parent || m.suffix;
    continue when to_regclass(v_table || '_new') is null;
    execute format('alter table %I detach partition %I', p.parent, v_table);
    execute format('drop table %I', v_table);
    execute format('alter table %I rename to %I', v_table || '_new', v_table);
    for v_index in select i.indexrelid::regclass::text from pg_index i where i.indrelid = v_table::regclass loop
      execute format('alter index %s rename to %I', v_index, replace(v_index, '_new_', '_'));
    end loop;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', p.parent, v_table,
      first_id_at(v_from at time zone 'Asia/Kolkata'), first_id_at((v_from + interval '1 month') at time zone 'Asia/Kolkata'));
    execute format('alter table %I drop constraint archived_month', v_table);
  end loop;
  update wallet_opening r set left_lines = r.left_lines + s.lines, left_paise = r.left_paise + s.amount_paise
    from archive_staged_wallet s where r.developer_id = s.developer_id and r.environment = s.environment;
  get diagnostics v_wallets = row_count;
  if v_wallets <> (select count(*) from archive_staged_wallet) then raise exception 'a wallet has no opening entry'; end if;
  insert into archived_total select * from archive_staged_total
    on conflict (environment, account, provider, day) do update set amount_paise = archived_total.amount_paise + excluded.amount_paise;
  update archive_month set state = 'detached';
  return true;
exception when lock_not_available or deadlock_detected then
  return false;
end $f$;

-- Deletes the transfers of the next p_limit archived orders. Returns the number of orders.
create function archive_delete(m archive_month, p_limit integer) returns integer language plpgsql volatile
  set enable_seqscan = off set jit = off as $f$
declare v_developers uuid[]; v_ids uuid[];
begin
  select array_agg(l.developer_id), array_agg(l.subject_id order by l.subject_id) into v_developers, v_ids from (
    select x.developer_id, x.subject_id from archive_leaving x where x.subject_id > m.deleted_to order by x.subject_id limit p_limit) l;
  delete from transfer t using unnest(v_developers, v_ids) l(developer_id, id) where t.developer_id = l.developer_id and t.subject_id = l.id;
  update archive_month set deleted_to = v_ids[cardinality(v_ids)] where cardinality(v_ids) > 0;
  return coalesce(cardinality(v_ids), 0);
end $f$;

-- Runs the next step of a month whose orders were copied, in a separate commit. Results:
--
-- - `changes`: changed orders stay.
-- - `detached`: the copies have replaced the tables.
-- - `deleted`: some transfers were deleted.
-- - `done`: the month is archived.
-- - `waits`: a row was copied within p_quiet, see order_month_step.
-- - `locked`: other sessions hold required locks.
-- - `busy`: a full ledger check is reading.
create function archive_step(p_file uuid, p_quiet interval) returns table (step text, stayed bigint)
  language plpgsql volatile set lock_timeout = '500ms' as $f$
#variable_conflict use_column
declare m archive_month; v_step text;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a month must be archived in transactions with isolation level READ COMMITTED' using errcode = '25001';
  end if;
  select * into m from archive_month x where x.file = p_file for update;
  if m.file is null then return query select 'done', 0::bigint; return; end if;
  if m.state = 'copied' then
    if archive_changes(m, 10000) > 0 then v_step := 'changes';
    elsif clock_timestamp() - m.written_at < p_quiet then v_step := 'waits';
    elsif not books_alone() then v_step := 'busy';
    else v_step := case when archive_detach(m) then 'detached' else 'locked' end; end if;
  elsif archive_delete(m, 10000) > 0 then v_step := 'deleted';
  elsif not books_alone() then v_step := 'busy';
  else
    -- a running check of new postings still requires the list
    perform from ledger_checkpoint for share;
    truncate archive_leaving;
    delete from archive_month;
    -- in this transaction, otherwise the file would be compared again with the orders that stayed
    update ledger_archive set left_at = now(), stayed = m.stayed where id = p_file;
    v_step := 'done';
  end if;
  return query select v_step, coalesce((select x.stayed from archive_month x), m.stayed);
exception when lock_not_available then
  return query select 'locked', m.stayed;
end $f$;

revoke all on function archive_parents, archive_changed, archive_stage, archive_begin, archive_copy, archive_changes, archive_detach, archive_delete, archive_step
  from public;
