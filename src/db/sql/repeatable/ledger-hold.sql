-- The frequently called functions take arrays and lock in a fixed order (orders before wallets, each by key). They force a
-- generic plan without sequential scans, because a plan that was cached while the tables were empty would later be ten times as
-- expensive.

drop function if exists ledger_hold;
drop function if exists keyless_repetition;
drop aggregate if exists pay(bigint, bigint);
drop function if exists pay_step;

-- Running balance that skips amounts it cannot pay, as a window aggregate instead of a recursion.
create function pay_step(remaining bigint, amount bigint, opening bigint) returns bigint language sql immutable parallel safe as $$
  select case when coalesce(remaining, opening) >= amount then coalesce(remaining, opening) - amount else coalesce(remaining, opening) end $$;

create aggregate pay(amount bigint, opening bigint) (sfunc = pay_step, stype = bigint);

-- Compares a recharge without an idempotency key to the last such recharge of the same number, operator and amount. Returns no
-- row if there is none, or if the new recharge is not a duplicate.
-- `same`: the caller gets the response of the earlier recharge, which was placed within three minutes. The earlier recharge is
-- pending, its caller disconnected before the response, or this request arrived (p_age_ms ago) before that response was sent or
-- within a second after it.
-- `refused`: the earlier recharge succeeded, or may still succeed, within the developer's guard time (seconds, 0 for none).
-- `warned`: the earlier recharge was placed within three minutes and succeeded, and its caller has received the response.
create function keyless_repetition(p_developer uuid, p_environment text, p_fingerprint bytea, p_guard_s integer, p_age_ms integer)
  returns table (order_id uuid, verdict text) language sql stable as $f$
  select * from (
    select k.order_id, case
        when k.recent and (o.settled_at is null or k.answered_at is null
          or k.answered_at > now() - (p_age_ms + 1000) * interval '1 ms') then 'same'
        when o.state = 'failed' or o.reversed_at is not null then null
        when p_guard_s > 0 and k.placed_at > now() - p_guard_s * interval '1 s' then 'refused'
        when k.recent and o.settled_at is not null then 'warned' end as verdict
    from (
      select x.*, x.placed_at > now() - interval '3 minutes' as recent from keyless_recharge x
      where x.developer_id = p_developer and x.environment = p_environment and x.fingerprint = p_fingerprint limit 1) k
    cross join lateral (
      select x.state, x.settled_at, x.reversed_at from orders x where x.developer_id = p_developer and x.id = k.order_id limit 1) o) r
  where r.verdict is not null $f$;

-- T1 for several orders: order row and hold. An item with a problem (insufficient balance, used idempotency key) does not affect
-- the others and writes nothing, so its key is not consumed. Retrying an item after a lost connection returns 'duplicate' with
-- the ID of the item.
-- A recharge without a key and with p_guard_s (null: no duplicate check) that duplicates an earlier one writes nothing either:
-- its outcome is `repetition` or `likely_duplicate` of order_id. A possible duplicate contains the earlier order in
-- likely_duplicate_of. All checks run under the lock of the wallet, so only one of several concurrent requests is processed.
-- p_search: additional hashes for order_search, 16 bytes each, concatenated.
-- With p_skip_locked, an item whose wallet is locked by another transaction is 'busy'. It was not processed, and the other items
-- do not wait.
create function ledger_hold(p_developer uuid[], p_environment text[], p_operation text[], p_id uuid[], p_reference text[], p_key text[], p_fingerprint bytea[],
    p_amount bigint[], p_provider text[], p_request bytea[], p_account bytea[], p_lease_ms integer[], p_skip_locked boolean default false, p_guard_s integer[] default null,
    p_operator integer[] default null, p_search bytea[] default null, p_age_ms integer[] default null)
  returns table (ord integer, outcome text, order_id uuid, balance text, version text, likely_duplicate_of uuid)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $f$
#variable_conflict use_column
declare v_busy bigint[] := '{}';
begin
  if p_skip_locked then
    with free as materialized (
      select x.developer_id, x.environment from wallet x
      where (x.developer_id, x.environment) in (select distinct q.d, q.e from unnest(p_developer, p_environment) q(d, e))
      order by x.developer_id, x.environment for no key update skip locked)
    select coalesce(array_agg(q.n), '{}') into v_busy from unnest(p_developer, p_environment) with ordinality q(d, e, n)
    where (q.d, q.e) not in (select developer_id, environment from free)
      and exists (select from wallet x where x.developer_id = q.d and x.environment = q.e);
  else
    perform 1 from wallet x
      where (x.developer_id, x.environment) in (select distinct q.d, q.e from unnest(p_developer, p_environment) q(d, e))
      order by x.developer_id, x.environment for no key update;
  end if;
  -- an idempotency key of a lookup replays its response for ten minutes
  if p_operation && array['lookup', 'card_bill'] then
    -- keys are always locked in the same order before they are deleted
    perform 1 from (
        select distinct q.d, q.e, q.op, q.k collate "C" as k from unnest(p_developer, p_environment, p_operation, p_key) with ordinality q(d, e, op, k, n)
        where q.op in ('lookup', 'card_bill') and q.k is not null and q.n <> all(v_busy) order by 1, 2, 3, 4) r
      cross join lateral (
        select 1 from order_key k where k.developer_id = r.d and k.environment = r.e and k.operation = r.op and k.client_key = r.k
          and exists (select from lookup_answer a
            where a.developer_id = k.developer_id and a.order_id = k.order_id and a.settled_at < now() - interval '10 minutes') for update of k) k;
    delete from order_key k
      using (select distinct q.d, q.e, q.op, q.k from unnest(p_developer, p_environment, p_operation, p_key) with ordinality q(d, e, op, k, n)
             where q.op in ('lookup', 'card_bill') and q.k is not null and q.n <> all(v_busy)) r
      where k.developer_id = r.d and k.environment = r.e and k.operation = r.op and k.client_key = r.k
        and exists (select from lookup_answer a
          where a.developer_id = k.developer_id and a.order_id = k.order_id and a.settled_at < now() - interval '10 minutes');
  end if;
  return query
  with req as materialized (
    select t.*, row_number() over (partition by t.dev, t.env, t.op, t.key order by t.ord) as nth
    from unnest(p_developer, p_environment, p_operation, p_id, p_reference, p_key, p_fingerprint, p_amount, p_provider, p_request, p_account, p_lease_ms, p_guard_s,
        p_operator, p_search, p_age_ms)
      with ordinality t(dev, env, op, id, reference, key, fingerprint, amount, provider, request, account, lease_ms, guard_s, sp_key, search, age_ms, ord)
    where t.ord <> all(v_busy)),
  w as materialized (
    select x.developer_id, x.environment, x.balance_paise, x.version from wallet x
    where (x.developer_id, x.environment) in (select distinct dev, env from req)),
  old as materialized (
    select r.ord, o.id from req r cross join lateral (
      (select o.id from orders o where o.developer_id = r.dev and o.id = r.id limit 1)
      union all
      (select k.order_id from order_key k where k.developer_id = r.dev and k.environment = r.env and k.operation = r.op and k.client_key = r.key limit 1)
      limit 1) o),
  before as materialized (
    select r.ord, k.order_id, k.verdict
    from req r cross join lateral keyless_repetition(r.dev, r.env, r.fingerprint, r.guard_s, r.age_ms) k
    where r.guard_s is not null and r.key is null and not exists (select from old where old.ord = r.ord)),
  -- within a batch, the last preceding recharge that is processed counts as the earlier one
  keyless as materialized (
    select r.ord, r.dev, r.env, r.fingerprint, r.guard_s is null or row_number() over (partition by r.dev, r.env, r.fingerprint order by r.ord) = 1 as leads
    from req r where r.op = 'recharge' and r.key is null and not exists (select from old where old.ord = r.ord)
      and not exists (select from before b where b.ord = r.ord and b.verdict <> 'warned')),
  followed as (
    select k.ord, k.leads, max(k.ord) filter (where k.leads) over (partition by k.dev, k.env, k.fingerprint order by k.ord
      rows between unbounded preceding and 1 preceding) as leader from keyless k),
  follower as materialized (select f.ord, f.leader, r.id as order_id from followed f join req r on r.ord = f.leader where not f.leads),
  fresh as materialized (
    select r.*, w.balance_paise as opening,
      pay(r.amount, w.balance_paise) over (partition by r.dev, r.env order by r.ord rows unbounded preceding) as remaining
    from req r join w on w.developer_id = r.dev and w.environment = r.env
    where (r.key is null or r.nth = 1) and not exists (select from old where old.ord = r.ord)
      and not exists (select from before b where b.ord = r.ord and b.verdict <> 'warned') and not exists (select from follower f where f.ord = r.ord)),
  judged as materialized (
    select f.*, coalesce(lag(f.remaining) over (partition by f.dev, f.env order by f.ord), f.opening) >= f.amount as affordable from fresh f),
  claimed as (
    insert into bill_claim (developer_id, fingerprint, order_id) select dev, fingerprint, id from judged where affordable and op = 'card_payment'
    on conflict do nothing returning order_id),
  inserted as (
    insert into orders (developer_id, id, reference, environment, operation, client_key, fingerprint, amount_paise, provider, request, account_hash,
      operator_sp_key)
    select dev, id, reference, env, op, key, fingerprint, amount, provider, request, account, sp_key
    from judged where affordable and (op <> 'card_payment' or id in (select order_id from claimed)) on conflict do nothing returning developer_id, id),
  paid as materialized (
    select j.*, sum(j.amount) over s as spent, row_number() over s as n
    from judged j join inserted i on i.developer_id = j.dev and i.id = j.id
    window s as (partition by j.dev, j.env order by j.ord rows unbounded preceding)),
  keyed as (
    insert into order_key (developer_id, environment, operation, client_key, order_id) select dev, env, op, key, id from paid where key is not null),
  remembered as (
    insert into keyless_recharge (developer_id, environment, fingerprint, order_id)
    select distinct on (dev, env, fingerprint) dev, env, fingerprint, id from paid where op = 'recharge' and key is null
    order by dev, env, fingerprint, ord desc
    on conflict (developer_id, environment, fingerprint) do update set order_id = excluded.order_id, placed_at = excluded.placed_at, answered_at = null),
  referenced as (
    insert into order_reference (reference, developer_id, order_id) select reference, dev, id from paid where op in ('recharge', 'card_payment')),
  searchable as (
    insert into order_search (hash, order_id)
    select encode(substring(account for 16), 'hex')::uuid, id from paid where op in ('recharge', 'card_payment')
    union all
    select encode(substring(p.search from 1 + 16 * g.place for 16), 'hex')::uuid, p.id from paid p cross join generate_series(0, length(p.search) / 16 - 1) g(place)
    on conflict do nothing),
  due as (
    insert into order_due (developer_id, order_id, provider, waited_for, due_at)
    select dev, id, provider, true, now() + lease_ms * interval '1 ms' from paid),
  charged as (
    update wallet x set balance_paise = x.balance_paise - p.total, version = x.version + p.n,
      last_order_at = case when p.pays then now() else x.last_order_at end
    from (select dev, env, sum(amount)::bigint as total, count(*) as n, bool_or(op in ('recharge', 'card_payment')) as pays
      from paid group by dev, env) p
    where x.developer_id = p.dev and x.environment = p.env returning 1),
  held as (
    insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
    select p.dev, p.id, 1, 'hold', p.op, p.env, p.amount, w.version + p.n, w.balance_paise - p.spent, p.reference
    from paid p join w on w.developer_id = p.dev and w.environment = p.env
    returning developer_id, subject_id, balance_after_paise, wallet_version)
  select r.ord::integer,
    case when h.subject_id is not null then 'accepted'
         when o.id is not null or (r.nth > 1 and r.key is not null) or j.affordable then 'duplicate'
         when b.verdict = 'refused' then 'likely_duplicate'
         when b.verdict = 'same' or led.subject_id is not null then 'repetition'
         when w.developer_id is not null then 'insufficient'
         else 'no_wallet' end,
    coalesce(o.id, case when b.verdict <> 'warned' then b.order_id end, led.subject_id, r.id),
    coalesce(h.balance_after_paise, j.remaining, w.balance_paise)::text,
    coalesce(h.wallet_version, w.version)::text,
    case when h.subject_id is not null then b.order_id end
  from req r
  left join w on w.developer_id = r.dev and w.environment = r.env
  left join old o on o.ord = r.ord
  left join judged j on j.ord = r.ord
  left join held h on h.developer_id = r.dev and h.subject_id = r.id
  left join before b on b.ord = r.ord
  left join follower f on f.ord = r.ord
  left join held led on led.developer_id = r.dev and led.subject_id = f.order_id
  union all
  select q.n::integer, 'busy', p_id[q.n], null, null, null from unnest(v_busy) q(n)
  order by 1;
end $f$;

-- Records that the callers of these recharges have received the result. Skips locked rows, because these are about to be replaced
-- by another order or are old.
create or replace function keyless_answered(p_developer uuid[], p_id uuid[]) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $f$
declare v_rows tid[];
begin
  select array_agg(k.ctid) into v_rows from (
    select k.ctid from unnest(p_developer, p_id) q(d, i)
    cross join lateral (select x.environment, x.fingerprint from orders x where x.developer_id = q.d and x.id = q.i limit 1) o
    join keyless_recharge k on k.developer_id = q.d and k.environment = o.environment and k.fingerprint = o.fingerprint
    where k.order_id = q.i and k.answered_at is null for update of k skip locked) k;
  update keyless_recharge set answered_at = now() where ctid = any(v_rows);
end $f$;

revoke all on function ledger_hold, keyless_repetition, keyless_answered from public;
grant execute on function ledger_hold, keyless_repetition, keyless_answered to gateway_app;
