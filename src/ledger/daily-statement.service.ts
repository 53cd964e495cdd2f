import { indianDay, indianDays, startOfIndianDay } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { fieldError } from '../core/errors.js';
import { add, type Paise, paise, subtract } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { WalletKey } from './wallet.reader.js';

/**
 * Calendar day (IST) of a wallet: opening + credits − debits = closing. The closing balance is the opening balance of the next
 * day.
 */
export interface StatementDay {
  /** Date in the form YYYY-MM-DD. */
  date: string;
  openingPaise: Paise;
  creditsPaise: Paise;
  /** Total debits, not negative. */
  debitsPaise: Paise;
  closingPaise: Paise;
  /** Wallet versions of the entries of the day: from `firstVersion` (inclusive) to `endVersion` (exclusive). */
  firstVersion: bigint;
  endVersion: bigint;
}

/** Wallets to read. `n` is the index of each wallet, starting at 1. */
const WALLETS = 'unnest($1::uuid[], $2::text[]) with ordinality k(owner, world, n)';

const KEPT_SINCE = `
  select k.n::integer, o.before from ${WALLETS}
  cross join lateral (select x.before from wallet_opening x where x.developer_id = k.owner and x.environment = k.world limit 1) o`;

const DAYS = `
  select k.n::integer, d.version::text, d.balance::text, d.credits::text from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality k(owner, world, starts, n)
  cross join lateral wallet_days(k.owner, k.world, k.starts::timestamptz[]) d order by k.n, d.instant`;

/** Wallet at the start of a day. */
interface DayStart {
  /** Version of the first entry at or after the start of the day. */
  version: string;
  balance: string;
  /** Total credits until the start of the next day. */
  credits: string;
}
const NO_WALLET: DayStart = { version: '1', balance: '0', credits: '0' };

interface DaysQuery extends WalletKey {
  starts: readonly Date[];
}

/** Opening and closing balances per day. Concurrent reads of several wallets are combined into one statement per kind of read. */
export class DailyStatementService {
  readonly #keptSince: Loader<WalletKey, string | undefined>;
  readonly #starts: Loader<DaysQuery, DayStart[]>;

  constructor(db: Queryable) {
    /** Returns the rows of each key, in the order of the statement. */
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
    const readKeptSince = reader<WalletKey, { before: string }>('statement-kept-since', KEPT_SINCE, () => []);
    this.#keptSince = batchedLoader(async (keys) => (await readKeptSince(keys)).map(([row]) => row?.before));
    this.#starts = batchedLoader(
      reader<DaysQuery, DayStart>('statement-days', DAYS, (keys) => [
        // the arrays are passed as text, because the inner arrays of a nested array must have the same length
        keys.map(({ starts }) => `{${starts.map((start) => start.toISOString()).join(',')}}`),
      ]),
    );
  }

  /**
   * Rejects days with archived entries, because only the balances of such days are stored. Throws VALIDATION_FAILED with the
   * first available day.
   */
  async requireKept(developerId: DeveloperId, environment: Environment, from: string): Promise<void> {
    const keptSince = await this.#keptSince.load({ developerId, environment });
    const firstDay = keptSince && indianDay(new Date(keptSince));
    if (firstDay && from < firstDay)
      throw fieldError('from', 'RANGE', `Must not be before ${firstDay}, because earlier entries are archived.`);
  }

  /**
   * Returns all days from `from` to `to`, both inclusive, in order. Future days are omitted. Throws VALIDATION_FAILED; see
   * `requireKept`.
   */
  async days(developerId: DeveloperId, environment: Environment, from: string, to: string): Promise<StatementDay[]> {
    await this.requireKept(developerId, environment, from);
    const dates = indianDays(from, to).filter((date) => startOfIndianDay(date).getTime() <= Date.now());
    if (dates.length === 0) return [];
    const ends = startOfIndianDay(dates.at(-1)!, 1);
    const starts = await this.#starts.load({
      developerId,
      environment,
      starts: [...dates.map((date) => startOfIndianDay(date)), ends],
    });
    return dates.map((date, index) => {
      const [start = NO_WALLET, end = NO_WALLET] = starts.slice(index, index + 2);
      const opening = paise(start.balance);
      const credits = paise(start.credits);
      const closing = paise(end.balance);
      return {
        date,
        openingPaise: opening,
        creditsPaise: credits,
        debitsPaise: subtract(add(opening, credits), closing),
        closingPaise: closing,
        firstVersion: BigInt(start.version),
        endVersion: BigInt(end.version),
      };
    });
  }
}
