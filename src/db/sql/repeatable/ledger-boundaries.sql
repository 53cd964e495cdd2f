drop function if exists wallet_days;
drop function if exists wallet_boundaries;

-- First version of a wallet at or after each time, found by binary search over the versions, which have no gaps after the opening
-- record. This takes about twenty index reads for any size, and needs no index on time that every posting would have to maintain.
-- The time of an entry is the start of its transaction, so an entry that waited for the wallet can be older than the previous
-- one. Lock and statement timeouts limit this difference to far less than a minute, so the search starts earlier and then scans.
-- Each step reads one row (`limit 1`); otherwise a generic plan would join all entries of the wallet, because it assumes an
-- average number of them.
create function wallet_boundaries(p_developer uuid, p_environment text, p_instants timestamptz[])
  returns table (instant timestamptz, version bigint) language sql stable set enable_seqscan = off as $f$
  with recursive search(instant, low, high) as (
    select i, coalesce(o.version, 0), w.version + 1 from wallet w
    left join wallet_opening o on o.developer_id = w.developer_id and o.environment = w.environment
    cross join unnest(p_instants) i where w.developer_id = p_developer and w.environment = p_environment
    union all
    select s.instant, case when t.early then s.middle else s.low end, case when t.early then s.high else s.middle end
    from (select instant, low, high, (low + high) / 2 as middle from search where high - low > 1) s
    cross join lateral (
      select x.created_at < s.instant - interval '1 minute' as early from transfer x
      where x.developer_id = p_developer and x.environment = p_environment and x.wallet_version = s.middle limit 1) t),
  narrowed as (select instant, max(low) as low from search group by instant)
  select n.instant, coalesce(
      (select x.wallet_version from transfer x
        where x.developer_id = p_developer and x.environment = p_environment and x.wallet_version > n.low and x.created_at >= n.instant
        order by x.wallet_version limit 1),
      (select w.version + 1 from wallet w where w.developer_id = p_developer and w.environment = p_environment))
  from narrowed n order by n.instant
$f$;

-- Start of each day: the version of the first entry, the balance before it, and the credits until the start of the next day. The
-- first entry of a day is the first one that is not older than the start of the day; older entries after it belong to the day as
-- well. Debits are derived from the balances, so only credits are read. Most entries are holds, which are skipped.
create function wallet_days(p_developer uuid, p_environment text, p_starts timestamptz[])
  returns table (instant timestamptz, version bigint, balance bigint, credits numeric) language sql stable set enable_seqscan = off as $f$
  select b.instant, b.version,
    coalesce(
      (select x.balance_after_paise from transfer x
        where x.developer_id = p_developer and x.environment = p_environment and x.wallet_version = b.version - 1 limit 1),
      (select o.balance_paise from wallet_opening o
        where o.developer_id = p_developer and o.environment = p_environment and o.version = b.version - 1),
      0),
    (select coalesce(sum(x.amount_paise), 0) from transfer x
      where x.developer_id = p_developer and x.environment = p_environment and x.kind in ('top_up', 'refund', 'reversal', 'correction')
        and x.operation <> 'correction_out' and x.wallet_version >= b.version and x.wallet_version < b.next)
    -- balance changes without an entry, from opening records
    + (select coalesce(sum(g.change_paise), 0) from wallet_reopening g
      where g.developer_id = p_developer and g.environment = p_environment and g.change_paise > 0
        and g.version >= b.version - 1 and g.version < b.next - 1)
  from (select w.instant, w.version, lead(w.version, 1, w.version) over (order by w.instant) as next
    from wallet_boundaries(p_developer, p_environment, p_starts) w) b order by b.instant
$f$;

revoke all on function wallet_boundaries, wallet_days from public;
grant execute on function wallet_boundaries, wallet_days to gateway_app;
