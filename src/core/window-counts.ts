/** A counter of callers has at most so many keys: whoever has many addresses must not fill the memory with them. */
export const MOST_KEYS = 10_000;

/** The count of a key, and the time until its window ends. */
export interface WindowCount {
  count: number;
  msLeft: number;
}

/**
 * Counts by key in windows of time, in the memory of this process. The window of a key begins with its first point. Above the limit of
 * keys the one that began first is forgotten. It has no timers, which would keep the request that began them.
 */
export class WindowCounts {
  /** In the order in which their windows began. */
  readonly #windows = new Map<string, { count: number; endsMs: number }>();

  constructor(private readonly mostKeys = MOST_KEYS) {}

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

  /** Adds points, of which a negative number is taken back. */
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
      if (endsMs > nowMs && this.#windows.size < this.mostKeys) return;
      this.#windows.delete(key);
    }
  }
}
