import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { patiently } from '../db/patience.js';
import type { Connectable, Queryable } from '../db/pool.js';
import type { WalletKey } from './wallet.reader.js';

/** Difference between the balance of a wallet and its transfers. */
export interface WalletDifference {
  /** Version of the wallet when it was read. */
  version: string;
  /** First wallet version with a wrong balance. */
  firstVersion: string;
  storedPaise: Paise;
  /** Sum of the transfers and of earlier opening records. */
  computedPaise: Paise;
  /** Number of statement entries with a wrong balance. */
  entries: number;
  /** Changes without a transfer, each with the version right before each change, and the amount in paise. */
  steps: readonly (readonly [number, number])[];
  /** Whether all entries exist. Otherwise, the sum of the transfers is not valid. */
  isWhole: boolean;
}

interface Row {
  version: string;
  first_version: string | null;
  stored: string;
  computed: string;
  entries: string;
  steps: [number, number][];
  is_whole: boolean;
}

/** Time limit of a read. Reading a million entries takes one to two seconds. */
const READ_LIMIT_MS = 6 * 3_600_000;

/**
 * Reads all entries of the wallet. Returns undefined if the wallet does not exist, or if its balance is correct and no entry is
 * missing.
 */
export async function walletDifference(
  db: Connectable,
  { developerId, environment }: WalletKey,
): Promise<WalletDifference | undefined> {
  const rows = await patiently(db, READ_LIMIT_MS, (query) =>
    query<Row>({
      text: `select version::text, first_version::text, stored_paise::text as stored, computed_paise::text as computed, entries::text, steps,
        is_whole from wallet_difference($1, $2)`,
      values: [developerId, environment],
    }),
  );
  const [row] = rows;
  if (!row || (row.first_version === null && row.is_whole)) return undefined;
  return {
    version: row.version,
    firstVersion: row.first_version ?? row.version,
    storedPaise: paise(row.stored),
    computedPaise: paise(row.computed),
    entries: Number(row.entries),
    steps: row.steps,
    isWhole: row.is_whole,
  };
}

/** Correction posted by the owner of the tables. */
export interface KnownCorrection extends WalletKey {
  /** ID of the approval request. */
  approvalRequestId: string;
  firstVersion: string;
  entries: number;
  at: Date;
}

/** Returns all posted corrections, oldest first. */
export async function knownCorrections(db: Queryable): Promise<KnownCorrection[]> {
  const { rows } = await db.query<KnownCorrection & { developerId: DeveloperId }>({
    text: `select developer_id as "developerId", environment, approval_request_id as "approvalRequestId", first_version::text as "firstVersion",
      entries::float8 as entries, posted_at as at from wallet_correction order by wallet_correction.posted_at`,
  });
  return rows.map(({ at, ...correction }) => ({ ...correction, at: new Date(at) }));
}

/** Balance change without an entry, from the opening records. */
export interface UnrecordedChange {
  changePaise: Paise;
  /** Reference of the correction entry. */
  reference: string;
}

/** Returns the unrecorded changes of one wallet, by the version right before each change. */
export async function unrecordedChanges(
  db: Queryable,
  { developerId, environment }: WalletKey,
): Promise<ReadonlyMap<bigint, UnrecordedChange>> {
  const { rows } = await db.query<{ version: string; change: string; reference: string }>({
    name: 'unrecorded-changes',
    text: `select g.version::text, sum(g.change_paise)::text as change, min('apr_' || c.approval_request_id) as reference
      from wallet_reopening g join wallet_correction c on c.posting_id = g.posting_id
      where g.developer_id = $1 and g.environment = $2 group by g.version`,
    values: [developerId, environment],
  });
  return new Map(
    rows.map(({ version, change, reference }) => [BigInt(version), { changePaise: paise(change), reference }]),
  );
}
