-- Archives old months. Only the owner of the tables can call these functions (gateway archive), not the application.
--
-- A subject is an order with all its transfers, or a single posting without an order. It is archived as a unit after it was
-- written to a file. The transaction that removes it from the ledger adds its transfers to the opening record of the wallet and
-- to archived_total, so the ledger is correct at every commit. Most orders are removed with the tables of their month, see
-- ledger-detach.sql; all other subjects are deleted here. No wallet is changed or locked. Keys and references are kept
-- permanently.

drop function if exists archive_leave;
drop function if exists archive_subjects;
drop function if exists archive_wallets;
drop function if exists archive_orders;
drop function if exists archive_searches;
drop function if exists archive_empty_months;
drop function if exists archive_small_months;
drop function if exists archive_final_status;
drop function if exists archive_order_stays;
drop function if exists archive_awaited;
drop function if exists archive_requested;

-- Reason for which the row of an order requires it to stay, regardless of its age. Null if the order is final. Small enough to be
-- inlined into the calling statement.
create function archive_order_stays(o orders) returns text language sql immutable as $f$
  select case when o.state = 'open' then 'open' when o.state = 'review' then 'in review'
    when o.status_conflict_at is not null then 'conflicting provider status' when o.doubted_since is not null then 'status check pending' end
$f$;

-- Orders of pending approval requests.
create function archive_requested() returns setof uuid language sql stable as $f$
  select r.order_id from approval_request r where r.final_state is null and r.order_id is not null
  union all select o.order_id from approval_request r join approval_request_order o on o.approval_request_id = r.id where r.final_state is null
$f$;

-- Orders among p_ids that stay because a related process is pending, with the reason. One read for all orders: a read for each
-- order would take most of the time of an archive run.
create function archive_awaited(p_developer uuid, p_ids uuid[]) returns table (order_id uuid, reason text) language sql stable as $f$
  select a.order_id, (array_agg(a.reason order by a.rank))[1] from (
    select q.order_id, 1 as rank, 'status check pending' as reason from order_due q where q.developer_id = p_developer and q.order_id = any(p_ids)
    union all select v.order_id, 1, 'status check pending' from order_review v where v.order_id = any(p_ids)
    union all select l.order_id, 2, 'response still stored' from lookup_answer l where l.developer_id = p_developer and l.order_id = any(p_ids)
    union all select r.order_id, 3, 'approval request pending' from archive_requested() r(order_id) where r.order_id = any(p_ids)
    union all select b.order_id, 4, 'webhook pending' from webhook_outbox b where b.developer_id = p_developer and b.order_id = any(p_ids)) a
  group by 1
$f$;

-- Stores the final status of payments. It can change for a payment that was restored from its file and is archived again.
create function archive_final_status(p_developer uuid, p_ids uuid[]) returns void language sql as $f$
  insert into archived_order (id, developer_id, environment, operation, reference, status)
    select o.id, o.developer_id, o.environment, o.operation, o.reference, case when o.reversed_at is null then o.state else 'reversed' end
    from orders o join unnest(p_ids) i on o.id = i where o.developer_id = p_developer and o.operation in ('recharge', 'card_payment')
    on conflict (id) do update set status = excluded.status;
$f$;

-- Deletes orders whose transfers have been archived, with their events. Keys, references and claims on bills stay.
create function archive_orders(p_developer uuid, p_ids uuid[]) returns void language sql as $f$
  delete from order_event e using unnest(p_ids) i where e.developer_id = p_developer and e.order_id = i;
  delete from orders o using unnest(p_ids) i where o.developer_id = p_developer and o.id = i;
$f$;

-- Deletes the search entries of archived orders from before a time. One pass over the table, because the table has no index on the order ID.
create function archive_searches(p_before timestamptz) returns void language plpgsql as $f$
begin
  delete from order_search s where s.order_id < first_id_at(p_before)
    and not exists (select from orders o where o.id = s.order_id and o.id < first_id_at(p_before));
end $f$;

-- Moves the rows of old months to the default partitions if they and the default partition have at most 1000 rows in total, and
-- drops their tables. Returns the number of dropped tables. Default partitions stay that small because attaching a partition
-- scans them. A table that is locked for more than half a second stays until the next run.
create function archive_small_months(p_before timestamptz) returns integer language plpgsql set lock_timeout = '500ms' as $f$
declare p record; v_rows integer; v_dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7401253);
  for p in
    select a.parent, c.relname as name, month_rewrite_columns(c.oid) as columns from archive_parents() a
    join pg_inherits i on i.inhparent = a.parent::regclass join pg_class c on c.oid = i.inhrelid
    where c.relname ~ '_[0-9]{4}_[0-9]{2}$' and right(c.relname, 7) < to_char(p_before at time zone 'Asia/Kolkata', 'YYYY_MM')
      and not exists (select from month_rewrite r where r.name = c.relname and r.state <> 'done')
      and not exists (select from archive_month m where c.relname = a.parent || m.suffix)
    order by 2 loop
    begin
      execute format('select (select count(*) from (select from %I limit 1001) x) + (select count(*) from (select from %I limit 1001) x)',
        p.name, p.parent || '_default') into v_rows;
      continue when v_rows > 1000;
      execute format('lock table only %I in access exclusive mode', p.parent);
      execute format('alter table %I detach partition %I', p.parent, p.name);
      execute format('insert into %I (%s) select %2$s from %3$I', p.parent || '_default', p.columns, p.name);
      execute format('drop table %I', p.name);
      v_dropped := v_dropped + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  return v_dropped;
end $f$;

-- Wallets with transfers from before a time: the first transfer, the version of the opening record, and the last version that can
-- be archived, which the ledger check has verified.
create function archive_wallets(p_before timestamptz)
  returns table (developer_id uuid, environment text, first_at timestamptz, version bigint, last_version bigint) language sql stable
  set enable_seqscan = off as $f$
  select w.developer_id, w.environment, f.created_at, coalesce(r.version, 0), least(b.version - 1, c.version)
  from wallet w
  join wallet_checkpoint c on c.developer_id = w.developer_id and c.environment = w.environment
  left join wallet_opening r on r.developer_id = w.developer_id and r.environment = w.environment
  cross join lateral (
    select t.created_at from transfer t where t.developer_id = w.developer_id and t.environment = w.environment and t.wallet_version is not null
    order by t.wallet_version limit 1) f
  cross join lateral wallet_boundaries(w.developer_id, w.environment, array[p_before]) b
  where f.created_at < p_before and least(b.version - 1, c.version) > 0
  order by 1, 2
$f$;

-- Next p_limit entries of a wallet after version p_after, up to version p_to, one row per entry, with their subjects. `leaves` is
-- true for the last entry of a subject that was complete before p_before and can be archived. `stays` is the reason for which a
-- subject cannot be archived, in one of its entries. `text` of a subject that can be archived is JSON for jsonb_populate_record
-- (orders, transfer and order_event), if p_with_text.
create function archive_subjects(p_developer uuid, p_environment text, p_after bigint, p_to bigint, p_before timestamptz, p_limit integer, p_with_text boolean)
  returns table (version bigint, leaves boolean, stays text, is_order boolean, last_at timestamptz, transfers integer,
    amount_paise bigint, events integer, bytes bigint, text text)
  language sql stable set enable_seqscan = off set jit = off as $f$
  with line as materialized (
    select t.subject_id, t.wallet_version, t.step, t.kind in ('hold', 'settle', 'refund', 'reversal', 'refund_reversal') as is_order from booked_entry t
    where t.developer_id = p_developer and t.environment = p_environment and t.wallet_version > p_after and t.wallet_version <= p_to
    order by t.wallet_version limit p_limit),
  awaited as materialized (select * from archive_awaited(p_developer, array(select l.subject_id from line l where l.is_order)))
  select l.wallet_version, j.ends and j.stays is null, j.stays,
    l.is_order, s.last_at, s.n, s.amount, coalesce(e.n, 0), s.bytes + coalesce(pg_column_size(o.*), 0) + coalesce(e.bytes, 0),
    case when p_with_text and j.ends and j.stays is null then jsonb_build_object('developer', p_developer, 'environment', p_environment,
      'subject', l.subject_id, 'lastVersion', s.last_version, 'amountPaise', s.amount,
      'order', case when o.id is not null then to_jsonb(o.*) end, 'transfers', s.rows, 'events', coalesce(e.rows, '[]'))::text end
  from line l
  cross join lateral (
    select count(*)::integer as n, sum(t.amount_paise)::bigint as amount, max(t.wallet_version) as last_version, max(t.created_at) as last_at,
      bool_and(pg_visible_in_snapshot(t.posted_in, (select ledger_checked()))) as checked, sum(pg_column_size(t.*))::bigint as bytes,
      case when p_with_text then jsonb_agg(to_jsonb(t.*) order by t.step) end as rows
    from transfer t where t.developer_id = p_developer and t.subject_id = l.subject_id) s
  left join orders o on l.is_order and o.developer_id = p_developer and o.id = l.subject_id
  left join awaited a on a.order_id = l.subject_id
  left join lateral (
    select count(*)::integer as n, sum(pg_column_size(x.*))::bigint as bytes, case when p_with_text then jsonb_agg(to_jsonb(x.*) order by x.id) end as rows
    from order_event x where l.is_order and x.developer_id = p_developer and x.order_id = l.subject_id) e on true
  cross join lateral (select s.last_version > p_to or s.last_at >= p_before as goes_on) g
  cross join lateral (
    select not g.goes_on and s.last_version = l.wallet_version as ends,
      case when g.goes_on then case when l.step = 1 then 'later transfer' end
        when s.last_version > l.wallet_version then null
        when not s.checked then 'not verified by the ledger check'
        when l.is_order and o.id is null then 'order missing'
        when l.is_order then coalesce(archive_order_stays(o), a.reason) end as stays) j
  order by l.wallet_version
$f$;

-- Archives subjects of a wallet that are in a file, and moves the opening record of the wallet up to version p_to. p_transfers,
-- p_amounts and p_events are the counts and sums of each subject in the file; a subject that has changed since stays. While the
-- tables of a month are being replaced (archive_begin), their orders are listed in archive_leaving instead of deleted. A repeated
-- call changes nothing. `busy`: a full ledger check is reading, part by part.
create function archive_leave(p_developer uuid, p_environment text, p_to bigint, p_before timestamptz,
    p_subjects uuid[], p_transfers integer[], p_amounts bigint[], p_events integer[])
  returns table (busy boolean, gone integer, stayed integer) language plpgsql volatile
  set enable_seqscan = off set jit = off set lock_timeout = 0 as $f$
#variable_conflict use_column
declare r wallet_opening; v_leaving uuid[]; v_orders uuid[]; v_staged uuid[]; v_missing integer; v_balance bigint; v_lines bigint; v_moved bigint; v_alone uuid;
  v_first uuid; v_end uuid; v_gone integer;
begin
  if not books_alone() then return query select true, 0, 0; return; end if;
  -- no check of new postings runs at the same time
  perform from ledger_checkpoint for share;
  if ledger_checked() is null then raise exception 'the ledger has not been checked on this server'; end if;
  select * into r from wallet_opening x where x.developer_id = p_developer and x.environment = p_environment for update;
  if r.developer_id is null then
    r := row(p_developer, p_environment, 0, 0, 0, 0, '-infinity');
  end if;
  if p_to > r.version and p_to > (
    select c.version from wallet_checkpoint c where c.developer_id = p_developer and c.environment = p_environment) is not false then
    raise exception 'version % of wallet % % has not been checked', p_to, p_developer, p_environment;
  end if;
  select first_id_at(m.month at time zone 'Asia/Kolkata'), first_id_at((m.month + interval '1 month') at time zone 'Asia/Kolkata') into v_first, v_end
    from (select to_date(suffix, '_YYYY_MM')::timestamp as month from archive_month where state = 'staging') m;
  -- orders that are removed with their tables are not locked: their changes are recorded
  perform from orders o join unnest(p_subjects) i on o.id = i where o.developer_id = p_developer and (o.id >= v_first and o.id < v_end) is not true
    order by o.id for update of o;

  with listed as (
    select l.id, s.*, o.id as order_id, coalesce(s.amount = l.amount and s.n = l.n and s.last_version <= p_to and s.last_at < p_before and s.checked and s.same
        and (not s.of_order or o.id is not null and archive_order_stays(o) is null and a.order_id is null
          and l.events = (select count(*) from order_event e where e.developer_id = p_developer and e.order_id = l.id)), false) as leaves
    from unnest(p_subjects, p_transfers, p_amounts, p_events) l(id, n, amount, events)
    cross join lateral (
      select count(*) as n, sum(t.amount_paise) as amount, max(t.wallet_version) as last_version, max(t.created_at) as last_at,
        bool_and(t.environment = p_environment) as same, bool_or(t.step > 1 or t.kind = 'hold') as of_order,
        bool_and(pg_visible_in_snapshot(t.posted_in, (select ledger_checked()))) as checked
      from transfer t where t.developer_id = p_developer and t.subject_id = l.id) s
    left join orders o on s.of_order and o.developer_id = p_developer and o.id = l.id
    left join archive_awaited(p_developer, p_subjects) a on a.order_id = l.id)
  select coalesce(array_agg(id) filter (where leaves), '{}'), coalesce(array_agg(order_id) filter (where leaves and order_id is not null), '{}'),
    count(*) filter (where n = 0)
  into v_leaving, v_orders, v_missing from listed;

  if p_to > r.version then
    -- all entries up to p_to must be present and add up to the balance with which the remaining entries start
    select count(*), sum(e.wallet_change), max(e.balance_after_paise) filter (where e.wallet_version = p_to)
      into v_lines, v_moved, v_balance from ledger_entry e
      where e.developer_id = p_developer and e.environment = p_environment and e.wallet_version > r.version and e.wallet_version <= p_to;
    if v_lines <> p_to - r.version or v_balance is distinct from r.balance_paise + v_moved + reopened(p_developer, p_environment, r.version, p_to) then
      raise exception 'the entries of wallet % % from version % to % do not add up', p_developer, p_environment, r.version, p_to;
    end if;
    select t.subject_id into v_alone from transfer t
      where t.developer_id = p_developer and t.environment = p_environment and t.wallet_version > r.version and t.wallet_version <= p_to
        and t.kind in ('lead_fee', 'top_up', 'debit', 'correction') and t.subject_id <> all(v_leaving) limit 1;
    if v_alone is not null then raise exception 'posting % is in no file', v_alone; end if;
    r.version := p_to;
    r.balance_paise := v_balance;
    r.before := greatest(r.before, p_before);
  end if;

  v_gone := cardinality(v_leaving);
  perform archive_final_status(p_developer, v_orders);
  select array_agg(i) into v_staged from unnest(v_orders) i where i >= v_first and i < v_end;
  if v_staged is not null then
    v_leaving := array(select unnest(v_leaving) except select unnest(v_staged));
    v_orders := array(select unnest(v_orders) except select unnest(v_staged));
    with added as (
      insert into archive_leaving (subject_id, developer_id, environment, transfers)
        select l.id, p_developer, p_environment, l.n from unnest(p_subjects, p_transfers) l(id, n) where l.id = any(v_staged)
        on conflict do nothing returning subject_id)
      select array_agg(a.subject_id) into v_staged from added a;
    perform archive_stage(v_staged, 1);
  end if;

  if cardinality(v_leaving) > 0 then
    insert into archived_total (environment, account, provider, day, amount_paise)
      select t.environment, m.account, coalesce(o.provider, ''), (t.created_at at time zone 'Asia/Kolkata')::date, sum(m.change)
      from unnest(v_leaving) i join ledger_entry t on t.developer_id = p_developer and t.subject_id = i
      left join orders o on o.developer_id = p_developer and o.id = i
      cross join lateral (values (t.from_account, -t.amount_paise), (t.to_account, t.amount_paise)) m(account, change)
      where m.account <> 'wallet' group by 1, 2, 3, 4
      on conflict (environment, account, provider, day) do update set amount_paise = archived_total.amount_paise + excluded.amount_paise;
    select count(t.wallet_version), coalesce(sum(t.wallet_change), 0) into v_lines, v_moved
      from unnest(v_leaving) i join ledger_entry t on t.developer_id = p_developer and t.subject_id = i;
    r.left_lines := r.left_lines + v_lines;
    r.left_paise := r.left_paise + v_moved;
    delete from transfer t using unnest(v_leaving) i where t.developer_id = p_developer and t.subject_id = i;
    perform archive_orders(p_developer, v_orders);
  end if;
  if r.version > 0 then
    insert into wallet_opening select r.*
      on conflict (developer_id, environment) do update set version = excluded.version, balance_paise = excluded.balance_paise,
        left_lines = excluded.left_lines, left_paise = excluded.left_paise, before = excluded.before;
  end if;
  return query select false, v_gone, cardinality(p_subjects) - v_gone - v_missing;
end $f$;

revoke all on function archive_leave, archive_subjects, archive_wallets, archive_orders, archive_final_status, archive_searches, archive_small_months, archive_order_stays,
  archive_awaited, archive_requested from public;
