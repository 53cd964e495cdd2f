import type { Resolution } from '../decisions/review.types.js';
import type { StatementStatus } from '../providers/provider.js';
import type { Period } from './compare.js';
import { type HashedLine, type OurOrder, withReversals } from './matching.js';

/** Order in review, with the only line of the statement that shows its outcome. */
export interface StatementResolution {
  order: OurOrder;
  outcome: Resolution;
  line: HashedLine;
}

const OUTCOMES: Readonly<Record<StatementStatus, Resolution | undefined>> = {
  succeeded: 'success',
  failed: 'failed',
  // a reversed payment moved no money in the end, so the amount is refunded
  reversed: 'failed',
  pending: undefined,
};

/**
 * Returns the orders in review whose outcome the statement shows without doubt. With our reference, a single line has the
 * reference, and the amounts match. Without one, a single line within `windowMs` has the same account and amount, and it can
 * belong to a single order of any state. Near the edges of the period another line can be outside the file, so orders without a
 * reference are not resolved there. This is a pure function.
 */
export function resolvedByStatement(
  orders: readonly OurOrder[],
  lines: readonly HashedLine[],
  { period, windowMs }: { period: Period; windowMs: number },
): StatementResolution[] {
  const transactions = withReversals(lines);
  const byReference = Map.groupBy(transactions, ({ reference }) => reference);
  const anonymous = Map.groupBy(byReference.get('') ?? [], kindOf);
  const claimants = Map.groupBy(orders, kindOf);
  const isNear = (a: Timed, b: Timed): boolean => Math.abs(a.at.getTime() - b.at.getTime()) <= windowMs;
  const isInPeriod = ({ at }: OurOrder): boolean =>
    at.getTime() - windowMs >= period.from.getTime() && at.getTime() + windowMs < period.to.getTime();

  const lineOf = (order: OurOrder): HashedLine | undefined => {
    const referenced = byReference.get(order.reference);
    if (referenced) return onlyOne(referenced);
    if (!isInPeriod(order)) return undefined;
    const line = onlyOne((anonymous.get(kindOf(order)) ?? []).filter((candidate) => isNear(candidate, order)));
    return line && onlyOne(claimants.get(kindOf(line))!.filter((candidate) => isNear(candidate, line))) && line;
  };
  return orders
    .filter(({ state }) => state === 'review')
    .flatMap((order) => {
      const line = lineOf(order);
      const outcome = line && OUTCOMES[line.status];
      return outcome && line.amountPaise === order.amountPaise ? [{ order, outcome, line }] : [];
    });
}

type Timed = Pick<OurOrder | HashedLine, 'at'>;

const kindOf = ({ accountHash, amountPaise }: OurOrder | HashedLine): string => `${accountHash} ${amountPaise}`;

const onlyOne = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
