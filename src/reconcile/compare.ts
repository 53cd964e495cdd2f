import type { Paise } from '../core/money.js';
import { maskDigits } from '../core/secret.js';
import type { StatementStatus } from '../providers/provider.js';
import {
  agrees,
  type HashedLine,
  matchByAccount,
  matchByReference,
  needsLine,
  needsOrder,
  type OurOrder,
  withReversals,
} from './matching.js';

export type DifferenceKind =
  | 'missing_at_provider'
  | 'order_not_found'
  /** The order of the line is archived. The archive file has its final status. */
  | 'archived'
  | 'amount_differs'
  | 'status_differs'
  | 'duplicate';

export interface Difference {
  kind: DifferenceKind;
  ours?: { id: string; reference: string; developerId: string; state: OurOrder['state']; amountPaise: Paise; at: Date };
  /** Line of the provider, with a masked account. */
  theirs?: { line: number; reference: string; account: string; status: StatementStatus; amountPaise: Paise; at: Date };
  /** Age of the order, or of the provider's line if there is no order. */
  ageMs: number;
}

export interface Period {
  from: Date;
  /** End of the period (exclusive). */
  to: Date;
}

export interface Comparison {
  /** Number of orders in the period. */
  orders: number;
  lines: number;
  matched: number;
  /** IDs of the orders that have a line, including orders outside the period, and whether order and line agree. */
  matchedOrders: ReadonlyMap<string, boolean>;
  differences: Difference[];
}

/**
 * Compares our orders with a statement of a provider. A line with a reference is matched by the reference. A line without one is
 * matched by account, amount and time: pairs with the same status first, then the nearest in time. `orders` can extend beyond
 * the period by `windowMs`, so events at its edges find their counterpart. Only differences within the period are reported.
 * `archived` contains references of archived orders. This is a pure function.
 */
export function compare(
  orders: readonly OurOrder[],
  lines: readonly HashedLine[],
  {
    period,
    windowMs,
    now,
    archived = new Set(),
  }: { period: Period; windowMs: number; now: Date; archived?: ReadonlySet<string> },
): Comparison {
  const inPeriod = (at: Date): boolean => at >= period.from && at < period.to;
  const differences: Difference[] = [];
  const report = (kind: DifferenceKind, order?: OurOrder, line?: HashedLine): void => {
    const at = (order ?? line)!.at;
    if (inPeriod(at)) differences.push({ kind, ...sides(order, line), ageMs: now.getTime() - at.getTime() });
  };

  const transactions = withReversals(lines);
  const referenced = matchByReference(
    orders,
    transactions.filter(({ reference }) => reference !== ''),
  );
  const matchedByReference = new Set(referenced.pairs.map(({ order }) => order));
  const byAccount = matchByAccount(
    orders.filter((order) => !matchedByReference.has(order)),
    transactions.filter(({ reference }) => reference === ''),
    windowMs,
  );
  const pairs = [...referenced.pairs, ...byAccount.pairs];
  for (const { order, line } of pairs) {
    if (order.amountPaise !== line.amountPaise) report('amount_differs', order, line);
    if (!agrees({ order, line })) report('status_differs', order, line);
  }
  for (const line of [...referenced.duplicates, ...byAccount.duplicates]) report('duplicate', undefined, line);
  for (const line of [...referenced.unknown, ...byAccount.unknown])
    if (needsOrder(line)) report(archived.has(line.reference) ? 'archived' : 'order_not_found', undefined, line);
  const matchedOrders = new Set(pairs.map(({ order }) => order));
  for (const order of orders) if (!matchedOrders.has(order) && needsLine(order)) report('missing_at_provider', order);

  return {
    orders: orders.filter(({ at }) => inPeriod(at)).length,
    lines: lines.filter(({ at }) => inPeriod(at)).length,
    matched: pairs.filter(({ order }) => inPeriod(order.at)).length,
    matchedOrders: new Map(
      pairs.map(({ order, line }) => [order.id, order.amountPaise === line.amountPaise && agrees({ order, line })]),
    ),
    differences: differences.toSorted((a, b) => b.ageMs - a.ageMs),
  };
}

function sides(order: OurOrder | undefined, line: HashedLine | undefined): Pick<Difference, 'ours' | 'theirs'> {
  const { id, reference, developerId, state, amountPaise, at } = order ?? {};
  return {
    ...(order ? { ours: { id, reference, developerId, state, amountPaise, at } as Difference['ours'] } : {}),
    ...(line
      ? {
          theirs: {
            line: line.line,
            reference: line.reference,
            account: maskDigits(line.account),
            status: line.status,
            amountPaise: line.amountPaise,
            at: line.at,
          },
        }
      : {}),
  };
}
