/**
 * Outcome that an adapter determines from a provider response.
 *
 * - `accepted`: the provider reports that the call succeeded, for our reference and our amount
 * - `declined`: proven by a code on the provider's list of final failures, or because the request never left this machine
 * - `unknown`: any other result. An unlisted code is never a failure
 */
export type Outcome<T> =
  | {
      kind: 'accepted';
      value: T;
      evidence: Evidence;
      /** Delay before the next status check, for a provider that reverses payments without a callback. */
      recheckAfterMs?: number;
    }
  | { kind: 'declined'; evidence: Evidence }
  | { kind: 'unknown'; evidence: Evidence };

/** Outcome of a status check. `not_found` can prove a failure only if the port has `notFoundIsFinal`. */
export type StatusCheckOutcome<T> = Outcome<T> | { kind: 'not_found'; evidence: Evidence };

/**
 * Facts about an exchange that are stored, and displayed in the order's timeline and in the review queue. It contains only codes
 * and identifiers, never personal data, secrets, URLs or free text of a provider.
 */
export interface Evidence {
  /** Reason for the outcome, one of our own codes. */
  reason: EvidenceReason;
  httpStatus?: number;
  /** Status word or code of the provider, at most 40 characters. */
  providerStatus?: string;
  providerCode?: string;
  /** Transaction ID of the provider, if it returned one. */
  providerTxnId?: string;
  elapsedMs?: number;
}

export type EvidenceReason =
  | 'provider_success'
  | 'provider_failure'
  | 'provider_pending'
  | 'provider_not_found'
  | 'never_sent' // connection failure on a new socket
  | 'breaker_open' // rejected before anything was sent
  | 'timeout'
  | 'connection_lost'
  | 'http_error'
  | 'not_json' // HTML, empty, truncated
  | 'unexpected_answer' // undocumented format or code
  | 'answer_not_stored' // no response stored: the sending process ended, or the database was unavailable
  | 'status_check_failed' // internal error: the status check could not be made or evaluated
  | 'amount_mismatch'
  | 'reference_mismatch';
