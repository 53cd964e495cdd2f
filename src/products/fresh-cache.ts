import { LRUCache } from 'lru-cache';

/** Time for which the catalog is cached. It contains no prices, so it can be a few minutes old. */
export const CATALOGUE_FRESH_MS = 5 * 60_000;

export interface Freshness {
  freshForMs?: number;
  nowMs?: () => number;
}

/** Cache of values that were loaded in the last minutes. */
export type FreshCache<Value extends object> = LRUCache<string, Value, () => Promise<Value>>;

/** Creates a cache. Concurrent misses of a key share one load. Failures are not cached. */
export const freshCache = <Value extends object>(
  max: number,
  { freshForMs = CATALOGUE_FRESH_MS, nowMs = () => performance.now() }: Freshness,
): FreshCache<Value> =>
  new LRUCache({
    max,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    // callers waiting for a value get it even if it has been evicted in the meantime
    ignoreFetchAbort: true,
    // the library treats an age of exactly `ttl` as fresh, and the time 0 as missing
    ttl: freshForMs - 1,
    perf: { now: () => nowMs() + 1 },
    ttlResolution: 0,
  });
