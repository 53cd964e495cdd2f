import type { Paise } from '../../core/money.js';
import { maskDigits } from '../../core/secret.js';
import type { OrderState } from '../states.js';
import type { ProviderLine, StatementStatus } from './provider-statement.js';

/** One of our orders, as far as it is compared. */
export interface OurOrder {
  reference: string;
  developerId: number;
  /** Keyed hash of the account, hexadecimal: the number itself is encrypted. */
  accountHash: string;
  amountPaise: Paise;
  /** `reversed`: a success that was taken back. */
  state: OrderState | 'reversed';
  at: Date;
}

export type DifferenceKind =
  | 'missing_at_provider'
  | 'missing_at_ours'
  | 'amount_differs'
  | 'status_differs'
  | 'duplicate';

export interface Difference {
  kind: DifferenceKind;
  ours?: { reference: string; developerId: number; state: OurOrder['state']; amountPaise: Paise; at: Date };
  /** The account is masked. */
  theirs?: { line: number; reference: string; account: string; status: StatementStatus; amountPaise: Paise; at: Date };
  /** Since the order, or the provider's line where there is none. */
  ageMs: number;
}

export interface Period {
  from: Date;
  /** Not included. */
  to: Date;
}

export interface Comparison {
  /** What of the period was compared. */
  orders: number;
  lines: number;
  matched: number;
  differences: Difference[];
}

/** A provider's line with the hash that its account has with us. */
export type HashedLine = ProviderLine & { accountHash: string };

interface Pair {
  order: OurOrder;
  line: HashedLine;
}

/** What each state of ours may be called by the provider. Where no money stays moved, both words for it agree. */
const AGREE: Readonly<Record<OurOrder['state'], readonly StatementStatus[]>> = {
  success: ['performed'],
  failed: ['failed', 'reversed'],
  reversed: ['reversed', 'failed'],
  open: ['pending'],
  review: ['pending'],
};
const agrees = ({ order, line }: Pair): boolean => AGREE[order.state].includes(line.status);
/** Money moved, or may have: the other side must have it too. */
const mattersHere = ({ state }: OurOrder): boolean => state === 'success' || state === 'open' || state === 'review';
const mattersThere = ({ status }: HashedLine): boolean => status === 'performed' || status === 'pending';

/**
 * Compares our orders with a provider's statement. A line with a reference is matched by it; one without by account, amount and
 * time, the pairs that agree first, nearest in time. `orders` may reach `windowMs` beyond the period, so that what happened at
 * its edges finds its counterpart; only differences of the period itself are told. Pure.
 */
export function compare(
  orders: readonly OurOrder[],
  lines: readonly HashedLine[],
  { period, windowMs, now }: { period: Period; windowMs: number; now: Date },
): Comparison {
  const inPeriod = (at: Date): boolean => at >= period.from && at < period.to;
  const differences: Difference[] = [];
  const tell = (kind: DifferenceKind, order?: OurOrder, line?: HashedLine): void => {
    const at = (order ?? line)!.at;
    if (inPeriod(at)) differences.push({ kind, ...sides(order, line), ageMs: now.getTime() - at.getTime() });
  };

  const referenced = matchByReference(orders, withReversals(lines.filter(({ reference }) => reference !== '')));
  const taken = new Set(referenced.pairs.map(({ order }) => order));
  const anonymous = matchByAccount(
    orders.filter((order) => !taken.has(order)),
    lines.filter(({ reference }) => reference === ''),
    windowMs,
  );
  const pairs = [...referenced.pairs, ...anonymous.pairs];
  for (const { order, line } of pairs) {
    if (order.amountPaise !== line.amountPaise) tell('amount_differs', order, line);
    if (!agrees({ order, line })) tell('status_differs', order, line);
  }
  for (const line of [...referenced.duplicates, ...anonymous.duplicates]) tell('duplicate', undefined, line);
  for (const line of [...referenced.unknown, ...anonymous.unknown])
    if (mattersThere(line)) tell('missing_at_ours', undefined, line);
  const matched = new Set(pairs.map(({ order }) => order));
  for (const order of orders) if (!matched.has(order) && mattersHere(order)) tell('missing_at_provider', order);

  return {
    orders: orders.filter(({ at }) => inPeriod(at)).length,
    lines: lines.filter(({ at }) => inPeriod(at)).length,
    matched: pairs.filter(({ order }) => inPeriod(order.at)).length,
    differences: differences.toSorted((a, b) => b.ageMs - a.ageMs),
  };
}

function sides(order: OurOrder | undefined, line: HashedLine | undefined): Pick<Difference, 'ours' | 'theirs'> {
  const { reference, developerId, state, amountPaise, at } = order ?? {};
  return {
    ...(order ? { ours: { reference, developerId, state, amountPaise, at } as Difference['ours'] } : {}),
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

/** Statements list a reversal as a line of its own: it takes one performed line of the same reference and amount with it. */
function withReversals(lines: readonly HashedLine[]): HashedLine[] {
  const kept: HashedLine[] = [];
  const open = new Map<string, HashedLine[]>();
  for (const line of [...lines].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const key = `${line.reference} ${line.amountPaise}`;
    const performed = open.get(key);
    if (line.status === 'reversed' && performed?.length) {
      performed.pop()!.status = 'reversed';
      continue;
    }
    const copy = { ...line };
    kept.push(copy);
    if (line.status === 'performed') open.set(key, [...(performed ?? []), copy]);
  }
  return kept;
}

function matchByReference(orders: readonly OurOrder[], lines: readonly HashedLine[]) {
  const byReference = new Map(orders.map((order) => [order.reference, order]));
  const groups = Map.groupBy(lines, ({ reference }) => reference);
  const pairs: Pair[] = [];
  const duplicates: HashedLine[] = [];
  const unknown: HashedLine[] = [];
  for (const [reference, group] of groups) {
    const order = byReference.get(reference);
    if (!order) {
      unknown.push(...group);
      continue;
    }
    const fitting = group.find((line) => agrees({ order, line })) ?? group.find(mattersThere) ?? group[0]!;
    pairs.push({ order, line: fitting });
    // several attempts under one reference are no harm as long as one of them moved money
    duplicates.push(...group.filter((line) => line !== fitting && line.status === 'performed'));
  }
  return { pairs, duplicates, unknown };
}

/** Rounds of looking for a counterpart, the strictest first. */
const ROUNDS: readonly ((pair: Pair) => boolean)[] = [
  (pair) => pair.order.amountPaise === pair.line.amountPaise && agrees(pair),
  ({ order, line }) => order.amountPaise === line.amountPaise,
  ({ order, line }) => mattersHere(order) && mattersThere(line),
];

function matchByAccount(orders: readonly OurOrder[], lines: readonly HashedLine[], windowMs: number) {
  const ours = Map.groupBy(orders, ({ accountHash }) => accountHash);
  const pairs: Pair[] = [];
  const duplicates: HashedLine[] = [];
  const unknown: HashedLine[] = [];
  const distance = (order: OurOrder, line: HashedLine): number => Math.abs(order.at.getTime() - line.at.getTime());
  for (const [accountHash, theirs] of Map.groupBy(lines, (line) => line.accountHash)) {
    const candidates = ours.get(accountHash) ?? [];
    const near = theirs.flatMap((line) =>
      candidates.filter((order) => distance(order, line) <= windowMs).map((order) => ({ order, line })),
    );
    near.sort((a, b) => distance(a.order, a.line) - distance(b.order, b.line));
    const found = new Map<HashedLine, OurOrder>();
    const taken = new Set<OurOrder>();
    for (const fits of ROUNDS) {
      for (const pair of near) {
        if (found.has(pair.line) || taken.has(pair.order) || !fits(pair)) continue;
        found.set(pair.line, pair.order);
        taken.add(pair.order);
        pairs.push(pair);
      }
    }
    for (const line of theirs) {
      if (found.has(line)) continue;
      const twin = near.some(
        ({ order, line: other }) =>
          other === line && order.amountPaise === line.amountPaise && taken.has(order) && line.status === 'performed',
      );
      (twin ? duplicates : unknown).push(line);
    }
  }
  return { pairs, duplicates, unknown };
}
