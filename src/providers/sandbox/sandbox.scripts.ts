import { type LookupScript, type MoneyScript, STATUS_CHECKS_UNTIL_SETTLED } from '../../core/magic-numbers.js';

/** Behavior of the sandbox provider when it receives a payment or a lookup. */
export type SendReply =
  | 'success'
  | 'slow_success'
  | 'failure'
  | 'pending'
  | 'silence'
  | 'html_500'
  | 'truncated'
  | 'reset'
  | 'other_amount'
  | 'away';

/** Response of the sandbox provider to a status check. */
export type StatusCheckReply = 'success' | 'failure' | 'pending' | 'reversed' | 'not_found';

export const replyToPayment: Readonly<Record<MoneyScript, SendReply>> = {
  success: 'success',
  odd_but_valid: 'success',
  success_then_reversed: 'success',
  slow_success: 'slow_success',
  declined: 'failure',
  pending_then_success: 'pending',
  pending_then_failed: 'pending',
  silent_performed: 'silence',
  silent_not_performed: 'silence',
  silent_never_found: 'silence',
  html_500_performed: 'html_500',
  truncated_performed: 'truncated',
  reset_performed: 'reset',
  other_amount_performed: 'other_amount',
};

export const replyToLookup: Readonly<Record<LookupScript | 'away', SendReply>> = {
  success: 'success',
  odd_but_valid: 'success',
  slow_success: 'slow_success',
  failure: 'failure',
  silent: 'silence',
  html_500: 'html_500',
  truncated: 'truncated',
  reset: 'reset',
  away: 'away',
};

/** Time during which a payment is successful before it is reversed. */
export const REVERSED_AFTER_MS = 5_000;

/**
 * Returns the response to a status check. The sandbox stores nothing, so the response depends only on the script. A plain number
 * is successful even if its order was never sent. Only test funds are involved, and the same order always gets the same
 * response.
 * @param attempt number of the status check, starting with 1
 * @param ageMs time since the order was placed
 */
export function replyToStatusCheck(script: MoneyScript, attempt: number, ageMs: number): StatusCheckReply {
  const isSettled = attempt >= STATUS_CHECKS_UNTIL_SETTLED;
  switch (script) {
    case 'success':
    case 'odd_but_valid':
    case 'slow_success':
    case 'silent_performed':
    case 'html_500_performed':
    case 'truncated_performed':
    case 'reset_performed':
    case 'other_amount_performed':
      return 'success';
    case 'declined':
    case 'silent_not_performed':
      return 'failure';
    case 'silent_never_found':
      return 'not_found';
    case 'pending_then_success':
      return isSettled ? 'success' : 'pending';
    case 'pending_then_failed':
      return isSettled ? 'failure' : 'pending';
    case 'success_then_reversed':
      return ageMs >= REVERSED_AFTER_MS ? 'reversed' : 'success';
  }
}
