drop function if exists order_decide;

-- What a person says about an order in review, under its lock, which lasts until the caller's transaction ends: 'execute' when
-- the caller may resolve it there. Up to p_alone paise one person is enough; above, a second one has to say the same. Who says
-- the opposite replaces the proposal, so that nothing is decided before two agree.
create function order_decide(p_id uuid, p_success boolean, p_user integer, p_reason text, p_alone bigint)
  returns table (verdict text, developer_id integer) language plpgsql volatile security definer set search_path = public, pg_temp as $f$
#variable_conflict use_column
declare o orders; p order_proposal;
begin
  select * into o from orders x where x.id = p_id and x.operation in ('recharge', 'card_payment') for no key update;
  if o.id is null then return query select 'missing', null::integer; return; end if;
  if o.state <> 'review' then return query select 'not_in_review', o.developer_id; return; end if;
  if o.amount_paise <= p_alone then return query select 'execute', o.developer_id; return; end if;
  select * into p from order_proposal x where x.developer_id = o.developer_id and x.order_id = p_id;
  if p.success = p_success then
    return query select case when p.user_id = p_user then 'same_person' else 'execute' end, o.developer_id; return;
  end if;
  insert into order_proposal (developer_id, order_id, success, user_id, reason) values (o.developer_id, p_id, p_success, p_user, p_reason)
    on conflict on constraint order_proposal_pkey do update set success = p_success, user_id = p_user, reason = p_reason, at = now();
  return query select 'proposed', o.developer_id;
end $f$;

revoke all on function order_decide from public;
grant execute on function order_decide to gateway_app;
