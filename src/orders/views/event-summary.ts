import type { Evidence, EvidenceReason } from '../../providers/outcome.js';
import type { OrderEventKind } from './order.types.js';

/** Stored detail of an event. */
export type EventDetail = Partial<Evidence> & { amountPaise?: string; note?: string };

/** Text for the evidence of a call or a status check. */
interface EvidenceText {
  /** Text for the call that placed the order. */
  response: string;
  /** Text for a status check, after "still unknown". */
  statusCheck: string;
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
 * @param isFinal whether the order has a final status, which a status check without a result does not change
 */
export function eventSummary(kind: OrderEventKind, detail: EventDetail, isFinal: boolean): string {
  if (kind === 'response') return detail.reason ? evidenceText(detail.reason, detail).response : 'Provider response';
  return kind === 'status_check' ? `Status check: ${statusOf(detail, isFinal)}` : FIXED[kind];
}

function statusOf(detail: EventDetail, isFinal: boolean): string {
  const { reason, elapsedMs } = detail;
  if (reason === 'provider_success') return 'success';
  if (reason === 'provider_failure') return 'failed';
  // the sweeper claimed the order to ensure that it is never sent, so no request was made
  if (reason === 'never_sent' && elapsedMs === undefined && !isFinal) return 'never sent to the provider';
  const reasonText = reason && evidenceText(reason, detail).statusCheck;
  return [isFinal ? 'no result' : 'still unknown', reasonText].filter(Boolean).join(', ');
}

function evidenceText(reason: EvidenceReason, { elapsedMs, httpStatus }: EventDetail): EvidenceText {
  const within = elapsedMs === undefined ? '' : ` within ${secondsText(elapsedMs)}`;
  const http = httpStatus === undefined ? '' : ` (HTTP ${httpStatus})`;
  switch (reason) {
    case 'provider_success':
      return { response: 'Provider confirmed success', statusCheck: '' };
    case 'provider_failure':
      return { response: 'Provider declined', statusCheck: '' };
    case 'provider_pending':
      return { response: 'Provider response: pending', statusCheck: '' };
    case 'provider_not_found':
      return { response: 'Provider response: not found', statusCheck: 'not found at the provider' };
    case 'never_sent':
      return { response: 'Not sent to the provider', statusCheck: 'provider not reachable' };
    case 'breaker_open':
      return { response: 'Not sent, provider unavailable', statusCheck: 'provider unavailable' };
    case 'timeout':
      return { response: `No response${within}`, statusCheck: `no response${within}` };
    case 'answer_not_stored':
      return { response: 'No response stored', statusCheck: 'no response stored' };
    case 'connection_lost':
      return { response: 'Connection lost, no response', statusCheck: 'connection lost' };
    case 'http_error':
      return { response: `Provider error${http}`, statusCheck: `provider error${http}` };
    case 'not_json':
    case 'unexpected_answer':
      return { response: `Unreadable provider response${http}`, statusCheck: `unreadable response${http}` };
    case 'status_check_failed':
      return { response: 'Provider response not read', statusCheck: 'check could not be made' };
    case 'amount_mismatch':
      return { response: 'Provider response with another amount', statusCheck: 'response with another amount' };
    case 'reference_mismatch':
      return { response: 'Provider response for another order', statusCheck: 'response for another order' };
  }
}

/** Formats a duration: `24 s`, `1.2 s`, `180 ms`. */
function secondsText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const seconds = ms / 1_000;
  return `${seconds >= 10 ? Math.round(seconds) : Number(seconds.toFixed(1))} s`;
}
