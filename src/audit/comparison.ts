import type { Queryable } from '../db/pool.js';
import type { AuditKeys } from './audit-keys.js';
import { readEntries } from './audit-log.reader.js';
import { MARKS } from './audit-marks.js';
import { type ComparedKind, type ComparedTable, comparedTables } from './comparison.table.js';

/** Row that differs from the audit log. */
export interface Unexplained {
  kind: ComparedKind;
  row: string;
  /** Description in one sentence, without secrets. */
  text: string;
}

export interface ComparedPage {
  unexplained: Unexplained[];
  /** Start of the next page. Undefined after the last page. */
  next: string | undefined;
}

/** Start of the first page. */
export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000';
/** Users or accounts per page. A page takes tens of milliseconds. */
const PAGE_SIZE = 250;

interface ComparedField {
  subject: string;
  id: string;
  field: string;
  found: unknown;
  /** Number of the entry that contains the field. Null if no entry contains it. */
  entry: string | null;
  auditState: unknown;
  same: boolean;
}

/** SQL condition that excludes approval requests, which change no row. The change has its own entry after approval. */
const CHANGES_ROWS = `not starts_with(a.action, 'approval_request.')`;

/**
 * Returns the SQL of one page. A single statement reads rows and entries consistently, because a change and its entry commit
 * together.
 */
const pageOf = ({ owners, rows, entryFilter = CHANGES_ROWS, auditState = 'a.after' }: ComparedTable): string => `
  with owner as materialized (select * from ${owners} where id > $1::uuid order by id limit $2),
  looked as (
    select r.subject, r.id, f.key as field, f.value as found, newest.entry::text, newest.value as "auditState", f.value is not distinct from newest.value as same
    from (${rows}) r cross join lateral jsonb_each(r.state) f
    left join lateral (
      select a.id as entry, (${auditState})->f.key as value from audit_entry a
      where a.subject = r.subject and a.after is not null and (${auditState}) ? f.key and ${entryFilter}
      order by a.id desc limit 1) newest on true)
  select (select id::text from owner order by id desc limit 1) as place, (select count(*)::int from owner) as owners,
    (select coalesce(jsonb_agg(to_jsonb(looked)), '[]') from looked) as fields`;

/** Compares one page of rows with the audit log. Entries that are not signed with our keys are ignored. */
export async function comparePage(
  db: Queryable,
  keys: AuditKeys,
  kind: ComparedKind,
  place: string,
  size = PAGE_SIZE,
): Promise<ComparedPage> {
  const { rows } = await db.query<{ place: string | null; owners: number; fields: ComparedField[] }>({
    text: pageOf(comparedTables[kind]),
    values: [place, size],
  });
  const { place: last, owners, fields } = rows[0]!;
  const forged = await forgedOf(db, keys, [
    ...new Set(fields.flatMap(({ same, entry }) => (same ? (entry ?? []) : []))),
  ]);
  const unexplained = fields.flatMap((field): Unexplained[] => {
    const isForged = field.entry !== null && forged.has(field.entry);
    return field.same && !isForged ? [] : [{ kind, row: nameOf(field), text: sentenceOf(field, isForged) }];
  });
  return { unexplained, next: owners < size ? undefined : last! };
}

/** Compares all rows, page by page, for `gateway doctor`. */
export async function* compareAll(db: Queryable, keys: AuditKeys): AsyncGenerator<Unexplained> {
  for (const kind of Object.keys(comparedTables) as ComparedKind[])
    for (let place: string | undefined = FIRST_PLACE; place !== undefined; ) {
      const page: ComparedPage = await comparePage(db, keys, kind, place);
      yield* page.unexplained;
      place = page.next;
    }
}

/** Returns the entries that were changed or are not signed with our keys. `checkAuditLog` checks the chain itself. */
async function forgedOf(db: Queryable, keys: AuditKeys, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const entries = await readEntries(db, ids);
  return new Set(
    entries.flatMap(({ previous_hash, hash, ...entry }) => {
      const expectedHash = keys.entryHash(previous_hash, entry);
      return expectedHash?.equals(hash) ? [] : [entry.id];
    }),
  );
}

/** Returns the subject in the audit log, with the ID of the row if the subject has several rows. */
const nameOf = ({ subject, id }: ComparedField): string => (subject.endsWith(id) ? subject : `${subject} ${id}`);

function sentenceOf(item: ComparedField, isForged: boolean): string {
  const { field, found, entry, auditState, same } = item;
  const row = nameOf(item);
  if (same && isForged)
    return `${row}: entry ${entry} has the same ${field}, but was changed, or was not signed with this key`;
  if (MARKS.has(field)) {
    const attribute = field.slice(0, -'Mark'.length);
    return entry === null
      ? `${row}: no entry has its ${attribute}`
      : `${row}: its ${attribute} differs from entry ${entry}`;
  }
  const statement = `${row}: ${field} is ${JSON.stringify(found)}`;
  return entry === null
    ? `${statement}, but no entry has this value`
    : `${statement}, but entry ${entry} has ${JSON.stringify(auditState)}`;
}
