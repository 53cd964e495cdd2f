import { CircuitState, type IBreaker } from 'cockatiel';

interface Bucket {
  startedAtMs: number;
  calls: number;
  failures: number;
}

export interface FailureRateOptions {
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
  readonly #options: FailureRateOptions;
  readonly #nowMs: () => number;

  constructor(options: FailureRateOptions) {
    this.#options = options;
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
    return calls >= this.#options.minimumCalls && failures >= calls * this.#options.failureRatio;
  }

  #record(failures: 0 | 1): void {
    const nowMs = this.#nowMs();
    this.state = this.state.filter((bucket) => bucket.startedAtMs > nowMs - this.#options.windowMs);
    const last = this.state.at(-1);
    if (last && nowMs - last.startedAtMs < this.#options.windowMs / BUCKETS_PER_WINDOW) {
      last.calls += 1;
      last.failures += failures;
    } else {
      this.state.push({ startedAtMs: nowMs, calls: 1, failures });
    }
  }
}
