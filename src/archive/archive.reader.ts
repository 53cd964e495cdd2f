import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import type { PatientQuery } from '../db/patience.js';
import type { IndianMonth } from './indian-month.js';

/** A wallet with transfers from before an instant. */
export interface OldWallet {
  developerId: DeveloperId;
  environment: Environment;
  /** The month of its first transfer that is here. */
  firstMonth: IndianMonth;
  /** The last version that may leave. */
  lastVersion: string;
}

/** One line of a wallet, as archive_subjects has it. */
export interface OldLine {
  version: string;
  /** The last line of an order, or the only one of another posting, that leaves. */
  leaves: boolean;
  /** The reason why the order is not archived. */
  stays: string | null;
  isOrder: boolean;
  /** Of the last transfer. */
  month: IndianMonth;
  transfers: number;
  amountPaise: string;
  events: number;
  bytes: number;
  text: string | null;
}

const LINES_AT_A_TIME = 500;

const WALLETS = `select developer_id as "developerId", environment, to_char(first_at at time zone 'Asia/Kolkata', 'YYYY-MM') as "firstMonth",
  last_version::text as "lastVersion" from archive_wallets($1)`;
const LINES = `select version::text, leaves, stays, is_order as "isOrder", to_char(last_at at time zone 'Asia/Kolkata', 'YYYY-MM') as month,
  transfers, amount_paise::text as "amountPaise", events, bytes::float8, text from archive_subjects($1, $2, $3, $4, $5, ${LINES_AT_A_TIME}, $6)`;

export const oldWallets = (query: PatientQuery, before: Date): Promise<OldWallet[]> =>
  query<OldWallet>({ text: WALLETS, values: [before.toISOString()] });

/** The lines of all wallets from before an instant, wallet by wallet, a page at a time: no transaction stays open in between. */
export async function* oldLines(query: PatientQuery, before: Date, withText: boolean): AsyncGenerator<OldLine> {
  for (const { developerId, environment, lastVersion } of await oldWallets(query, before)) {
    for (let after = '0'; ; ) {
      const values = [developerId, environment, after, lastVersion, before.toISOString(), withText];
      const lines = await query<OldLine>({ text: LINES, values });
      yield* lines;
      if (lines.length < LINES_AT_A_TIME) break;
      after = lines.at(-1)!.version;
    }
  }
}
