drop function if exists ledger_check_step;

-- One step of the check of everything: it reads about so many rows, notes how far it has come and returns what it violated. Any
-- process may do the next one, so a run goes on when the one that did this dies. Runs follow each other after a week, after an hour
-- while there is something to find.
--
-- It has the rules of ledger_check_of, applied to parts: some lines of a wallet, or some orders with all of their transfers, each in
-- a snapshot of its own. What no part shows by itself are the totals: those that ledger_total had when the run began are compared
-- with all transfers of its snapshot. What left with an archive meanwhile would be missing in both, so the run then begins anew.
--
-- It cannot see what the hand of the owner does behind it: a row that is changed after its part was read, or brought there from a part
-- that is still to come, waits for the next run. What is posted meanwhile is for ledger_check_new.
--
-- outcome: idle (nothing is due), busy (a check of everything by hand, an archive or another step is under way), begun, begun anew,
-- going on, complete. violations: at most 100 of a rule's part, as in ledger_full_finding.
create function ledger_check_step(p_rows integer) returns table (outcome text, violations jsonb)
  language plpgsql volatile security definer set search_path = public, pg_temp
  -- parts are small and looked up by their keys, whatever stale statistics say
  set enable_seqscan = off set enable_nestloop = off set jit = off as $f$
#variable_conflict use_column
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  c_least constant integer := 50;  -- rows that any part counts for at least: planning and looking up costs as much
  c ledger_full_check; v_system bigint; v_left numeric; v_rest integer := p_rows; v_found jsonb := '[]';
  v_lines bigint; v_version bigint; v_moved numeric; v_ids uuid[]; v_to uuid; v_next uuid;
begin
  if coalesce(p_rows, 0) < 1 then raise exception 'a step has at least one row' using errcode = '22023'; end if;
  if not pg_try_advisory_xact_lock(7401255) then return query select 'busy', v_found; return; end if;
  select * into c from ledger_full_check x where x.next_step_at <= clock_timestamp();
  if c.only_one is null then return query select 'idle', v_found; return; end if;
  select s.system_identifier into v_system from pg_control_system() s;
  select coalesce(sum(r.left_lines), 0) into v_left from wallet_opening r;

  if c.started_at is null or c.system_identifier <> v_system or c.left_lines <> v_left then
    delete from ledger_full_total;
    -- one statement, so that the totals are those of the snapshot
    with kept as (
      insert into ledger_full_total
      select k.environment, k.account, k.provider, k.day, sum(k.paise) from (
        select t.environment, t.account, t.provider, t.day, -t.amount_paise as paise from ledger_total t
        union all select a.environment, a.account, a.provider, a.day, a.amount_paise from archived_total a) k
      where ledger_checked() is not null group by 1, 2, 3, 4)
    update ledger_full_check set started_at = clock_timestamp(), system_identifier = v_system, snapshot = ledger_checked(), left_lines = v_left,
      developer_id = c_first, part = 'done',
      -- an archive lets many batches leave, one after the other
      next_step_at = clock_timestamp() + case when c.started_at is null then interval '0' else interval '5 minutes' end;
    return query select case when c.started_at is null then 'begun' else 'begun anew' end, v_found;
    return;
  end if;

  while v_rest > 0 loop
    if c.part = 'done' then
      select d.id into v_next from (
        (select t.developer_id from transfer t where t.developer_id > c.developer_id order by 1 limit 1)
        union all (select o.developer_id from orders o where o.developer_id > c.developer_id order by 1 limit 1)
        union all (select w.developer_id from wallet w where w.developer_id > c.developer_id order by 1 limit 1)
        union all (select k.developer_id from wallet_checkpoint k where k.developer_id > c.developer_id order by 1 limit 1)
        union all (select r.developer_id from wallet_opening r where r.developer_id > c.developer_id order by 1 limit 1)) d(id)
      order by 1 limit 1;
      exit when v_next is null;
      c.developer_id := v_next;
      c.part := 'production';
      c.version := null;
    end if;

    if c.part = 'orders' then
      select array_agg(s.id order by s.id) into v_ids from (
        (select o.id from orders o where o.developer_id = c.developer_id and o.id >= c.subject_id order by 1 limit v_rest + 1)
        union (select distinct t.subject_id from transfer t where t.developer_id = c.developer_id and t.subject_id >= c.subject_id order by 1 limit v_rest + 1)
        order by 1 limit v_rest + 1) s(id);
      v_next := v_ids[v_rest + 1];
      v_to := case when v_next is null then c_last else v_ids[v_rest] end;
      select v_found || coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_found from (
        select distinct s.rule, s.developer_id, s.detail from ledger_check_subjects(array[c.developer_id], c.subject_id, v_to) s limit 100) f;
      if c.snapshot is not null then
        insert into ledger_full_total select * from ledger_totals(array[c.developer_id], c.snapshot, c.subject_id, v_to)
          on conflict (environment, account, provider, day) do update set missing_paise = ledger_full_total.missing_paise + excluded.missing_paise;
      end if;
      v_rest := v_rest - greatest(coalesce(cardinality(v_ids), 0), c_least);
      if v_next is null then c.part := 'done'; else c.subject_id := v_next; end if;
    else
      if c.version is null then
        select coalesce(max(r.version), 0), coalesce(max(r.balance_paise), 0) into c.version, c.balance_paise
          from wallet_opening r where r.developer_id = c.developer_id and r.environment = c.part;
      end if;
      select count(*), max(l.wallet_version), coalesce(sum(l.wallet_change), 0) into v_lines, v_version, v_moved from (
        select e.wallet_version, e.wallet_change from ledger_entry e
        where e.developer_id = c.developer_id and e.environment = c.part and e.wallet_version > c.version
        order by e.wallet_version limit v_rest) l;
      -- fewer: the wallet ends here, and the rules look at its end
      if v_lines < v_rest then v_version := null; end if;
      select v_found || coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_found from (
        select distinct l.rule, c.developer_id as developer_id, l.detail from ledger_check_lines(c.developer_id, c.part, c.version, c.balance_paise, v_version) l limit 100) f;
      v_rest := v_rest - greatest(v_lines, c_least);
      c.balance_paise := c.balance_paise + v_moved + reopened(c.developer_id, c.part, c.version, v_version);
      c.version := v_version;
      if v_version is null then
        c.part := case c.part when 'production' then 'uat' else 'orders' end;
        c.subject_id := c_first;
      end if;
    end if;
  end loop;

  if v_rest > 0 then
    select v_found || coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_found from (
      select a.rule, a.developer_id, a.detail from archive_check() a
      union all
      (select 'a total agrees with the transfers', null, format('%s %s %s %s: %s paise are missing', t.environment, t.account, t.provider, t.day, t.missing_paise)
       from ledger_full_total t where t.missing_paise <> 0 limit 100)) f;
  end if;
  insert into ledger_full_finding
    select distinct f.rule, f.developer_id, f.detail, clock_timestamp() from jsonb_to_recordset(v_found) f(rule text, developer_id uuid, detail text)
    where (select count(*) from ledger_full_finding) < 1000
      -- one violation of each wallet, at its first wrong part
      and not (f.rule = 'balance is the sum of transfers' and exists (
        select from ledger_full_finding x where x.rule = f.rule and x.developer_id = f.developer_id and x.found_at >= c.started_at
          and split_part(x.detail, ':', 1) = split_part(f.detail, ':', 1)))
    on conflict (rule, developer_id, detail) do update set found_at = excluded.found_at;
  if v_rest > 0 then
    delete from ledger_full_finding f where f.found_at < c.started_at;
    delete from ledger_full_total;
    update ledger_full_check set completed_at = clock_timestamp(), started_at = null,
      next_step_at = clock_timestamp() + case when exists (select from ledger_full_finding) then interval '1 hour' else interval '7 days' end;
  else
    -- half of the time and more is left to others
    update ledger_full_check set developer_id = c.developer_id, part = c.part, version = c.version, balance_paise = c.balance_paise,
      subject_id = c.subject_id, next_step_at = clock_timestamp() + interval '500 milliseconds';
  end if;
  return query select case when v_rest > 0 then 'complete' else 'going on' end, v_found;
end $f$;

revoke all on function ledger_check_step from public;
grant execute on function ledger_check_step to gateway_app;
