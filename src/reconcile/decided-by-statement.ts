import type { Resolution } from '../decisions/review.types.js';
import type { StatementStatus } from '../providers/provider.js';
import type { Period } from './compare.js';
import { type HashedLine, type OurOrder, withReversals } from './matching.js';

/** An order in review with the one line of the statement that says what became of it. */
export interface DecidedByStatement {
  order: OurOrder;
  outcome: Resolution;
  line: HashedLine;
}

const OUTCOMES: Readonly<Record<StatementStatus, Resolution | undefined>> = {
  succeeded: 'success',
  failed: 'failed',
  // where no money stays moved it goes back
  reversed: 'failed',
  pending: undefined,
};

/**
 * The orders in review about which a statement leaves no doubt. By our reference: the one line that has it is of the same amount.
 * Without one: within `windowMs` there is one line of the same account and amount and one order that it can be of, whatever its
 * state. Near the ends of the period the file may lack the other line, so there nothing without a reference is sure. Pure.
 */
export function decidedByStatement(
  orders: readonly OurOrder[],
  lines: readonly HashedLine[],
  { period, windowMs }: { period: Period; windowMs: number },
): DecidedByStatement[] {
  const transactions = withReversals(lines);
  const byReference = Map.groupBy(transactions, ({ reference }) => reference);
  const anonymous = Map.groupBy(byReference.get('') ?? [], kindOf);
  const claimants = Map.groupBy(orders, kindOf);
  const near = (a: Timed, b: Timed): boolean => Math.abs(a.at.getTime() - b.at.getTime()) <= windowMs;
  const isInside = ({ at }: OurOrder): boolean =>
    at.getTime() - windowMs >= period.from.getTime() && at.getTime() + windowMs < period.to.getTime();

  const lineOf = (order: OurOrder): HashedLine | undefined => {
    const referenced = byReference.get(order.reference);
    if (referenced) return onlyOne(referenced);
    if (!isInside(order)) return undefined;
    const line = onlyOne((anonymous.get(kindOf(order)) ?? []).filter((one) => near(one, order)));
    return line && onlyOne(claimants.get(kindOf(line))!.filter((one) => near(one, line))) && line;
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
