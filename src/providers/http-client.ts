import type { Evidence, StatusCheckOutcome } from './outcome.js';

export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** Path below the base URL, such as "/API/TransactionAPI". */
  path: string;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** Encoding of the body: JSON, URL-encoded form or multipart form. */
  body?: { json: unknown } | { form: Record<string, string> } | { multipart: Record<string, string> };
  /** Account number of the payment or lookup. It is not sent; the breaker uses it to count timeouts of different numbers. */
  number?: string;
  /** Permit of a payment. A request without a permit can always be sent. */
  permit?: SendPermit | undefined;
}

/**
 * Result of a request. `response`: a body that parsed as JSON, with any HTTP status. `never_sent`: the request provably did not
 * leave this machine (connection failure on a new socket, breaker open, bulkhead full, permit expired). `unknown`: the request
 * may have been sent.
 */
export type ProviderResponse =
  | {
      kind: 'response';
      httpStatus: number;
      body: unknown;
      elapsedMs: number;
      /** Called with the outcome determined by the adapter, for metrics. */
      onOutcome?: (outcome: StatusCheckOutcome<unknown>) => void;
    }
  | { kind: 'never_sent'; evidence: Evidence }
  | { kind: 'unknown'; evidence: Evidence };

/**
 * HTTP client for one provider, with its own connections, timeout, bulkhead and breaker. Sends once, never retries, and never
 * throws for a provider error. Created by `createProviderHttpClient`.
 */
export interface ProviderHttpClient {
  send(request: ProviderRequest): Promise<ProviderResponse>;
  /** False while the breaker is open or the bulkhead is full. The caller then rejects the request before money moves. */
  readonly available: boolean;
  /** Waits for running calls, at most until their deadline. Later calls are `never_sent`. Can be called repeatedly. */
  close(): Promise<void>;
}

/** Permission for the process that placed an order to send it, for a limited time. */
export interface SendPermit {
  /** Returns whether the lease has expired. This is checked right before the first byte is written. */
  isOver(): boolean;
  /**
   * Returns whether the order is unchanged since it was claimed. This is used only for a provider without a status check, and is
   * called once, right before the request is passed to its connection. Throws the errors of the database.
   */
  isStillClaimed?(): Promise<boolean>;
}

/** Placeholder for a provider without a URL. Requests that need it are rejected before money moves. */
export const notConfigured: ProviderHttpClient = {
  available: false,
  send: async () => ({ kind: 'never_sent', evidence: { reason: 'breaker_open', elapsedMs: 0 } }),
  close: async () => {},
};
