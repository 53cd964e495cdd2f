import type { Environment } from '../core/environment.js';
import { sendFreeCall } from '../providers/calls.js';
import type { LeadsPort, ProductListing } from '../providers/ports/leads.port.js';
import { type FreshCache, type Freshness, freshCache } from './fresh-cache.js';

export type ProductPorts = Record<Environment, LeadsPort>;

/** Maximum number of cached categories per list, because a client can request any category ID. */
const MAX_CATEGORIES = 1_000;

export interface CategoryListing {
  id: number;
  title: string;
}

/** Product catalog (interface.md 4.14 and 4.15), cached per environment and provider. */
export class ProductCatalogue {
  readonly #categories: FreshCache<readonly CategoryListing[]>;
  readonly #products: FreshCache<readonly ProductListing[]>;

  constructor(
    private readonly ports: ProductPorts,
    freshness: Freshness = {},
  ) {
    this.#categories = freshCache(MAX_CATEGORIES, freshness);
    this.#products = freshCache(MAX_CATEGORIES, freshness);
  }

  /** Returns all available categories. Throws PROVIDER_UNAVAILABLE or PROVIDER_FAILED. */
  categories(environment: Environment): Promise<readonly CategoryListing[]> {
    const port = this.ports[environment];
    return this.#categories.forceFetch(`${environment}/${port.provider}`, {
      context: () => sendFreeCall(port, () => port.productCategories()),
    });
  }

  /**
   * Finds a product by ID, in the first category that lists it. Lists that are not in the cache are loaded one after another.
   * Returns undefined if no category lists it. Throws PROVIDER_UNAVAILABLE or PROVIDER_FAILED.
   */
  async find(
    environment: Environment,
    productId: string,
  ): Promise<(ProductListing & { categoryId: number }) | undefined> {
    for (const { id: categoryId } of await this.categories(environment)) {
      const listings = await this.products(environment, categoryId);
      const found = listings.find((listing) => listing.productId === productId);
      if (found) return { ...found, categoryId };
    }
    return undefined;
  }

  /**
   * Returns the products of a category. Returns an empty list for an unknown category in Production. Throws
   * PROVIDER_UNAVAILABLE, PROVIDER_FAILED.
   */
  products(environment: Environment, categoryId: number): Promise<readonly ProductListing[]> {
    const port = this.ports[environment];
    return this.#products.forceFetch(`${environment}/${port.provider}/${categoryId}`, {
      context: () => sendFreeCall(port, () => port.productsByCategory(categoryId)),
    });
  }
}
