import DataLoader from 'dataloader';
import { developerOf, type RequestContext } from '../core/context.js';
import type { DetailsQuery, ProductDetailsService, ProductLinks } from './product-details.service.js';

type DetailsLoader = DataLoader<DetailsQuery, ProductLinks, string>;

/** Equal queries of one request are one upstream call, however often and wherever the document asks. */
const keyOf = ({ productId, categoryId, cardId }: DetailsQuery): string =>
  JSON.stringify([productId, categoryId, cardId]);

/** The loaders of each request; they end with it. */
export class ProductLoaders {
  readonly #details: ProductDetailsService;
  readonly #byRequest = new WeakMap<RequestContext, DetailsLoader>();

  constructor(details: ProductDetailsService) {
    this.#details = details;
  }

  detailsOf(context: RequestContext): DetailsLoader {
    let loader = this.#byRequest.get(context);
    if (!loader) {
      const { environment } = developerOf(context);
      loader = new DataLoader((queries) => this.#details.ofMany(environment, queries), { cacheKeyFn: keyOf });
      this.#byRequest.set(context, loader);
    }
    return loader;
  }
}
