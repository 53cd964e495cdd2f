import { LRUCache } from 'lru-cache';
import type { Environment } from '../core/environment.js';
import { askForFree } from '../providers/free-call.js';
import type { LeadsPort, ProductListing } from '../providers/ports/leads.port.js';

export type ProductPorts = Record<Environment, LeadsPort>;

/** The catalogue carries no price, so it may be a few minutes old. */
export const CATALOGUE_FRESH_MS = 5 * 60_000;
/** Per list; a client may ask for any category id. */
const MAX_CATEGORIES = 1_000;

export interface CategoryListing {
  id: number;
  title: string;
}

type Lists<Entry> = LRUCache<string, readonly Entry[], () => Promise<readonly Entry[]>>;

/** Simultaneous misses of one key share one load; a failure is not kept. */
const freshLists = <Entry>(freshForMs: number, nowMs: () => number): Lists<Entry> =>
  new LRUCache({
    max: MAX_CATEGORIES,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    // those who wait for a list get it even when it has been evicted meanwhile
    ignoreFetchAbort: true,
    // the library takes an age of exactly `ttl` for fresh, and the instant 0 for none
    ttl: freshForMs - 1,
    perf: { now: () => nowMs() + 1 },
    ttlResolution: 0,
  });

/** The product catalogue (interface.md 4.14 and 4.15), cached per environment and provider. */
export class ProductCatalogue {
  readonly #ports: ProductPorts;
  readonly #categories: Lists<CategoryListing>;
  readonly #products: Lists<ProductListing>;

  constructor(ports: ProductPorts, { freshForMs = CATALOGUE_FRESH_MS, nowMs = () => performance.now() } = {}) {
    this.#ports = ports;
    this.#categories = freshLists(freshForMs, nowMs);
    this.#products = freshLists(freshForMs, nowMs);
  }

  /** Every category available. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED. */
  categories(environment: Environment): Promise<readonly CategoryListing[]> {
    const port = this.#ports[environment];
    return this.#categories.forceFetch(`${environment}/${port.provider}`, {
      context: () => askForFree(port, () => port.productCategories()),
    });
  }

  /** The products of a category; none for an unknown one in production. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED. */
  products(environment: Environment, categoryId: number): Promise<readonly ProductListing[]> {
    const port = this.#ports[environment];
    return this.#products.forceFetch(`${environment}/${port.provider}/${categoryId}`, {
      context: () => askForFree(port, () => port.productsByCategory(categoryId)),
    });
  }
}
