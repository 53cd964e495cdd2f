import { Extensions } from 'type-graphql';

/** How many entries a list of objects is taken to have before it is read, by the arguments as they came. */
export interface Count {
  (args: Readonly<Record<string, unknown>>): number;
  /** The same for readers of the documents: how many rows. */
  readonly inWords: string;
}

/** What comes with its parent, and from no table: it is not counted, and what is inside counts once. */
export const WITH_PARENT = 'with its parent';

/** With the other entries of the list around it in one statement. */
export const READ_TOGETHER = 1;
/** With a statement, a call or an entry of the audit log for each entry: as much as so many rows. */
export const READ_ALONE = 10;

/** What a field says of itself for the sum of the rows that an operation may ask for: see graphql/documents/cost.ts. */
export interface RowExtensions {
  entries?: Count | typeof WITH_PARENT;
  rowsBeside?: number;
}

export const counted = (inWords: string, count: (args: Readonly<Record<string, unknown>>) => number): Count =>
  Object.assign(count, { inWords });

/**
 * How many entries a list of objects has, or usually has. Each has to say so, or the service does not start: what is inside of one
 * that is not counted would be free. Pages say it by themselves.
 */
export const Entries = (entries: number | Count | typeof WITH_PARENT) =>
  Extensions({
    entries: typeof entries === 'number' ? counted(`${entries} rows`, () => entries) : entries,
  } satisfies RowExtensions);

/** What a field of an entry of a list costs beside its own entries. Those that say nothing are read with the entry. */
export const RowsBeside = (rowsBeside: typeof READ_TOGETHER | typeof READ_ALONE) =>
  Extensions({ rowsBeside } satisfies RowExtensions);
