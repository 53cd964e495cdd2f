import type { Environment } from '../../src/core/environment.js';
import type { TestApp, TestDeveloper } from '../support/app.js';

export { setDefaultCustomer } from '../leads/lead.fixture.js';

export const DETAILS = '/api/v1/products/details';
export const PRODUCTS = '/api/v1/products';
export const CATEGORIES = '/api/v1/products/categories';

/** The query that fetches the complete catalogue in a single request. */
export const CATALOGUE =
  '{ productCategories { categories { title products { productId title details { campaignUrl } } } } }';

/** API calls of one developer. */
export function callsOf(test: TestApp, { tokens }: TestDeveloper) {
  return {
    details: (environment: Environment, body: unknown) =>
      test.rest(environment, 'POST', DETAILS, tokens[environment], body),
    products: (environment: Environment, categoryId: string | number) =>
      test.rest(environment, 'GET', `${PRODUCTS}?category_id=${categoryId}`, tokens[environment]),
    categories: (environment: Environment) => test.rest(environment, 'GET', CATEGORIES, tokens[environment]),
    graphql: (environment: Environment, query: string, variables?: object) =>
      test.graphql(environment, tokens[environment], query, variables),
  };
}

/** Number of lead provider calls by path during `work`. */
export async function callsDuring(test: TestApp, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const countBefore = (await test.simulator.calls()).length;
  await work();
  const counts: Record<string, number> = {};
  for (const { path } of (await test.simulator.calls()).slice(countBefore)) {
    const name = path.split('/').at(-1)!;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
