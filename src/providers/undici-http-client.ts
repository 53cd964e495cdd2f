import {
  type BulkheadPolicy,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
  type IBreaker,
} from 'cockatiel';
import { Agent, type Dispatcher } from 'undici';
import type { Semaphore } from './concurrency-leases.js';
import type { ProviderHttpClient, ProviderRequest, ProviderResponse } from './http-client.js';
import { encodeBody, encodeQuery, HttpExchange, MAX_BODY_BYTES } from './http-exchange.js';
import type { EvidenceReason } from './outcome.js';

/** Finished exchange, for metrics. Contains no URL, no body and no personal data. */
export interface ExchangeReport {
  provider: string;
  /** Duration including the time in the queue of the bulkhead. */
  durationMs: number;
  result: 'response' | EvidenceReason;
  /** Number of texts in the response that were truncated. */
  textsCut: number;
}

export interface ProviderHttpClientOptions {
  /** Name of the connection in metrics. */
  name: string;
  /** Scheme, host and an optional path prefix, such as "https://host/prefix". */
  baseUrl: string;
  /** Timeout for the whole call: queue, connection, headers and body. */
  timeoutMs: number;
  /** Maximum number of concurrent calls; also the number of connections. */
  maxConcurrent: number;
  /** Maximum number of queued calls. */
  maxQueued: number;
  /**
   * Semaphore that is shared with the other clients of the provider. It is undefined if the provider has no limit for all
   * processes.
   */
  semaphore?: Semaphore | undefined;
  /** Time that an open breaker rejects calls before it allows a probe. Consecutive timeouts have a separate time. */
  halfOpenAfterMs?: number;
  onExchange?: (report: ExchangeReport) => void;
}

/** Rule that opens the breaker (interface.md 11.2, providers): ≥ 20 calls in 10 s, of which ≥ 50 % failed or timed out. */
const breakerRule = { minimumCalls: 20, windowMs: 10_000, failureRatio: 0.5 };
const HALF_OPEN_AFTER_MS = 5_000;
/**
 * Rule for timeouts: the breaker opens after 5 consecutive timeouts for ≥ 3 numbers in 5 minutes, because a provider that does
 * not respond may never reach 20 calls in 10 s.
 */
const timeoutRule = { minimumTimeouts: 5, minimumNumbers: 3, windowMs: 300_000 };
/**
 * Pause after consecutive timeouts. It is longer than the default, because a probe of a provider that does not respond holds a
 * customer's money until its deadline.
 */
const HALF_OPEN_AFTER_TIMEOUTS_MS = 30_000;
/**
 * Time after which an idle socket is closed. It is short because a call on a socket that the provider has just closed has an
 * unknown outcome.
 */
const IDLE_SOCKET_MS = 4_000;

/** `half_open`: one call is allowed as a probe. */
export type BreakerState = 'closed' | 'half_open' | 'open';

export interface ConnectionState {
  breaker: BreakerState;
  /** Whether the breaker rejects calls. False if an open breaker allows the next call as its probe. */
  rejects: boolean;
  /** Number of running calls. */
  running: number;
  /** Number of queued calls. */
  queued: number;
}

/** Creates a client that sends each request once over its own connections. See `ProviderHttpClient`. */
export const createProviderHttpClient = (
  options: ProviderHttpClientOptions,
): ProviderHttpClient & { readonly state: ConnectionState } => new UndiciHttpClient(options);

const BREAKER_STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};

interface Call {
  exchange: HttpExchange;
  dispatch: Dispatcher.DispatchOptions;
  number: string | undefined;
}

class UndiciHttpClient implements ProviderHttpClient {
  readonly #origin: string;
  readonly #basePath: string;
  readonly #agent: Agent;
  readonly #bulkhead: BulkheadPolicy;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #timeouts: TimeoutRun;
  #halfOpenAfterMs = 0;
  #openedAtMs = 0;
  #closePromise: Promise<void> | undefined;

  constructor(private readonly options: ProviderHttpClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, '');
    this.#agent = new Agent({
      connections: options.maxConcurrent,
      pipelining: 1,
      // undici retries HTTP/2 requests that were rejected by a GOAWAY. No request may be retried here.
      allowH2: false,
      connect: { timeout: options.timeoutMs },
      // These timeouts are disabled because the deadline of the exchange covers them.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: MAX_BODY_BYTES,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MS,
    });
    this.#bulkhead = bulkhead(options.maxConcurrent, options.maxQueued);
    const breaker = new ProviderBreaker(breakerRule);
    this.#timeouts = breaker.timeouts;
    this.#breaker = circuitBreaker(handleWhenResult(isProviderFault), {
      breaker,
      halfOpenAfter: new DelegateBackoff(() => {
        this.#halfOpenAfterMs = breaker.timeouts.isReached
          ? HALF_OPEN_AFTER_TIMEOUTS_MS
          : (options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS);
        return this.#halfOpenAfterMs;
      }),
    });
    this.#breaker.onBreak(() => {
      this.#openedAtMs = Date.now();
    });
  }

  get available(): boolean {
    const { semaphore } = this.options;
    return (
      this.#canCall &&
      (this.#bulkhead.executionSlots > 0 || this.#bulkhead.queueSlots > 0) &&
      (semaphore === undefined || semaphore.isFree)
    );
  }

  get state(): ConnectionState {
    const { maxConcurrent, maxQueued } = this.options;
    return {
      breaker: BREAKER_STATES[this.#breaker.state],
      rejects: !this.#canCall,
      running: maxConcurrent - this.#bulkhead.executionSlots,
      queued: maxQueued - this.#bulkhead.queueSlots,
    };
  }

  async send(request: ProviderRequest): Promise<ProviderResponse> {
    const dispatch = await this.#dispatchOptions(request);
    const exchange = new HttpExchange(this.options.timeoutMs, request.permit);
    const call: Call = { exchange, dispatch, number: request.number };
    if (this.#canCall) {
      // Rejects only if the queue is full or the breaker has opened in the meantime.
      this.#bulkhead.execute(() => this.#callInTurn(call)).catch(() => exchange.reject());
    } else {
      exchange.reject();
    }
    const response = await exchange.response;
    this.#report(exchange, response);
    return response;
  }

  close(): Promise<void> {
    this.#closePromise ??= this.#agent.close();
    return this.#closePromise;
  }

  /**
   * Whether a call can start. In the half-open state, one call is the probe. cockatiel would make other calls wait for its
   * result.
   */
  get #canCall(): boolean {
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

  async #callInTurn(call: Call): Promise<void> {
    const { semaphore } = this.options;
    const { exchange } = call;
    if (!semaphore) return this.#call(call);
    if (!semaphore.isFree) return exchange.reject();
    const release = await semaphore.take(exchange.response);
    try {
      if (release) await this.#call(call);
    } finally {
      release?.();
    }
  }

  async #call({ exchange, dispatch, number }: Call): Promise<void> {
    if (exchange.needsPermit && !(await exchange.isPermitted())) return exchange.reject('never_sent');
    // The breaker may have opened while the call was queued.
    if (!this.#canCall) return exchange.reject();
    // The deadline passed in the queue. The breaker would count the call as a successful probe, so it is not notified.
    if (!exchange.begin()) return;
    // this listener is registered first, so that the timeout is counted before the breaker handles the same result
    if (number !== undefined) void exchange.response.then((answer) => this.#noteTimeout(exchange, answer, number));
    await this.#breaker.execute(() => {
      this.#agent.dispatch(dispatch, exchange);
      return exchange.response;
    });
  }

  #noteTimeout({ timedOut }: HttpExchange, response: ProviderResponse, number: string): void {
    if (timedOut) this.#timeouts.add(number);
    else if (!isProviderFault(response)) this.#timeouts.clear();
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

  #report(exchange: HttpExchange, response: ProviderResponse): void {
    const result = response.kind === 'response' ? 'response' : response.evidence.reason;
    const { elapsedMs: durationMs, textsCut } = exchange;
    try {
      this.options.onExchange?.({ provider: this.options.name, durationMs, result, textsCut });
    } catch {
      // An error in a metric must not make a known outcome unknown.
    }
  }
}

/**
 * Returns whether a result counts as a provider failure. A declined call does not count, even with HTTP 4xx, because the
 * provider is available and responds.
 */
function isProviderFault(result: unknown): boolean {
  const response = result as ProviderResponse;
  return response.kind === 'response' ? response.httpStatus >= 500 : response.evidence.reason !== 'breaker_open';
}

interface Bucket {
  startedAtMs: number;
  calls: number;
  failures: number;
}

interface FailureRateOptions {
  /** Minimum number of calls in the window before the breaker can open. */
  minimumCalls: number;
  windowMs: number;
  /** Ratio of failed calls at which the breaker opens, 0 to 1. */
  failureRatio: number;
  /** Monotonic clock, in milliseconds. */
  nowMs?: () => number;
}

const BUCKETS_PER_WINDOW = 20;

/**
 * Breaker that opens after ≥ `minimumCalls` calls in the last `windowMs`, of which ≥ `failureRatio` failed. cockatiel's own
 * SamplingBreaker opens only *above* the ratio, and still counts old failures after an hour without calls.
 * cockatiel calls this only after a failed call. If a success reaches the required number of calls, the breaker opens at the
 * next failure.
 */
export class FailureRateBreaker implements IBreaker {
  /** Buckets, oldest first. cockatiel requires this name because its `toJSON` stores the field. */
  state: Bucket[] = [];
  readonly #nowMs: () => number;

  constructor(private readonly options: FailureRateOptions) {
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  success(state: CircuitState): void {
    // The probe succeeded, so failures from the outage are no longer relevant.
    if (state === CircuitState.HalfOpen) this.state = [];
    this.#record(0);
  }

  failure(state: CircuitState): boolean {
    this.#record(1);
    if (state !== CircuitState.Closed) return true;
    const calls = this.state.reduce((sum, bucket) => sum + bucket.calls, 0);
    const failures = this.state.reduce((sum, bucket) => sum + bucket.failures, 0);
    return calls >= this.options.minimumCalls && failures >= calls * this.options.failureRatio;
  }

  #record(failures: 0 | 1): void {
    const nowMs = this.#nowMs();
    this.state = this.state.filter((bucket) => bucket.startedAtMs > nowMs - this.options.windowMs);
    const last = this.state.at(-1);
    if (last && nowMs - last.startedAtMs < this.options.windowMs / BUCKETS_PER_WINDOW) {
      last.calls += 1;
      last.failures += failures;
    } else {
      this.state.push({ startedAtMs: nowMs, calls: 1, failures });
    }
  }
}

interface TimeoutRunOptions {
  minimumTimeouts: number;
  /**
   * Minimum number of different account numbers. Timeouts for fewer numbers can be caused by a number instead of the provider.
   */
  minimumNumbers: number;
  windowMs: number;
  /** Monotonic clock, in milliseconds. */
  nowMs?: () => number;
}

/** Series of consecutive timeouts. A successful call ends the series. Any other failure neither counts nor ends the series. */
export class TimeoutRun {
  #timeouts: { number: string; atMs: number }[] = [];
  #isReached = false;
  readonly #nowMs: () => number;

  constructor(private readonly options: TimeoutRunOptions) {
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  add(number: string): void {
    const atMs = this.#nowMs();
    this.#timeouts = this.#timeouts.filter((timeout) => timeout.atMs > atMs - this.options.windowMs);
    this.#timeouts.push({ number, atMs });
    const { minimumTimeouts, minimumNumbers } = this.options;
    const numbers = new Set(this.#timeouts.map((timeout) => timeout.number));
    if (this.#timeouts.length >= minimumTimeouts && numbers.size >= minimumNumbers) this.#isReached = true;
  }

  clear(): void {
    this.#timeouts = [];
    this.#isReached = false;
  }

  /** True until the series ends, even if its first timeouts are older than the window, because probes are infrequent. */
  get isReached(): boolean {
    return this.#isReached;
  }
}

/** Breaker that opens if either rule applies. */
export class ProviderBreaker extends FailureRateBreaker {
  readonly timeouts = new TimeoutRun(timeoutRule);

  override success(state: CircuitState): void {
    if (state === CircuitState.HalfOpen) this.timeouts.clear();
    super.success(state);
  }

  override failure(state: CircuitState): boolean {
    return super.failure(state) || this.timeouts.isReached;
  }
}
