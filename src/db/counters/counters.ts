import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { outOfScope } from '../../core/scope.js';

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
  readonly #store = new RateLimiterMemory(NO_LIMIT);

  add(key: string, windowS: number, points = 1): Promise<Count> {
    // the store's timer of a new key lives for the whole window: made in scope, it would keep the request
    return outOfScope(() => addTo(this.#store, key, windowS, points));
  }
}
