-- Rewrites the tables of a finished month. While orders are being placed, more than half of each page is kept free for the final
-- version of each row. Random inserts leave a third of each index page empty. No vacuum reclaims that space.
--
-- A copy without free space is filled in batches next to the table. Before the first batch, a trigger starts to record the keys
-- of changed rows, and these rows are copied again. The copy replaces the table in one short transaction when no change is left
-- to copy. Until then, all statements use the original table. An interrupted rewrite continues with the next step.

drop function if exists order_months_rewrite;
drop function if exists order_month_step;
drop function if exists month_rewrite_swap;
drop function if exists month_rewrite_differs;
drop function if exists month_rewrite_changes;
drop function if exists month_rewrite_indexes;
drop function if exists month_rewrite_copy;
drop function if exists month_rewrite_begin;
drop function if exists month_rewrite_cancel;
drop function if exists month_rewrite_shape;
drop function if exists month_rewrite_columns;
drop function if exists month_rewrite_match;

-- Records the key of a changed row. Recorded keys are never merged, because an uncommitted change must keep its own record when
-- the record of an earlier change is processed. The columns differ between tables, so the row is read as JSON.
create or replace function month_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $f$
declare v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into month_change (developer_id, order_id, hash)
    values ((v_row ->> 'developer_id')::uuid, coalesce(v_row ->> 'order_id', v_row ->> 'id')::uuid, (v_row ->> 'hash')::uuid);
  return null;
end $f$;

-- Condition that matches a recorded key `c` to a row `o`.
create function month_rewrite_match(p_parent text) returns text language sql immutable as $f$
  select case p_parent
    when 'orders' then 'o.developer_id = c.developer_id and o.id = c.order_id'
    when 'order_event' then 'o.developer_id = c.developer_id and o.order_id = c.order_id'
    else 'o.hash = c.hash and o.order_id = c.order_id' end $f$;

create function month_rewrite_columns(p_table regclass) returns text language sql stable as $f$
  select string_agg(quote_ident(a.attname), ', ' order by a.attname) from pg_attribute a
  where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped $f$;

-- Columns, conditions and number of indexes of a table. A copy that lacks the changes of a later migration cannot be attached.
create function month_rewrite_shape(p_table regclass, p_indexes boolean) returns text language sql stable as $f$
  select (select string_agg(format('%s %s %s', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull), ', ' order by a.attname)
      from pg_attribute a where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped)
    || (select coalesce(string_agg(pg_get_constraintdef(c.oid), ', ' order by pg_get_constraintdef(c.oid)), '') from pg_constraint c
      where c.conrelid = p_table and c.contype = 'c' and c.conname <> 'rewritten_month')
    || case when p_indexes then (select count(*)::text from pg_index i where i.indrelid = p_table) else '' end $f$;

-- Discards an unfinished copy. The next step starts over.
create function month_rewrite_cancel(r month_rewrite) returns void language plpgsql volatile as $f$
begin
  if to_regclass(r.name) is not null then execute format('drop trigger if exists rewritten_month on %I', r.name); end if;
  execute format('drop table if exists %I', r.name || '_new');
  delete from month_change;
  delete from month_rewrite x where x.name = r.name;
end $f$;

create function month_rewrite_begin(p_parent text, p_name text) returns void language plpgsql volatile as $f$
declare v_from timestamp := to_date(right(p_name, 7), 'YYYY_MM')::timestamp; v_new text := p_name || '_new';
begin
  execute format('drop table if exists %I', v_new);
  execute format('create table %I (like %I including all excluding indexes)', v_new, p_parent);
  -- with this constraint, attaching the copy does not require a scan
  execute format('alter table %I add constraint rewritten_month check (%2$I >= %3$L and %2$I < %4$L)', v_new,
    case p_parent when 'orders' then 'id' else 'order_id' end,
    first_id_at(v_from at time zone 'Asia/Kolkata'), first_id_at((v_from + interval '1 month') at time zone 'Asia/Kolkata'));
  execute format('create or replace trigger rewritten_month after insert or update or delete on %I for each row execute function month_changed()', p_name);
  -- a replication session skips other triggers
  execute format('alter table %I enable always trigger rewritten_month', p_name);
  delete from month_change;
  insert into month_rewrite (name, parent, state, filenode) values (p_name, p_parent, 'copying', pg_relation_filenode(p_name));
end $f$;

-- Copies the rows of the next p_blocks blocks. A changed row can be in a block that was copied and in another one as well, so
-- changed rows are left to month_rewrite_changes.
create function month_rewrite_copy(r month_rewrite, p_blocks integer) returns void language plpgsql volatile as $f$
declare
  v_columns text := month_rewrite_columns(r.parent::regclass);
  v_end bigint := pg_relation_size(r.name) / current_setting('block_size')::integer;
begin
  execute format('insert into %I (%s) select %2$s from %3$I o where o.ctid >= %4$L::tid and o.ctid < %5$L::tid
      and not exists (select from month_change c where %6$s)',
    r.name || '_new', v_columns, r.name, format('(%s,0)', r.next_block), format('(%s,0)', r.next_block + p_blocks), month_rewrite_match(r.parent));
  update month_rewrite x set next_block = x.next_block + p_blocks,
    state = case when x.next_block + p_blocks >= v_end then 'indexing' else x.state end where x.name = r.name;
end $f$;

-- Builds the indexes from the existing rows, so that they have no empty space.
create function month_rewrite_indexes(r month_rewrite) returns void language plpgsql volatile as $f$
declare v_index record; v_new text := r.name || '_new';
begin
  for v_index in
    select pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(c.oid) as key from pg_index i
    left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p' where i.indrelid = r.name::regclass order by 1 loop
    if v_index.key is not null then
      execute format('alter table %I add %s', v_new, v_index.key);
    else
      execute regexp_replace(v_index.definition, '^CREATE (UNIQUE )?INDEX \S+ ON \S+ ', format('CREATE \1INDEX ON %I ', v_new));
    end if;
  end loop;
  execute format('analyze %I', v_new);
  update month_rewrite x set state = 'comparing', written_at = clock_timestamp() where x.name = r.name;
end $f$;

-- Copies changed rows again, for at most p_limit records. Returns the number of records.
create function month_rewrite_changes(r month_rewrite, p_limit integer) returns integer language plpgsql volatile as $f$
declare v_developers uuid[]; v_orders uuid[]; v_hashes uuid[]; v_records integer;
begin
  with taken as (delete from month_change where ctid = any(array(select ctid from month_change limit p_limit)) returning *),
  keys as (select c.developer_id, c.order_id, c.hash, count(*) as records from taken c group by 1, 2, 3)
  select array_agg(developer_id), array_agg(order_id), array_agg(hash), coalesce(sum(records), 0)
    into v_developers, v_orders, v_hashes, v_records from keys;
  if v_records = 0 then return 0; end if;
  execute format('delete from %I o using unnest($1, $2, $3) c(developer_id, order_id, hash) where %s', r.name || '_new', month_rewrite_match(r.parent))
    using v_developers, v_orders, v_hashes;
  -- a separate statement, so that it sees at least every recorded change
  execute format('insert into %I (%s) select %s from unnest($1, $2, $3) c(developer_id, order_id, hash) join %I o on %s', r.name || '_new',
      month_rewrite_columns(r.parent::regclass), 'o.' || replace(month_rewrite_columns(r.parent::regclass), ', ', ', o.'), r.name, month_rewrite_match(r.parent))
    using v_developers, v_orders, v_hashes;
  update month_rewrite x set written_at = clock_timestamp() where x.name = r.name;
  return v_records;
end $f$;

-- Whether a row without recorded changes differs or is missing in one of the tables. Uses a single statement, so that the table,
-- the copy and the records are from the same snapshot.
create function month_rewrite_differs(r month_rewrite) returns boolean language plpgsql volatile as $f$
declare v_differs boolean; v_part text := '(select row(count(*), coalesce(sum(hashtextextended(row(%s)::text, 0)::numeric), 0)) from %I o
  where not exists (select from month_change c where %s))';
begin
  execute format('select %s is distinct from %s', format(v_part, month_rewrite_columns(r.parent::regclass), r.name, month_rewrite_match(r.parent)),
    format(v_part, month_rewrite_columns(r.parent::regclass), r.name || '_new', month_rewrite_match(r.parent))) into v_differs;
  update month_rewrite x set state = 'swapping' where x.name = r.name;
  return v_differs;
end $f$;

-- Replaces the table with the copy. Other statements wait while this function runs, which takes a few milliseconds, and while it
-- waits for running statements, which takes at most half a second. Returns false if a row has changed or a lock was not
-- available.
create function month_rewrite_swap(r month_rewrite) returns boolean language plpgsql volatile as $f$
declare v_new text := r.name || '_new'; v_from timestamp := to_date(right(r.name, 7), 'YYYY_MM')::timestamp; v_rest boolean; v_index text;
begin
  -- attaching requires a scan of the default partition
  execute format('select exists (select from %I offset 1000)', r.parent || '_default') into v_rest;
  if v_rest or not pg_try_advisory_xact_lock(7401253) then return false; end if;
  execute format('lock table only %I in access exclusive mode', r.parent);
  execute format('lock table only %I, %I in access exclusive mode', r.name, r.parent || '_default');
  if exists (select from month_change) then raise exception 'a row has changed' using errcode = '55P03'; end if;
  execute format('alter table %I detach partition %I', r.parent, r.name);
  execute format('drop table %I', r.name);
  execute format('alter table %I rename to %I', v_new, r.name);
  for v_index in select i.indexrelid::regclass::text from pg_index i where i.indrelid = r.name::regclass loop
    execute format('alter index %s rename to %I', v_index, replace(v_index, '_new_', '_'));
  end loop;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', r.parent, r.name,
    first_id_at(v_from at time zone 'Asia/Kolkata'), first_id_at((v_from + interval '1 month') at time zone 'Asia/Kolkata'));
  execute format('alter table %I drop constraint rewritten_month', r.name);
  update month_rewrite x set state = 'done', finished_at = clock_timestamp() where x.name = r.name;
  return true;
exception when lock_not_available then
  return false;
end $f$;

-- One step of the rewrite of the oldest month that ended before p_before and is not rewritten, in a separate commit. Results:
--
-- - `none`: there is no such month.
-- - `begun`, `copied`, `indexed`, `compared`, `swapped`: the step was completed.
-- - `changes`: changed rows were copied again.
-- - `different`: the copy was wrong and is discarded.
-- - `cancelled`: the table was replaced or altered in the meantime, and the copy is discarded.
-- - `waits`: a row has changed within p_quiet.
-- - `locked`: other sessions hold required locks.
-- - `busy`: another process runs a step.
-- - `replicated`: a subscriber would miss the copy.
--
-- p_quiet exceeds the statement timeout of the application. A statement that started before a row was copied does not see this
-- copy of the row, so it must never read the copy in place of the table.
create function order_month_step(p_before timestamptz, p_blocks integer, p_quiet interval) returns text
  language plpgsql volatile set lock_timeout = '500ms' set bytea_output = 'hex' set jit = off as $f$
declare r month_rewrite; v_parent text; v_name text; v_records integer;
begin
  -- with another isolation level, the swap would not see changes that were committed while it waited for its locks
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a month must be rewritten in transactions with isolation level READ COMMITTED' using errcode = '25001';
  end if;
  if not pg_try_advisory_xact_lock(7401257) then return 'busy'; end if;
  if exists (select from pg_publication) then return 'replicated'; end if;
  select * into r from month_rewrite x where x.state <> 'done';
  if r.name is null then
    delete from month_rewrite x where to_regclass(x.name) is null;
    select p.name, c.relname into v_parent, v_name
      from unnest(array['orders', 'order_event', 'order_search']) p(name)
      join pg_inherits i on i.inhparent = p.name::regclass join pg_class c on c.oid = i.inhrelid
      where c.relname ~ '_[0-9]{4}_[0-9]{2}$' and not exists (select from month_rewrite x where x.name = c.relname)
        and (to_date(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'Asia/Kolkata' <= p_before
        and pg_relation_size(c.oid) > 0
      order by right(c.relname, 7), 1 limit 1;
    if v_name is null then return 'none'; end if;
    perform month_rewrite_begin(v_parent, v_name);
    return 'begun';
  end if;
  if pg_relation_filenode(to_regclass(r.name)) is distinct from r.filenode or to_regclass(r.name || '_new') is null
      or month_rewrite_shape(to_regclass(r.name), r.state in ('comparing', 'swapping'))
        <> month_rewrite_shape(to_regclass(r.name || '_new'), r.state in ('comparing', 'swapping')) then
    perform month_rewrite_cancel(r);
    return 'cancelled';
  end if;
  if r.state = 'copying' then
    perform month_rewrite_copy(r, p_blocks);
    return 'copied';
  end if;
  if r.state = 'indexing' then
    perform month_rewrite_indexes(r);
    return 'indexed';
  end if;
  v_records := month_rewrite_changes(r, 10000);
  if r.state = 'comparing' and v_records < 10000 then
    if not month_rewrite_differs(r) then return 'compared'; end if;
    perform month_rewrite_cancel(r);
    return 'different';
  end if;
  if v_records > 0 then return 'changes'; end if;
  if clock_timestamp() - r.written_at < p_quiet then return 'waits'; end if;
  return case when month_rewrite_swap(r) then 'swapped' else 'locked' end;
exception when lock_not_available then
  return 'locked';
end $f$;

-- The step that the application calls, for a month that ended at least three days ago. By then, all its payments have been
-- checked a second time.
create function order_months_rewrite() returns text language sql volatile security definer set search_path = public, pg_temp as $f$
  select order_month_step(now() - interval '3 days', 2000, interval '30 s') $f$;

revoke all on function month_changed, month_rewrite_match, month_rewrite_columns, month_rewrite_shape, month_rewrite_cancel, month_rewrite_begin,
  month_rewrite_copy, month_rewrite_indexes, month_rewrite_changes, month_rewrite_differs, month_rewrite_swap, order_month_step, order_months_rewrite
  from public;
grant execute on function order_months_rewrite to gateway_app;
