import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { patiently } from '../db/patience.js';
import type { Connectable, Queryable } from '../db/pool.js';
import type { WalletKey } from './wallet.reader.js';

/** A wallet whose balance changed without a transfer. */
export interface WalletDifference {
  /** Of the wallet when this was read. */
  version: string;
  /** The first version whose balance is wrong. */
  firstVersion: string;
  storedPaise: Paise;
  /** The sum of the transfers, with what earlier opening records say. */
  computedPaise: Paise;
  /** How many entries of the statement show a wrong balance. */
  entries: number;
  /** Each change without a transfer: the version right before it, and paise. */
  steps: readonly (readonly [number, number])[];
  /** False: entries are missing, so the sum of the transfers says nothing. */
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

/** A million entries take a second or two. */
const READ_LIMIT_MS = 6 * 3_600_000;

/** Reads all entries of the wallet. Undefined: there is no such wallet, or its balance is right and no entry is missing. */
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

/** What the owner of the tables posted of a wallet. */
export interface KnownCorrection extends WalletKey {
  /** Of the approval request. */
  proposalId: string;
  firstVersion: string;
  entries: number;
  at: Date;
}

/** Oldest first; few. */
export async function knownCorrections(db: Queryable): Promise<KnownCorrection[]> {
  const { rows } = await db.query<KnownCorrection & { developerId: DeveloperId }>({
    text: `select developer_id as "developerId", environment, proposal_id as "proposalId", first_version::text as "firstVersion",
      entries::float8 as entries, posted_at as at from wallet_correction order by wallet_correction.posted_at`,
  });
  return rows.map(({ at, ...known }) => ({ ...known, at: new Date(at) }));
}

/** A change of the balance without an entry, as opening records have it. */
export interface UnrecordedChange {
  changePaise: Paise;
  /** Of the correction, as its entry has it. */
  reference: string;
}

/** Of one wallet, by the version right before each. */
export async function unrecordedChanges(
  db: Queryable,
  { developerId, environment }: WalletKey,
): Promise<ReadonlyMap<bigint, UnrecordedChange>> {
  const { rows } = await db.query<{ version: string; change: string; reference: string }>({
    name: 'unrecorded-changes',
    text: `select g.version::text, sum(g.change_paise)::text as change, min('prp_' || c.proposal_id) as reference
      from wallet_reopening g join wallet_correction c on c.posting_id = g.posting_id
      where g.developer_id = $1 and g.environment = $2 group by g.version`,
    values: [developerId, environment],
  });
  return new Map(
    rows.map(({ version, change, reference }) => [BigInt(version), { changePaise: paise(change), reference }]),
  );
}
