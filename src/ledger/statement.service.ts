import type { Environment } from '../core/environment.js';
import { idOfReference } from '../core/ids.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import type { WalletKey } from './wallet.reader.js';
import { type Boundaries, boundariesOf, type Instants } from './wallet-boundaries.js';
import { type UnrecordedChange, unrecordedChanges } from './wallet-difference.js';

/** List name in pagination cursors. */
export const STATEMENT = 'statement';
/** Matches a wallet version, which is the key of an entry in the list. */
export const VERSION = /^\d{1,18}$/;

/** Kinds of entries, as stored in the ledger. */
export const StatementKindEnum = words('StatementKind', 'Kind of a statement entry.', {
  hold: 'The amount or fee of an accepted call was debited.',
  refund: 'The call failed and the held amount was refunded.',
  reversal: 'A successful payment was reversed and its amount was refunded.',
  refund_reversal: 'The refund of a payment was reversed because the provider completed the payment.',
  lead_fee: 'The fee of an approved lead was debited.',
  top_up: 'Funds were added to the wallet.',
  debit: 'An administrator debited the wallet and gave a reason.',
  correction: 'A balance that had changed without an entry was corrected.',
});
export type StatementKind = WordOf<typeof StatementKindEnum>;

/** Entry of a wallet statement. Amounts that leave the wallet are negative. */
export interface StatementLine {
  id: string;
  developerId: DeveloperId;
  /** ID of the order, lead, credit, debit or correction. */
  subjectId: string;
  at: Date;
  kind: StatementKind;
  amountPaise: Paise;
  balanceAfterPaise: Paise;
  /** api_request_id of the order, lead code, reference of a top-up or debit, or ID of the approval request of a correction. */
  reference: string;
}

export interface StatementRow {
  developer_id: DeveloperId;
  subject_id: string;
  environment: Environment;
  kind: StatementKind;
  wallet_change: string;
  balance_after: string;
  wallet_version: string;
  reference: string;
  created_at: string;
}

export const STATEMENT_COLUMNS = `developer_id, subject_id, environment, kind, wallet_change::text, balance_after_paise::text as balance_after, wallet_version::text, created_at, reference`;
const LINES_AT_A_TIME = 1_000;

/** Time range: `from` inclusive, `to` exclusive. */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Filter for entries. Undefined fields match all entries. */
export interface LineFilter extends TimeRange {
  kinds?: readonly StatementKind[] | undefined;
  /** Exact reference of the entry. */
  reference?: string | undefined;
}

/** Bounds that PostgreSQL supports and that include all entries. */
const EARLIEST = new Date('2000-01-01T00:00:00Z');
const LATEST = new Date('2200-01-01T00:00:00Z');
const clamp = (instant: Date): Date => (instant < EARLIEST ? EARLIEST : instant > LATEST ? LATEST : instant);

/** Versions of all entries: `end` exceeds every version. */
const ALL = { first: 1n, end: 9_223_372_036_854_775_807n };
const lower = (version: bigint, other = String(version)): bigint => (BigInt(other) < version ? BigInt(other) : version);
const higher = (version: bigint, other = '0'): bigint => (BigInt(other) > version ? BigInt(other) : version);

/** Entries of a wallet between two versions, both exclusive, with a maximum number. */
interface EntryQuery extends WalletKey {
  below: string;
  above: string;
  size: number;
  kinds: readonly StatementKind[] | undefined;
  reference: string | undefined;
}

type Order = 'asc' | 'desc';

const KEYS =
  'unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::integer[], $6::text[], $7::text[], $8::uuid[])';
/** Parameters of all ranges. `n` is the index of each, starting at 1. */
const STRETCHES = `${KEYS} with ordinality k(owner, world, below, above, size, kinds, reference, guess, n)`;
/** Condition for entries after the opening record of the wallet. */
const WITHIN = `developer_id = k.owner and environment = k.world and wallet_version < k.below and wallet_version > k.above
        and wallet_version > coalesce((select o.version from wallet_opening o where o.developer_id = k.owner and o.environment = k.world), 0)`;

/** Returns the entries in newest-first or oldest-first order, with an index scan for each wallet. */
const all = (order: Order): string => `
  select k.n::integer, l.* from ${STRETCHES}
    cross join lateral (
      select ${STATEMENT_COLUMNS} from ledger_entry where ${WITHIN}
      order by ledger_entry.wallet_version ${order} limit k.size) l`;

/**
 * Returns the entries of the given kinds. Holds are the majority, so they are read by version; every other kind has its own
 * index.
 */
const ofKinds = (order: Order): string => `
  select k.n::integer, l.* from ${STRETCHES}
    cross join lateral (
      select s.* from unnest(k.kinds::text[]) g(kind) cross join lateral (
        (select ${STATEMENT_COLUMNS} from ledger_entry where ${WITHIN} and g.kind = 'hold' and ledger_entry.kind = 'hold'
          order by ledger_entry.wallet_version ${order} limit k.size)
        union all
        (select ${STATEMENT_COLUMNS} from ledger_entry
          where ${WITHIN} and ledger_entry.kind = g.kind and ledger_entry.kind not in ('hold', 'settle')
          order by ledger_entry.wallet_version ${order} limit k.size)) s
      order by s.wallet_version::bigint ${order} limit k.size) l`;

/** Maximum number of entries with one reference. No order, lead, credit or debit has as many. */
const MAX_LINES = 1_000;
/**
 * Returns the entries with a given reference. Payments are found by their stored reference, lookups by the ID in the reference,
 * leads by their code.
 */
const ofReference = (order: Order): string => `
  select k.n::integer, l.* from ${STRETCHES}
    cross join lateral (
      select ${STATEMENT_COLUMNS} from (
        select r.order_id as subject from order_reference r where r.reference = upper(k.reference)
        union select k.guess where k.guess is not null
        union select x.posting_id from ledger_reference x where x.developer_id = k.owner and x.environment = k.world
          and x.kind in ('top_up', 'debit', 'correction') and x.reference = reference_key(k.reference)
        union select x.id from lead x where x.developer_id = k.owner and x.environment = k.world and x.lead_code = k.reference) s
      cross join lateral (
        select * from ledger_entry x where x.developer_id = k.owner and x.subject_id = s.subject limit ${MAX_LINES}) e
      where ${WITHIN} and (k.kinds is null or e.kind = any(k.kinds::text[]))
      order by e.wallet_version ${order} limit k.size) l`;

/** Entries of a wallet, in pages sorted by version. */
export class StatementService {
  readonly #lines: Record<'all' | 'ofKinds' | 'ofReference', Record<Order, Loader<EntryQuery, StatementRow[]>>>;
  readonly #boundaries: Loader<Instants, Boundaries>;

  constructor(private readonly db: Queryable) {
    const read = (name: string, order: Order, text: (order: Order) => string): Loader<EntryQuery, StatementRow[]> =>
      batchedLoader((keys) => this.#readEntries(name, order, text(order), keys));
    this.#lines = {
      all: { desc: read('statement-pages', 'desc', all), asc: read('statement-pages-back', 'asc', all) },
      ofKinds: { desc: read('statement-kinds', 'desc', ofKinds), asc: read('statement-kinds-back', 'asc', ofKinds) },
      ofReference: {
        desc: read('statement-reference', 'desc', ofReference),
        asc: read('statement-reference-back', 'asc', ofReference),
      },
    };
    this.#boundaries = boundariesOf(db);
  }

  /**
   * Returns the page of entries after the opening record of the wallet, newest first. The page can be limited to a time range,
   * some kinds or one reference. Throws VALIDATION_FAILED for an invalid page size or cursor.
   */
  async page(
    developerId: DeveloperId,
    environment: Environment,
    request: PageRequest,
    { from, to, kinds, reference }: LineFilter = {},
  ): Promise<Page<StatementLine>> {
    // the list is newest first, so the next entries in the list have lower versions
    const slice = sliceOf(STATEMENT, request, VERSION);
    const wallet = { developerId, environment };
    const { first, end } =
      from || to
        ? await this.#boundaries.load({ ...wallet, first: clamp(from ?? EARLIEST), last: clamp(to ?? LATEST) })
        : ALL;
    const lines = reference !== undefined ? 'ofReference' : kinds !== undefined ? 'ofKinds' : 'all';
    const rows = await this.#lines[lines][slice.backwards ? 'asc' : 'desc'].load({
      ...wallet,
      kinds,
      reference,
      below: String(lower(end, slice.after)),
      above: String(higher(first - 1n, slice.before)),
      size: slice.size + 1,
    });
    return pageOf(rows, slice, (row) => row.wallet_version, lineOf);
  }

  async #readEntries(name: string, order: Order, text: string, keys: readonly EntryQuery[]): Promise<StatementRow[][]> {
    const { rows } = await this.db.query<StatementRow & { n: number }>({
      name,
      text,
      values: [
        keys.map(({ developerId }) => developerId),
        keys.map(({ environment }) => environment),
        keys.map(({ below }) => below),
        keys.map(({ above }) => above),
        keys.map(({ size }) => size),
        // the arrays are passed as text, because the inner arrays of a nested array must have the same length
        keys.map(({ kinds }) => kinds && `{${kinds.join(',')}}`),
        keys.map(({ reference }) => reference),
        keys.map(({ reference }) => reference && idOfReference(reference.toUpperCase())),
      ],
    });
    const found = Map.groupBy(rows, ({ n }) => n - 1);
    const sign = order === 'asc' ? 1 : -1;
    // Entries are sorted, because a join does not guarantee an order.
    const sorted = (lines: StatementRow[]): StatementRow[] =>
      lines.toSorted((a, b) => sign * (Number(a.wallet_version) - Number(b.wallet_version)));
    return keys.map((_key, index) => sorted(found.get(index) ?? []));
  }

  /** Returns the balance changes without an entry that a correction reversed, by the version right before each change. */
  unrecorded(wallet: WalletKey): Promise<ReadonlyMap<bigint, UnrecordedChange>> {
    return unrecordedChanges(this.db, wallet);
  }

  /** Returns the entry that created a wallet version. Returns undefined if it does not exist or is archived. */
  async line({ developerId, environment }: WalletKey, version: string): Promise<StatementLine | undefined> {
    const { rows } = await this.db.query<StatementRow>({
      name: 'statement-line',
      text: `select ${STATEMENT_COLUMNS} from ledger_entry where developer_id = $1 and environment = $2 and wallet_version = $3::bigint`,
      values: [developerId, environment, version],
    });
    return rows[0] && lineOf(rows[0]);
  }

  /**
   * Returns the entries from version `first` (inclusive) to `end` (exclusive), oldest first, in pages. No connection is held
   * between pages.
   */
  async *pages(
    developerId: DeveloperId,
    environment: Environment,
    first: bigint,
    end: bigint,
  ): AsyncGenerator<StatementLine[]> {
    for (let nextVersion = first; nextVersion < end; ) {
      const { rows } = await this.db.query<StatementRow>({
        name: 'statement-lines',
        text: `select ${STATEMENT_COLUMNS}
          from ledger_entry where developer_id = $1 and environment = $2 and wallet_version >= $3::bigint and wallet_version < $4::bigint
          order by ledger_entry.wallet_version limit $5`,
        values: [developerId, environment, String(nextVersion), String(end), LINES_AT_A_TIME],
      });
      if (rows.length === 0) return;
      yield rows.map(lineOf);
      nextVersion = BigInt(rows.at(-1)!.wallet_version) + 1n;
    }
  }
}

/** ID prefix of entries. */
export const LINE_PREFIX = 'led';

/** Returns the ID of an entry, which consists of the wallet and its version after the entry. */
const lineId = (environment: Environment, developerId: DeveloperId, version: string): string =>
  `${environment}_${developerId}_${version}`;

export function lineOf(row: StatementRow): StatementLine {
  return {
    id: lineId(row.environment, row.developer_id, row.wallet_version),
    developerId: row.developer_id,
    subjectId: row.subject_id,
    at: new Date(row.created_at),
    kind: row.kind,
    amountPaise: paise(row.wallet_change),
    balanceAfterPaise: paise(row.balance_after),
    reference: row.reference,
  };
}
