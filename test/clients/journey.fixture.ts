import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../src/core/environment.js';
import type { ClientResponse, Order, Way } from './simple-clients.js';

/** Replaces the five seconds of Retry-After. */
const PAUSE_MS = 100;
/** Number of pauses during which a final order must stay unchanged before its client stops waiting. */
const PAUSES_UNCHANGED = 4;
/** Only an endless loop needs more pauses. */
const MAX_PAUSES = 600;
/** Longer than any response takes; clients time out only when `giveUp` is called. */
const TIMEOUT_MS = 60_000;

export interface JourneyParts {
  url: string;
  environment: Environment;
  keys: { clientId: string; apiSecret: string };
  token: string;
  troubleIsOver: Promise<unknown>;
  /** Current state of the order in the database: `none` if it does not exist, `open` if it is not final. */
  stateNow: () => string;
}

/** The requests of one client for one order. */
export class Journey implements Way {
  readonly #parts: JourneyParts;
  #token: string;
  #endFirst!: () => void;
  /** Resolves when the first request has ended, with or without a response. */
  readonly firstEnded = new Promise<void>((resolve) => (this.#endFirst = resolve));
  #state = '';
  #unchanged = 0;
  #pauses = 0;
  #patience = new AbortController();

  constructor(parts: JourneyParts) {
    this.#parts = parts;
    this.#token = parts.token;
  }

  /** Stops waiting for the current response. */
  giveUp(): void {
    this.#patience.abort();
  }

  async place(order: Order): Promise<ClientResponse> {
    const response = await this.#send('POST', '/api/v1/recharge', order);
    this.#endFirst();
    return response;
  }

  checkStatus({ client_request_id }: Order): Promise<ClientResponse> {
    return this.#send('GET', `/api/v1/recharge/status?${new URLSearchParams({ client_request_id })}`);
  }

  async newToken(): Promise<void> {
    const { keys, environment } = this.#parts;
    const credentials = { client_id: keys.clientId, api_secret: keys.apiSecret, environment };
    const response = await this.#send('POST', '/api/v1/auth/client-credentials', credentials);
    if (response?.httpStatus === 200) this.#token = response.body.token;
  }

  async waits(): Promise<boolean> {
    await this.#parts.troubleIsOver;
    await sleep(PAUSE_MS);
    const state = this.#parts.stateNow();
    const isFinal = state !== 'none' && state !== 'open';
    this.#unchanged = isFinal && state === this.#state ? this.#unchanged + 1 : 0;
    this.#state = state;
    return this.#unchanged < PAUSES_UNCHANGED && ++this.#pauses < MAX_PAUSES;
  }

  async #send(method: string, path: string, body?: object): Promise<ClientResponse> {
    this.#patience = new AbortController();
    try {
      const response = await fetch(`${this.#parts.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.any([this.#patience.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return { httpStatus: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }
}
