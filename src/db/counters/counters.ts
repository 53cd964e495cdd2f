import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { MAX_COUNTED_KEYS, WindowCounts } from '../../core/window-counts.js';

/** Value of a counter, and the remaining time of its window. */
export interface Count {
  count: number;
  msLeft: number;
}

/** Counters for rates and attempts. A window starts with the first point and has a fixed end. */
export interface Counters {
  /** Adds points (one by default). A negative number subtracts points. Throws DEPENDENCY_DOWN. */
  add(key: string, windowS: number, points?: number): Promise<Count>;
}

/** Options of rate-limiter-flexible, which only counts. Our own code checks the limits. */
export const NO_LIMIT = { points: 2_000_000_000, duration: 60 };

/** Adds points in a store of rate-limiter-flexible. */
export async function addTo(store: RateLimiterAbstract, key: string, windowS: number, points: number): Promise<Count> {
  const { consumedPoints, msBeforeNext } = await store.penalty(key, points, { customDuration: windowS });
  return { count: consumedPoints, msLeft: msBeforeNext };
}

/** In-memory counters, accurate for a single process. */
export class MemoryCounters implements Counters {
  /**
   * Counts by key. A removed counter starts again at zero, so the maximum exceeds the number of addresses that an attacker
   * usually has.
   */
  readonly #counts = new WindowCounts(10 * MAX_COUNTED_KEYS);

  async add(key: string, windowS: number, points = 1): Promise<Count> {
    return this.#counts.add(key, windowS * 1_000, points);
  }
}
