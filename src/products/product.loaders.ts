import DataLoader from 'dataloader';
import type { RequestContext } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import type { DetailsQuery, ProductDetailsService, ProductLinks } from './product-details.service.js';

type DetailsLoader = DataLoader<DetailsQuery, ProductLinks, string>;

/** Returns the key of a query. Identical queries of a request share one upstream call, wherever they occur in the document. */
const keyOf = ({ environment, productId, categoryId, cardId }: DetailsQuery): string =>
  JSON.stringify([environment, productId, categoryId, cardId]);

/** Loader of each request, released with the request. */
export class ProductLoaders {
  readonly #byRequest = new WeakMap<RequestContext, DetailsLoader>();

  constructor(private readonly details: ProductDetailsService) {}

  of(context: RequestContext): DetailsLoader {
    let loader = this.#byRequest.get(context);
    if (!loader) {
      const customers = new Map<Environment, Promise<string>>();
      loader = new DataLoader((queries) => this.details.ofMany(queries, customers), { cacheKeyFn: keyOf });
      this.#byRequest.set(context, loader);
    }
    return loader;
  }
}
