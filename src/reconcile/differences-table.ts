import type { Cell, Columns, Pages } from '../core/table.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import { orderNodeId } from '../graphql-toolkit/node.js';
import type { DifferenceSelection, DifferenceStore, StoredDifference } from './difference.store.js';

export const differenceColumns = {
  found_at: 'time',
  id: 'text',
  provider: 'text',
  kind: 'text',
  at: 'time',
  order_id: 'text',
  reference: 'text',
  account: 'text',
  order_status: 'text',
  order_amount: 'amount',
  line: 'count',
  line_status: 'text',
  line_amount: 'amount',
  run_id: 'text',
  file_sha256: 'text',
  resolution: 'text',
  resolved_at: 'time',
  resolved_by: 'text',
  reason: 'text',
  resolved_by_run_id: 'text',
} as const satisfies Columns;

/** Returns the differences as rows, oldest first. Only one page is kept in memory. */
export async function* differenceRows(
  differences: Pick<DifferenceStore, 'page'>,
  selection: DifferenceSelection,
): Pages {
  for await (const page of pagesFromTheEnd((request) => differences.page(selection, request))) yield page.map(rowOf);
}

const rowOf = (one: StoredDifference): Cell[] => [
  one.foundAt,
  `dif_${one.id}`,
  one.provider,
  one.kind,
  one.occurredAt,
  one.orderId && orderNodeId(one.orderId),
  one.reference,
  one.account,
  one.ourStatus,
  one.ourAmount,
  one.line,
  one.theirStatus,
  one.theirAmount,
  one.runId,
  one.fileHash,
  one.resolution,
  one.resolvedAt,
  one.resolvedBy && `usr_${one.resolvedBy}`,
  one.reason,
  one.resolvedRunId,
];
