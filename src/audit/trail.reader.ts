import type { Queryable } from '../db/pool.js';
import type { SignedEntry } from './audit-keys.js';

/** An entry as it is stored. */
export interface StoredEntry extends SignedEntry {
  previous_hash: Buffer;
  hash: Buffer;
}

const ENTRIES_PER_READ = 1_000;
const COLUMNS = `id::text, (extract(epoch from at) * 1000)::bigint::text as at_ms, actor, address, action, subject, developer_id::text,
    before, after, reason, request_id, key_id, posting_id::text, amount_paise::text, previous_hash, hash`;
const READ = `
  select ${COLUMNS} from audit_entry
  where audit_entry.id > $1::bigint and ($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3)
  order by audit_entry.id limit ${ENTRIES_PER_READ}`;

type Row = Omit<StoredEntry, 'at'> & { at_ms: string };
const entryOf = ({ at_ms, ...columns }: Row): StoredEntry => ({
  ...columns,
  at: new Date(Number(at_ms)).toISOString(),
});

/** The whole trail in order, or what was written from one instant to before another; a thousand entries in memory at a time. */
export async function* readTrail(db: Queryable, from?: Date, before?: Date): AsyncGenerator<StoredEntry> {
  let last = '0';
  for (;;) {
    const { rows } = await db.query<Row>({
      text: READ,
      values: [last, from?.toISOString() ?? null, before?.toISOString() ?? null],
    });
    yield* rows.map(entryOf);
    if (rows.length < ENTRIES_PER_READ) return;
    last = rows.at(-1)!.id;
  }
}

/** Entries by their numbers, in any order. */
export async function readEntries(db: Queryable, ids: readonly string[]): Promise<StoredEntry[]> {
  const text = `select ${COLUMNS} from audit_entry where audit_entry.id = any($1::bigint[])`;
  return (await db.query<Row>({ text, values: [ids] })).rows.map(entryOf);
}
