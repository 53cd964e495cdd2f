import { Extensions } from 'type-graphql';

/** The number of entries that a list of objects is assumed to have before it is read, based on its arguments. */
export interface Count {
  (args: Readonly<Record<string, unknown>>): number;
  /** Text about the number for the documentation. */
  readonly inWords: string;
}

/** Read together with its parent and not from a table: its entries are not counted, and its fields count once. */
export const WITH_PARENT = 'with its parent';

/** Read in one statement for all entries of the list. */
export const READ_TOGETHER = 1;
/** Requires a statement, a call or an audit log entry per entry. It costs as much as this number of rows. */
export const READ_ALONE = 10;

/** Extensions with the row cost of a field, which limits the rows of an operation: see graphql/documents/cost.ts. */
export interface RowExtensions {
  entries?: Count | typeof WITH_PARENT;
  rowsBeside?: number;
}

export const counted = (inWords: string, count: (args: Readonly<Record<string, unknown>>) => number): Count =>
  Object.assign(count, { inWords });

/**
 * The maximum or usual number of entries of a list of objects. Every list must declare it, or the service does not start,
 * because the fields of an uncounted list would be free. Pages declare it themselves.
 */
export const Entries = (entries: number | Count | typeof WITH_PARENT) =>
  Extensions({
    entries: typeof entries === 'number' ? counted(`${entries} rows`, () => entries) : entries,
  } satisfies RowExtensions);

/** The cost of a field of a list entry in addition to its own entries. Fields without this decorator are read with the entry. */
export const RowsBeside = (rowsBeside: typeof READ_TOGETHER | typeof READ_ALONE) =>
  Extensions({ rowsBeside } satisfies RowExtensions);
