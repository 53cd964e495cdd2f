import { type RequestContext, serviceError } from '../core/context.js';
import { type Environment, environments } from '../core/environment.js';
import type { LoadNode } from '../core/room.js';
import type { ProductCatalogue } from './product.catalogue.js';
import { categoryView, productView } from './product.types.js';

/**
 * Products and their categories by their ids. A token reads those of its environment, with the service that their queries need; on
 * the console, where leads of both environments lead to products, everybody who has signed in: all accounts have one catalogue.
 * Errors: ACCESS_DISABLED, and those of the catalogue.
 */
export const productNodes = (catalogue: ProductCatalogue): Record<'Product' | 'ProductCategory', LoadNode> => ({
  async ProductCategory(key, context) {
    const { environment, categoryId, productId } = partsOf(key);
    if (!environment || productId !== undefined || !canRead(context, environment)) return undefined;
    const found = (await catalogue.categories(environment)).find(({ id }) => String(id) === categoryId);
    return found && categoryView(environment, found);
  },
  async Product(key, context) {
    const { environment, categoryId, productId } = partsOf(key);
    if (!environment || !isPositiveInteger(categoryId) || !canRead(context, environment)) return undefined;
    const list = { environment, categoryId: Number(categoryId), failed: new Set<string>() };
    // a token may ask for any category; what the console shows is of one that is listed, and guessed ids cost no calls there
    if (context.principal?.kind === 'session') {
      const categories = await catalogue.categories(environment);
      if (!categories.some(({ id }) => id === list.categoryId)) return undefined;
    }
    const listings = await catalogue.products(environment, list.categoryId);
    const found = listings.find((listing) => listing.productId === productId);
    return found && productView(list, found);
  },
});

/** The id of a product is the provider's, and may have any character. */
function partsOf(key: string): {
  environment: Environment | undefined;
  categoryId: string;
  productId: string | undefined;
} {
  const [word, categoryId = '', ...rest] = key.split('_');
  return {
    environment: environments.find((environment) => environment === word),
    categoryId,
    productId: rest.length > 0 ? rest.join('_') : undefined,
  };
}

/** As `products` takes one: what is no such number was never in an id, and the provider is not asked for it. */
const isPositiveInteger = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647;

function canRead({ principal }: RequestContext, environment: Environment): boolean {
  if (principal?.kind !== 'developer') return principal?.kind === 'session';
  const refusal = serviceError(principal, 'lead_generation');
  if (refusal) throw refusal;
  return principal.environment === environment;
}
