interface Entry<Value> {
  value: Promise<Value>;
  /** Infinite while the load is under way: callers that come meanwhile wait for the same one. */
  freshUntilMs: number;
}

export interface FreshCacheOptions {
  /** How old a value may be. */
  freshForMs: number;
  /** The oldest entry goes when there are more: keys may come from clients. */
  maxEntries: number;
  /** A clock that never goes back, in milliseconds. */
  nowMs?: () => number;
}

/** Keeps loaded values for a while. Simultaneous misses of one key share one load; a failed load is not kept. */
export class FreshCache<Value> {
  readonly #options: FreshCacheOptions;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: FreshCacheOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** The fresh value of a key, loaded when there is none. Errors: those of `load`, for everybody who waited for it. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known && this.#nowMs() < known.freshUntilMs) return known.value;
    const entry: Entry<Value> = { value: load(), freshUntilMs: Number.POSITIVE_INFINITY };
    this.#entries.delete(key); // so that a refreshed key counts as the newest
    this.#entries.set(key, entry);
    this.#dropOldest();
    void this.#settle(key, entry);
    return entry.value;
  }

  async #settle(key: string, entry: Entry<Value>): Promise<void> {
    try {
      await entry.value;
      entry.freshUntilMs = this.#nowMs() + this.#options.freshForMs;
    } catch {
      // the callers that wait get the error; the next one tries again
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries) return;
      this.#entries.delete(key);
    }
  }
}
