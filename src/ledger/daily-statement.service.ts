import { indianDays, startOfIndianDay } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { add, type Paise, paise, subtract, ZERO } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';

/** One day of a wallet in Indian time: opening + credits − debits = closing, and closing is the next day's opening. */
export interface StatementDay {
  /** YYYY-MM-DD. */
  date: string;
  openingPaise: Paise;
  creditsPaise: Paise;
  /** Not negative. */
  debitsPaise: Paise;
  closingPaise: Paise;
  /** The wallet versions of the day's lines: from `firstVersion` to before `endVersion`. */
  firstVersion: bigint;
  endVersion: bigint;
}

/**
 * A line carries the start of the transaction that posted it, so one that waited for the wallet can be older than the line
 * before it. Lock and statement timeouts keep that far below this; the search starts so much earlier and then walks.
 */
const MAX_DISORDER = '1 minute';

/**
 * The first version at or after each instant, by binary search along the versions, which have no gap: some twenty index reads
 * whatever the wallet's size, and no index on time that every posting would have to maintain.
 */
const BOUNDARIES = `
  with recursive search(instant, low, high) as (
    select i, 0::bigint, w.version + 1 from wallet w cross join unnest($3::timestamptz[]) i where w.developer_id = $1 and w.environment = $2
    union all
    select s.instant, case when t.early then s.middle else s.low end, case when t.early then s.high else s.middle end
    from (select instant, low, high, (low + high) / 2 as middle from search where high - low > 1) s
    cross join lateral (
      select x.created_at < s.instant - interval '${MAX_DISORDER}' as early from transfer x
      where x.developer_id = $1 and x.environment = $2 and x.wallet_version = s.middle) t),
  narrowed as (select instant, max(low) as low from search group by instant)
  select coalesce(
      (select x.wallet_version from transfer x where x.developer_id = $1 and x.environment = $2 and x.wallet_version > n.low and x.created_at >= n.instant
        order by x.wallet_version limit 1),
      (select w.version + 1 from wallet w where w.developer_id = $1 and w.environment = $2))::text as version
  from narrowed n order by n.instant`;

const OPENING = `select balance_after_paise::text as balance from transfer where developer_id = $1 and environment = $2 and wallet_version = $3::bigint`;

/** A line belongs to the day that its wallet has reached: never to an earlier day than the line before it. */
const DAYS = `
  with lines as (
    select e.wallet_version, e.wallet_change, max(e.created_at) over (order by e.wallet_version) as reached from ledger_entry e
    where e.developer_id = $1 and e.environment = $2 and e.wallet_version >= $3::bigint and e.wallet_version < $4::bigint)
  select width_bucket(reached, $5::timestamptz[]) as day, max(wallet_version)::text as last,
    coalesce(sum(wallet_change) filter (where wallet_change > 0), 0)::text as credits,
    coalesce(sum(-wallet_change) filter (where wallet_change < 0), 0)::text as debits
  from lines group by 1`;

interface DayRow {
  /** 1 for the first day. */
  day: number;
  last: string;
  credits: string;
  debits: string;
}

/** Opening and closing balances per day. */
export class DailyStatementService {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Every day from `from` to `to`, both included, in order; days that have not begun are left out. */
  async days(developerId: DeveloperId, environment: Environment, from: string, to: string): Promise<StatementDay[]> {
    const dates = indianDays(from, to).filter((date) => startOfIndianDay(date).getTime() <= Date.now());
    if (dates.length === 0) return [];
    const starts = dates.map((date) => startOfIndianDay(date));
    const end = startOfIndianDay(dates.at(-1)!, 1);
    const { first, last } = await this.#boundaries(developerId, environment, starts[0]!, end);
    const [opening, byDay] = await Promise.all([
      this.#balanceAt(developerId, environment, first - 1n),
      this.#sums(developerId, environment, first, last, starts),
    ]);

    let version = first;
    let balance = opening;
    return dates.map((date, index) => {
      const row = byDay.get(index + 1);
      const day = {
        date,
        openingPaise: balance,
        creditsPaise: row ? paise(row.credits) : ZERO,
        debitsPaise: row ? paise(row.debits) : ZERO,
        firstVersion: version,
      };
      balance = subtract(add(balance, day.creditsPaise), day.debitsPaise);
      if (row) version = BigInt(row.last) + 1n;
      return { ...day, closingPaise: balance, endVersion: version };
    });
  }

  /** The first versions at or after two instants; both 1 without a wallet. */
  async #boundaries(
    developerId: DeveloperId,
    environment: Environment,
    from: Date,
    to: Date,
  ): Promise<{ first: bigint; last: bigint }> {
    const { rows } = await this.#db.query<{ version: string }>({
      name: 'statement-boundaries',
      text: BOUNDARIES,
      values: [developerId, environment, [from.toISOString(), to.toISOString()]],
    });
    return { first: BigInt(rows[0]?.version ?? 1), last: BigInt(rows[1]?.version ?? 1) };
  }

  async #balanceAt(developerId: DeveloperId, environment: Environment, version: bigint): Promise<Paise> {
    const { rows } = await this.#db.query<{ balance: string }>({
      name: 'statement-opening',
      text: OPENING,
      values: [developerId, environment, String(version)],
    });
    return paise(rows[0]?.balance ?? 0);
  }

  async #sums(
    developerId: DeveloperId,
    environment: Environment,
    first: bigint,
    end: bigint,
    starts: readonly Date[],
  ): Promise<Map<number, DayRow>> {
    const { rows } = await this.#db.query<DayRow>({
      name: 'statement-days',
      text: DAYS,
      values: [developerId, environment, String(first), String(end), starts.map((start) => start.toISOString())],
    });
    return new Map(rows.map((row) => [row.day, row]));
  }
}
