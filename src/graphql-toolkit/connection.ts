import { fieldError } from '../core/errors.js';

export const MAX_PAGE = 200;
export const DEFAULT_PAGE = 20;

export const BOTH_ENDS = 'Set either `first` or `last`, not both.';
export const NO_CURSOR = 'Must be a cursor of this list.';

/** Page that was requested by a caller: `first` after a cursor, or `last` before a cursor. */
export interface PageRequest {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Page in the form that a list reads it: from the start of the list, or from its end. */
export interface Slice {
  /** List name, which is part of each cursor, so that cursors of other lists are rejected. */
  list: string;
  size: number;
  backwards: boolean;
  /** Keys before and after the page, both exclusive. */
  after: string | undefined;
  before: string | undefined;
}

/**
 * Validates pagination arguments. The default is 20 entries; an empty cursor is treated as missing. Throws VALIDATION_FAILED.
 * @param key format of the keys of the list
 */
export function sliceOf(list: string, { first, after, last, before }: PageRequest, key: RegExp): Slice {
  if (first != null && last != null) throw fieldError('last', 'COMBINATION', BOTH_ENDS);
  const backwards = last != null;
  return {
    list,
    size: pageSize(backwards ? 'last' : 'first', last ?? first ?? DEFAULT_PAGE),
    backwards,
    after: decodeCursor(list, 'after', after, key),
    before: decodeCursor(list, 'before', before, key),
  };
}

/** Returns the maximum number of entries of a page, for unvalidated arguments. It is 0 if `sliceOf` will reject them. */
export function rowsOfPage({ first, last }: { readonly first?: unknown; readonly last?: unknown }): number {
  if (first != null && last != null) return 0;
  const size = last ?? first ?? DEFAULT_PAGE;
  return isPageSize(size) ? size : 0;
}

const isPageSize = (size: unknown): size is number =>
  Number.isInteger(size) && (size as number) >= 1 && (size as number) <= MAX_PAGE;

function pageSize(name: string, size: number): number {
  if (!isPageSize(size))
    throw fieldError(name, { rule: 'RANGE', min: 1, max: MAX_PAGE }, `Must be between 1 and ${MAX_PAGE}.`);
  return size;
}

/** Encodes the list name and the key of the entry. Cursors are opaque to clients. */
const encodeCursor = (list: string, key: string | number | bigint): string =>
  Buffer.from(`${list}:${key}`).toString('base64url');

function decodeCursor(
  list: string,
  name: string,
  cursor: string | null | undefined,
  pattern: RegExp,
): string | undefined {
  if (!cursor) return undefined;
  const key = keyIn(list, cursor, pattern);
  if (key === undefined) throw fieldError(name, 'REFERENCE', NO_CURSOR);
  return key;
}

/** Returns the key in a cursor of this list, or undefined if the text is not such a cursor. */
export function keyIn(list: string, cursor: string, pattern: RegExp): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const key = text.startsWith(`${list}:`) ? text.slice(list.length + 1) : '';
  return pattern.test(key) ? key : undefined;
}

export interface Page<Node> {
  edges: { cursor: string; node: Node }[];
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/**
 * Returns the page from `size + 1` rows, in the order of the list or, if the slice is backwards, from its end. The extra row
 * only indicates that there are more entries. In the other direction, there are more entries if the slice has a start cursor.
 * @param end key at which reading stopped before the page was full although there are more rows; the next page continues there
 */
export function pageOf<Row, Node>(
  rows: readonly Row[],
  { list, size, backwards, after, before }: Slice,
  keyOf: (row: Row) => string | number | bigint,
  nodeOf: (row: Row) => Node,
  end?: string,
): Page<Node> {
  const pageRows = rows.slice(0, size);
  const edges = (backwards ? pageRows.toReversed() : pageRows).map((row) => ({
    cursor: encodeCursor(list, keyOf(row)),
    node: nodeOf(row),
  }));
  const hasMore = rows.length > size || end !== undefined;
  const stopCursor = end !== undefined && rows.length <= size ? encodeCursor(list, end) : undefined;
  return {
    edges,
    nodes: nodesOf(edges),
    pageInfo: {
      hasNextPage: backwards ? before !== undefined : hasMore,
      hasPreviousPage: backwards ? hasMore : after !== undefined,
      startCursor: (backwards ? stopCursor : undefined) ?? edges[0]?.cursor ?? null,
      endCursor: (backwards ? undefined : stopCursor) ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

const nodesOf = <Node>(edges: Page<Node>['edges']): Node[] => edges.map(({ node }) => node);

/** Converts the nodes of a page with `view`. */
export function pageView<Row, Node, SourcePage extends Page<Row>>(
  page: SourcePage & Page<Row>,
  view: (row: Row) => Node,
): Omit<SourcePage, keyof Page<Row>> & Page<Node> {
  const { edges: rows }: Page<Row> = page;
  const edges = rows.map(({ cursor, node }) => ({ cursor, node: view(node) }));
  return { ...page, edges, nodes: nodesOf(edges) };
}

const ROWS_AT_A_TIME = 200;

/**
 * Returns all nodes of a list from its end to its start, page by page. A list with the newest entry first is returned oldest
 * first.
 */
export async function* pagesFromTheEnd<Node>(
  read: (request: PageRequest) => Promise<Page<Node>>,
): AsyncGenerator<Node[]> {
  let before: string | null = null;
  do {
    const { nodes, pageInfo }: Page<Node> = await read({ last: ROWS_AT_A_TIME, before });
    yield nodes.toReversed();
    before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
  } while (before !== null);
}
