-- Resolution of orders. The notes in ledger-hold.sql about frequently called functions also apply here.

drop function if exists ledger_reverse;
drop function if exists reversal_is_proven;
drop function if exists ledger_resolve;
drop function if exists resolution_kind;

-- Kind of the posting that resolves a hold. Previews of resolutions use this function as well.
create function resolution_kind(p_ok boolean) returns text language sql immutable as $f$ select case when p_ok then 'settle' else 'refund' end $f$;

-- T2 for several orders: posts the only resolution, with the evidence and the stored response. An order that is already resolved
-- remains unchanged and returns 'already'. A failed lookup releases its idempotency key, because only successes are replayed. A
-- successful payment is due for another check after p_ask_again_ms, if set, because some providers reverse payments without a
-- notification, and this may be the last commit of this process.
-- p_decline: decline reason of a failed payment. p_search: hashes for order_search, 16 bytes each, concatenated.
-- With p_skip_locked, an item whose order or wallet is locked by another transaction is 'busy', as in ledger_hold.
create function ledger_resolve(p_developer uuid[], p_id uuid[], p_ok boolean[], p_answer bytea[], p_txn text[], p_event text[], p_detail jsonb[],
    p_ask_again_ms integer[] default null, p_search bytea[] default null, p_skip_locked boolean default false, p_decline text[] default null)
  returns table (ord integer, outcome text, balance text, version text, settled_at timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $f$
#variable_conflict use_column
declare v_busy bigint[] := '{}';
begin
  if p_skip_locked then
    with free as materialized (
      select q.d, q.i from (select distinct q.d, q.i from unnest(p_developer, p_id) q(d, i) order by 1, 2) q
      cross join lateral (select 1 from orders o where o.developer_id = q.d and o.id = q.i for no key update skip locked) o)
    select coalesce(array_agg(q.n), '{}') into v_busy from unnest(p_developer, p_id) with ordinality q(d, i, n)
    where (q.d, q.i) not in (select d, i from free) and exists (select from orders o where o.developer_id = q.d and o.id = q.i);
  else
    perform 1 from (select distinct q.d, q.i from unnest(p_developer, p_id) q(d, i) order by 1, 2) q
      cross join lateral (select 1 from orders o where o.developer_id = q.d and o.id = q.i for no key update) o;
  end if;
  if p_skip_locked and not (true = all(p_ok)) then
    with refunds as materialized (
      select q.d, o.environment as e, q.n from unnest(p_developer, p_id, p_ok) with ordinality q(d, i, ok, n)
      cross join lateral (select o.environment, o.settled_at from orders o where o.developer_id = q.d and o.id = q.i limit 1) o
      where not q.ok and o.settled_at is null and q.n <> all(v_busy)),
    free as materialized (
      select x.developer_id, x.environment from wallet x where (x.developer_id, x.environment) in (select d, e from refunds)
      order by x.developer_id, x.environment for no key update skip locked)
    select v_busy || coalesce(array_agg(r.n), '{}') into v_busy from refunds r
    where (r.d, r.e) not in (select developer_id, environment from free);
  elsif not (true = all(p_ok)) then
    perform 1 from wallet x
      where (x.developer_id, x.environment) in (
        select q.d, o.environment from unnest(p_developer, p_id, p_ok) q(d, i, ok)
        cross join lateral (select o.environment, o.settled_at from orders o where o.developer_id = q.d and o.id = q.i limit 1) o
        where not q.ok and o.settled_at is null)
      order by x.developer_id, x.environment for no key update;
  end if;
  if not (true = all(p_ok)) then
    -- keys are always locked in the same order before they are deleted
    perform 1 from (
        select distinct o.developer_id, o.environment, o.operation, o.client_key, o.id from unnest(p_developer, p_id, p_ok) with ordinality q(d, i, ok, n)
        cross join lateral (select * from orders o where o.developer_id = q.d and o.id = q.i limit 1) o
        where not q.ok and o.settled_at is null and o.operation in ('lookup', 'card_bill') and o.client_key is not null and q.n <> all(v_busy)
        order by 1, 2, 3, 4) r
      cross join lateral (
        select 1 from order_key k where k.developer_id = r.developer_id and k.environment = r.environment and k.operation = r.operation
          and k.client_key = r.client_key and k.order_id = r.id for update) k;
  end if;
  return query
  with req as materialized (
    select t.* from unnest(p_developer, p_id, p_ok, p_answer, p_txn, p_event, p_detail, p_ask_again_ms, p_search, p_decline)
      with ordinality t(dev, id, ok, answer, txn, event, detail, ask_again_ms, search, decline, ord)
    where t.ord <> all(v_busy)),
  open_orders as materialized (
    select distinct on (r.dev, r.id) r.*, o.environment, o.operation, o.reference, o.client_key, o.fingerprint, o.amount_paise, o.provider, o.provider_txn_id,
      r.ok and o.operation in ('recharge', 'card_payment') and r.ask_again_ms is not null as asked_again
    from req r cross join lateral (
      select * from orders o where o.developer_id = r.dev and o.id = r.id limit 1) o
    where o.settled_at is null order by r.dev, r.id, r.ord),
  done as (
    update orders x set state = case when d.ok then 'success' else 'failed' end, settled_at = now(), asked = 0, quiet_until = null,
      answer = case when x.operation in ('recharge', 'card_payment') then d.answer end,
      provider_txn_id = coalesce(nullif(d.txn, ''), x.provider_txn_id),
      decline_reason = case when not d.ok and x.operation in ('recharge', 'card_payment') then d.decline end
    from open_orders d where x.developer_id = d.dev and x.id = d.id returning x.developer_id),
  due_no_more as (
    delete from order_due q using open_orders d where q.developer_id = d.dev and q.order_id = d.id and not d.asked_again),
  due_again as (
    insert into order_due (developer_id, order_id, provider, waited_for, due_at)
    select d.dev, d.id, d.provider, false, now() + d.ask_again_ms * interval '1 ms' from open_orders d where d.asked_again
    on conflict (developer_id, order_id) do update set waited_for = excluded.waited_for, due_at = excluded.due_at),
  searchable as (
    insert into order_search (hash, order_id)
    select encode(substring(d.search from 1 + 16 * n for 16), 'hex')::uuid, d.id from open_orders d cross join generate_series(0, length(d.search) / 16 - 1) n
    on conflict do nothing),
  reviewed as (
    delete from order_review v using open_orders d where v.order_id = d.id),
  kept as (
    insert into lookup_answer (developer_id, order_id, answer) select d.dev, d.id, d.answer from open_orders d where d.ok and d.operation in ('lookup', 'card_bill')),
  key_given_back as (
    delete from order_key k using open_orders d where not d.ok and d.operation in ('lookup', 'card_bill')
      and k.developer_id = d.dev and k.environment = d.environment and k.operation = d.operation and k.client_key = d.client_key and k.order_id = d.id),
  bill_freed as (
    delete from bill_claim b using open_orders d where not d.ok and d.operation = 'card_payment'
      and b.developer_id = d.dev and b.fingerprint = d.fingerprint and b.order_id = d.id),
  back as materialized (
    select d.dev, d.id, w.version + row_number() over s as version, w.balance_paise + sum(d.amount_paise) over s as balance, d.environment, d.amount_paise
    from open_orders d join wallet w on w.developer_id = d.dev and w.environment = d.environment where not d.ok
    window s as (partition by d.dev, d.environment order by d.ord rows unbounded preceding)),
  refunded as (
    update wallet x set balance_paise = x.balance_paise + b.total, version = x.version + b.n
    from (select dev, environment, sum(amount_paise)::bigint as total, count(*) as n from back group by dev, environment) b
    where x.developer_id = b.dev and x.environment = b.environment returning 1),
  posted as (
    insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
    select d.dev, d.id, 2, resolution_kind(d.ok), d.operation, d.environment, d.amount_paise, b.version, b.balance, case when not d.ok then d.reference end
    from open_orders d left join back b on b.dev = d.dev and b.id = d.id
    returning developer_id, subject_id, kind, balance_after_paise, wallet_version),
  noted as (
    insert into order_event (developer_id, order_id, kind, detail)
    select d.dev, d.id, d.event, d.detail from open_orders d where d.event is not null returning 1),
  announced as (
    -- one lookup in a small index; nothing is written if no webhook endpoint subscribes to the event
    insert into webhook_outbox (developer_id, order_id, event, answer, provider_txn_id, settled_at)
    select d.dev, d.id, case when d.ok then 'succeeded' else 'failed' end, d.answer, coalesce(nullif(d.txn, ''), d.provider_txn_id), now() from open_orders d
    where d.operation in ('recharge', 'card_payment') and exists (select from webhook_endpoint e where e.developer_id = d.dev and e.environment = d.environment and e.disabled_at is null
        and (e.types is null or d.operation || case when d.ok then '.succeeded' else '.failed' end = any(e.types))) returning 1)
  -- if a batch contains several resolutions of one order, the first one applies, and only the first one returns this outcome
  select r.ord::integer, case when d.ord is null then 'already' else p.kind end,
    coalesce(p.balance_after_paise, held.balance_paise)::text, coalesce(p.wallet_version, held.version)::text,
    case when d.ord is not null then now() end
  from req r left join open_orders d on d.ord = r.ord left join posted p on p.developer_id = r.dev and p.subject_id = r.id
  left join lateral (
    select w.balance_paise, w.version from orders o join wallet w on w.developer_id = o.developer_id and w.environment = o.environment
    where p.balance_after_paise is null and o.developer_id = r.dev and o.id = r.id limit 1) held on true
  union all
  select q.n::integer, 'busy', null, null, null from unnest(v_busy) q(n)
  order by 1;
end $f$;

-- Whether a status check of p_asked_at that reports a success as reversed proves the reversal. True if staff have not resolved
-- the payment. Otherwise the status check must be newer than the last resolution, and the provider must have changed its status
-- since then: a check after the resolution returned success, and a later one did not. In addition, no check between the
-- resolution and that success may have returned failed or reversed, because alternating statuses prove nothing and require a
-- manual review. The times of the checks are compared, not the times at which responses were recorded, because a response can be
-- recorded after a resolution that is newer than the check.
create function reversal_is_proven(p_developer uuid, p_id uuid, p_asked_at timestamptz) returns boolean language sql stable as $f$
  with word as (
    select e.kind, e.at, e.detail ->> 'reason' as reason, (e.detail ->> 'askedAt')::timestamptz as asked_at from order_event e
    where e.developer_id = p_developer and e.order_id = p_id and e.kind in ('response', 'status_check', 'resolution')),
  decided as (select max(at) as at from word where kind = 'resolution'),
  confirmed as (select min(w.asked_at) as at from word w, decided d where w.reason = 'provider_success' and w.asked_at > d.at)
  select d.at is null or (c.at is not null and p_asked_at > c.at and not exists (select from word w where w.reason = 'provider_failure' and w.at < c.at))
  from decided d, confirmed c
$f$;

-- Reverses a success that the provider reversed: posts one new transfer with the status check that proved the reversal.
create function ledger_reverse(p_developer uuid, p_id uuid, p_detail jsonb, p_asked_at timestamptz default now())
  returns text language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare o orders;
begin
  select * into o from orders where developer_id = p_developer and id = p_id for no key update;
  if o.id is null then return 'missing'; end if;
  if o.state <> 'success' or o.operation not in ('recharge', 'card_payment') then return 'not_success'; end if;
  if o.reversed_at is not null then return 'already'; end if;
  if not reversal_is_proven(p_developer, p_id, p_asked_at) then return 'decided_by_people'; end if;
  perform ledger_undo(o, 'reversal', 'provider');
  update orders set status_checks = status_checks + 1 where developer_id = p_developer and id = p_id;
  insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'status_check', p_detail);
  return 'reversed';
end $f$;

revoke all on function ledger_resolve, reversal_is_proven, ledger_reverse from public;
grant execute on function ledger_resolve, ledger_reverse to gateway_app;
