import type { Evidence, StatusCheckOutcome } from './outcome.js';

export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** Path below the base URL, such as "/API/TransactionAPI". */
  path: string;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON, URL-encoded form or multipart form. */
  body?: { json: unknown } | { form: Record<string, string> } | { multipart: Record<string, string> };
  /** Number that a payment or a lookup is for: the breaker counts time-outs of different numbers. Not sent. */
  number?: string;
  /** Of a payment; without one it may always be sent. */
  permit?: SendPermit | undefined;
}

/**
 * What came back. `answer`: a body that parsed as JSON, whatever the HTTP status. `never_sent`: the request provably did not
 * leave this machine (connect failure on a fresh socket, breaker open, bulkhead full, permit over). `unknown`: it may have left.
 */
export type ProviderAnswer =
  | {
      kind: 'response';
      httpStatus: number;
      body: unknown;
      elapsedMs: number;
      /** Called with what the adapter made of it, for metrics. */
      judged?: (outcome: StatusCheckOutcome<unknown>) => void;
    }
  | { kind: 'never_sent'; evidence: Evidence }
  | { kind: 'unknown'; evidence: Evidence };

/**
 * One per provider: its own connections, timeout, bulkhead and breaker. Sends once, never retries, never throws for a
 * provider's fault. `createProviderHttpClient` makes one.
 */
export interface ProviderHttpClient {
  send(request: ProviderRequest): Promise<ProviderAnswer>;
  /** False while the breaker is open or the bulkhead is full: the caller refuses before money moves. */
  readonly available: boolean;
  /** Waits for the calls under way, at most their deadline. Later calls are `never_sent`. May be called twice. */
  close(): Promise<void>;
}

/** Until when the process that placed an order may send it. */
export interface SendPermit {
  /** Whether its lease is over; asked right before the first byte is written. */
  isOver(): boolean;
  /**
   * Of a provider that cannot be asked: whether the order is still as its claim left it. Asked once, when it is the turn of the request
   * and is about to be handed to its connection. Errors: those of the database.
   */
  isStillClaimed?(): Promise<boolean>;
}

/** Stands for the connections of a provider that has no URL here: whoever needs it is refused before money moves. */
export const notConfigured: ProviderHttpClient = {
  available: false,
  send: async () => ({ kind: 'never_sent', evidence: { reason: 'breaker_open', elapsedMs: 0 } }),
  close: async () => {},
};
