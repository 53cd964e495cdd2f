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

const rowOf = (difference: StoredDifference): Cell[] => [
  difference.foundAt,
  `dif_${difference.id}`,
  difference.provider,
  difference.kind,
  difference.occurredAt,
  difference.orderId && orderNodeId(difference.orderId),
  difference.reference,
  difference.account,
  difference.ourStatus,
  difference.ourAmount,
  difference.line,
  difference.theirStatus,
  difference.theirAmount,
  difference.runId,
  difference.fileHash,
  difference.resolution,
  difference.resolvedAt,
  difference.resolvedBy && `usr_${difference.resolvedBy}`,
  difference.reason,
  difference.resolvedRunId,
];
