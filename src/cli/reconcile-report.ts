import { decimalText } from '../core/money.js';
import type { Comparison, Difference } from '../reconcile/compare.js';
import type { RunApproval, RunResult } from '../reconcile/statement-run.js';
import { duration } from './doctor-checks.js';

export interface Report {
  comparison: Omit<Comparison, 'matchedOrders'>;
  /** Number of successful orders whose status is checked with the provider. */
  doubted: number;
  /** Number of orders that this statement moved to manual review. */
  conflicting: number;
  /** Result of the run; undefined if nothing was stored. */
  run: RunResult | undefined;
}

/** Number of rows per write. */
const ROWS = 500;
const HEADER: Row = ['difference', 'order', 'ours', 'theirs', 'age'];

type Row = readonly string[];

/** Returns a row of the table, with our reference or the line of the statement. */
function rowOf({ kind, ours, theirs, ageMs }: Difference): Row {
  return [
    kind.replaceAll('_', ' '),
    ours?.reference ?? (theirs?.reference || `line ${theirs?.line}, account ${theirs?.account}`),
    ours ? `${ours.state} ${decimalText(ours.amountPaise)}` : '–',
    theirs ? `${theirs.status} ${decimalText(theirs.amountPaise)}` : '–',
    duration(ageMs / 1_000),
  ];
}

/** Every line of a month can be a difference, so rows are not stored but generated twice, first for the column widths. */
function* rowsOf(differences: readonly Difference[]): Generator<Row> {
  yield HEADER;
  for (const difference of differences) yield rowOf(difference);
}

function sentenceOf({ requested, left, approvalRequestId, replayed }: RunApproval): string {
  if (approvalRequestId === undefined)
    return 'the statement proves the outcome of no order in review: no approval was requested';
  const rest = left > 0 ? `; run this again for ${left} more when these are resolved` : '';
  return `approval request ${approvalRequestId} ${replayed ? 'is already pending' : 'is pending'}: ${requested} orders in review${rest}`;
}

/** Returns the table of the differences and a summary, in chunks. */
export function* tableOf({ comparison, doubted, conflicting, run }: Report): Generator<string> {
  const { orders, lines, matched, differences } = comparison;
  if (differences.length > 0) {
    const widths = HEADER.map(() => 0);
    for (const row of rowsOf(differences))
      row.forEach((cell, column) => (widths[column] = Math.max(widths[column]!, cell.length)));
    yield* inPieces(rowsOf(differences), (row) => {
      const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
      return `${cells.join('  ').trimEnd()}\n`;
    });
    yield '\n';
  }
  const checking = doubted > 0 ? `; checking the status of ${doubted} with the provider` : '';
  const reviewing = conflicting > 0 ? `; ${conflicting} more need manual review` : '';
  const { added = 0, resolved = 0 } = run?.kept ?? {};
  const kept = `${added > 0 ? `; ${added} new` : ''}${resolved > 0 ? `; ${resolved} earlier ones resolved` : ''}`;
  yield `${orders} orders, ${lines} lines, ${matched} matched, ${differences.length} differences${kept}${checking}${reviewing}\n`;
  if (run?.approvalRequest) yield `${sentenceOf(run.approvalRequest)}\n`;
}

/** Returns JSON with the list of differences, in chunks. */
export function* jsonOf({
  comparison: { orders, lines, matched, differences },
  doubted,
  conflicting,
  run,
}: Report): Generator<string> {
  const head = json({ orders, lines, matched, differences: [] }, 2);
  // this is the text up to the opening bracket of the empty list
  yield head.slice(0, head.lastIndexOf(']'));
  let index = 0;
  yield* inPieces(differences, (difference) => {
    const text = json(difference, 2).replaceAll('\n', '\n    ');
    return `${index++ === 0 ? '' : ','}\n    ${text}`;
  });
  const tail = json({ doubted, conflicting, ...run?.kept, run: run?.approvalRequest }, 2).slice('{'.length);
  yield `${differences.length > 0 ? '\n  ' : ''}],${tail}\n`;
}

const json = (value: unknown, indent: number): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part), indent);

function* inPieces<T>(items: Iterable<T>, textOf: (item: T) => string): Generator<string> {
  let piece = '';
  let count = 0;
  for (const item of items) {
    piece += textOf(item);
    if (++count % ROWS > 0) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}
