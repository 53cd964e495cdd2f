import type { Evidence, StatusCheckOutcome } from './outcome.js';

export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** Path below the base URL, such as "/API/TransactionAPI". */
  path: string;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON, URL-encoded form or multipart form. */
  body?: { json: unknown } | { form: Record<string, string> } | { multipart: Record<string, string> };
  /** Number of the payment or lookup, not sent. The breaker counts timeouts of different numbers. */
  number?: string;
  /** Permit of a payment. A request without a permit can always be sent. */
  permit?: SendPermit | undefined;
}

/**
 * Result of a request. `response`: a body that parsed as JSON, with any HTTP status. `never_sent`: the request provably did not
 * leave this machine (connection failure on a new socket, breaker open, bulkhead full, permit expired). `unknown`: it may have
 * left.
 */
export type ProviderAnswer =
  | {
      kind: 'response';
      httpStatus: number;
      body: unknown;
      elapsedMs: number;
      /** Called with the outcome that the adapter determined, for metrics. */
      judged?: (outcome: StatusCheckOutcome<unknown>) => void;
    }
  | { kind: 'never_sent'; evidence: Evidence }
  | { kind: 'unknown'; evidence: Evidence };

/**
 * Client for one provider, with its own connections, timeout, bulkhead and breaker. Sends once, never retries, and never throws
 * for a fault of the provider. Created by `createProviderHttpClient`.
 */
export interface ProviderHttpClient {
  send(request: ProviderRequest): Promise<ProviderAnswer>;
  /** False while the breaker is open or the bulkhead is full. The caller then rejects the request before money moves. */
  readonly available: boolean;
  /** Waits for the running calls, at most until their deadline. Later calls are `never_sent`. Can be called twice. */
  close(): Promise<void>;
}

/** Permission of the process that placed an order to send it, limited in time. */
export interface SendPermit {
  /** Whether the lease has expired. Checked right before the first byte is written. */
  isOver(): boolean;
  /**
   * Whether the order is unchanged since it was claimed. Only for a provider without a status check. Called once, right before
   * the request is handed to its connection. Errors: those of the database.
   */
  isStillClaimed?(): Promise<boolean>;
}

/** Placeholder for a provider without a URL. Requests that need it are rejected before money moves. */
export const notConfigured: ProviderHttpClient = {
  available: false,
  send: async () => ({ kind: 'never_sent', evidence: { reason: 'breaker_open', elapsedMs: 0 } }),
  close: async () => {},
};
