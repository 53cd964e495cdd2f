import type { ProviderName } from './provider-name.js';

export interface CallLine {
  provider: ProviderName;
  /** Path without the query, which can contain personal data. */
  path: string;
  /** Reference in a status check at RoundPay. */
  reference: string | null;
  /** Time in ISO 8601, UTC. */
  time: string;
}

export interface OverlapLine {
  provider: ProviderName;
  /** Number of running calls. */
  now: number;
  /** Maximum number of concurrent calls. */
  most: number;
}

const CALLS_KEPT = 200_000;
const NONE = { ms: 0, changed: new AbortController() };

/** Log of calls, and the faults that are enabled for a provider. */
export class Traffic {
  #calls: CallLine[] = [];
  readonly #overlaps = new Map<ProviderName, { now: number; most: number }>();
  readonly #down = new Set<ProviderName>();
  readonly #latency = new Map<ProviderName, { ms: number; changed: AbortController }>();
  readonly #blind = new Set<ProviderName>();

  log(provider: ProviderName, path: string, reference: string | null): void {
    this.#calls.push({ provider, path, reference, time: new Date().toISOString() });
    if (this.#calls.length >= 2 * CALLS_KEPT) this.#calls = this.#calls.slice(-CALLS_KEPT);
  }

  calls(): readonly CallLine[] {
    return this.#calls.slice(-CALLS_KEPT);
  }

  /** Registers a call. The returned function marks it as finished, after the response was sent or the caller disconnected. */
  begin(provider: ProviderName): () => void {
    const overlap = this.#overlaps.get(provider) ?? { now: 0, most: 0 };
    this.#overlaps.set(provider, overlap);
    overlap.most = Math.max(overlap.most, ++overlap.now);
    return () => {
      overlap.now--;
    };
  }

  overlaps(): readonly OverlapLine[] {
    return [...this.#overlaps].map(([provider, overlap]) => ({ provider, ...overlap }));
  }

  setOutage(provider: ProviderName, on: boolean): void {
    if (on) this.#down.add(provider);
    else this.#down.delete(provider);
  }

  isDown(provider: ProviderName): boolean {
    return this.#down.has(provider);
  }

  /** Sets whether the provider is blind. A blind provider books transactions, but its status checks do not find them. */
  setBlind(provider: ProviderName, on: boolean): void {
    if (on) this.#blind.add(provider);
    else this.#blind.delete(provider);
  }

  isBlind(provider: ProviderName): boolean {
    return this.#blind.has(provider);
  }

  /** Sets the latency. Calls that are delayed by the previous latency are completed immediately. */
  setLatency(provider: ProviderName, ms: number): void {
    this.#latency.get(provider)?.changed.abort();
    this.#latency.set(provider, { ms, changed: new AbortController() });
  }

  /** Returns the delay of a response, and a signal that ends the delay early. */
  latency(provider: ProviderName): { ms: number; changed: AbortSignal } {
    const { ms, changed } = this.#latency.get(provider) ?? NONE;
    return { ms, changed: changed.signal };
  }

  clear(): void {
    this.#calls = [];
    for (const overlap of this.#overlaps.values()) overlap.most = overlap.now;
    this.#down.clear();
    for (const provider of this.#latency.keys()) this.setLatency(provider, 0);
    this.#blind.clear();
  }
}
