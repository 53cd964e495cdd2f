import type { LookupScript, MoneyScript } from '../../../src/core/magic-numbers.js';

export const points = [
  'before T1',
  'after T1',
  'before the claim',
  'after the claim',
  'while sending',
  'after the response',
  'inside T2',
  'after T2',
  'sweeper after lease',
  'sweeper after status check',
  'lead fee',
] as const;
export const faults = ['SIGKILL', 'backend killed', 'server stopped', 'provider cut'] as const;
export const operations = [
  'recharge ROUNDPAY',
  'recharge MOKSHIQ',
  'bill pay',
  'paid lookup',
  'bill fetch',
  'lead status',
] as const;

export type Point = (typeof points)[number];
export type Fault = (typeof faults)[number];
export type Operation = (typeof operations)[number];
export type Outcome = MoneyScript | LookupScript;

/** Outcomes that magic numbers script for payments. */
export const moneyOutcomes: readonly MoneyScript[] = [
  'success',
  'declined',
  'silent_performed',
  'silent_not_performed',
  'silent_never_found',
  'pending_then_success',
  'pending_then_failed',
  'html_500_performed',
  'truncated_performed',
  'slow_success',
  'success_then_reversed',
  'other_amount_performed',
  'reset_performed',
  'odd_but_valid',
];
export const lookupOutcomes: readonly LookupScript[] = [
  'success',
  'failure',
  'silent',
  'html_500',
  'truncated',
  'slow_success',
  'reset',
  'odd_but_valid',
];

/** One crash: its point, its fault, the call it interrupts, and the outcome of this call at the provider. */
export interface Cell {
  point: Point;
  fault: Fault;
  operation: Operation;
  outcome: Outcome;
}

export const isPayment = (operation: Operation): boolean =>
  operation === 'recharge ROUNDPAY' || operation === 'recharge MOKSHIQ' || operation === 'bill pay';

/** Whether the provider has a status check. */
const canCheckStatus = (operation: Operation): boolean => operation === 'recharge ROUNDPAY' || operation === 'bill pay';

export const outcomesOf = (operation: Operation): readonly Outcome[] =>
  operation === 'lead status' ? ['success'] : isPayment(operation) ? moneyOutcomes : lookupOutcomes;

/** Whether a cell is possible. This rule defines all cells. */
export function applicable({ point, fault, operation, outcome }: Cell): boolean {
  if (!outcomesOf(operation).includes(outcome)) return false;
  // A status call has no order. Its money is the lead fee, in the transaction that stores the approval.
  if (point === 'lead fee') return operation === 'lead status' && fault !== 'provider cut';
  if (operation === 'lead status')
    return (
      point === 'while sending' ||
      ((point === 'after the response' || point === 'after T2') && fault !== 'provider cut')
    );
  // Only orders without a status check are claimed, and a claim whose result did not reach its process sends nothing.
  if (point === 'before the claim' || point === 'after the claim')
    return operation === 'recharge MOKSHIQ' && fault !== 'provider cut' && outcome === 'success';
  // Nothing is sent to the provider between its response and the next status check.
  if (fault === 'provider cut' && (point === 'after the response' || point === 'inside T2' || point === 'after T2'))
    return false;
  // Before the call is sent, a killed process or a cut link prevents sending, so the outcome at the provider does not matter.
  if ((point === 'before T1' || point === 'after T1') && (fault === 'SIGKILL' || fault === 'provider cut'))
    return outcome === 'success';
  if (point === 'sweeper after lease' && fault === 'provider cut') return canCheckStatus(operation);
  if (point === 'sweeper after status check') return canCheckStatus(operation) && fault !== 'provider cut';
  return true;
}

/** Every possible cell, in a fixed order. */
export const allCells: readonly Cell[] = points.flatMap((point) =>
  faults.flatMap((fault) =>
    operations.flatMap((operation) =>
      outcomesOf(operation)
        .map((outcome): Cell => ({ point, fault, operation, outcome }))
        .filter(applicable),
    ),
  ),
);

export const nameOf = ({ point, fault, operation, outcome }: Cell): string =>
  `${fault} ${point}, ${operation}, ${outcome}`;
