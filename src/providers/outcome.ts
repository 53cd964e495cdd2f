/**
 * How every adapter judges a provider's answer.
 *
 * accepted  the provider says it performed the call, for our reference and our amount
 * declined  proven: a code on the provider's list of final failures, or the request provably never left this machine
 * unknown   everything else. An unlisted code is never a failure.
 */
export type Outcome<T> =
  | {
      kind: 'accepted';
      value: T;
      evidence: Evidence;
      /** From a provider that takes successes back without a callback: when to ask whether it did. */
      askAgainMs?: number;
    }
  | { kind: 'declined'; evidence: Evidence }
  | { kind: 'unknown'; evidence: Evidence };

/** The answer to a status check. `not_found` may prove a failure only where the port says `notFoundIsFinal`. */
export type StatusCheckOutcome<T> = Outcome<T> | { kind: 'not_found'; evidence: Evidence };

/**
 * What is kept of an exchange, shown on the order's timeline and in the review queue. Never personal data, a secret,
 * a URL or a provider's free text: codes and identifiers only.
 */
export interface Evidence {
  /** Why the answer was judged so, one of our own words. */
  reason: EvidenceReason;
  httpStatus?: number;
  /** The provider's status word or code, at most 40 characters. */
  providerStatus?: string;
  providerCode?: string;
  /** The provider's transaction id, when it named one. */
  providerTxnId?: string;
  elapsedMs?: number;
}

export type EvidenceReason =
  | 'provider_success'
  | 'provider_failure'
  | 'provider_pending'
  | 'provider_not_found'
  | 'never_sent' // connect failure on a fresh socket
  | 'breaker_open' // refused before anything was sent
  | 'timeout'
  | 'connection_lost'
  | 'http_error'
  | 'not_json' // HTML, empty, truncated
  | 'unexpected_answer' // a shape or code that nobody listed
  | 'answer_not_stored' // the process that sent the payment stored no response: the process ended first, or the database was unavailable
  | 'status_check_failed' // our own fault: the status check could not be made or judged
  | 'amount_mismatch'
  | 'reference_mismatch';
