import type { Queryable } from '../db/pool.js';
import type { SignedEntry } from './audit-keys.js';

/** An entry as it is stored. */
export interface StoredEntry extends SignedEntry {
  previous_hash: Buffer;
  hash: Buffer;
}

const ENTRIES_PER_READ = 1_000;
const READ = `
  select id::text, (extract(epoch from at) * 1000)::bigint::text as at_ms, actor, address, action, subject, developer_id::text, before, after, reason, request_id,
    key_id, posting_id::text, amount_paise::text, previous_hash, hash
  from audit_entry
  where audit_entry.id > $1::bigint and ($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3)
  order by audit_entry.id limit ${ENTRIES_PER_READ}`;

/** The whole trail in order, or what was written from one instant to before another; a thousand entries in memory at a time. */
export async function* readTrail(db: Queryable, from?: Date, before?: Date): AsyncGenerator<StoredEntry> {
  let last = '0';
  for (;;) {
    const { rows } = await db.query<Omit<StoredEntry, 'at'> & { at_ms: string }>({
      text: READ,
      values: [last, from?.toISOString() ?? null, before?.toISOString() ?? null],
    });
    for (const { at_ms, ...columns } of rows) yield { ...columns, at: new Date(Number(at_ms)).toISOString() };
    if (rows.length < ENTRIES_PER_READ) return;
    last = rows.at(-1)!.id;
  }
}
