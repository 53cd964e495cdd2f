import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { Environment } from '../core/environment.js';
import { AppError, overloaded } from '../core/errors.js';
import { askForFree } from '../providers/calls.js';
import type { SettingsService } from '../settings/settings.service.js';
import { type FreshCache, type Freshness, freshCache } from './fresh-cache.js';
import type { ProductPorts } from './product.catalogue.js';

/**
 * One catalogue query asks for the details of every product at once. These limits keep a few of them from filling the places
 * that profiles, leads and their status need at the same provider.
 */
const MAX_CONCURRENT = 64;
const MAX_WAITING = 2_000;
const MAX_KEPT = 10_000;

/** Sent when no default customer is set, where every id is a sample. */
const SAMPLE_CUSTOMER = 'sample-customer';

export interface DetailsQuery {
  environment: Environment;
  productId: string;
  categoryId?: number;
  cardId?: number;
}

export interface ProductLinks {
  url: string;
  campaignUrl: string;
}

/**
 * Where a product is described and applied for (interface.md 4.13), for the default customer of the environment. Kept for a few
 * minutes, over connections and a breaker of their own where the provider has them.
 */
export class ProductDetailsService {
  readonly #places = bulkhead(MAX_CONCURRENT, MAX_WAITING);
  readonly #known: FreshCache<ProductLinks>;

  constructor(
    private readonly ports: ProductPorts,
    private readonly settings: SettingsService,
    freshness: Freshness = {},
  ) {
    this.#known = freshCache(MAX_KEPT, freshness);
  }

  /**
   * The links of several products, each a value or the error why there is none: PROVIDER_FAILED (an unknown product, too),
   * PROVIDER_UNAVAILABLE, OVERLOADED.
   * @param customers what was read already: the lists of one request come one after the other
   */
  async ofMany(
    queries: readonly DetailsQuery[],
    customers: Map<Environment, Promise<string>> = new Map(),
  ): Promise<(ProductLinks | Error)[]> {
    const customerOf = (environment: Environment): Promise<string> => {
      let customer = customers.get(environment);
      if (!customer) customers.set(environment, (customer = this.#defaultCustomer(environment)));
      return customer;
    };
    return Promise.all(
      queries.map(async (query) => {
        try {
          return await this.#linksOf(query, await customerOf(query.environment));
        } catch (error) {
          return error as Error;
        }
      }),
    );
  }

  #linksOf({ environment, productId, categoryId, cardId }: DetailsQuery, customerId: string): Promise<ProductLinks> {
    const port = this.ports[environment];
    const query = { productId, categoryId, cardId, customerId };
    return this.#known.forceFetch(JSON.stringify([environment, port.provider, query]), {
      context: () =>
        this.#places
          .execute(() => askForFree({ available: true }, () => port.productDetails(query)))
          .catch((error: unknown) => {
            throw error instanceof BulkheadRejectedError ? overloaded('products') : error;
          }),
    });
  }

  async #defaultCustomer(environment: Environment): Promise<string> {
    const customerId = await this.settings.get(environment, 'default_lead_customer');
    if (customerId !== undefined) return customerId;
    if (this.ports[environment].answersForAnyId) return SAMPLE_CUSTOMER;
    // the caller cannot send one: an admin has to set it
    throw new AppError('PROVIDER_UNAVAILABLE', { message: 'No default customer is set for this environment yet.' });
  }
}
