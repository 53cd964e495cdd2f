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
import type { ProviderAnswer, ProviderHttpClient, ProviderRequest } from './http-client.js';
import { encodeBody, encodeQuery, HttpExchange, MAX_BODY_BYTES } from './http-exchange.js';
import type { EvidenceReason } from './outcome.js';

/** One finished call, for metrics: no URL, no body, nothing personal. */
export interface ExchangeReport {
  provider: string;
  /** The wait in the bulkhead included. */
  durationMs: number;
  result: 'response' | EvidenceReason;
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
  /** Calls that may wait for one of these to end. */
  maxQueued: number;
  /** Shared with the provider's other clients; undefined where no limit of all processes together is set. */
  semaphore?: Semaphore | undefined;
  /** How long an open breaker rejects calls before it lets one through as a probe. Time-outs in a row have a time of their own. */
  halfOpenAfterMs?: number;
  onExchange?: (report: ExchangeReport) => void;
}

/** When the breaker opens (interface.md 11.2, providers): ≥ 20 calls in 10 s of which ≥ 50 % failed or timed out. */
const breakerRule = { minimumCalls: 20, windowMs: 10_000, failureRatio: 0.5 };
const HALF_OPEN_AFTER_MS = 5_000;
/** It also opens at 5 time-outs in a row for ≥ 3 numbers in 5 minutes: a provider that hangs may never get 20 calls in 10 s. */
const timeoutRule = { minimumTimeouts: 5, minimumNumbers: 3, windowMs: 300_000 };
/** Longer, because a probe of a provider that hangs holds the money of a customer until its deadline. */
const HALF_OPEN_AFTER_TIMEOUTS_MS = 30_000;
/** Short, because a call that meets a socket the provider has just dropped ends as an unknown outcome. */
const IDLE_SOCKET_MS = 4_000;

/** `half_open`: one call is let through as a probe. */
export type BreakerState = 'closed' | 'half_open' | 'open';

/** How a connection is, for metrics and staff. */
export interface ConnectionState {
  breaker: BreakerState;
  /** Calls under way. */
  running: number;
  /** Calls that wait for one of these to end. */
  queued: number;
}

/** Sends each request once over connections of its own. See `ProviderHttpClient`. */
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
  #closing: Promise<void> | undefined;

  constructor(private readonly options: ProviderHttpClientOptions) {
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
      running: maxConcurrent - this.#bulkhead.executionSlots,
      queued: maxQueued - this.#bulkhead.queueSlots,
    };
  }

  async send(request: ProviderRequest): Promise<ProviderAnswer> {
    const dispatch = await this.#dispatchOptions(request);
    const exchange = new HttpExchange(this.options.timeoutMs, request.permit);
    const call: Call = { exchange, dispatch, number: request.number };
    if (this.#canCall) {
      // It rejects only when too many wait or the breaker has opened meanwhile.
      this.#bulkhead.execute(() => this.#callInTurn(call)).catch(() => exchange.refuse());
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
    if (!semaphore.isFree) return exchange.refuse();
    const release = await semaphore.take(exchange.answer);
    try {
      if (release) await this.#call(call);
    } finally {
      release?.();
    }
  }

  async #call({ exchange, dispatch, number }: Call): Promise<void> {
    if (exchange.needsPermit && !(await exchange.isPermitted())) return exchange.refuse('never_sent');
    // It may have waited: a breaker that opened meanwhile refuses what has not begun.
    if (!this.#canCall) return exchange.refuse();
    // The deadline passed in the queue. The breaker must not hear of it: it would take it for a probe that got through.
    if (!exchange.begin()) return;
    // first, so that the breaker knows of it when it judges the same answer
    if (number !== undefined) void exchange.answer.then((answer) => this.#noteTimeout(exchange, answer, number));
    await this.#breaker.execute(() => {
      this.#agent.dispatch(dispatch, exchange);
      return exchange.answer;
    });
  }

  #noteTimeout({ timedOut }: HttpExchange, answer: ProviderAnswer, number: string): void {
    if (timedOut) this.#timeouts.add(number);
    else if (!isProviderFault(answer)) this.#timeouts.clear();
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
    const result = answer.kind === 'response' ? 'response' : answer.evidence.reason;
    const { elapsedMs: durationMs, textsCut } = exchange;
    try {
      this.options.onExchange?.({ provider: this.options.name, durationMs, result, textsCut });
    } catch {
      // A broken metric must not turn a known outcome into an unknown one.
    }
  }
}

/** What counts against a provider. That it declines, even with a 4xx, does not: it is there and it decides. */
function isProviderFault(result: unknown): boolean {
  const answer = result as ProviderAnswer;
  return answer.kind === 'response' ? answer.httpStatus >= 500 : answer.evidence.reason !== 'breaker_open';
}

interface Bucket {
  startedAtMs: number;
  calls: number;
  failures: number;
}

interface FailureRateOptions {
  /** Fewer calls than this in the window never open the breaker. */
  minimumCalls: number;
  windowMs: number;
  /** Opens at this share of failed calls or more, 0 to 1. */
  failureRatio: number;
  /** A clock that never goes back, in milliseconds. */
  nowMs?: () => number;
}

const BUCKETS_PER_WINDOW = 20;

/**
 * Opens at ≥ `minimumCalls` in the last `windowMs` of which ≥ `failureRatio` failed. cockatiel's own SamplingBreaker opens
 * only *above* the ratio, and after a quiet hour it still counts the failures from before it.
 *
 * cockatiel asks only after a failed call, so a rate that is reached by a success opens the breaker at the next failure.
 */
export class FailureRateBreaker implements IBreaker {
  /** Oldest first. The name is cockatiel's: it is what its `toJSON` stores. */
  state: Bucket[] = [];
  readonly #nowMs: () => number;

  constructor(private readonly options: FailureRateOptions) {
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  success(state: CircuitState): void {
    // The probe got through: failures from before the outage ended say nothing about the provider any more.
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
  /** Time-outs for fewer numbers than this may be the fault of one number, not of the provider. */
  minimumNumbers: number;
  windowMs: number;
  /** A clock that never goes back, in milliseconds. */
  nowMs?: () => number;
}

/** Time-outs in a row. A call that does not fail ends the row; a call that fails in another way neither counts nor ends it. */
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

  /** Until the row ends, also when its first time-outs have left the window: probes are rare. */
  get isReached(): boolean {
    return this.#isReached;
  }
}

/** Opens by either rule. */
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
