import { fieldError } from '../core/errors.js';

export const MAX_PAGE = 200;

/** `first` of a page: 1 to 200. Errors: VALIDATION_FAILED. */
export function pageSize(first: number): number {
  if (!Number.isInteger(first) || first < 1 || first > MAX_PAGE)
    throw fieldError('first', `Must be between 1 and ${MAX_PAGE}.`);
  return first;
}

/** Cursors are opaque to clients: the key of the last entry, encoded. */
export const encodeCursor = (key: string | number | bigint): string => Buffer.from(`k:${key}`).toString('base64url');

/** The key behind a cursor. Errors: VALIDATION_FAILED for texts that are none. */
export function decodeCursor(after: string | null | undefined, pattern: RegExp): string | undefined {
  if (after === undefined || after === null) return undefined;
  const key = /^k:(.*)$/.exec(Buffer.from(after, 'base64url').toString())?.[1];
  if (key === undefined || !pattern.test(key)) throw fieldError('after', 'Must be a cursor of this list.');
  return key;
}

export interface Page<Node> {
  edges: { cursor: string; node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A page out of `first + 1` rows: the extra row only tells that there is more. */
export function pageOf<Row, Node>(
  rows: readonly Row[],
  first: number,
  keyOf: (row: Row) => string | number | bigint,
  nodeOf: (row: Row) => Node,
): Page<Node> {
  const edges = rows.slice(0, first).map((row) => ({ cursor: encodeCursor(keyOf(row)), node: nodeOf(row) }));
  return { edges, pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}
