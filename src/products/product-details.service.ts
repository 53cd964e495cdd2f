import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { askForFree } from '../providers/free-call.js';
import type { SettingsService } from '../settings/settings.service.js';
import type { ProductPorts } from './product.catalogue.js';

/**
 * One catalogue query asks for the details of every product at once. These limits keep a few of them from filling the places
 * that profiles, leads and their status need at the same provider.
 */
const MAX_CONCURRENT = 64;
const MAX_WAITING = 2_000;

/** Sent when no default customer is set, where every id is a sample. */
const SAMPLE_CUSTOMER = 'sample-customer';

export interface DetailsQuery {
  productId: string;
  categoryId?: number;
  cardId?: number;
}

export interface ProductLinks {
  url: string;
  campaignUrl: string;
}

/** Where a product is described and applied for (interface.md 4.13), for the default customer of the environment. Never cached. */
export class ProductDetailsService {
  readonly #ports: ProductPorts;
  readonly #settings: SettingsService;
  readonly #places = bulkhead(MAX_CONCURRENT, MAX_WAITING);

  constructor(ports: ProductPorts, settings: SettingsService) {
    this.#ports = ports;
    this.#settings = settings;
  }

  /**
   * The links of several products, each a value or the error why there is none: PROVIDER_FAILED (an unknown product, too),
   * PROVIDER_UNAVAILABLE, OVERLOADED.
   */
  async ofMany(environment: Environment, queries: readonly DetailsQuery[]): Promise<(ProductLinks | Error)[]> {
    const customerId = await this.#defaultCustomer(environment);
    const port = this.#ports[environment];
    return Promise.all(
      queries.map((query) =>
        this.#places
          .execute(() => askForFree(port, () => port.productDetails({ ...query, customerId })))
          .catch((error: Error) =>
            error instanceof BulkheadRejectedError ? new AppError('OVERLOADED', { retryAfterMs: 1_000 }) : error,
          ),
      ),
    );
  }

  async #defaultCustomer(environment: Environment): Promise<string> {
    const customerId = await this.#settings.get(environment, 'default_lead_customer');
    if (customerId !== undefined) return customerId;
    if (this.#ports[environment].answersForAnyId) return SAMPLE_CUSTOMER;
    // the caller cannot send one: an admin has to set it
    throw new AppError('PROVIDER_UNAVAILABLE', { message: 'No default customer is set for this environment yet.' });
  }
}
