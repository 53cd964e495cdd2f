import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { MOST_KEYS, WindowCounts } from '../../core/window-counts.js';

/** What a counter has come to, and how long it counts on before it begins anew. */
export interface Count {
  count: number;
  msLeft: number;
}

/** Counters of rates and attempts. The window of one begins with its first point and does not move. */
export interface Counters {
  /** Adds one point, or so many; fewer than none are taken back. Errors: DEPENDENCY_DOWN. */
  add(key: string, windowS: number, points?: number): Promise<Count>;
}

/** How rate-limiter-flexible is set up: it counts, and we judge. */
export const NO_LIMIT = { points: 2_000_000_000, duration: 60 };

/** Counts with a store of rate-limiter-flexible. */
export async function addTo(store: RateLimiterAbstract, key: string, windowS: number, points: number): Promise<Count> {
  const { consumedPoints, msBeforeNext } = await store.penalty(key, points, { customDuration: windowS });
  return { count: consumedPoints, msLeft: msBeforeNext };
}

/** Right where there is one process. */
export class MemoryCounters implements Counters {
  /** One that is forgotten could be tried again, so there are more of them than an attacker easily has addresses. */
  readonly #counts = new WindowCounts(10 * MOST_KEYS);

  async add(key: string, windowS: number, points = 1): Promise<Count> {
    return this.#counts.add(key, windowS * 1_000, points);
  }
}
