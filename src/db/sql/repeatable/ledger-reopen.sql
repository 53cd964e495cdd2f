-- Correction of a wallet whose balance changed without a transfer: opening records, and the posting that reverses them. Only the
-- owner of the tables can call ledger_reopen (gateway ledger post); the application cannot.

drop function if exists ledger_reopen;
drop function if exists wallet_difference;

-- Balance changes of a wallet that do not follow from its entries. steps: each version followed by a change that no entry and no
-- opening record explains, with the amount. is_whole: every version since the opening record has an entry. No row if the wallet
-- does not exist.
create function wallet_difference(p_developer uuid, p_environment text)
  returns table (version bigint, first_version bigint, stored_paise bigint, computed_paise bigint, entries bigint, steps jsonb, is_whole boolean)
  language sql stable set enable_seqscan = off as $f$
  with base as materialized (
    select w.version, w.balance_paise, coalesce(r.version, 0) as opened, coalesce(r.balance_paise, 0) as opening from wallet w
    left join wallet_opening r on r.developer_id = w.developer_id and r.environment = w.environment
    where w.developer_id = p_developer and w.environment = p_environment),
  line as materialized (
    select e.wallet_version, e.balance_after_paise, e.balance_after_paise - e.wallet_change - coalesce(lag(e.balance_after_paise) over (order by e.wallet_version), b.opening) as step
    from base b join ledger_entry e on e.developer_id = p_developer and e.environment = p_environment and e.wallet_version > b.opened),
  step as materialized (
    select s.version, s.step - reopened(p_developer, p_environment, s.version, s.version + 1) as change from (
      select l.wallet_version - 1 as version, l.step from line l
      union all
      select b.version, b.balance_paise - coalesce((select l.balance_after_paise from line l order by l.wallet_version desc limit 1), b.opening) from base b) s
    where s.step <> 0 or exists (
      select from wallet_reopening g where g.developer_id = p_developer and g.environment = p_environment and g.version = s.version)),
  wrong as materialized (
    select s.version, s.change, sum(s.change) over (order by s.version) as off,
      lead(s.version, 1, (select b.version from base b)) over (order by s.version) - s.version as lines
    from step s where s.change <> 0)
  select b.version, min(x.version) + 1, b.balance_paise, (b.balance_paise - coalesce(sum(x.change), 0))::bigint,
    coalesce(sum(x.lines) filter (where x.off <> 0), 0)::bigint, coalesce(jsonb_agg(jsonb_build_array(x.version, x.change) order by x.version)
      filter (where x.version is not null), '[]'),
    (select count(*) = b.version - b.opened and coalesce(max(l.wallet_version), b.opened) = b.version from line l)
  from base b left join wrong x on true group by b.version, b.balance_paise, b.opened
$f$;

-- Posts a correction that two users approved: an opening record for each step, and one entry that sets the balance to the sum of
-- the transfers. The transaction commits only with the audit entry of p_posting. Nothing is changed unless the outcome is
-- 'posted'. Other outcomes: missing, not_approved, already, no_wallet, incomplete, changed (the difference is not the approved
-- one), insufficient, busy (a full check is running, or an archive is being written).
create function ledger_reopen(p_approval_request uuid, p_posting uuid)
  returns table (outcome text, developer_id uuid, environment text, change_paise bigint, balance_paise bigint, version bigint, first_version bigint, entries bigint)
  language plpgsql volatile set lock_timeout = 0 as $f$
#variable_conflict use_column
declare p approval_request; w wallet; d record; v_environment text; v_change bigint; v_reference text := format('apr_%s', p_approval_request);
begin
  if not books_alone() then
    return query select 'busy', null::uuid, null::text, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint; return;
  end if;
  -- prevents a concurrent check of new postings
  perform from ledger_checkpoint for share;
  select * into p from approval_request x where x.id = p_approval_request and x.action = 'wallet.correct' for no key update;
  v_environment := p.payload ->> 'environment';
  select * into w from wallet x where x.developer_id = p.developer_id and x.environment = v_environment for no key update;
  select * into d from wallet_difference(p.developer_id, v_environment);
  v_change := d.computed_paise - d.stored_paise;
  outcome := case when p.id is null then 'missing' when p.final_state is distinct from 'approved' then 'not_approved'
    when exists (select from wallet_correction c where c.approval_request_id = p.id) then 'already' when w.developer_id is null then 'no_wallet'
    when not d.is_whole then 'incomplete' when d.steps is distinct from p.payload -> 'steps' then 'changed'
    when w.balance_paise + v_change < 0 then 'insufficient' else 'posted' end;
  if outcome <> 'posted' then
    return query select outcome, p.developer_id, v_environment, v_change, w.balance_paise, w.version, d.first_version, d.entries; return;
  end if;
  if v_change <> 0 then
    update wallet x set balance_paise = x.balance_paise + v_change, version = x.version + 1
      where x.developer_id = p.developer_id and x.environment = v_environment returning * into w;
    insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
      values (p.developer_id, p_posting, 1, 'correction', case when v_change > 0 then 'correction_in' else 'correction_out' end, v_environment,
        abs(v_change), w.version, w.balance_paise, v_reference);
    insert into ledger_reference (developer_id, environment, kind, reference, posting_id)
      values (p.developer_id, v_environment, 'correction', reference_key(v_reference), p_posting);
    insert into correction (posting_id, subject, amount_paise) values (p_posting, p.subject, abs(v_change));
  end if;
  insert into wallet_correction (posting_id, developer_id, environment, approval_request_id, version, stored_paise, computed_paise, first_version, entries)
    values (p_posting, p.developer_id, v_environment, p.id, w.version, d.stored_paise, d.computed_paise, d.first_version, d.entries);
  insert into wallet_reopening (developer_id, environment, version, posting_id, change_paise)
    select p.developer_id, v_environment, (s.step ->> 0)::bigint, p_posting, (s.step ->> 1)::bigint from jsonb_array_elements(d.steps) s(step);
  -- a checkpoint contains the balance right after its version, before an opening record
  update wallet_checkpoint c set balance_paise = coalesce(
      (select t.balance_after_paise from transfer t where t.developer_id = c.developer_id and t.environment = c.environment and t.wallet_version = c.version), c.balance_paise)
    where c.developer_id = p.developer_id and c.environment = v_environment;
  -- a running full check has read the old balance
  delete from ledger_full_finding f where f.rule = 'balance is the sum of transfers' and f.developer_id = p.developer_id
    and f.detail like v_environment || ':%';
  update ledger_full_check set started_at = null where started_at is not null;
  return query select outcome, p.developer_id, v_environment, v_change, w.balance_paise, w.version, d.first_version, d.entries;
end $f$;

revoke all on function wallet_difference, ledger_reopen from public;
grant execute on function wallet_difference to gateway_app;
