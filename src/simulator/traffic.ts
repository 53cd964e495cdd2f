import type { ProviderName } from './provider-name.js';

export interface CallLine {
  provider: ProviderName;
  /** Without the query: no personal data. */
  path: string;
  /** ISO 8601, UTC. */
  time: string;
}

const CALLS_KEPT = 200_000;

/** What was called, and the faults switched on for a provider as a whole. */
export class Traffic {
  #calls: CallLine[] = [];
  readonly #down = new Set<ProviderName>();
  readonly #latencyMs = new Map<ProviderName, number>();
  readonly #blind = new Set<ProviderName>();

  log(provider: ProviderName, path: string): void {
    this.#calls.push({ provider, path, time: new Date().toISOString() });
    if (this.#calls.length >= 2 * CALLS_KEPT) this.#calls = this.#calls.slice(-CALLS_KEPT);
  }

  calls(): readonly CallLine[] {
    return this.#calls.slice(-CALLS_KEPT);
  }

  setOutage(provider: ProviderName, on: boolean): void {
    if (on) this.#down.add(provider);
    else this.#down.delete(provider);
  }

  isDown(provider: ProviderName): boolean {
    return this.#down.has(provider);
  }

  /** A blind provider books as ever, and its status calls do not see what it booked. */
  setBlind(provider: ProviderName, on: boolean): void {
    if (on) this.#blind.add(provider);
    else this.#blind.delete(provider);
  }

  isBlind(provider: ProviderName): boolean {
    return this.#blind.has(provider);
  }

  setLatency(provider: ProviderName, ms: number): void {
    this.#latencyMs.set(provider, ms);
  }

  latencyMs(provider: ProviderName): number {
    return this.#latencyMs.get(provider) ?? 0;
  }

  clear(): void {
    this.#calls = [];
    this.#down.clear();
    this.#latencyMs.clear();
    this.#blind.clear();
  }
}
