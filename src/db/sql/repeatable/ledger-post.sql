drop function if exists ledger_post;

-- Posts an entry without an order, in the transaction of the caller. A lead fee or a debit is deducted from the wallet, a top-up
-- is added.
create function ledger_post(p_developer uuid, p_environment text, p_subject uuid, p_kind text, p_amount bigint, p_reference text)
  returns table (outcome text, balance text, version text) language plpgsql volatile security definer set search_path = public, pg_temp as $f$
#variable_conflict use_column
declare w wallet; v_change bigint;
  -- reference that the wallet accepts only once; a lead is charged only once
  v_once text := case p_kind when 'lead_fee' then p_subject::text else reference_key(p_reference) end;
begin
  if p_kind not in ('lead_fee', 'top_up', 'debit') then raise exception 'kind % is not posted without an order', p_kind using errcode = '22023'; end if;
  if p_amount is null or p_amount <= 0 then raise exception 'the amount must be positive' using errcode = '22023'; end if;
  select * into w from wallet x where x.developer_id = p_developer and x.environment = p_environment for no key update;
  if w.developer_id is null then return query select 'no_wallet', null::text, null::text; return; end if;
  if exists (select from transfer t where t.developer_id = p_developer and t.subject_id = p_subject and t.step = 1)
    or exists (select from ledger_reference r
          where r.developer_id = p_developer and r.environment = p_environment and r.kind = p_kind and r.reference = v_once) then
    return query select 'duplicate', w.balance_paise::text, w.version::text; return;
  end if;
  v_change := case p_kind when 'top_up' then p_amount else -p_amount end;
  if w.balance_paise + v_change < 0 then return query select 'insufficient', w.balance_paise::text, w.version::text; return; end if;
  update wallet x set balance_paise = x.balance_paise + v_change, version = x.version + 1
    where x.developer_id = p_developer and x.environment = p_environment returning * into w;
  insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
    values (p_developer, p_subject, 1, p_kind, case p_kind when 'lead_fee' then 'lead' else p_kind end, p_environment, p_amount, w.version, w.balance_paise, p_reference);
  insert into ledger_reference (developer_id, environment, kind, reference, posting_id) values (p_developer, p_environment, p_kind, v_once, p_subject);
  if p_kind = 'top_up' then
    insert into top_up (posting_id, subject, amount_paise) values (p_subject, format('developer:%s/%s', p_developer, p_environment), p_amount);
  elsif p_kind = 'debit' then
    insert into correction (posting_id, subject, amount_paise) values (p_subject, format('developer:%s/%s', p_developer, p_environment), p_amount);
  end if;
  return query select 'posted', w.balance_paise::text, w.version::text;
end $f$;

revoke all on function ledger_post from public;
grant execute on function ledger_post to gateway_app;
