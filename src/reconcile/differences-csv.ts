import { indianTime, startOfIndianDay } from '../core/clock.js';
import { csvRecord } from '../core/csv.js';
import { decimalText, type Paise } from '../core/money.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import { orderNodeId } from '../graphql-toolkit/node.js';
import type { DifferenceStore, StoredDifference } from './difference.store.js';

export const differenceColumns = (
  'found_at id provider kind at order_id reference account order_status order_amount line line_status line_amount ' +
  'run_id file_sha256 resolution resolved_at resolved_by reason resolved_by_run_id'
).split(' ');

/** Differences that were first found on these calendar days (IST) as CSV text in pieces, oldest first. Only one page is in memory. */
export async function* differencesCsv(
  differences: Pick<DifferenceStore, 'page'>,
  from: string,
  to: string,
): AsyncGenerator<string> {
  yield csvRecord(differenceColumns);
  const selection = { foundFrom: startOfIndianDay(from), foundBefore: startOfIndianDay(to, 1) };
  for await (const page of pagesFromTheEnd((request) => differences.page(selection, request)))
    yield page.map(recordOf).join('');
}

const amountText = (amount: Paise | null): string => (amount === null ? '' : decimalText(amount));

const recordOf = (one: StoredDifference): string =>
  csvRecord([
    indianTime(one.foundAt),
    `dif_${one.id}`,
    one.provider,
    one.kind,
    indianTime(one.occurredAt),
    one.orderId ? orderNodeId(one.orderId) : '',
    one.reference,
    one.account ?? '',
    one.ourStatus ?? '',
    amountText(one.ourAmount),
    one.line === null ? '' : String(one.line),
    one.theirStatus ?? '',
    amountText(one.theirAmount),
    one.runId,
    one.fileHash,
    one.resolution ?? '',
    one.resolvedAt ? indianTime(one.resolvedAt) : '',
    one.resolvedBy ? `usr_${one.resolvedBy}` : '',
    one.reason ?? '',
    one.resolvedRunId ?? '',
  ]);
