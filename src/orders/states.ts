import type { Operation } from '../ledger/ledger.service.js';

/** open → success | failed | review; review → success | failed by a person or by proof. Terminal states never change. */
export type OrderState = 'open' | 'success' | 'failed' | 'review';

/** What a caller is told about an order. */
export function statusOf({
  state,
  reversedAt,
}: {
  state: OrderState;
  reversedAt: Date | null;
}): 'success' | 'failed' | 'pending' | 'reversed' {
  switch (state) {
    case 'success':
      return reversedAt ? 'reversed' : 'success';
    case 'failed':
      return 'failed';
    case 'open':
    case 'review':
      return 'pending';
  }
}

/** What a provider said, in the answer to the call or to a status check. */
export type Answer = 'accepted' | 'declined' | 'unknown' | 'not_found';

/** What follows for the money: settle the hold, refund it, ask again later, or hand the order to a person. */
export type Step = { kind: 'settle' } | { kind: 'refund' } | { kind: 'wait'; dueMs: number } | Review;

/** A person may decide; the provider is still asked after `dueMs`, null where it cannot be asked. */
type Review = { kind: 'review'; dueMs: number | null };

/** How often a provider is asked about an order that waits for a person. */
const REVIEW_STATUS_CHECK_MS = 3_600_000;

export interface Circumstances {
  operation: Operation;
  /** The provider can be asked about an order. */
  canCheckStatus: boolean;
  /** "Not found" past the visibility delay proves that nothing was performed. */
  notFoundIsFinal: boolean;
  /** Earlier status checks that found nothing, past the visibility delay. */
  notFoundBefore: number;
  /**
   * Since the latest instant at which it can have been sent, at the beginning of the status check and by the database's clock: since its
   * answer was recorded as unknown, or since the first status check, which begins after the lease. Null where this is neither yet.
   */
  sentAgeMs: number | null;
  /** Since the order was placed, at the beginning of the status check and by the database's clock; 0 for the answer to the call itself. */
  ageMs: number;
  /** Status checks so far, this one included; 0 for the answer to the call itself. */
  statusChecks: number;
}

export interface StatusCheckPolicy {
  /** Delays between status checks; the last one repeats. */
  scheduleMs: readonly number[];
  visibilityDelayMs: number;
  /** What nobody knows for this long, a person decides. */
  manualReviewAfterMs: number;
}

/** Lookups perform nothing that could be lost: without an answer the fee goes back. Payments are held until there is proof. */
export const isPayment = (operation: Operation): boolean => operation === 'recharge' || operation === 'card_payment';

/** A status check that found nothing counts only once the provider must show what was sent at the latest possible instant. */
export const countsAsNotFound = (answer: Answer, sentAgeMs: number | null, policy: StatusCheckPolicy): boolean =>
  answer === 'not_found' && sentAgeMs !== null && sentAgeMs >= policy.visibilityDelayMs;

/**
 * How long a provider need not show yet what was sent at the latest possible instant: what people do not find there proves nothing
 * until then, as "not found" does not. 0 when it is over; null ages are those of payments of which nobody has heard anything.
 */
export const leftUntilShown = (sentAgeMs: number | null, visibilityDelayMs: number): number =>
  Math.max(0, visibilityDelayMs - (sentAgeMs ?? 0));

/** The whole money state machine: one answer in given circumstances → one step. Pure. */
export function nextStep(answer: Answer, circumstances: Circumstances, policy: StatusCheckPolicy): Step {
  switch (answer) {
    case 'accepted':
      return { kind: 'settle' };
    case 'declined':
      return { kind: 'refund' };
    case 'not_found':
      if (!circumstances.notFoundIsFinal || !countsAsNotFound(answer, circumstances.sentAgeMs, policy))
        return stillPending(circumstances, policy);
      if (circumstances.notFoundBefore >= 1) return { kind: 'refund' };
      return soon(stillPending(circumstances, policy), policy);
    case 'unknown':
      return stillPending(circumstances, policy);
  }
}

function stillPending(
  { operation, canCheckStatus, ageMs, statusChecks }: Circumstances,
  policy: StatusCheckPolicy,
): Step {
  if (!isPayment(operation)) return { kind: 'refund' };
  if (!canCheckStatus) return { kind: 'review', dueMs: null };
  if (ageMs >= policy.manualReviewAfterMs) return { kind: 'review', dueMs: REVIEW_STATUS_CHECK_MS };
  return { kind: 'wait', dueMs: policy.scheduleMs[Math.min(statusChecks, policy.scheduleMs.length - 1)]! };
}

/**
 * Earliest time at which an open order enters manual review: its status is checked until then. Null if the order is not open, or if the
 * provider has no status check: manual review then begins at the end of the call.
 */
export const reviewBegins = (
  { state, createdAt }: { state: OrderState; createdAt: Date },
  known: { canCheckStatus: boolean } | undefined,
  manualReviewAfterMs: number,
): Date | null =>
  state === 'open' && known?.canCheckStatus === true ? new Date(createdAt.getTime() + manualReviewAfterMs) : null;

/** After the first "not found" that counts, the second is asked for soon: the next slot of the schedule may be hours away. */
const soon = (step: Step, { scheduleMs }: StatusCheckPolicy): Step =>
  step.kind === 'wait' ? { ...step, dueMs: Math.min(step.dueMs, scheduleMs[0]!) } : step;

/** Whether a payment is asked about once more after its success, and when: as its answer says, or as is usual for its provider. */
export function askAgainAfter(
  operation: Operation,
  { canCheckStatus, recheckAfterMs }: { canCheckStatus: boolean; recheckAfterMs: number },
  saidMs?: number,
): number | null {
  if (!isPayment(operation) || !canCheckStatus) return null;
  return saidMs ?? (recheckAfterMs > 0 ? recheckAfterMs : null);
}

/**
 * Next step for a success whose status is checked: reverse it, check again later, keep it as a success, or start manual review because
 * its status cannot be checked.
 */
export type DoubtStep = { kind: 'reverse' } | { kind: 'wait'; dueMs: number } | { kind: 'over' } | { kind: 'review' };

export interface Doubt {
  canCheckStatus: boolean;
  /** The answer names the very transaction that succeeded. */
  namesTransaction: boolean;
  /** Nobody doubts it: it is asked about once more because providers take some back without a word. */
  routine: boolean;
  /** Status checks since the last reason to ask, this one included. */
  asked: number;
  /** Since the last reason to doubt, or since it was to be checked again. */
  ageMs: number;
}

/** A provider may announce a reversal a moment before its own status check knows of it: one "success" does not end a doubt. */
const CONFIRMATIONS = 3;

/**
 * The proof of a reversal is a status check that is *declined* and names the transaction that succeeded, whatever word the provider
 * has for it. A callback alone is none, nor is a failure that names no transaction: it may be the failure of the status check. Pure.
 */
export function nextDoubtStep(answer: Answer, doubt: Doubt, policy: StatusCheckPolicy): DoubtStep {
  if (answer === 'declined' && doubt.namesTransaction) return { kind: 'reverse' };
  if (!doubt.canCheckStatus) return { kind: doubt.routine ? 'over' : 'review' };
  if (doubt.ageMs >= policy.manualReviewAfterMs) return { kind: 'over' };
  if (answer === 'accepted' && (doubt.routine || doubt.asked >= CONFIRMATIONS)) return { kind: 'over' };
  return {
    kind: 'wait',
    dueMs: policy.scheduleMs[Math.min(Math.max(doubt.asked - 1, 0), policy.scheduleMs.length - 1)]!,
  };
}
