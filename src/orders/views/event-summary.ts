import type { Evidence, EvidenceReason } from '../../providers/outcome.js';
import type { OrderEventKind } from './order.types.js';

/** Stored detail of an event. */
export type EventDetail = Partial<Evidence> & { amountPaise?: string; note?: string };

/** Text for the evidence of a call or a status check. */
interface Response {
  /** Text for the call that placed the order. */
  answer: string;
  /** Text for a status check, after "still unknown". */
  why: string;
}

/** Texts of all events except provider responses. */
const FIXED: Readonly<Record<Exclude<OrderEventKind, 'response' | 'status_check'>, string>> = {
  hold: 'Amount held',
  send: 'Sent to the provider',
  callback: 'Provider callback',
  review: 'Manual review started',
  resolution: 'Resolved by support',
  status_conflict: 'Conflicting provider status',
  settle: 'Debit finalized',
  refund: 'Refunded',
  reversal: 'Reversed, amount refunded',
  refund_reversal: 'Refund reversed, amount charged',
};

/**
 * Returns a one-line summary of an order event.
 *
 * @param isDecided whether the order has a final status, which a status check without a result does not change
 */
export function eventSummary(kind: OrderEventKind, detail: EventDetail, isDecided: boolean): string {
  if (kind === 'response') return detail.reason ? responseOf(detail.reason, detail).answer : 'Provider response';
  return kind === 'status_check' ? `Status check: ${statusOf(detail, isDecided)}` : FIXED[kind];
}

function statusOf(detail: EventDetail, isDecided: boolean): string {
  const { reason, elapsedMs } = detail;
  if (reason === 'provider_success') return 'success';
  if (reason === 'provider_failure') return 'failed';
  // the sweeper claimed the order to ensure that it is never sent, so no request was made
  if (reason === 'never_sent' && elapsedMs === undefined && !isDecided) return 'never sent to the provider';
  const why = reason && responseOf(reason, detail).why;
  return [isDecided ? 'no result' : 'still unknown', why].filter(Boolean).join(', ');
}

function responseOf(reason: EvidenceReason, { elapsedMs, httpStatus }: EventDetail): Response {
  const within = elapsedMs === undefined ? '' : ` within ${secondsText(elapsedMs)}`;
  const http = httpStatus === undefined ? '' : ` (HTTP ${httpStatus})`;
  switch (reason) {
    case 'provider_success':
      return { answer: 'Provider confirmed success', why: '' };
    case 'provider_failure':
      return { answer: 'Provider declined', why: '' };
    case 'provider_pending':
      return { answer: 'Provider response: pending', why: '' };
    case 'provider_not_found':
      return { answer: 'Provider response: not found', why: 'not found at the provider' };
    case 'never_sent':
      return { answer: 'Not sent to the provider', why: 'provider not reachable' };
    case 'breaker_open':
      return { answer: 'Not sent, provider unavailable', why: 'provider unavailable' };
    case 'timeout':
      return { answer: `No response${within}`, why: `no response${within}` };
    case 'answer_not_stored':
      return { answer: 'No response stored', why: 'no response stored' };
    case 'connection_lost':
      return { answer: 'Connection lost, no response', why: 'connection lost' };
    case 'http_error':
      return { answer: `Provider error${http}`, why: `provider error${http}` };
    case 'not_json':
    case 'unexpected_answer':
      return { answer: `Unreadable provider response${http}`, why: `unreadable response${http}` };
    case 'status_check_failed':
      return { answer: 'Provider response not read', why: 'check could not be made' };
    case 'amount_mismatch':
      return { answer: 'Provider response with another amount', why: 'response with another amount' };
    case 'reference_mismatch':
      return { answer: 'Provider response for another order', why: 'response for another order' };
  }
}

/** Formats a duration: `24 s`, `1.2 s`, `180 ms`. */
function secondsText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const seconds = ms / 1_000;
  return `${seconds >= 10 ? Math.round(seconds) : Number(seconds.toFixed(1))} s`;
}
