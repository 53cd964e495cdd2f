drop function if exists ledger_check;
drop view if exists ledger_entry;

create view ledger_entry as select t.*,
    case when t.kind in ('hold', 'lead_fee', 'debit', 'charge_again') then 'wallet' when t.kind = 'top_up' then 'funding'
         when t.kind = 'reversal' then 'provider_payable' else 'in_flight' end as from_account,
    case when t.kind in ('refund', 'reversal', 'top_up') then 'wallet'
         when t.kind = 'hold' then 'in_flight'
         when t.kind = 'debit' then 'funding'
         when t.kind = 'charge_again' then 'provider_payable'
         when t.kind = 'settle' and t.operation in ('recharge', 'card_payment') then 'provider_payable'
         else 'fee_income' end as to_account,
    case when t.kind in ('hold', 'lead_fee', 'debit', 'charge_again') then -t.amount_paise when t.kind = 'settle' then 0 else t.amount_paise end as wallet_change
  from transfer t;

-- Every violated invariant, one row each; empty when the books are right.
create function ledger_check() returns table (rule text, developer_id integer, detail text) language sql stable as $f$
  with corrected as materialized (
    select distinct on (x.developer_id, x.subject_id) x.developer_id, x.subject_id, x.kind from transfer x
    where x.step > 2 order by x.developer_id, x.subject_id, x.step desc)
  select 'balance is the sum of transfers', w.developer_id, format('%s: %s <> %s', w.environment, w.balance_paise, s.total)
    from wallet w left join lateral (
      select coalesce(sum(e.wallet_change), 0) as total from ledger_entry e where e.developer_id = w.developer_id and e.environment = w.environment) s on true
    where s.total <> w.balance_paise
  union all
  select 'wallet versions have no gap', w.developer_id, format('%s: version %s, %s rows, %s..%s', w.environment, w.version, v.n, v.lowest, v.highest)
    from wallet w left join lateral (
      select count(*) as n, min(t.wallet_version) as lowest, max(t.wallet_version) as highest from transfer t
      where t.developer_id = w.developer_id and t.environment = w.environment and t.wallet_version is not null) v on true
    where v.n <> w.version or coalesce(v.highest, 0) <> w.version or coalesce(v.lowest, 1) <> 1
  union all
  select 'balance after is the running sum', z.developer_id, format('%s version %s', z.environment, z.wallet_version)
    from (select e.*, sum(e.wallet_change) over (partition by e.developer_id, e.environment order by e.wallet_version) as running
          from ledger_entry e where e.wallet_version is not null) z
    where z.running <> z.balance_after_paise
  union all
  select 'a transfer has a wallet', t.developer_id, t.subject_id::text
    from transfer t left join wallet w on w.developer_id = t.developer_id and w.environment = t.environment where w.developer_id is null
  union all
  select 'an order has one hold of its amount', o.developer_id, o.id::text
    from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 1
    where t.kind is distinct from 'hold' or t.amount_paise <> o.amount_paise or t.environment <> o.environment or t.operation <> o.operation
  union all
  select 'a resolution has the amount of its order', o.developer_id, o.id::text
    from orders o join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step > 1
    where t.amount_paise <> o.amount_paise or t.environment <> o.environment or t.operation <> o.operation
  union all
  select 'a transfer of an order has an order', t.developer_id, t.subject_id::text
    from transfer t left join orders o on o.developer_id = t.developer_id and o.id = t.subject_id
    where t.kind in ('hold', 'settle', 'refund', 'reversal', 'charge_again') and o.id is null
  union all
  select 'order state agrees with its last transfer', o.developer_id, format('%s %s %s', o.id, o.state, coalesce(c.kind, t.kind))
    from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 2
    left join corrected c on c.developer_id = o.developer_id and c.subject_id = o.id
    where case o.state when 'success' then coalesce(c.kind, t.kind, '') not in ('settle', 'charge_again', 'reversal')
      when 'failed' then coalesce(c.kind, t.kind, '') <> 'refund' else t.kind is not null or c.kind is not null end
  union all
  select 'a reversed order has its reversal', o.developer_id, o.id::text
    from orders o left join corrected c on c.developer_id = o.developer_id and c.subject_id = o.id
    where (o.reversed_at is not null) <> coalesce(c.kind = 'reversal', false)
  union all
  select 'a reversal or second charge undoes the transfer before it', t.developer_id, format('%s step %s %s', t.subject_id, t.step, t.kind)
    from transfer t left join transfer b on b.developer_id = t.developer_id and b.subject_id = t.subject_id and b.step = t.step - 1
    where t.step > 2 and case t.kind when 'reversal' then coalesce(b.kind, '') not in ('settle', 'charge_again')
      else coalesce(b.kind, '') not in ('refund', 'reversal') end
  union all
  select 'money in flight is the sum of open orders', null, format('%s: %s <> %s', e.environment, e.in_flight, coalesce(o.total, 0))
    from (select environment, sum(case when to_account = 'in_flight' then amount_paise when from_account = 'in_flight' then -amount_paise else 0 end) as in_flight
          from ledger_entry group by environment) e
    left join (select environment, sum(amount_paise) as total from orders where state in ('open', 'review') group by environment) o on o.environment = e.environment
    where e.in_flight <> coalesce(o.total, 0)
  union all
  select 'provider payable is successes less reversals', null, format('%s: %s <> %s', e.environment, e.payable, coalesce(o.total, 0))
    from (select environment, sum(case when to_account = 'provider_payable' then amount_paise when from_account = 'provider_payable' then -amount_paise else 0 end) as payable
          from ledger_entry group by environment) e
    left join (select environment, sum(amount_paise) as total from orders
               where state = 'success' and reversed_at is null and operation in ('recharge', 'card_payment') group by environment) o on o.environment = e.environment
    where e.payable <> coalesce(o.total, 0)
$f$;

grant select on ledger_entry to gateway_app;
revoke all on function ledger_check from public;
grant execute on function ledger_check to gateway_app;
