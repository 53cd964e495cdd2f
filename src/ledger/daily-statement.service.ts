import { indianDays, indianTime, startOfIndianDay } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { fieldError } from '../core/errors.js';
import { add, type Paise, paise, subtract, ZERO } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { WalletKey } from './wallet.reader.js';
import { type Boundaries, boundariesOf, type Instants } from './wallet-boundaries.js';

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

/** Of many wallets at once, `n` being the place of each from 1 on. */
const WALLETS = 'unnest($1::uuid[], $2::text[]) with ordinality k(owner, world, n)';

const KEPT_SINCE = `
  select k.n::integer, o.before from ${WALLETS}
  cross join lateral (select x.before from wallet_opening x where x.developer_id = k.owner and x.environment = k.world limit 1) o`;

/** The balance right after a version: of its line, or of the opening line when its own has left. */
const OPENING = `
  select k.n::integer, b.balance from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality k(owner, world, version, n)
  cross join lateral (
    select x.balance_after_paise::text as balance from transfer x
    where x.developer_id = k.owner and x.environment = k.world and x.wallet_version = k.version
    union all
    select o.balance_paise::text from wallet_opening o
    where o.developer_id = k.owner and o.environment = k.world and o.version = k.version limit 1) b`;

/** A line belongs to the day that its wallet has reached: never to an earlier day than the line before it. */
const DAYS = `
  select k.n::integer, d.*
  from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::text[]) with ordinality k(owner, world, first, last, starts, n)
  cross join lateral (
    select width_bucket(reached, k.starts::timestamptz[]) as day, max(wallet_version)::text as last,
      coalesce(sum(wallet_change) filter (where wallet_change > 0), 0)::text as credits,
      coalesce(sum(-wallet_change) filter (where wallet_change < 0), 0)::text as debits
    from (
      select e.wallet_version, e.wallet_change, max(e.created_at) over (order by e.wallet_version) as reached from ledger_entry e
      where e.developer_id = k.owner and e.environment = k.world and e.wallet_version >= k.first and e.wallet_version < k.last) lines
    group by 1) d`;

interface DayRow {
  /** 1 for the first day. */
  day: number;
  last: string;
  credits: string;
  debits: string;
}

interface Versions extends WalletKey {
  first: bigint;
  end: bigint;
  starts: readonly Date[];
}

/** Opening and closing balances per day. What is asked of many wallets at once is read with one statement each. */
export class DailyStatementService {
  readonly #keptSince: Loader<WalletKey, string | undefined>;
  readonly #boundaries: Loader<Instants, Boundaries>;
  readonly #balances: Loader<WalletKey & { version: bigint }, string | undefined>;
  readonly #sums: Loader<Versions, DayRow[]>;

  constructor(db: Queryable) {
    /** The rows of each key, in no order. */
    const reader =
      <Key extends WalletKey, Row extends object>(
        name: string,
        text: string,
        columns: (keys: readonly Key[]) => unknown[],
      ) =>
      async (keys: readonly Key[]): Promise<Row[][]> => {
        const { rows } = await db.query<Row & { n: number }>({
          name,
          text,
          values: [
            keys.map(({ developerId }) => developerId),
            keys.map(({ environment }) => environment),
            ...columns(keys),
          ],
        });
        const found = Map.groupBy(rows, ({ n }) => n - 1);
        return keys.map((_key, index) => found.get(index) ?? []);
      };
    const kept = reader<WalletKey, { before: string }>('statement-kept-since', KEPT_SINCE, () => []);
    this.#keptSince = batchedLoader(async (keys) => (await kept(keys)).map(([row]) => row?.before));
    this.#boundaries = boundariesOf(db);
    const balances = reader<WalletKey & { version: bigint }, { balance: string }>(
      'statement-opening',
      OPENING,
      (keys) => [keys.map(({ version }) => String(version))],
    );
    this.#balances = batchedLoader(async (keys) => (await balances(keys)).map(([row]) => row?.balance));
    this.#sums = batchedLoader(
      reader<Versions, DayRow>('statement-days', DAYS, (keys) => [
        keys.map(({ first }) => String(first)),
        keys.map(({ end }) => String(end)),
        // an array in an array would have to be as long as its neighbours
        keys.map(({ starts }) => `{${starts.map((start) => start.toISOString()).join(',')}}`),
      ]),
    );
  }

  /**
   * Refuses days whose lines have been archived: what is left of them is a balance, so nothing can be said of their lines.
   * Errors: VALIDATION_FAILED with the first day that is kept.
   */
  async requireKept(developerId: DeveloperId, environment: Environment, from: string): Promise<void> {
    const before = await this.#keptSince.load({ developerId, environment });
    const first = before && indianTime(new Date(before)).slice(0, 10);
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
    const wallet = { developerId, environment };
    const { first, end: last } = await this.#boundaries.load({ ...wallet, first: starts[0]!, last: end });
    const [opening, rows] = await Promise.all([
      this.#balances.load({ ...wallet, version: first - 1n }),
      this.#sums.load({ ...wallet, first, end: last, starts }),
    ]);
    const byDay = new Map(rows.map((row) => [row.day, row]));

    let version = first;
    let balance = paise(opening ?? 0);
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
}
