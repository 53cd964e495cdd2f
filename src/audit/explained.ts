import type { Queryable } from '../db/pool.js';
import type { AuditKeys } from './audit-keys.js';
import { readEntries } from './audit-log.reader.js';
import { MARKS } from './audit-marks.js';
import { type Compared, type ComparedKind, compared } from './explained.table.js';

/** A row that says something else than the audit log. */
export interface Unexplained {
  kind: ComparedKind;
  /** Which row of the kind. */
  row: string;
  /** One sentence, without secrets. */
  text: string;
}

export interface ComparedPage {
  unexplained: Unexplained[];
  /** Where the next page begins; undefined at the end. */
  next: string | undefined;
}

/** Where the first page begins. */
export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000';
/** Users or accounts of a page: it takes some tens of milliseconds. */
const PAGE_SIZE = 250;

interface Field {
  subject: string;
  id: string;
  field: string;
  found: unknown;
  /** Number of the entry that says something of it; null: none does. */
  entry: string | null;
  said: unknown;
  same: boolean;
}

/** An approval request changes no row: the entry of the change follows when it is approved. */
const CHANGES_ROWS = `not starts_with(a.action, 'approval_request.')`;

/** One statement, so that rows and entries are of one instant: a change and its entry commit together. */
const pageOf = ({ owners, rows, about = CHANGES_ROWS, said = 'a.after' }: Compared): string => `
  with owner as materialized (select * from ${owners} where id > $1::uuid order by id limit $2),
  looked as (
    select r.subject, r.id, f.key as field, f.value as found, said.entry::text, said.value as said, f.value is not distinct from said.value as same
    from (${rows}) r cross join lateral jsonb_each(r.state) f
    left join lateral (
      select a.id as entry, (${said})->f.key as value from audit_entry a
      where a.subject = r.subject and a.after is not null and (${said}) ? f.key and ${about}
      order by a.id desc limit 1) said on true)
  select (select id::text from owner order by id desc limit 1) as place, (select count(*)::int from owner) as owners,
    (select coalesce(jsonb_agg(to_jsonb(looked)), '[]') from looked) as fields`;

/** Compares one page of rows with what the audit log says of them. An entry that our keys did not make explains nothing. */
export async function comparePage(
  db: Queryable,
  keys: AuditKeys,
  kind: ComparedKind,
  place: string,
  size = PAGE_SIZE,
): Promise<ComparedPage> {
  const { rows } = await db.query<{ place: string | null; owners: number; fields: Field[] }>({
    text: pageOf(compared[kind]),
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

/** Everything, for the doctor: page after page. */
export async function* compareAll(db: Queryable, keys: AuditKeys): AsyncGenerator<Unexplained> {
  for (const kind of Object.keys(compared) as ComparedKind[])
    for (let place: string | undefined = FIRST_PLACE; place !== undefined; ) {
      const page: ComparedPage = await comparePage(db, keys, kind, place);
      yield* page.unexplained;
      place = page.next;
    }
}

/** Of these entries the ones that were changed, or made without a key of ours. Whether the chain is whole says `checkAuditLog`. */
async function forgedOf(db: Queryable, keys: AuditKeys, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const entries = await readEntries(db, ids);
  return new Set(
    entries.flatMap(({ previous_hash, hash, ...entry }) => {
      const ours = keys.entryHash(previous_hash, entry);
      return ours?.equals(hash) ? [] : [entry.id];
    }),
  );
}

/** As the audit log names it, with its own id where several rows are one subject. */
const nameOf = ({ subject, id }: Field): string => (subject.endsWith(id) ? subject : `${subject} ${id}`);

function sentenceOf(looked: Field, isForged: boolean): string {
  const { field, found, entry, said, same } = looked;
  const row = nameOf(looked);
  if (same && isForged) return `${row}: entry ${entry} says so of ${field}, but was changed, or made without the key`;
  if (MARKS.has(field)) {
    const what = field.slice(0, -'Mark'.length);
    return entry === null
      ? `${row}: no entry knows its ${what}`
      : `${row}: its ${what} is not the one of entry ${entry}`;
  }
  const is = `${row}: ${field} is ${JSON.stringify(found)}`;
  return entry === null ? `${is}, and no entry says so` : `${is}, but entry ${entry} says ${JSON.stringify(said)}`;
}
