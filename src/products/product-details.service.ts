import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { Environment } from '../core/environment.js';
import { AppError, overloaded } from '../core/errors.js';
import { sendFreeCall } from '../providers/calls.js';
import type { SettingsService } from '../settings/settings.service.js';
import { type FreshCache, type Freshness, freshCache } from './fresh-cache.js';
import type { ProductPorts } from './product.catalogue.js';

/**
 * Maximum number of concurrent calls. A single catalog query requests the details of every product at once. These limits prevent
 * such queries from using all the connections that profiles, leads and lead statuses need at the same provider.
 */
const MAX_CONCURRENT = 64;
const MAX_WAITING = 2_000;
const MAX_CACHED = 10_000;

/** Customer ID that is sent if there is no default customer, in an environment where any ID returns sample data. */
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
 * Links to the page and the application form of a product (interface.md 4.13), for the default customer of the environment. They
 * are cached for a few minutes. The service uses separate connections and a separate breaker if the provider has them.
 */
export class ProductDetailsService {
  readonly #bulkhead = bulkhead(MAX_CONCURRENT, MAX_WAITING);
  readonly #cache: FreshCache<ProductLinks>;

  constructor(
    private readonly ports: ProductPorts,
    private readonly settings: SettingsService,
    freshness: Freshness = {},
  ) {
    this.#cache = freshCache(MAX_CACHED, freshness);
  }

  /**
   * Returns the links of several products, each of them a value or an error: PROVIDER_FAILED (including an unknown product),
   * PROVIDER_UNAVAILABLE, OVERLOADED.
   * @param customers cache of customers that were already read, because the lists of one request are loaded one after another
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
    return this.#cache.forceFetch(JSON.stringify([environment, port.provider, query]), {
      context: () =>
        this.#bulkhead
          .execute(() => sendFreeCall({ available: true }, () => port.productDetails(query)))
          .catch((error: unknown) => {
            throw error instanceof BulkheadRejectedError ? overloaded('products') : error;
          }),
    });
  }

  async #defaultCustomer(environment: Environment): Promise<string> {
    const customerId = await this.settings.get(environment, 'default_lead_customer');
    if (customerId !== undefined) return customerId;
    if (this.ports[environment].acceptsAnyId) return SAMPLE_CUSTOMER;
    // the caller cannot send one, so an administrator has to set it
    throw new AppError('PROVIDER_UNAVAILABLE', { message: 'This environment has no default customer yet.' });
  }
}
