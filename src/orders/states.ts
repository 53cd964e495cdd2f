import type { Operation } from '../ledger/ledger.service.js';

/**
 * State of an order: open → success | failed | review; review → success | failed, resolved manually or by a provider result
 * that proves the outcome. Final states never change.
 */
export type OrderState = 'open' | 'success' | 'failed' | 'review';

/** Returns the status of an order as callers see it. */
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

/** Result of a call or a status check, as reported by the provider. */
export type OutcomeKind = 'accepted' | 'declined' | 'unknown' | 'not_found';

/** Action that follows from a result: settle the hold, refund it, check again later, or start manual review. */
export type Step = { kind: 'settle' } | { kind: 'refund' } | { kind: 'wait'; dueMs: number } | Review;

/**
 * Step to manual review, in which the order can be resolved manually. The next status check is due after `dueMs`, which is
 * null if the provider has no status check.
 */
type Review = { kind: 'review'; dueMs: number | null };

/** Interval of status checks for an order in manual review. */
const REVIEW_STATUS_CHECK_MS = 3_600_000;

export interface Circumstances {
  operation: Operation;
  /** Whether the provider has a status check. */
  canCheckStatus: boolean;
  /** Whether "not found" after the visibility delay proves that the payment was not processed. */
  notFoundIsFinal: boolean;
  /** Number of earlier status checks with "not found" after the visibility delay. */
  notFoundBefore: number;
  /**
   * Time between the latest possible sending of the order and the start of the status check, by the database clock. The latest
   * possible sending is the time the outcome was recorded as unknown, or the first status check, which starts after the lease.
   * Null if neither exists yet.
   */
  sentAgeMs: number | null;
  /** Age of the order at the start of the status check, by the database clock. 0 for the response to the call itself. */
  ageMs: number;
  /** Number of status checks so far, including this one. 0 for the response to the call itself. */
  statusChecks: number;
}

export interface StatusCheckPolicy {
  /** Delays between status checks. The last delay repeats. */
  scheduleMs: readonly number[];
  visibilityDelayMs: number;
  /** Age at which an order without a known outcome enters manual review. */
  manualReviewAfterMs: number;
}

/**
 * Whether the operation is a payment. Lookups move no money at the provider, so their fee is refunded if there is no response.
 * The amount of a payment is held until its outcome is proven.
 */
export const isPayment = (operation: Operation): boolean => operation === 'recharge' || operation === 'card_payment';

/**
 * Whether "not found" is valid. It is valid only after the time by which the provider must list a request sent at the latest
 * possible time.
 */
export const countsAsNotFound = (
  outcomeKind: OutcomeKind,
  sentAgeMs: number | null,
  policy: StatusCheckPolicy,
): boolean => outcomeKind === 'not_found' && sentAgeMs !== null && sentAgeMs >= policy.visibilityDelayMs;

/**
 * Returns the remaining time during which the provider may not list a payment that was sent at the latest possible time.
 * Before it ends, neither "not found" nor a missing entry in the provider's panel proves that the payment failed. Returns 0 if
 * the time has passed. A null age means that no response or status check has been recorded for the payment.
 */
export const remainingVisibilityDelay = (sentAgeMs: number | null, visibilityDelayMs: number): number =>
  Math.max(0, visibilityDelayMs - (sentAgeMs ?? 0));

/**
 * Returns the step that follows from a result and its circumstances. This is the complete state machine for money, and a pure
 * function.
 */
export function nextStep(outcomeKind: OutcomeKind, circumstances: Circumstances, policy: StatusCheckPolicy): Step {
  switch (outcomeKind) {
    case 'accepted':
      return { kind: 'settle' };
    case 'declined':
      return { kind: 'refund' };
    case 'not_found':
      if (!circumstances.notFoundIsFinal || !countsAsNotFound(outcomeKind, circumstances.sentAgeMs, policy))
        return stillPending(circumstances, policy);
      if (circumstances.notFoundBefore >= 1) return { kind: 'refund' };
      return withSoonestCheck(stillPending(circumstances, policy), policy);
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
 * Returns the earliest time at which an open order enters manual review. Its status is checked until then. Null if the order
 * is not open, or if the provider has no status check, because manual review then begins at the end of the call.
 */
export const reviewStart = (
  { state, createdAt }: { state: OrderState; createdAt: Date },
  providerChecks: { canCheckStatus: boolean } | undefined,
  manualReviewAfterMs: number,
): Date | null =>
  state === 'open' && providerChecks?.canCheckStatus === true
    ? new Date(createdAt.getTime() + manualReviewAfterMs)
    : null;

/** Schedules the second check soon after the first valid "not found", because the next regular check may be hours away. */
const withSoonestCheck = (step: Step, policy: StatusCheckPolicy): Step =>
  step.kind === 'wait' ? { ...step, dueMs: soonestCheckMs(step.dueMs, policy) } : step;

/** Returns the first delay of the schedule if it is shorter. */
export const soonestCheckMs = (dueMs: number, { scheduleMs }: StatusCheckPolicy): number =>
  Math.min(dueMs, scheduleMs[0]!);

/**
 * Returns the delay after which a successful payment is checked again: the delay requested by the response, or the default of
 * its provider. Null if it is not checked again.
 */
export function recheckAfter(
  operation: Operation,
  { canCheckStatus, recheckAfterMs }: { canCheckStatus: boolean; recheckAfterMs: number },
  requestedMs?: number,
): number | null {
  if (!isPayment(operation) || !canCheckStatus) return null;
  return requestedMs ?? (recheckAfterMs > 0 ? recheckAfterMs : null);
}

/**
 * Next step for a success whose status is checked. It is reversed, checked again later, kept, or sent to manual review because
 * its status cannot be checked.
 */
export type DoubtStep = { kind: 'reverse' } | { kind: 'wait'; dueMs: number } | { kind: 'over' } | { kind: 'review' };

export interface Doubt {
  canCheckStatus: boolean;
  /** Whether the response contains the ID of the successful transaction. */
  namesTransaction: boolean;
  /**
   * Whether the check is routine. The success is then not in doubt, but is checked again because some providers reverse
   * payments without notice.
   */
  routine: boolean;
  /** Number of status checks since the last reason to check, including this one. */
  statusChecks: number;
  /** Time since the last reason for doubt, or since the routine check was due. */
  ageMs: number;
}

/**
 * Required number of "success" responses. A provider may announce a reversal shortly before its own status check shows it, so one
 * response is not enough.
 */
const CONFIRMATIONS = 3;

/**
 * Returns the next step for a success. Only a status check that is *declined* and names the transaction that succeeded proves
 * a reversal, regardless of the provider's name for it. A callback proves nothing, and neither does a failure without a
 * transaction, because the status check itself may have failed. This is a pure function.
 */
export function nextDoubtStep(outcomeKind: OutcomeKind, doubt: Doubt, policy: StatusCheckPolicy): DoubtStep {
  if (outcomeKind === 'declined' && doubt.namesTransaction) return { kind: 'reverse' };
  if (!doubt.canCheckStatus) return { kind: doubt.routine ? 'over' : 'review' };
  if (doubt.ageMs >= policy.manualReviewAfterMs) return { kind: 'over' };
  if (outcomeKind === 'accepted' && (doubt.routine || doubt.statusChecks >= CONFIRMATIONS)) return { kind: 'over' };
  return {
    kind: 'wait',
    dueMs: policy.scheduleMs[Math.min(Math.max(doubt.statusChecks - 1, 0), policy.scheduleMs.length - 1)]!,
  };
}
