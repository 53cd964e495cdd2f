import type { DeclineReason, OrderKind, OrderStatus, Provider } from './generated/documents.js';
import type { Where } from './list.js';
import { performersOf } from './performers.js';
import { instantsOf, type RangeSearch, rangeProblem, rangeSearch } from './range.js';
import { words } from './words.js';

export interface OrderSearch extends RangeSearch, Where {
  reference?: string | undefined;
  status?: OrderStatus | undefined;
  kind?: OrderKind | undefined;
  /** By one of its keys; recharges alone have one. */
  operator?: number | undefined;
  /** For staff: who performed them. */
  provider?: Provider | undefined;
  /** Of those that failed or were reversed. */
  reason?: DeclineReason | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** For staff: whose. */
  developer?: string | undefined;
  /** The one that is open. */
  order?: string | undefined;
}

/** A number in an address stands for its digits, where a text is looked for. */
export const textIn = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const oneOf = <Value extends string>(value: unknown, among: Record<Value, unknown>): Value | undefined =>
  typeof value === 'string' && Object.hasOwn(among, value) ? (value as Value) : undefined;
export const amountIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

/** In an address it is a number, and a text where it was just chosen. */
const keyIn = (value: unknown): number | undefined => {
  const key = Number(textIn(value));
  return Number.isInteger(key) && key > 0 ? key : undefined;
};

/** What the list would refuse beside the rest is left out. Staff, who alone choose a provider, begin with Production. */
export function orderSearch(search: Record<string, unknown>): OrderSearch {
  const kind = oneOf(search.kind, words.orderKinds);
  const operator = kind === 'CARD_PAYMENT' ? undefined : keyIn(search.operator);
  const performers = performersOf({ kind, operator }, search.environment === 'UAT' ? 'UAT' : 'PRODUCTION');
  return {
    reference: textIn(search.reference),
    status: oneOf(search.status, words.orders),
    kind,
    operator,
    provider: performers.find((one) => one === search.provider),
    reason: oneOf(search.reason, words.declines),
    min: amountIn(search.min),
    max: amountIn(search.max),
    developer: textIn(search.developer),
    order: textIn(search.order),
    after: textIn(search.after),
    before: textIn(search.before),
    ...rangeSearch(search),
  };
}

/** What no order can fit, for people. A reference is exact: nothing else is asked for beside it. */
export function orderProblem({ reference, min, max, ...range }: OrderSearch): string | undefined {
  if (reference !== undefined) return undefined;
  if (min !== undefined && max !== undefined && min > max) return words.transactions.amountsBackwards;
  return rangeProblem(range);
}

/** The same as the list takes it, but for the environment. */
export function orderFilter({
  reference,
  status,
  kind,
  operator,
  provider,
  reason,
  min,
  max,
  developer,
  ...range
}: OrderSearch) {
  if (reference !== undefined) return { reference, developerId: developer };
  return {
    ...instantsOf(range),
    status: status && [status],
    kind,
    operatorSpKey: operator,
    provider,
    declineReason: reason && [reason],
    minAmount: min,
    maxAmount: max,
    developerId: developer,
  };
}
