import {
  type BulkheadPolicy,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import { Agent, type Dispatcher } from 'undici';
import { MAX_BODY_BYTES } from './answer-limits.js';
import { FailureRateBreaker } from './failure-rate.breaker.js';
import type { ProviderAnswer, ProviderHttpClient, ProviderRequest } from './http-client.js';
import { HttpExchange } from './http-exchange.js';
import type { EvidenceReason } from './outcome.js';
import type { Places } from './places.js';
import { encodeBody, encodeQuery } from './request-encoding.js';

/** One finished call, for metrics: no URL, no body, nothing personal. */
export interface ExchangeReport {
  provider: string;
  /** The wait in the bulkhead included. */
  durationMs: number;
  result: 'answer' | EvidenceReason;
  /** Texts of the answer that were longer than anybody reads. */
  textsCut: number;
}

export interface ProviderHttpClientOptions {
  /** The provider's name in metrics. */
  name: string;
  /** Scheme, host and an optional path prefix: "https://host/prefix". */
  baseUrl: string;
  /** For the whole call: queue, connection, headers and body. */
  timeoutMs: number;
  /** Calls under way at once; also the number of connections. */
  maxConcurrent: number;
  /** Calls that may wait for a place. */
  maxQueued: number;
  /** Shared with the provider's other clients; undefined where nobody limits all processes together. */
  places?: Places | undefined;
  /** How long an open breaker refuses before it lets one call through as a probe. */
  halfOpenAfterMs?: number;
  onExchange?: (report: ExchangeReport) => void;
}

/** When the breaker opens (interface.md 11.2, providers): ≥ 20 calls in 10 s of which ≥ 50 % failed or timed out. */
const breakerRule = { minimumCalls: 20, windowMs: 10_000, failureRatio: 0.5 };
const HALF_OPEN_AFTER_MS = 5_000;
/** Short, because a call that meets a socket the provider has just dropped ends as an unknown outcome. */
const IDLE_SOCKET_MS = 4_000;

/** How a connection is, for metrics. */
export interface ConnectionState {
  /** The breaker lets nothing or one probe through. */
  breakerOpen: boolean;
  /** Calls under way. */
  running: number;
  /** Calls that wait for a place. */
  queued: number;
}

/** Sends each request once over connections of its own. See `ProviderHttpClient`. */
export const createProviderHttpClient = (
  options: ProviderHttpClientOptions,
): ProviderHttpClient & { readonly state: ConnectionState } => new UndiciHttpClient(options);

class UndiciHttpClient implements ProviderHttpClient {
  readonly #options: ProviderHttpClientOptions;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #agent: Agent;
  readonly #bulkhead: BulkheadPolicy;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #halfOpenAfterMs: number;
  #openedAtMs = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ProviderHttpClientOptions) {
    this.#options = options;
    const { origin, pathname } = new URL(options.baseUrl);
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, '');
    this.#agent = new Agent({
      connections: options.maxConcurrent,
      pipelining: 1,
      // undici repeats HTTP/2 requests that a GOAWAY refused. Nothing is repeated here.
      allowH2: false,
      connect: { timeout: options.timeoutMs },
      // The exchange's deadline covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: MAX_BODY_BYTES,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MS,
    });
    this.#bulkhead = bulkhead(options.maxConcurrent, options.maxQueued);
    this.#halfOpenAfterMs = options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS;
    this.#breaker = circuitBreaker(handleWhenResult(isProviderFault), {
      halfOpenAfter: this.#halfOpenAfterMs,
      breaker: new FailureRateBreaker(breakerRule),
    });
    this.#breaker.onBreak(() => {
      this.#openedAtMs = Date.now();
    });
  }

  get available(): boolean {
    const { places } = this.#options;
    return (
      this.#mayCall &&
      (this.#bulkhead.executionSlots > 0 || this.#bulkhead.queueSlots > 0) &&
      (places === undefined || places.hasRoom)
    );
  }

  get state(): ConnectionState {
    const { maxConcurrent, maxQueued } = this.#options;
    return {
      breakerOpen: this.#breaker.state !== CircuitState.Closed,
      running: maxConcurrent - this.#bulkhead.executionSlots,
      queued: maxQueued - this.#bulkhead.queueSlots,
    };
  }

  async send(request: ProviderRequest): Promise<ProviderAnswer> {
    const dispatch = await this.#dispatchOptions(request);
    const exchange = new HttpExchange(this.#options.timeoutMs, request.permit);
    if (this.#mayCall) {
      // It rejects only when there is no place or the breaker has opened meanwhile.
      this.#bulkhead.execute(() => this.#callInPlace(exchange, dispatch)).catch(() => exchange.refuse());
    } else {
      exchange.refuse();
    }
    const answer = await exchange.answer;
    this.#report(exchange, answer);
    return answer;
  }

  close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    return this.#closing;
  }

  /** While half open, one call is the probe; cockatiel would make the others wait for its answer. */
  get #mayCall(): boolean {
    switch (this.#breaker.state) {
      case CircuitState.Closed:
        return true;
      case CircuitState.Open:
        return Date.now() - this.#openedAtMs >= this.#halfOpenAfterMs;
      case CircuitState.HalfOpen:
      case CircuitState.Isolated:
        return false;
    }
  }

  async #callInPlace(exchange: HttpExchange, dispatch: Dispatcher.DispatchOptions): Promise<void> {
    const { places } = this.#options;
    if (!places) return this.#call(exchange, dispatch);
    if (!places.hasRoom) return exchange.refuse();
    const giveBack = await places.take(exchange.answer);
    try {
      if (giveBack) await this.#call(exchange, dispatch);
    } finally {
      giveBack?.();
    }
  }

  async #call(exchange: HttpExchange, dispatch: Dispatcher.DispatchOptions): Promise<void> {
    if (exchange.needsPermit && !(await exchange.isPermitted())) return exchange.refuse('never_sent');
    // It may have waited: a breaker that opened meanwhile refuses what has not begun.
    if (!this.#mayCall) return exchange.refuse();
    // The deadline passed in the queue. The breaker must not hear of it: it would take it for a probe that got through.
    if (!exchange.begin()) return;
    await this.#breaker.execute(() => {
      this.#agent.dispatch(dispatch, exchange);
      return exchange.answer;
    });
  }

  async #dispatchOptions(request: ProviderRequest): Promise<Dispatcher.DispatchOptions> {
    const body = await encodeBody(request.body);
    return {
      origin: this.#origin,
      path: `${this.#basePath}${request.path}${encodeQuery(request.query)}`,
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(body ? { 'content-type': body.contentType } : {}),
        ...request.headers,
      },
      body: body?.bytes ?? null,
    };
  }

  #report(exchange: HttpExchange, answer: ProviderAnswer): void {
    const result = answer.kind === 'answer' ? 'answer' : answer.evidence.reason;
    const { elapsedMs: durationMs, textsCut } = exchange;
    try {
      this.#options.onExchange?.({ provider: this.#options.name, durationMs, result, textsCut });
    } catch {
      // A broken metric must not turn a known outcome into an unknown one.
    }
  }
}

/** What counts against a provider. That it declines, even with a 4xx, does not: it is there and it decides. */
function isProviderFault(result: unknown): boolean {
  const answer = result as ProviderAnswer;
  return answer.kind === 'answer' ? answer.httpStatus >= 500 : answer.evidence.reason !== 'breaker_open';
}
