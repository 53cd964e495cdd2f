import type { Paise } from '../core/money.js';
import type { OrderState } from '../orders/states.js';
import type { StatementStatus } from '../providers/provider.js';
import type { ProviderLine } from './provider-statement.js';

/** Fields of an order that are compared. */
export interface OurOrder {
  id: string;
  reference: string;
  developerId: string;
  /** Keyed hash of the account in hexadecimal, because the number is encrypted. */
  accountHash: string;
  amountPaise: Paise;
  /** `reversed`: a success that was reversed. */
  state: OrderState | 'reversed';
  at: Date;
}

/** Statement line of a provider, with the keyed hash of its account number. */
export type HashedLine = ProviderLine & { accountHash: string };

export interface Pair {
  order: OurOrder;
  line: HashedLine;
}

/** Provider statuses that match each of our states. If no money moved in the end, failed and reversed both match. */
const MATCHING_STATUSES: Readonly<Record<OurOrder['state'], readonly StatementStatus[]>> = {
  success: ['succeeded'],
  failed: ['failed', 'reversed'],
  reversed: ['reversed', 'failed'],
  open: ['pending'],
  review: ['pending'],
};
export const agrees = ({
  order,
  line,
}: {
  order: Pick<OurOrder, 'state'>;
  line: Pick<HashedLine, 'status'>;
}): boolean => MATCHING_STATUSES[order.state].includes(line.status);
/** Returns whether money moved or may have moved, so the other side must have a counterpart. */
export const needsLine = ({ state }: OurOrder): boolean =>
  state === 'success' || state === 'open' || state === 'review';
export const needsOrder = ({ status }: HashedLine): boolean => status === 'succeeded' || status === 'pending';

const transactionOf = ({ reference, accountHash, amountPaise }: HashedLine): string =>
  `${reference} ${accountHash} ${amountPaise}`;

/**
 * Applies reversals, which statements list as separate lines. A reversal marks the last succeeded line of the same transaction
 * as reversed.
 */
export function withReversals(lines: readonly HashedLine[]): HashedLine[] {
  const result: HashedLine[] = [];
  // successful lines that can be reversed; only these are kept, because all lines of a month would take much memory
  const openLines = new Map<string, HashedLine[]>();
  for (const line of lines) if (line.status === 'reversed') openLines.set(transactionOf(line), []);
  for (const line of lines.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const openPayments = openLines.get(transactionOf(line));
    if (line.status === 'reversed' && openPayments?.length) {
      openPayments.pop()!.status = 'reversed';
      continue;
    }
    // this does not change the line of the caller
    const copy = openPayments ? { ...line } : line;
    result.push(copy);
    if (line.status === 'succeeded') openPayments?.push(copy);
  }
  return result;
}

/**
 * Returns pairs of an order and the statement line with its reference. The result includes lines that match no order, and each
 * additional successful line of an order.
 */
export function matchByReference(orders: readonly OurOrder[], lines: readonly HashedLine[]) {
  const byReference = new Map(orders.map((order) => [order.reference, order]));
  const groups = Map.groupBy(lines, ({ reference }) => reference);
  const pairs: Pair[] = [];
  const duplicates: HashedLine[] = [];
  const unknown: HashedLine[] = [];
  for (const [reference, group] of groups) {
    const order = byReference.get(reference);
    if (!order) {
      for (const line of group) unknown.push(line);
      continue;
    }
    const match = group.find((line) => agrees({ order, line })) ?? group.find(needsOrder) ?? group[0]!;
    pairs.push({ order, line: match });
    // several attempts with one reference are fine if only one of them moved money
    for (const line of group) if (line !== match && line.status === 'succeeded') duplicates.push(line);
  }
  return { pairs, duplicates, unknown };
}

const byAccount = ({ accountHash }: OurOrder | HashedLine): string => accountHash;
const byAmount = ({ accountHash, amountPaise }: OurOrder | HashedLine): string => `${accountHash} ${amountPaise}`;
const distanceMs = ({ order, line }: Pair): number => Math.abs(order.at.getTime() - line.at.getTime());

/** Kind of each status. Statuses that match each other are of the same kind; see AGREE. */
const STATUS_GROUPS: Readonly<Record<StatementStatus, string>> = {
  succeeded: 'succeeded',
  failed: 'no money moved',
  reversed: 'no money moved',
  pending: 'pending',
};
const byAmountAndKind = (side: OurOrder | HashedLine): string =>
  `${byAmount(side)} ${STATUS_GROUPS['status' in side ? side.status : MATCHING_STATUSES[side.state][0]!]}`;

/** Matching rounds, the strictest first. Sides with the same key are a pair if they matter. */
const ROUNDS: readonly { key: typeof byAmount; matters: (side: OurOrder | HashedLine) => boolean }[] = [
  { key: byAmountAndKind, matters: () => true },
  { key: byAmount, matters: () => true },
  { key: byAccount, matters: (side) => ('status' in side ? needsOrder(side) : needsLine(side)) },
];

/**
 * Returns pairs of an order and the best matching line without a reference. The result includes unmatched lines, and each
 * additional successful line of an order.
 */
export function matchByAccount(orders: readonly OurOrder[], lines: readonly HashedLine[], windowMs: number) {
  let pairs: Pair[] = [];
  let unmatchedOrders = orders;
  let unmatchedLines = lines;
  for (const { key, matters } of ROUNDS) {
    const newPairs = nearest(unmatchedOrders.filter(matters), unmatchedLines.filter(matters), key, windowMs);
    pairs = pairs.concat(newPairs);
    const matched = new Set<OurOrder | HashedLine>(newPairs.flatMap(({ order, line }) => [order, line]));
    unmatchedOrders = unmatchedOrders.filter((order) => !matched.has(order));
    unmatchedLines = unmatchedLines.filter((line) => !matched.has(line));
  }
  const pairsByAmount = Map.groupBy(pairs, ({ order }) => byAmount(order));
  const isDuplicate = (line: HashedLine): boolean =>
    line.status === 'succeeded' &&
    (pairsByAmount.get(byAmount(line)) ?? []).some(({ order }) => distanceMs({ order, line }) <= windowMs);
  return {
    pairs,
    duplicates: unmatchedLines.filter(isDuplicate),
    unknown: unmatchedLines.filter((line) => !isDuplicate(line)),
  };
}

/** Returns pairs with the same key that are at most `windowMs` apart, the nearest first. No order or line is in two pairs. */
function nearest(
  orders: readonly OurOrder[],
  lines: readonly HashedLine[],
  key: typeof byAmount,
  windowMs: number,
): Pair[] {
  const ours = Map.groupBy(orders, key);
  return [...Map.groupBy(lines, key)].flatMap(([value, theirs]) => nearestOf(ours.get(value) ?? [], theirs, windowMs));
}

/**
 * Returns the nearest pairs. In a list sorted by time, the nearest pair of an order and a line is adjacent. Therefore, only
 * neighbors are compared. A pair that is closer to each other than to their other neighbors is one that a search for the nearest
 * pair would find. No list of all pairs is needed.
 */
function nearestOf(orders: readonly OurOrder[], lines: readonly HashedLine[], windowMs: number): Pair[] {
  const pairs: Pair[] = [];
  let sides = [...orders, ...lines].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  for (;;) {
    const couples = sides.map((side, index) => coupleOf(side, sides[index + 1], windowMs));
    const gap = (index: number): number => {
      const couple = couples[index];
      return couple ? distanceMs(couple) : Number.POSITIVE_INFINITY;
    };
    const matched = new Set<number>();
    couples.forEach((couple, index) => {
      if (!couple || matched.has(index) || gap(index) > gap(index - 1) || gap(index) > gap(index + 1)) return;
      matched.add(index).add(index + 1);
      pairs.push(couple);
    });
    if (matched.size === 0) return pairs;
    sides = sides.filter((_, index) => !matched.has(index));
  }
}

function coupleOf(a: OurOrder | HashedLine, b: OurOrder | HashedLine | undefined, windowMs: number): Pair | undefined {
  if (!b || 'status' in a === 'status' in b) return undefined;
  const pair = ('status' in a ? { order: b, line: a } : { order: a, line: b }) as Pair;
  return distanceMs(pair) <= windowMs ? pair : undefined;
}
