import type { Environment } from '../core/environment.js';
import { askForFree } from '../providers/free-call.js';
import type { LeadsPort, ProductListing } from '../providers/ports/leads.port.js';
import { FreshCache } from './fresh-cache.js';

export type ProductPorts = Record<Environment, LeadsPort>;

/** The catalogue carries no price, so it may be a few minutes old. */
export const CATALOGUE_FRESH_MS = 5 * 60_000;
/** Per list; a client may ask for any category id. */
const MAX_CATEGORIES = 1_000;

export interface CategoryListing {
  id: number;
  title: string;
}

/** The product catalogue (interface.md 4.14 and 4.15), cached per environment and provider. */
export class ProductCatalogue {
  readonly #ports: ProductPorts;
  readonly #categories: FreshCache<readonly CategoryListing[]>;
  readonly #products: FreshCache<readonly ProductListing[]>;

  constructor(ports: ProductPorts, { freshForMs = CATALOGUE_FRESH_MS, nowMs = () => performance.now() } = {}) {
    this.#ports = ports;
    this.#categories = new FreshCache({ freshForMs, nowMs, maxEntries: MAX_CATEGORIES });
    this.#products = new FreshCache({ freshForMs, nowMs, maxEntries: MAX_CATEGORIES });
  }

  /** Every category available. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED. */
  categories(environment: Environment): Promise<readonly CategoryListing[]> {
    const port = this.#ports[environment];
    return this.#categories.get(`${environment}/${port.provider}`, () =>
      askForFree(port, () => port.productCategories()),
    );
  }

  /** The products of a category; none for an unknown one in production. Errors: PROVIDER_UNAVAILABLE, PROVIDER_FAILED. */
  products(environment: Environment, categoryId: number): Promise<readonly ProductListing[]> {
    const port = this.#ports[environment];
    return this.#products.get(`${environment}/${port.provider}/${categoryId}`, () =>
      askForFree(port, () => port.productsByCategory(categoryId)),
    );
  }
}
