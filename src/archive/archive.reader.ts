import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import type { PatientQuery } from '../db/patience.js';
import type { IndianMonth } from './indian-month.js';

/** Wallet with transfers from before a time. */
export interface OldWallet {
  developerId: DeveloperId;
  environment: Environment;
  /** Month of the first transfer in the database. */
  firstMonth: IndianMonth;
  /** Last version that can be archived. */
  lastVersion: string;
}

/** Wallet entry, as returned by archive_subjects. */
export interface OldEntry {
  version: string;
  /** Whether this is the last entry of a subject that can be archived. */
  leaves: boolean;
  /** Reason why the order is not archived. It is null if there is none. */
  stays: string | null;
  isOrder: boolean;
  /** Month of the last transfer of the subject. */
  month: IndianMonth;
  transfers: number;
  amountPaise: string;
  events: number;
  bytes: number;
  text: string | null;
}

const ENTRIES_PER_READ = 500;

const WALLETS = `select developer_id as "developerId", environment, to_char(first_at at time zone 'Asia/Kolkata', 'YYYY-MM') as "firstMonth",
  last_version::text as "lastVersion" from archive_wallets($1)`;
const ENTRIES = `select version::text, leaves, stays, is_order as "isOrder", to_char(last_at at time zone 'Asia/Kolkata', 'YYYY-MM') as month,
  transfers, amount_paise::text as "amountPaise", events, bytes::float8, text from archive_subjects($1, $2, $3, $4, $5, ${ENTRIES_PER_READ}, $6)`;

export const oldWallets = (query: PatientQuery, cutoff: Date): Promise<OldWallet[]> =>
  query<OldWallet>({ text: WALLETS, values: [cutoff.toISOString()] });

/**
 * Returns the entries of all wallets from before a time, sorted by wallet. They are read in pages, so that no transaction
 * remains open between them.
 */
export async function* oldEntries(query: PatientQuery, cutoff: Date, withText: boolean): AsyncGenerator<OldEntry> {
  for (const { developerId, environment, lastVersion } of await oldWallets(query, cutoff)) {
    for (let after = '0'; ; ) {
      const values = [developerId, environment, after, lastVersion, cutoff.toISOString(), withText];
      const entries = await query<OldEntry>({ text: ENTRIES, values });
      yield* entries;
      if (entries.length < ENTRIES_PER_READ) break;
      after = entries.at(-1)!.version;
    }
  }
}
