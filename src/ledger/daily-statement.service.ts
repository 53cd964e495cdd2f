import { indianDays, indianTime, startOfIndianDay } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { fieldError } from '../core/errors.js';
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

/** The first version at or after each instant. */
const BOUNDARIES = 'select version::text from wallet_boundaries($1, $2, $3::timestamptz[]) order by instant';

/** The balance right after a version: of its line, or of the opening line when its own has left. */
const OPENING = `
  select balance_after_paise::text as balance from transfer where developer_id = $1 and environment = $2 and wallet_version = $3::bigint
  union all
  select balance_paise::text from wallet_opening where developer_id = $1 and environment = $2 and version = $3::bigint limit 1`;

const KEPT_SINCE = 'select before from wallet_opening where developer_id = $1 and environment = $2';

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

  /**
   * Refuses days whose lines have been archived: what is left of them is a balance, so nothing can be said of their lines.
   * Errors: VALIDATION_FAILED with the first day that is kept.
   */
  async requireKept(developerId: DeveloperId, environment: Environment, from: string): Promise<void> {
    const { rows } = await this.#db.query<{ before: string }>({
      name: 'statement-kept-since',
      text: KEPT_SINCE,
      values: [developerId, environment],
    });
    const first = rows[0] && indianTime(new Date(rows[0].before)).slice(0, 10);
    if (first && from < first)
      throw fieldError('from', 'RANGE', `Must not be before ${first}: earlier lines are archived.`);
  }

  /**
   * Every day from `from` to `to`, both included, in order; days that have not begun are left out. Errors: VALIDATION_FAILED, as
   * `requireKept` says.
   */
  async days(developerId: DeveloperId, environment: Environment, from: string, to: string): Promise<StatementDay[]> {
    await this.requireKept(developerId, environment, from);
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
