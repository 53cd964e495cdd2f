import type { DeclineReason, OrderKind, OrderStatus, Provider } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { providersOf } from './order-providers.js';
import { instantsOf, type RangeSearch, rangeProblem, rangeSearch } from './range.js';
import { words } from './words.js';

export interface OrderSearch extends RangeSearch, PageSearch {
  reference?: string | undefined;
  status?: OrderStatus | undefined;
  kind?: OrderKind | undefined;
  /** Key of the operator. Only recharges have one. */
  operator?: number | undefined;
  /** Provider, for staff. */
  provider?: Provider | undefined;
  /** Reason of failed or reversed orders. */
  reason?: DeclineReason | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** ID of the developer, for staff. */
  developer?: string | undefined;
  /** ID of the order that the drawer displays. */
  order?: string | undefined;
}

/** Reads text from the URL. The router parses digits as a number. */
export const textIn = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const oneOf = <Value extends string>(value: unknown, allowed: Record<Value, unknown>): Value | undefined =>
  typeof value === 'string' && Object.hasOwn(allowed, value) ? (value as Value) : undefined;
export const amountIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

/** Reads an operator key, which is a number in the URL, and text right after it was selected. */
const keyIn = (value: unknown): number | undefined => {
  const key = Number(textIn(value));
  return Number.isInteger(key) && key > 0 ? key : undefined;
};

/** Reads the filters from the URL. Omits combinations that the API would reject. The provider filter is only for staff. */
export function orderSearch(search: Record<string, unknown>): OrderSearch {
  const kind = oneOf(search.kind, words.orderKinds);
  const operator = kind === 'CARD_PAYMENT' ? undefined : keyIn(search.operator);
  const providers = providersOf({ kind, operator }, search.environment === 'UAT' ? 'UAT' : 'PRODUCTION');
  return {
    reference: textIn(search.reference),
    status: oneOf(search.status, words.orders),
    kind,
    operator,
    provider: providers.find((name) => name === search.provider),
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

/** Message if the filters cannot match any order. A reference identifies one order, so other filters are then ignored. */
export function orderProblem({ reference, min, max, ...range }: OrderSearch): string | undefined {
  if (reference !== undefined) return undefined;
  if (min !== undefined && max !== undefined && min > max) return words.transactions.amountsBackwards;
  return rangeProblem(range);
}

/** Converts the search parameters to the filter of the query, without the environment. */
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
