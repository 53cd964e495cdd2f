import type { Queryable } from '../db/pool.js';
import type { SignedEntry } from './audit-keys.js';

export interface StoredEntry extends SignedEntry {
  previous_hash: Buffer;
  hash: Buffer;
}

const ENTRIES_PER_READ = 1_000;
const COLUMNS = `id::text, (extract(epoch from at) * 1000)::bigint::text as at_ms, actor, address, action, subject, developer_id::text,
    before, after, reason, request_id, key_id, posting_id::text, amount_paise::text, previous_hash, hash`;
/**
 * SQL for the first and last entry of a period. Entries of processes with different clocks may not be sorted by time, but a
 * period is always a contiguous part of the chain.
 */
const ENDS = `select (select min(id) from audit_entry where $1::timestamptz is null or at >= $1)::text as first,
  (select max(id) from audit_entry where $2::timestamptz is null or at < $2)::text as last`;
const READ = `select ${COLUMNS} from audit_entry
  where audit_entry.id >= $1::bigint and audit_entry.id <= $2::bigint order by audit_entry.id limit ${ENTRIES_PER_READ}`;

type Row = Omit<StoredEntry, 'at'> & { at_ms: string };
const entryOf = ({ at_ms, ...columns }: Row): StoredEntry => ({
  ...columns,
  at: new Date(Number(at_ms)).toISOString(),
});

/**
 * Yields all entries in order, or those from the first entry at or after `from` to the last one before `before`, without gaps.
 * Keeps a thousand entries in memory at a time.
 */
export async function* readAuditLog(db: Queryable, from?: Date, before?: Date): AsyncGenerator<StoredEntry> {
  const { rows: ends } = await db.query<{ first: string | null; last: string | null }>({
    text: ENDS,
    values: [from?.toISOString() ?? null, before?.toISOString() ?? null],
  });
  const { first, last } = ends[0]!;
  if (first === null || last === null) return;
  for (let next = BigInt(first); next <= BigInt(last); ) {
    const { rows } = await db.query<Row>({ text: READ, values: [String(next), last] });
    yield* rows.map(entryOf);
    if (rows.length < ENTRIES_PER_READ) return;
    next = BigInt(rows.at(-1)!.id) + 1n;
  }
}

/** Returns entries by number, in any order. */
export async function readEntries(db: Queryable, ids: readonly string[]): Promise<StoredEntry[]> {
  const text = `select ${COLUMNS} from audit_entry where audit_entry.id = any($1::bigint[])`;
  return (await db.query<Row>({ text, values: [ids] })).rows.map(entryOf);
}
