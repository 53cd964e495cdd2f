drop function if exists ledger_check;
drop function if exists ledger_check_of;
drop function if exists ledger_check_lines;
drop function if exists ledger_check_subjects;
drop function if exists ledger_check_new;
drop function if exists ledger_totals;
drop function if exists ledger_developers;
drop function if exists ledger_checked;
drop function if exists ledger_counted_here;
drop function if exists ledger_renumber;
drop function if exists archive_check;
drop function if exists correction_check;
drop function if exists reopened;
drop view if exists booked_entry;
drop view if exists ledger_entry;
drop function if exists posted_from;
drop function if exists posted_to;

-- Accounts of a posting: the one that is debited, and the one that is credited. The functions are small enough to be inlined into
-- the calling statement.
create function posted_from(p_kind text, p_operation text) returns text language sql immutable as $f$
  select case when p_kind in ('hold', 'lead_fee', 'debit', 'refund_reversal') or p_operation = 'correction_out' then 'wallet'
    when p_kind = 'top_up' then 'funding' when p_kind = 'correction' then 'correction'
    when p_kind = 'reversal' then 'provider_payable' else 'in_flight' end
$f$;
create function posted_to(p_kind text, p_operation text) returns text language sql immutable as $f$
  select case when p_kind in ('refund', 'reversal', 'top_up') or p_operation = 'correction_in' then 'wallet'
    when p_kind = 'hold' then 'in_flight'
    when p_kind = 'debit' then 'funding'
    when p_kind = 'correction' then 'correction'
    when p_kind = 'refund_reversal' then 'provider_payable'
    when p_kind = 'settle' and p_operation in ('recharge', 'card_payment') then 'provider_payable'
    else 'fee_income' end
$f$;

create view ledger_entry as select t.*,
    posted_from(t.kind, t.operation) as from_account, posted_to(t.kind, t.operation) as to_account,
    case when t.kind in ('hold', 'lead_fee', 'debit', 'refund_reversal') or t.operation = 'correction_out' then -t.amount_paise when t.kind = 'settle' then 0 else t.amount_paise end as wallet_change
  from transfer t;

-- Entries that are part of the ledger: all entries except those of orders that were archived with the tables of their month and
-- are being deleted. The sums of these entries are in wallet_opening and archived_total. The subquery per entry runs only during
-- the deletion.
create view booked_entry as select e.* from ledger_entry e
  where not (select exists (select from archive_month m where m.state = 'detached'))
    or (select true from archive_leaving l where l.subject_id = e.subject_id limit 1) is null;

-- Whether this server continues the transaction numbers of the checkpoint: it is the same server, or pg_upgrade converted its
-- files. Then the newest checked transfer is still the row written by its transaction. A dump and a subscription write it again,
-- and their servers have other numbers.
create function ledger_counted_here() returns boolean language sql stable as $f$
  select c.system_identifier = s.system_identifier or (
      pg_snapshot_xmax(c.snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
      and coalesce((select t.xmin::text::bigint = t.posted_in::text::bigint % 4294967296 from transfer t
        where t.posted_in < pg_snapshot_xmin(c.snapshot) order by t.posted_in desc limit 1), false))
    from ledger_checkpoint c, pg_control_system() s
$f$;

-- Snapshot up to which the ledger was checked. Null if the check ran on a server with different transaction numbers.
create function ledger_checked() returns pg_snapshot language sql stable as $f$
  select c.snapshot from ledger_checkpoint c where ledger_counted_here()
$f$;

-- Sets the transaction number of transfers from another server to the lowest number, so that no number is later than those of
-- this server. Processes about p_rows transfers after number p_after. Returns the number to continue from. Null if no transfers
-- are left, or the numbers belong to this server.
create function ledger_renumber(p_after xid8, p_rows integer) returns xid8
  language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = 0 as $f$
declare v_to xid8;
begin
  if ledger_counted_here() then return null; end if;
  select t.posted_in into v_to from transfer t
    where t.posted_in > p_after and t.posted_in >= pg_snapshot_xmin(pg_current_snapshot()) order by t.posted_in offset p_rows limit 1;
  update transfer t set posted_in = '3'
    where t.posted_in > p_after and t.posted_in >= pg_snapshot_xmin(pg_current_snapshot()) and (v_to is null or t.posted_in <= v_to);
  return v_to;
end $f$;

-- Developers with any order, transfer or wallet, read from the keys.
create function ledger_developers() returns setof uuid language sql stable as $f$
  with recursive posted(id) as (
    (select t.developer_id from transfer t order by 1 limit 1)
    union all select (select t.developer_id from transfer t where t.developer_id > p.id order by 1 limit 1) from posted p where p.id is not null),
  ordered(id) as (
    (select o.developer_id from orders o order by 1 limit 1)
    union all select (select o.developer_id from orders o where o.developer_id > p.id order by 1 limit 1) from ordered p where p.id is not null)
  select id from posted where id is not null union select id from ordered where id is not null
  union select w.developer_id from wallet w union select c.developer_id from wallet_checkpoint c union select r.developer_id from wallet_opening r order by 1
$f$;

-- Sum of the opening records of corrections (wallet_reopening) from version p_from to before version p_to.
create function reopened(p_developer uuid, p_environment text, p_from bigint, p_to bigint) returns numeric language sql stable as $f$
  select coalesce(sum(g.change_paise), 0) from wallet_reopening g
    where g.developer_id = p_developer and g.environment = p_environment and g.version >= p_from and g.version < p_to
$f$;

-- Checks that each correction posts the opposite of its opening records. There are few corrections, so all of them are read.
create function correction_check() returns table (rule text, developer_id uuid, environment text, detail text) language sql stable as $f$
  select 'a correction posts the opposite of its opening records', c.developer_id, c.environment,
      format('%s: version %s, %s paise for %s', c.environment, c.version, coalesce(t.change, 0), o.change)
    from wallet_correction c
    left join lateral (
      select e.wallet_change as change, e.wallet_version from ledger_entry e
      where e.developer_id = c.developer_id and e.subject_id = c.posting_id and e.step = 1 and e.kind = 'correction' limit 1) t on true
    left join wallet_opening r on r.developer_id = c.developer_id and r.environment = c.environment
    cross join lateral (
      select coalesce(sum(g.change_paise), 0) as change from wallet_reopening g
      where g.developer_id = c.developer_id and g.environment = c.environment and g.posting_id = c.posting_id) o
    where o.change <> c.stored_paise - c.computed_paise
      or (t.change is not null or c.version > coalesce(r.version, 0)) and (coalesce(t.change, 0) <> -o.change or coalesce(t.wallet_version, c.version) <> c.version)
$f$;

-- Checks that archived transfers balance: those of the wallets with those of all other accounts.
create function archive_check() returns table (rule text, developer_id uuid, detail text) language sql stable as $f$
  select 'archived totals are balanced', null::uuid, format('%s: %s paise', m.environment, sum(m.paise))
    from (select environment, left_paise as paise from wallet_opening union all select environment, amount_paise from archived_total) m
    group by m.environment having sum(m.paise) <> 0
$f$;

-- Rules about the entries of one wallet: those after version p_after, where the balance was p_balance, up to version p_to. If
-- p_to is null, up to the end, which must match the wallet, its checkpoint and its opening record (wallet_opening). Entries never
-- change, so a long wallet can be read in parts, each in a separate snapshot. A balance that changed without an entry is one
-- violation, at the first entry that does not follow from the previous one. Later entries and later parts continue from there.
create function ledger_check_lines(p_developer uuid, p_environment text, p_after bigint, p_balance numeric, p_to bigint)
  returns table (rule text, detail text) language sql stable as $f$
  -- an opening record applies right after its version
  with moved as materialized (
    select x.*, p_balance + sum(x.change) over (order by x.wallet_version, x.is_line desc) as running from (
      select e.wallet_version, e.balance_after_paise, e.posted_in, e.wallet_change as change, true as is_line
      from ledger_entry e where e.developer_id = p_developer and e.environment = p_environment
        and e.wallet_version > p_after and e.wallet_version <= coalesce(p_to, 9223372036854775807)
      union all
      select g.version, null, null, g.change_paise, false from wallet_reopening g
      where g.developer_id = p_developer and g.environment = p_environment
        and g.version >= p_after and g.version < coalesce(p_to, 9223372036854775807)) x),
  line as materialized (select m.* from moved m where m.is_line),
  seen as materialized (
    select count(*) as n, min(l.wallet_version) as lowest, max(l.wallet_version) as highest,
      coalesce((select x.running from moved x order by x.wallet_version desc, x.is_line limit 1), p_balance) as total from line l),
  -- balance error of each entry, and of the previous entry
  off as materialized (
    select l.wallet_version, l.balance_after_paise - l.running as by, lag(l.balance_after_paise - l.running) over (order by l.wallet_version) as by_before
    from line l),
  wrong as materialized (
    select min(f.wallet_version) filter (where f.by <> coalesce(f.by_before, b.by)) as version,
      (array_agg(f.by - coalesce(f.by_before, b.by) order by f.wallet_version) filter (where f.by <> coalesce(f.by_before, b.by)))[1] as by,
      count(*) filter (where f.by <> 0) as lines,
      coalesce((select x.by from off x order by x.wallet_version desc limit 1), b.by) as last_by
    from (select coalesce(
        (select t.balance_after_paise from transfer t where t.developer_id = p_developer and t.environment = p_environment and t.wallet_version = p_after),
        (select r.balance_paise from wallet_opening r where r.developer_id = p_developer and r.environment = p_environment and r.version = p_after), 0) - p_balance as by) b
    left join off f on true group by b.by)
  select 'balance is the sum of transfers', format('%s: wrong from version %s on by %s paise, %s entries%s', p_environment,
      coalesce(x.version, coalesce(s.highest, p_after) + 1), coalesce(x.by, w.balance_paise - s.total - x.last_by), x.lines,
      case when p_to is null then format('; balance %s, sum of transfers %s', w.balance_paise, s.total) end)
    from wrong x cross join seen s left join wallet w on w.developer_id = p_developer and w.environment = p_environment and p_to is null
    where x.version is not null or w.balance_paise - s.total <> x.last_by
  union all
  select 'wallet versions have no gap', format('%s: version %s, %s rows, %s..%s', p_environment, v.version, s.n, s.lowest, s.highest)
    from seen s cross join lateral (
      select coalesce(p_to, (select w.version from wallet w where w.developer_id = p_developer and w.environment = p_environment)) as version) v
    where s.n <> v.version - p_after or coalesce(s.highest, p_after) <> v.version
  union all
  select 'an opening record is the sum of archived and remaining transfers', format('%s: version %s with %s, %s archived with %s, %s remaining with %s',
      p_environment, r.version, r.balance_paise, r.left_lines, r.left_paise, s.n, s.total)
    from wallet_opening r cross join lateral (
      select count(*) as n, coalesce(sum(e.wallet_change), 0) as total, coalesce(bool_or(e.kind in ('lead_fee', 'top_up', 'debit', 'correction')), false) as of_no_order from booked_entry e
      where e.developer_id = r.developer_id and e.environment = r.environment and e.wallet_version <= r.version) s
    where r.developer_id = p_developer and r.environment = p_environment and p_to is null
      and (r.left_lines + s.n <> r.version or s.of_no_order
        or r.left_paise + s.total + reopened(r.developer_id, r.environment, 0, r.version) <> r.balance_paise
        or not exists (select from wallet w where w.developer_id = r.developer_id and w.environment = r.environment))
  union all
  -- a checkpoint contains exactly the entries that are visible in the snapshot of the checks
  select 'a checkpoint agrees with the transfers', format('%s: version %s with %s for %s, %s entries on the wrong side',
      p_environment, c.version, c.balance_paise, b.balance_paise, o.n)
    from (select coalesce(max(x.version), 0) as version, coalesce(max(x.balance_paise), 0) as balance_paise
          from wallet_checkpoint x where x.developer_id = p_developer and x.environment = p_environment) c
    left join wallet_opening r on r.developer_id = p_developer and r.environment = p_environment
    cross join lateral (
      select count(*) as n from line l where pg_visible_in_snapshot(l.posted_in, (select ledger_checked())) <> (l.wallet_version <= c.version)) o
    cross join lateral (
      select case when c.version > p_after then (select l.running from line l where l.wallet_version = c.version)
        when c.version = p_after then p_balance
        when c.version = coalesce(r.version, 0) then coalesce(r.balance_paise, 0)
        else (select t.balance_after_paise from transfer t where t.developer_id = p_developer and t.environment = p_environment and t.wallet_version = c.version) end as balance_paise) b
    where (select ledger_checked()) is not null and (o.n > 0 or p_to is null and c.balance_paise is distinct from b.balance_paise)
  union all
  select x.rule, x.detail from correction_check() x where p_to is null and x.developer_id = p_developer and x.environment = p_environment
$f$;

-- Checks the orders and other postings of these developers, with IDs from p_from (of the first developer) to p_to (of the last
-- one). Each order is checked separately. Both boundaries are row comparisons, because a generic plan prefers the index on IDs,
-- which contains the orders of all developers in between as well. The rules also apply to orders without a transfer, and to
-- transfers without an order.
create function ledger_check_subjects(p_developers uuid[], p_from uuid, p_to uuid) returns table (rule text, developer_id uuid, detail text)
  language sql stable
  -- forces lookups by key and hash joins of the results, regardless of outdated statistics. A merge join would use only the first
  -- columns of a key, and thus read all references of a wallet for each of its entries.
  set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off set jit = off as $f$
  with wallet as not materialized (select x.* from wallet x where x.developer_id = any(p_developers)),
  orders as not materialized (
    select x.* from orders x where x.developer_id = any(p_developers)
      and (x.developer_id, x.id) >= ((select d from unnest(p_developers) d order by 1 limit 1), p_from)
      and (x.developer_id, x.id) <= ((select d from unnest(p_developers) d order by 1 desc limit 1), p_to)),
  ledger_entry as not materialized (select x.* from ledger_entry x where x.developer_id = any(p_developers) and x.subject_id >= p_from and x.subject_id <= p_to),
  -- only where a rule would find the entries of an order that has left: each use of the view takes time to plan
  booked_entry as not materialized (select x.* from booked_entry x where x.developer_id = any(p_developers) and x.subject_id >= p_from and x.subject_id <= p_to),
  transfer as not materialized (select x.* from transfer x where x.developer_id = any(p_developers) and x.subject_id >= p_from and x.subject_id <= p_to),
  order_due as not materialized (select x.* from order_due x where x.developer_id = any(p_developers) and x.order_id >= p_from and x.order_id <= p_to),
  order_review as not materialized (select x.* from order_review x where x.order_id >= p_from and x.order_id <= p_to),
  corrected as materialized (
    select distinct on (x.developer_id, x.subject_id) x.developer_id, x.subject_id, x.kind from transfer x
    where x.step > 2 order by x.developer_id, x.subject_id, x.step desc)
  select 'a transfer has a wallet', t.developer_id, t.subject_id::text
    from transfer t left join wallet w on w.developer_id = t.developer_id and w.environment = t.environment where w.developer_id is null
  union all
  select 'a posting without an order has its reference', t.developer_id, t.subject_id::text
    -- looks up each transfer instead of reading all references of the developer
    from transfer t left join lateral (
      select true as there from ledger_reference r where r.developer_id = t.developer_id and r.environment = t.environment and r.kind = t.kind
        and r.reference = case t.kind when 'lead_fee' then t.subject_id::text else reference_key(t.reference) end and r.posting_id = t.subject_id limit 1) r on true
    where t.kind in ('lead_fee', 'top_up', 'debit', 'correction') and r.there is null
  union all
  select 'a correction was approved', t.developer_id, t.subject_id::text
    from transfer t where t.kind = 'correction' and not exists (select from wallet_correction c where c.posting_id = t.subject_id)
  union all
  select 'an order has one hold of its amount', o.developer_id, o.id::text
    from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 1
    where t.kind is distinct from 'hold' or t.amount_paise <> o.amount_paise or t.environment <> o.environment or t.operation <> o.operation or t.reference <> o.reference
  union all
  select 'a resolution has the amount of its order', o.developer_id, o.id::text
    from orders o join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step > 1
    where t.amount_paise <> o.amount_paise or t.environment <> o.environment or t.operation <> o.operation or t.reference <> o.reference
  union all
  select 'a transfer of an order has an order', t.developer_id, t.subject_id::text
    from booked_entry t left join orders o on o.developer_id = t.developer_id and o.id = t.subject_id
    where t.kind in ('hold', 'settle', 'refund', 'reversal', 'refund_reversal') and o.id is null
  union all
  select 'order state agrees with its last transfer', o.developer_id, format('%s %s %s', o.id, o.state, coalesce(c.kind, t.kind))
    from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 2
    left join corrected c on c.developer_id = o.developer_id and c.subject_id = o.id
    where case o.state when 'success' then coalesce(c.kind, t.kind, '') not in ('settle', 'refund_reversal', 'reversal')
      when 'failed' then coalesce(c.kind, t.kind, '') <> 'refund' else t.kind is not null or c.kind is not null end
  union all
  select 'a reversed order has its reversal', o.developer_id, o.id::text
    from orders o left join corrected c on c.developer_id = o.developer_id and c.subject_id = o.id
    where (o.reversed_at is not null) <> coalesce(c.kind = 'reversal', false)
  union all
  select 'a reversal or refund reversal undoes the previous transfer', t.developer_id, format('%s step %s %s', t.subject_id, t.step, t.kind)
    from transfer t left join transfer b on b.developer_id = t.developer_id and b.subject_id = t.subject_id and b.step = t.step - 1
    where t.step > 2 and case t.kind when 'reversal' then coalesce(b.kind, '') not in ('settle', 'refund_reversal')
      else coalesce(b.kind, '') not in ('refund', 'reversal') end
  union all
  select 'a pending order is scheduled for a status check or in review', o.developer_id, o.id::text
    from orders o left join order_due q on q.developer_id = o.developer_id and q.order_id = o.id
    left join order_review v on v.order_id = o.id and v.reason = 'review'
    where case o.state when 'open' then q.waited_for is not true or v.order_id is not null else (o.state = 'review') <> (v.order_id is not null) end
  union all
  select 'money in flight is the sum of open orders', e.developer_id, format('%s: %s <> %s', e.environment, e.in_flight, coalesce(o.total, 0))
    from (select x.developer_id, x.environment, sum(case when to_account = 'in_flight' then amount_paise when from_account = 'in_flight' then -amount_paise else 0 end) as in_flight
          from ledger_entry x group by 1, 2) e
    left join (select x.developer_id, x.environment, sum(amount_paise) as total from orders x where state in ('open', 'review') group by 1, 2) o
      on o.developer_id = e.developer_id and o.environment = e.environment
    where e.in_flight <> coalesce(o.total, 0)
  union all
  select 'provider payable is successes minus reversals', e.developer_id, format('%s: %s <> %s', e.environment, e.payable, coalesce(o.total, 0))
    from (select x.developer_id, x.environment, sum(case when to_account = 'provider_payable' then amount_paise when from_account = 'provider_payable' then -amount_paise else 0 end) as payable
          from booked_entry x group by 1, 2) e
    left join (select x.developer_id, x.environment, sum(amount_paise) as total from orders x
               where state = 'success' and reversed_at is null and operation in ('recharge', 'card_payment') group by 1, 2) o
      on o.developer_id = e.developer_id and o.environment = e.environment
    where e.payable <> coalesce(o.total, 0)
$f$;

-- All violated invariants of these developers, one row each; empty if there are none. Reads all their data, trusts no checkpoint
-- and verifies their checkpoints. Developers are independent of each other, so a long check runs developer by developer, each in
-- a separate snapshot. A wallet starts at its opening record (wallet_opening), if any. Transfers of orders that were not archived
-- and precede the opening record are part of its balance, and of the rules about orders.
create function ledger_check_of(p_developers uuid[]) returns table (rule text, developer_id uuid, detail text)
  language sql stable as $f$
  select l.rule, d.id, l.detail from unnest(p_developers) d(id) cross join (values ('production'), ('uat')) e(environment)
    left join wallet_opening r on r.developer_id = d.id and r.environment = e.environment
    cross join lateral ledger_check_lines(d.id, e.environment, coalesce(r.version, 0), coalesce(r.balance_paise, 0), null) l
  union all
  select * from ledger_check_subjects(p_developers, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$f$;

-- All violations for all developers, in one snapshot.
create function ledger_check() returns table (rule text, developer_id uuid, detail text) language sql stable as $f$
  select * from ledger_check_of(array(select ledger_developers())) union all select * from archive_check()
$f$;

-- Totals of the transfers of these developers that are visible in p_snapshot, for subjects from p_from to p_to. Archived amounts
-- are in archived_total.
create function ledger_totals(p_developers uuid[], p_snapshot pg_snapshot, p_from uuid, p_to uuid)
  returns table (environment text, account text, provider text, day date, amount_paise numeric) language sql stable as $f$
  select e.environment, m.account, coalesce(o.provider, ''), (e.created_at at time zone 'Asia/Kolkata')::date, sum(m.change)
    from booked_entry e left join orders o on o.developer_id = e.developer_id and o.id = e.subject_id
      -- implied by the transfer; prevents a hash join from reading all orders
      and o.developer_id = any(p_developers)
      and (o.developer_id, o.id) >= ((select d from unnest(p_developers) d order by 1 limit 1), p_from)
      and (o.developer_id, o.id) <= ((select d from unnest(p_developers) d order by 1 desc limit 1), p_to)
    cross join lateral (values (e.from_account, -e.amount_paise), (e.to_account, e.amount_paise)) m(account, change)
    where e.developer_id = any(p_developers) and e.subject_id >= p_from and e.subject_id <= p_to and m.account <> 'wallet'
      and pg_visible_in_snapshot(e.posted_in, p_snapshot)
    group by 1, 2, 3, 4
$f$;

-- Checks everything posted since the last check without findings, with the same rules, and then moves the checkpoints forward.
-- While there is a violation, the checkpoints are not moved, so the violation is reported until it is fixed.
--
-- Every money movement is checked. Each is a row of transfer with its transaction number (posted_in). If the transaction is
-- visible in the earlier snapshot, it had committed before, so that check included its transfers. All other transactions are
-- checked now, including those that started long before the earlier check and committed after it. The state of an order must
-- match its transfers. It changes only in the statement that posts a transfer (hold, settle, refund, reversal, refund_reversal),
-- and every order with a new transfer is checked with all its transfers. Open and review are equivalent for the money. All
-- wallets are read, because there are only a few per developer, and a balance can be changed without a transfer. Later manual
-- changes to an order or an old transfer by the owner of the tables are detected by the full check.
create function ledger_check_new() returns table (rule text, developer_id uuid, detail text)
  language plpgsql volatile security definer set search_path = public, pg_temp
  -- forces lookups by key and hash joins of the results, regardless of outdated statistics
  set enable_seqscan = off set enable_nestloop = off set jit = off set lock_timeout = 0 as $f$
#variable_conflict use_column
declare v_since pg_snapshot; v_orders_from uuid; v_system bigint; v_verified_at timestamptz;
begin
  if pg_current_xact_id_if_assigned() is not null then  -- the snapshot could not identify the postings of its own transaction
    raise exception 'the ledger must be checked in a separate transaction' using errcode = '25001';
  end if;
  -- one check at a time; a second one waits and continues where the first one ended
  select c.snapshot, c.verified_at into v_since, v_verified_at from ledger_checkpoint c for update;
  select s.system_identifier into v_system from pg_control_system() s;
  if not ledger_counted_here() then
    delete from wallet_checkpoint;
    delete from ledger_total;
    -- only checked transfers have been archived
    insert into ledger_total select * from archived_total;
    -- the few rows that ledger_renumber has not processed
    update transfer t set posted_in = '3' where t.posted_in >= pg_snapshot_xmin(pg_current_snapshot());
    v_since := '3:3:';
    v_verified_at := '-infinity';
  end if;
  -- orders without a transfer are found by ID, which contains the creation time by the clock of the process that created it
  v_orders_from := case when v_verified_at = '-infinity' then '00000000-0000-0000-0000-000000000000'
    else first_id_at(v_verified_at - interval '5 minutes') end;
  -- a single statement, so that everything is compared in one snapshot
  return query
  with bases as materialized (
    select w.*, coalesce(c.version, r.version, 0) as checked_version, coalesce(c.balance_paise, r.balance_paise, 0) as checked_balance,
      -- the wallet has only an opening record, not a checkpoint
      c.developer_id is null and r.developer_id is not null as opened
    from wallet w left join wallet_checkpoint c on c.developer_id = w.developer_id and c.environment = w.environment
    left join wallet_opening r on r.developer_id = w.developer_id and r.environment = w.environment),
  fresh as materialized (
    select e.developer_id, e.subject_id, e.kind, e.environment, e.reference, e.amount_paise, e.wallet_version, e.balance_after_paise, e.wallet_change,
      e.from_account, e.to_account, (e.created_at at time zone 'Asia/Kolkata')::date as day, coalesce(o.provider, '') as provider,
      -- part of the balance in the opening record
      b.opened and e.wallet_version <= b.checked_version as in_opening
    from booked_entry e
    left join bases b on b.developer_id = e.developer_id and b.environment = e.environment
    left join lateral (select x.provider from orders x where x.developer_id = e.developer_id and x.id = e.subject_id limit 1) o on true
    where e.posted_in >= pg_snapshot_xmin(v_since) and not pg_visible_in_snapshot(e.posted_in, v_since)),
  reopenings as materialized (
    select g.developer_id, g.environment, g.version, g.change_paise from wallet_reopening g
    join bases b on b.developer_id = g.developer_id and b.environment = g.environment where g.version >= b.checked_version),
  wallets as materialized (
    select w.*, coalesce(f.n, 0) as n, f.lowest, f.highest, coalesce(f.total, 0) + coalesce(g.total, 0) as total, coalesce(g.last, 0) as reopened_last
    from bases w
    left join (
      select x.developer_id, x.environment, sum(x.change_paise) as total, sum(x.change_paise) filter (where x.version = v.version) as last
      from reopenings x join wallet v on v.developer_id = x.developer_id and v.environment = x.environment group by 1, 2) g
      on g.developer_id = w.developer_id and g.environment = w.environment
    left join (
      select x.developer_id, x.environment, count(x.wallet_version) as n, min(x.wallet_version) as lowest, max(x.wallet_version) as highest, sum(x.wallet_change) as total
      from fresh x where x.in_opening is not true group by 1, 2) f on f.developer_id = w.developer_id and f.environment = w.environment),
  -- entries that do not follow from the checked balance; an opening record applies right after its version
  off as materialized (
    select z.developer_id, z.environment, min(z.wallet_version) as version, count(*) as lines,
      (array_agg(z.balance_after_paise - z.running order by z.wallet_version))[1] as by
    from (
      select x.*, coalesce(w.checked_balance, 0)
          + sum(x.change) over (partition by x.developer_id, x.environment order by x.wallet_version, x.balance_after_paise is null) as running
      from (
        select f.developer_id, f.environment, f.wallet_version, f.balance_after_paise, f.wallet_change as change
        from fresh f where f.wallet_version is not null and f.in_opening is not true
        union all select g.developer_id, g.environment, g.version, null, g.change_paise from reopenings g) x
      left join bases w on w.developer_id = x.developer_id and w.environment = x.environment) z
    where z.running <> z.balance_after_paise group by 1, 2),
  touched as materialized (
    select s.developer_id, s.subject_id, o.* from (
      select distinct x.developer_id, x.subject_id from fresh x where x.kind in ('hold', 'settle', 'refund', 'reversal', 'refund_reversal')) s
    left join lateral (
      select x.environment, x.operation, x.reference, x.amount_paise, x.state, x.reversed_at from orders x
      where x.developer_id = s.developer_id and x.id = s.subject_id limit 1) o on true),
  judged as materialized (
    select d.*, p.*, d.state = 'success' and d.reversed_at is null and d.operation in ('recharge', 'card_payment') as pays from touched d
    cross join lateral (
      select coalesce(bool_or(t.step = 1 and t.kind = 'hold' and t.same), false) as held,
        coalesce(bool_or(t.step > 1 and not t.same), false) as other_amount,
        (array_agg(t.kind order by t.step desc) filter (where t.step > 1))[1] as last_kind,
        (array_agg(t.kind order by t.step desc) filter (where t.step > 2))[1] as corrected,
        array_agg(t.step || ' ' || t.kind order by t.step) filter (where t.step > 2
          and case t.kind when 'reversal' then coalesce(t.before, '') not in ('settle', 'refund_reversal') else coalesce(t.before, '') not in ('refund', 'reversal') end) as undoes_nothing,
        coalesce(sum(case 'provider_payable' when t.to_account then t.amount_paise when t.from_account then -t.amount_paise end), 0) as payable
      from (
        select e.*, e.amount_paise = d.amount_paise and e.environment = d.environment and e.operation = d.operation and coalesce(e.reference = d.reference, true) as same,
          case when lag(e.step) over s = e.step - 1 then lag(e.kind) over s end as before
        from ledger_entry e where e.developer_id = d.developer_id and e.subject_id = d.subject_id window s as (order by e.step)) t) p),
  moved as materialized (
    select f.environment, m.account, f.provider, f.day, sum(m.change)::bigint as amount_paise
    from fresh f cross join lateral (values (f.from_account, -f.amount_paise), (f.to_account, f.amount_paise)) m(account, change)
    where m.account <> 'wallet' group by 1, 2, 3, 4),
  found as materialized (
    select 'balance is the sum of transfers' as rule, w.developer_id, format('%s: wrong from version %s on by %s paise, %s entries; balance %s, sum of transfers %s',
        w.environment, coalesce(x.version, w.version + 1), coalesce(x.by, w.balance_paise - w.checked_balance - w.total), coalesce(x.lines, 0),
        w.balance_paise, w.checked_balance + w.total) as detail
      from wallets w left join off x on x.developer_id = w.developer_id and x.environment = w.environment
      where x.version is not null or w.balance_paise <> w.checked_balance + w.total
    union all
    select 'wallet versions have no gap', w.developer_id, format('%s: version %s, %s rows, %s..%s', w.environment, w.version, w.n, w.lowest, w.highest)
      from wallets w where w.version <> w.checked_version + w.n or coalesce(w.highest, w.version) <> w.version or coalesce(w.lowest, w.version + 1) <> w.version + 1 - w.n
    union all
    select 'a transfer has a wallet', f.developer_id, f.subject_id::text
      from fresh f left join wallets w on w.developer_id = f.developer_id and w.environment = f.environment where w.developer_id is null
    union all
    select 'a transfer has a wallet', c.developer_id, format('%s: version %s', c.environment, c.version)
      from wallet_checkpoint c left join wallets w on w.developer_id = c.developer_id and w.environment = c.environment where w.developer_id is null
    union all
    select 'an opening record is the sum of archived and remaining transfers', r.developer_id, format('%s: version %s with %s, %s archived with %s, %s remaining with %s',
        r.environment, r.version, r.balance_paise, r.left_lines, r.left_paise, s.n, s.total)
      from wallet_opening r cross join lateral (
        select count(*) as n, coalesce(sum(e.wallet_change), 0) as total, coalesce(bool_or(e.kind in ('lead_fee', 'top_up', 'debit', 'correction')), false) as of_no_order from booked_entry e
        where e.developer_id = r.developer_id and e.environment = r.environment and e.wallet_version <= r.version) s
      where r.left_lines + s.n <> r.version or s.of_no_order
      or r.left_paise + s.total + reopened(r.developer_id, r.environment, 0, r.version) <> r.balance_paise
      or not exists (select from wallet w where w.developer_id = r.developer_id and w.environment = r.environment)
    union all
    select 'a posting without an order has its reference', f.developer_id, f.subject_id::text
      from fresh f left join lateral (
        select true as there from ledger_reference r where r.developer_id = f.developer_id and r.environment = f.environment and r.kind = f.kind
          and r.reference = case f.kind when 'lead_fee' then f.subject_id::text else reference_key(f.reference) end and r.posting_id = f.subject_id limit 1) r on true
      where f.kind in ('lead_fee', 'top_up', 'debit', 'correction') and r.there is null
    union all
    select 'a correction was approved', f.developer_id, f.subject_id::text
      from fresh f where f.kind = 'correction' and not exists (select from wallet_correction c where c.posting_id = f.subject_id)
    union all
    select x.rule, x.developer_id, x.detail from correction_check() x
    union all
    select a.rule, a.developer_id, a.detail from archive_check() a
    union all
    select 'an order has one hold of its amount', j.developer_id, j.subject_id::text from judged j where j.state is not null and not j.held
    union all
    select 'an order has one hold of its amount', o.developer_id, o.id::text from orders o
      left join lateral (select true as there from transfer t where t.developer_id = o.developer_id and t.subject_id = o.id limit 1) t on true
      where o.id >= v_orders_from and t.there is null
    union all
    select 'a resolution has the amount of its order', j.developer_id, j.subject_id::text from judged j where j.state is not null and j.other_amount
    union all
    select 'a transfer of an order has an order', j.developer_id, j.subject_id::text from judged j where j.state is null
    union all
    select 'order state agrees with its last transfer', j.developer_id, format('%s %s %s', j.subject_id, j.state, j.last_kind)
      from judged j where case j.state when 'success' then coalesce(j.last_kind, '') not in ('settle', 'refund_reversal', 'reversal')
        when 'failed' then coalesce(j.last_kind, '') <> 'refund' else j.state is not null and j.last_kind is not null end
    union all
    select 'a reversed order has its reversal', j.developer_id, j.subject_id::text
      from judged j where j.state is not null and (j.reversed_at is not null) <> coalesce(j.corrected = 'reversal', false)
    union all
    select 'a reversal or refund reversal undoes the previous transfer', j.developer_id, format('%s step %s', j.subject_id, u.step)
      from judged j cross join lateral unnest(j.undoes_nothing) u(step)
    union all
    select 'a pending order is scheduled for a status check or in review', j.developer_id, j.subject_id::text
      from judged j left join order_due q on q.developer_id = j.developer_id and q.order_id = j.subject_id
      left join order_review v on v.order_id = j.subject_id and v.reason = 'review'
      where case j.state when 'open' then q.waited_for is not true or v.order_id is not null else (j.state = 'review') <> (v.order_id is not null) end
    union all
    select 'money in flight is the sum of open orders', null, format('%s %s: %s <> %s', b.environment, b.provider, b.total, b.waiting)
      from (
        select x.environment, x.provider, sum(x.booked) as total, sum(x.waiting) as waiting from (
          select t.environment, t.provider, t.amount_paise as booked, 0 as waiting from ledger_total t where t.account = 'in_flight'
          union all
          select m.environment, m.provider, m.amount_paise, 0 from moved m where m.account = 'in_flight'
          union all
          select o.environment, o.provider, 0, o.amount_paise from order_due q
            cross join lateral (select * from orders x where x.developer_id = q.developer_id and x.id = q.order_id limit 1) o
            where q.waited_for and o.state = 'open'
          union all
          select o.environment, o.provider, 0, o.amount_paise from order_review v
            cross join lateral (select * from orders x where x.developer_id = v.developer_id and x.id = v.order_id limit 1) o
            where v.reason = 'review' and o.state = 'review') x
        group by 1, 2) b
      where b.total <> b.waiting
    union all
    select 'provider payable is successes minus reversals', j.developer_id, format('%s %s: %s', j.environment, j.subject_id, j.payable)
      from judged j where j.payable <> case when j.pays then j.amount_paise else 0 end),
  verified as (
    update ledger_checkpoint c set snapshot = pg_current_snapshot(), system_identifier = v_system, verified_at = now()
    where not exists (select from found)),
  balanced as (
    insert into wallet_checkpoint (developer_id, environment, version, balance_paise, verified_at)
    select w.developer_id, w.environment, w.version, w.balance_paise - w.reopened_last, now() from wallets w where (w.n > 0 or w.opened) and not exists (select from found)
    on conflict (developer_id, environment) do update set version = excluded.version, balance_paise = excluded.balance_paise, verified_at = excluded.verified_at),
  added as (
    insert into ledger_total (environment, account, provider, day, amount_paise)
    select m.* from moved m where not exists (select from found)
    on conflict (environment, account, provider, day) do update set amount_paise = ledger_total.amount_paise + excluded.amount_paise)
  select f.rule, f.developer_id, f.detail from found f;
end $f$;

grant select on ledger_entry, booked_entry to gateway_app;
revoke all on function ledger_check, ledger_check_of, ledger_check_lines, ledger_check_subjects, ledger_check_new, ledger_counted_here, ledger_renumber, ledger_totals, ledger_developers, ledger_checked, archive_check, correction_check, reopened from public;
grant execute on function ledger_check, ledger_check_of, ledger_check_lines, ledger_check_subjects, ledger_check_new, ledger_counted_here, ledger_renumber, ledger_totals, ledger_developers, ledger_checked, archive_check, correction_check, reopened to gateway_app;
