import type { Environment } from '../core/environment.js';
import { askForFree } from '../providers/calls.js';
import type { LeadsPort, ProductListing } from '../providers/ports/leads.port.js';
import { type FreshCache, type Freshness, freshCache } from './fresh-cache.js';

export type ProductPorts = Record<Environment, LeadsPort>;

/** Per list; a client may ask for any category id. */
const MAX_CATEGORIES = 1_000;

export interface CategoryListing {
  id: number;
  title: string;
}

/** The product catalogue (interface.md 4.14 and 4.15), cached per environment and provider. */
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

  /** Every category available. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED. */
  categories(environment: Environment): Promise<readonly CategoryListing[]> {
    const port = this.ports[environment];
    return this.#categories.forceFetch(`${environment}/${port.provider}`, {
      context: () => askForFree(port, () => port.productCategories()),
    });
  }

  /**
   * A product by its id, in whatever category it is listed first: lists that are not fresh are asked for one after the other.
   * Undefined when none has it. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED.
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

  /** The products of a category; none for an unknown one in production. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED. */
  products(environment: Environment, categoryId: number): Promise<readonly ProductListing[]> {
    const port = this.ports[environment];
    return this.#products.forceFetch(`${environment}/${port.provider}/${categoryId}`, {
      context: () => askForFree(port, () => port.productsByCategory(categoryId)),
    });
  }
}
