import { type RequestContext, serviceError } from '../core/context.js';
import { type Environment, environments } from '../core/environment.js';
import type { LoadNode } from '../core/room.js';
import type { ProductCatalogue } from './product.catalogue.js';
import { categoryView, productView } from './product.types.js';

/**
 * Returns the products and categories by ID. A token can read those of its environment and requires the service of their
 * queries. In the console, where leads of both environments link to products, every signed-in user can read them, because all
 * accounts have the same catalog. Throws ACCESS_DISABLED, and those of the catalog.
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
    // a token can request any category; the console only shows listed categories, so guessed IDs cause no provider calls
    if (context.principal?.kind === 'session') {
      const categories = await catalogue.categories(environment);
      if (!categories.some(({ id }) => id === list.categoryId)) return undefined;
    }
    const listings = await catalogue.products(environment, list.categoryId);
    const found = listings.find((listing) => listing.productId === productId);
    return found && productView(list, found);
  },
});

/** Splits a key. The product ID is assigned by the provider and can contain any character. */
function partsOf(key: string): {
  environment: Environment | undefined;
  categoryId: string;
  productId: string | undefined;
} {
  const [prefix, categoryId = '', ...rest] = key.split('_');
  return {
    environment: environments.find((environment) => environment === prefix),
    categoryId,
    productId: rest.length > 0 ? rest.join('_') : undefined,
  };
}

/**
 * Returns whether the text is a category ID that `products` accepts. Other texts are never part of an ID, so the provider is not
 * called.
 */
const isPositiveInteger = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647;

function canRead({ principal }: RequestContext, environment: Environment): boolean {
  if (principal?.kind !== 'developer') return principal?.kind === 'session';
  const error = serviceError(principal, 'lead_generation');
  if (error) throw error;
  return principal.environment === environment;
}
