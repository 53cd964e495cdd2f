-- Functions that undo the outcome of a payment, and that record conflicting provider statuses.

drop function if exists order_confirm;
drop function if exists order_still_decided;
drop function if exists order_status_conflict;
drop function if exists order_ask;
drop function if exists ledger_correct;
drop function if exists ledger_undo;

-- Posts the next transfer of a payment, whose row the caller has locked and checked: 'reversal' refunds the amount,
-- 'refund_reversal' debits it again. p_by: actor of the reversal, 'provider' or 'support'. Runs with the rights of the calling
-- function, because the application has no such right.
create function ledger_undo(o orders, p_kind text, p_by text default null) returns bigint language plpgsql volatile as $f$
declare w wallet; v_step smallint; v_event text := case p_kind when 'reversal' then 'reversed' else 'succeeded' end;
begin
  update wallet x set balance_paise = x.balance_paise + case p_kind when 'reversal' then o.amount_paise else -o.amount_paise end, version = x.version + 1
    where x.developer_id = o.developer_id and x.environment = o.environment returning * into w;
  select max(t.step) + 1 into v_step from transfer t where t.developer_id = o.developer_id and t.subject_id = o.id;
  insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
    values (o.developer_id, o.id, v_step, p_kind, o.operation, o.environment, o.amount_paise, w.version, w.balance_paise, o.reference);
  update orders x set state = 'success', reversed_at = case p_kind when 'reversal' then now() end, reversed_by = p_by,
    quiet_until = null, doubted_since = null, status_conflict_at = null where x.developer_id = o.developer_id and x.id = o.id;
  perform order_due_set(o, false, null);
  delete from order_review v where v.order_id = o.id;
  if o.operation = 'card_payment' and o.state = 'failed' then
    insert into bill_claim (developer_id, fingerprint, order_id) values (o.developer_id, o.fingerprint, o.id);
  end if;
  insert into webhook_outbox (developer_id, order_id, event, step, reversed_by, answer, provider_txn_id, settled_at)
    select o.developer_id, o.id, v_event, v_step, p_by, o.answer, o.provider_txn_id, o.settled_at
    where exists (select from webhook_endpoint e where e.developer_id = o.developer_id and e.environment = o.environment and e.disabled_at is null
      and (e.types is null or o.operation || '.' || v_event = any(e.types)));
  return w.version;
end $f$;

-- Correction by staff, in their transaction: reverses a success without a status check that proves the reversal, or reverses the
-- refund of a payment. The transaction commits only if it contains the audit entry of p_posting. p_answer is the new stored
-- response for the idempotency key; null keeps the existing one.
create function ledger_correct(p_developer uuid, p_id uuid, p_kind text, p_posting uuid, p_answer bytea, p_detail jsonb)
  returns table (outcome text, version text) language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders; v_balance bigint; v_version bigint;
begin
  if p_kind not in ('reversal', 'refund_reversal') then raise exception 'kind % is not a correction of an order', p_kind using errcode = '22023'; end if;
  select * into o from orders x
    where x.developer_id = p_developer and x.id = p_id and x.operation in ('recharge', 'card_payment') for no key update;
  if o.id is null then return query select 'missing', null::text; return; end if;
  if p_kind = 'reversal' and not (o.state = 'success' and o.reversed_at is null) then return query select 'not_charged', null::text; return; end if;
  if p_kind = 'refund_reversal' and not (o.state = 'failed' or o.reversed_at is not null) then return query select 'not_given_back', null::text; return; end if;
  select x.balance_paise into v_balance from wallet x where x.developer_id = p_developer and x.environment = o.environment for no key update;
  if p_kind = 'refund_reversal' and v_balance < o.amount_paise then return query select 'insufficient', null::text; return; end if;
  -- webhooks contain the stored response
  o.answer := coalesce(p_answer, o.answer);
  begin
    v_version := ledger_undo(o, p_kind, case p_kind when 'reversal' then 'support' end);
  exception when unique_violation then  -- another payment has paid the bill of this failed card payment in the meantime
    if o.operation = 'card_payment' and o.state = 'failed' then return query select 'bill_paid', null::text; return; end if;
    raise;
  end;
  if p_answer is not null then update orders x set answer = p_answer where x.developer_id = p_developer and x.id = p_id; end if;
  insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'resolution', p_detail);
  insert into correction (posting_id, subject, amount_paise) values (p_posting, format('order:%s', p_id), o.amount_paise);
  return query select 'posted', v_version::text;
end $f$;

-- Requests an immediate status check of a payment in any state. A payment that is still being sent is skipped.
create function order_ask(p_id uuid) returns text language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  select * into o from orders x where x.id = p_id and x.operation in ('recharge', 'card_payment') for no key update;
  if o.id is null then return 'missing'; end if;
  if o.state = 'open' and o.unknown_since is null then return 'sending'; end if;
  update orders x set asked = 0, doubted_since = case when x.state in ('success', 'failed') then now() else x.doubted_since end
    where x.developer_id = o.developer_id and x.id = p_id;
  perform order_due_soon(o, now());
  return 'due';
end $f$;

-- Records that the provider reports a status that conflicts with the final status of a payment. Moves no money and starts a
-- manual review. Recorded once until the review, so that repeated reports do not fill the disk. Returns false if there is no
-- conflict, or if the payment has no final status.
create function order_status_conflict(p_developer uuid, p_id uuid, p_performed boolean, p_detail jsonb) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  select * into o from orders x
    where x.developer_id = p_developer and x.id = p_id and x.operation in ('recharge', 'card_payment') for no key update;
  if o.id is null or o.settled_at is null or p_performed = (o.state = 'success' and o.reversed_at is null) then return false; end if;
  update orders x set status_conflict_at = now() where x.developer_id = p_developer and x.id = p_id and x.status_conflict_at is null;
  if found then
    insert into order_review (order_id, developer_id, reason) values (p_id, p_developer, 'status_conflict');
    insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'status_conflict', p_detail);
  end if;
  return true;
end $f$;

-- Ends the status check of a refunded payment; no further check is scheduled. p_detail is null if the provider has no status
-- check.
create function order_still_decided(p_developer uuid, p_id uuid, p_pause_ms integer, p_detail jsonb) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  update orders x set status_checks = x.status_checks + (p_detail is not null)::integer, quiet_until = now() + p_pause_ms * interval '1 ms',
    doubted_since = null
    where x.developer_id = p_developer and x.id = p_id and (x.state = 'failed' or x.reversed_at is not null) returning * into o;
  if found then
    perform order_due_set(o, false, null);
    insert into order_event (developer_id, order_id, kind, detail) select p_developer, p_id, 'status_check', p_detail where p_detail is not null;
  end if;
end $f$;

-- Records that staff have reviewed a status conflict and confirmed the final status.
create function order_confirm(p_developer uuid, p_id uuid, p_detail jsonb) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
begin
  update orders x set status_conflict_at = null where x.developer_id = p_developer and x.id = p_id and x.status_conflict_at is not null;
  if not found then return false; end if;
  delete from order_review v where v.order_id = p_id;
  insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'resolution', p_detail);
  return true;
end $f$;

revoke all on function ledger_undo, ledger_correct, order_ask, order_status_conflict, order_still_decided, order_confirm from public;
grant execute on function ledger_correct, order_ask, order_status_conflict, order_still_decided, order_confirm to gateway_app;
