drop function if exists ledger_check_step;
drop function if exists ledger_full_check_now;
drop function if exists restored_to_instant;
drop function if exists books_alone;
drop function if exists server_timeline;

-- Timeline to which this server writes. A promotion starts a new one.
create function server_timeline() returns integer language sql volatile as $f$
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
$f$;

-- Prevents full checks until the end of the transaction. Waits for running steps, which are short; later steps wait for this
-- transaction. Returns false if a manual full check is running, or another transaction was first.
create function books_alone() returns boolean language plpgsql volatile set lock_timeout = '2s' as $f$
begin
  perform pg_advisory_xact_lock(7401255);
  return true;
exception when lock_not_available then
  return false;
end $f$;

-- Whether this server was restored to a point in time from its own log, or promoted, since the last full check completed. Its
-- files are then the checked ones, but the latest commits are missing. Always false for a dump: on another server, the system
-- identifier differs from the checkpoint, and on the same server, the object ID of the table differs.
create function restored_to_instant() returns boolean language sql volatile as $f$
  select exists (
    select from ledger_checkpoint k, ledger_full_check f, pg_control_system() s
    where k.system_identifier = s.system_identifier and f.completed_table = 'transfer'::regclass::oid and f.completed_timeline < server_timeline())
$f$;

-- Starts the next run immediately, or continues the current one. The application can call this function, because an earlier check
-- hides nothing.
create function ledger_full_check_now() returns void language sql volatile security definer set search_path = public, pg_temp as $f$
  update ledger_full_check set next_step_at = clock_timestamp() where next_step_at > clock_timestamp()
$f$;

-- Runs one step of the full check. Reads for about p_ms, stores its progress and returns the violations. Starts by reading p_rows
-- entries or orders at once and then adjusts the number, so that each read takes a part of that time. Its worker then pauses, so
-- that it is active for p_share percent of the time. At most p_workers are active in all processes together. Any process can run
-- the next step, so a run continues if a process crashes. A new run starts after a week, or after an hour if there were findings.
--
-- The rules of ledger_check_of are applied to parts: some entries of a wallet, or some orders with all their transfers, each in a
-- separate snapshot. Totals cannot be checked in parts. The values of ledger_total at the start of the run are therefore compared
-- with all transfers of that snapshot. Transfers that are archived in the meantime would be missing in both, so the run is then
-- restarted. It is also restarted on another server and after a restore to a point in time.
--
-- Later manual changes by the owner of the tables are not detected in the same run: a row that is changed after its part was
-- read, or moved into that part, is found by the next run. New postings are checked by ledger_check_new.
--
-- outcome: idle (nothing is due), busy (an archive is being written, all workers are active or paused, or no part is free),
-- begun, restarted, going on, complete. violations: at most 100 per rule and part, as in ledger_full_finding. rest_ms: pause
-- before the next step of this worker.
create function ledger_check_step(p_rows integer, p_ms integer default 0, p_share integer default 100, p_workers integer default 1)
  returns table (outcome text, violations jsonb, rest_ms integer)
  language plpgsql volatile security definer set search_path = public, pg_temp
  -- parts are small and looked up by key, regardless of outdated statistics
  set enable_seqscan = off set enable_nestloop = off set jit = off as $f$
#variable_conflict use_column
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  c_most constant integer := 50000;  -- maximum number of rows per read
  v_begun_at constant timestamptz := clock_timestamp();
  c ledger_full_check; p ledger_full_part; v_system bigint; v_timeline integer; v_left numeric; v_worker integer;
  v_found jsonb := '[]'; v_outcome text := 'busy'; v_read_at timestamptz; v_read_ms numeric; v_rest_ms integer;
  v_lines bigint; v_version bigint; v_moved numeric; v_ids uuid[]; v_to uuid; v_next uuid; v_ends boolean;
begin
  if coalesce(p_rows, 0) < 1 or coalesce(p_ms, -1) < 0 or coalesce(p_share, 0) not between 1 and 100 or coalesce(p_workers, 0) < 1 then
    raise exception 'a step requires at least one row, one worker and a share from 1 to 100' using errcode = '22023';
  end if;
  if not pg_try_advisory_xact_lock_shared(7401255) then return query select 'busy', v_found, 0; return; end if;
  select * into c from ledger_full_check x where x.next_step_at <= clock_timestamp();
  if c.only_one is null then return query select 'idle', v_found, 0; return; end if;
  select s.system_identifier into v_system from pg_control_system() s;
  v_timeline := server_timeline();
  select coalesce(sum(r.left_lines), 0) into v_left from wallet_opening r;

  if c.started_at is null or c.system_identifier <> v_system or c.timeline <> v_timeline or c.left_lines <> v_left then
    perform from ledger_full_check x where x.started_at is not distinct from c.started_at for update skip locked;
    if not found then return query select 'busy', v_found, 0; return; end if;
    -- no step of an earlier run is active, because an archive or a correction, which end a run, exclude steps
    delete from ledger_full_total;
    delete from ledger_full_part;
    insert into ledger_full_part (ord, developer_id, part, subject_id, rows_left)
      select row_number() over (order by w.lines desc, d.id, e.part), d.id, e.part, case e.part when 'orders' then c_first end, w.lines
      from ledger_developers() d(id) cross join (values ('production'), ('uat'), ('orders')) e(part)
      cross join lateral (
        select coalesce(sum(x.version - coalesce(r.version, 0)), 0) as lines from wallet x
        left join wallet_opening r on r.developer_id = x.developer_id and r.environment = x.environment
        where x.developer_id = d.id and (e.part = 'orders' or x.environment = e.part)) w;
    -- a single statement, so that the totals match the snapshot
    with kept as (
      insert into ledger_full_total
      select 0, k.environment, k.account, k.provider, k.day, sum(k.paise) from (
        select t.environment, t.account, t.provider, t.day, -t.amount_paise as paise from ledger_total t
        union all select a.environment, a.account, a.provider, a.day, a.amount_paise from archived_total a) k
      where ledger_checked() is not null group by 2, 3, 4, 5)
    update ledger_full_check set started_at = clock_timestamp(), system_identifier = v_system, timeline = v_timeline,
      snapshot = ledger_checked(), left_lines = v_left, rows_total = (select coalesce(sum(x.rows_left), 0) from ledger_full_part x),
      -- waits, because an archive consists of many batches
      next_step_at = clock_timestamp() + case when c.started_at is null then interval '0' else interval '5 minutes' end;
    return query select case when c.started_at is null then 'begun' else 'restarted' end, v_found, 0;
    return;
  end if;

  -- prevents other sessions from ending this run or starting another one during this step
  perform from ledger_full_check x where x.started_at = c.started_at for share skip locked;
  if not found then return query select 'busy', v_found, 0; return; end if;
  select w.worker into v_worker from ledger_full_worker w
    where w.worker <= p_workers and w.next_step_at <= clock_timestamp() order by 1 limit 1 for update skip locked;
  if v_worker is null then return query select 'busy', v_found, 0; return; end if;

  loop
    select x.* into p from ledger_full_part x order by x.ord limit 1 for update skip locked;
    exit when p.ord is null;
    v_outcome := 'going on';
    v_read_at := clock_timestamp();
    if p.part = 'orders' then
      select array_agg(s.id order by s.id) into v_ids from (
        (select o.id from orders o where o.developer_id = p.developer_id and (o.developer_id, o.id) >= (p.developer_id, p.subject_id) order by 1 limit p_rows + 1)
        union (select distinct t.subject_id from transfer t where t.developer_id = p.developer_id and t.subject_id >= p.subject_id order by 1 limit p_rows + 1)
        order by 1 limit p_rows + 1) s(id);
      v_next := v_ids[p_rows + 1];
      v_to := case when v_next is null then c_last else v_ids[p_rows] end;
      select v_found || coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_found from (
        select distinct s.rule, s.developer_id, s.detail from ledger_check_subjects(array[p.developer_id], p.subject_id, v_to) s limit 100) f;
      if c.snapshot is not null then
        insert into ledger_full_total select v_worker, s.* from ledger_totals(array[p.developer_id], c.snapshot, p.subject_id, v_to) s
          on conflict (worker, environment, account, provider, day) do update set missing_paise = ledger_full_total.missing_paise + excluded.missing_paise;
      end if;
      v_lines := coalesce(cardinality(v_ids), 0);
      p.subject_id := v_next;
      v_ends := v_next is null;
    else
      if p.version is null then
        select coalesce(max(r.version), 0), coalesce(max(r.balance_paise), 0) into p.version, p.balance_paise
          from wallet_opening r where r.developer_id = p.developer_id and r.environment = p.part;
      end if;
      select count(*), max(l.wallet_version), coalesce(sum(l.wallet_change), 0) into v_lines, v_version, v_moved from (
        select e.wallet_version, e.wallet_change from ledger_entry e
        where e.developer_id = p.developer_id and e.environment = p.part and e.wallet_version > p.version
        order by e.wallet_version limit p_rows) l;
      -- fewer entries than requested means that the end of the wallet was reached, so the rules for its end apply
      v_ends := v_lines < p_rows;
      if v_ends then v_version := null; end if;
      select v_found || coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_found from (
        select distinct l.rule, p.developer_id as developer_id, l.detail from ledger_check_lines(p.developer_id, p.part, p.version, p.balance_paise, v_version) l limit 100) f;
      p.balance_paise := p.balance_paise + v_moved + reopened(p.developer_id, p.part, p.version, v_version);
      p.version := v_version;
    end if;
    if v_ends then delete from ledger_full_part x where x.ord = p.ord;
    else
      update ledger_full_part x set version = p.version, balance_paise = p.balance_paise, subject_id = p.subject_id,
        rows_left = greatest(x.rows_left - v_lines, 0) where x.ord = p.ord;
    end if;
    exit when clock_timestamp() >= v_begun_at + p_ms * interval '1 millisecond';
    v_read_ms := extract(epoch from clock_timestamp() - v_read_at) * 1000;
    -- the duration of a read that reached the end early cannot be extrapolated
    if v_read_ms > p_ms / 2.0 then p_rows := greatest(p_rows / 2, 1);
    elsif v_read_ms < p_ms / 4.0 and v_lines >= p_rows then p_rows := least(p_rows * 2, c_most); end if;
  end loop;

  if not exists (select from ledger_full_part) then
    perform from ledger_full_check x where x.started_at = c.started_at for update skip locked;
    if found then v_outcome := 'complete'; end if;
  end if;
  if v_outcome = 'complete' then
    select v_found || coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_found from (
      select a.rule, a.developer_id, a.detail from archive_check() a
      union all
      (select 'a total agrees with the transfers', null, format('%s %s %s %s: %s paise are missing', t.environment, t.account, t.provider, t.day, sum(t.missing_paise))
       from ledger_full_total t group by t.environment, t.account, t.provider, t.day having sum(t.missing_paise) <> 0 limit 100)) f;
  end if;
  insert into ledger_full_finding
    select distinct f.rule, f.developer_id, f.detail, clock_timestamp() from jsonb_to_recordset(v_found) f(rule text, developer_id uuid, detail text)
    where (select count(*) from ledger_full_finding) < 1000
      -- one violation per wallet, at its first incorrect part
      and not (f.rule = 'balance is the sum of transfers' and exists (
        select from ledger_full_finding x where x.rule = f.rule and x.developer_id = f.developer_id and x.found_at >= c.started_at
          and split_part(x.detail, ':', 1) = split_part(f.detail, ':', 1)))
    on conflict (rule, developer_id, detail) do update set found_at = excluded.found_at;
  if v_outcome = 'complete' then
    delete from ledger_full_finding f where f.found_at < c.started_at;
    delete from ledger_full_total;
    update ledger_full_check set completed_at = clock_timestamp(), completed_timeline = v_timeline, completed_table = 'transfer'::regclass::oid, started_at = null,
      next_step_at = clock_timestamp() + case when exists (select from ledger_full_finding) then interval '1 hour' else interval '7 days' end;
  end if;
  -- no part was free because other workers are processing the last ones
  v_rest_ms := case v_outcome when 'busy' then 5000 else extract(epoch from clock_timestamp() - v_begun_at) * 1000 * (100 - p_share) / p_share end;
  update ledger_full_worker set next_step_at = clock_timestamp() + v_rest_ms * interval '1 millisecond' where worker = v_worker;
  return query select v_outcome, v_found, v_rest_ms;
end $f$;

revoke all on function ledger_check_step, ledger_full_check_now, restored_to_instant, books_alone, server_timeline from public;
grant execute on function ledger_check_step, ledger_full_check_now, restored_to_instant, server_timeline to gateway_app;
