/** Maximum number of keys of a counter, so that a caller with many addresses cannot exhaust the memory. */
export const MAX_COUNTED_KEYS = 10_000;

/** Count of a key, and the time until its window ends. */
export interface WindowCount {
  count: number;
  msLeft: number;
}

/**
 * Counts by key in time windows, in the memory of this process. The window of a key starts with its first point. Above the limit
 * of keys, the key with the oldest window is removed. Timers are not used, because they would keep the context of the request
 * that started them.
 */
export class WindowCounts {
  /** Windows in the order in which they started. */
  readonly #windows = new Map<string, { count: number; endsMs: number }>();

  constructor(private readonly maxKeys = MAX_COUNTED_KEYS) {}

  get size(): number {
    return this.#windows.size;
  }

  read(key: string): WindowCount {
    const nowMs = performance.now();
    const window = this.#windows.get(key);
    return window && window.endsMs > nowMs
      ? { count: window.count, msLeft: window.endsMs - nowMs }
      : { count: 0, msLeft: 0 };
  }

  /** Adds points. A negative number removes points. */
  add(key: string, windowMs: number, points = 1): WindowCount {
    const nowMs = performance.now();
    let window = this.#windows.get(key);
    if (!window || window.endsMs <= nowMs) {
      this.#windows.delete(key);
      this.#forget(nowMs);
      this.#windows.set(key, (window = { count: 0, endsMs: nowMs + windowMs }));
    }
    window.count += points;
    return { count: window.count, msLeft: window.endsMs - nowMs };
  }

  #forget(nowMs: number): void {
    for (const [key, { endsMs }] of this.#windows) {
      if (endsMs > nowMs && this.#windows.size < this.maxKeys) return;
      this.#windows.delete(key);
    }
  }
}
