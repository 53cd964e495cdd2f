import type { ReviewQuery } from '../generated/documents.js';

/** A page of the orders that wait for a person. */
export type FoundOrders = NonNullable<ReviewQuery['reviewOrders']>;
export type ReviewEntry = FoundOrders['edges'][number]['node'];

export const sumOf = (entries: readonly ReviewEntry[]): number =>
  entries.reduce((sum, { order }) => sum + Math.round(order.amount * 100), 0) / 100;

export const numberOf = ({ order }: ReviewEntry): string => order.accountNumber ?? order.card ?? '–';
