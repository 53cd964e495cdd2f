import { Extensions } from 'type-graphql';

/** Assumed number of entries in a list of objects before it is read, based on its arguments. */
export interface Count {
  (args: Readonly<Record<string, unknown>>): number;
  /** Text about the number for the documentation. */
  readonly inWords: string;
}

/** Value for a list that is read with its parent, not from a table. Its entries are not counted, and its fields count once. */
export const WITH_PARENT = 'with its parent';

/** Value for a field that is read with one statement for all entries of the list. */
export const READ_TOGETHER = 1;
/**
 * Value for a field that requires a statement, a call or an audit log entry per entry of the list. It costs as much as this
 * number of rows.
 */
export const READ_SEPARATELY = 10;

/** Extensions with the row cost of a field, which count toward the row limit of an operation; see graphql/documents/cost.ts. */
export interface RowExtensions {
  entries?: Count | typeof WITH_PARENT;
  extraReads?: number;
}

export const describedCount = (inWords: string, count: (args: Readonly<Record<string, unknown>>) => number): Count =>
  Object.assign(count, { inWords });

/**
 * Declares the maximum or usual number of entries in a list of objects. Every list must declare it, because the fields of an
 * uncounted list would be free; otherwise the service does not start. Connections declare it themselves.
 */
export const Entries = (entries: number | Count | typeof WITH_PARENT) =>
  Extensions({
    entries: typeof entries === 'number' ? describedCount(`${entries} rows`, () => entries) : entries,
  } satisfies RowExtensions);

/**
 * Declares the cost of a field of a list entry, in addition to the field's own entries. Fields without this decorator are read
 * with the entry.
 */
export const ExtraReads = (extraReads: typeof READ_TOGETHER | typeof READ_SEPARATELY) =>
  Extensions({ extraReads } satisfies RowExtensions);
