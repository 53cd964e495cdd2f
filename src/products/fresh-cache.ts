import { LRUCache } from 'lru-cache';

/** The catalogue carries no price, so it may be a few minutes old. */
export const CATALOGUE_FRESH_MS = 5 * 60_000;

export interface Freshness {
  freshForMs?: number;
  nowMs?: () => number;
}

/** What was loaded in the last minutes. */
export type FreshCache<Value extends object> = LRUCache<string, Value, () => Promise<Value>>;

/** Simultaneous misses of one key share one load; a failure is not kept. */
export const freshCache = <Value extends object>(
  max: number,
  { freshForMs = CATALOGUE_FRESH_MS, nowMs = () => performance.now() }: Freshness,
): FreshCache<Value> =>
  new LRUCache({
    max,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    // those who wait for a value get it even when it has been evicted meanwhile
    ignoreFetchAbort: true,
    // the library takes an age of exactly `ttl` for fresh, and the instant 0 for none
    ttl: freshForMs - 1,
    perf: { now: () => nowMs() + 1 },
    ttlResolution: 0,
  });
