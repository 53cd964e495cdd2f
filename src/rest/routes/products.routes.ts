import { chargedAnswer } from '../charged-answer.js';
import type { ProductCategoriesQuery, ProductDetailsQuery, ProductsQuery } from '../generated/graphql.js';
import type { RestRoute, Result } from '../route.js';

/** Product details, products and categories (interface.md 4.13 to 4.15). `data` of the lists is the array itself. */
export const productRoutes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/api/v1/products/details',
    operation: 'ProductDetails',
    validationStatus: 422,
    fields: {
      product_id: { to: 'input.productId', kind: 'text' },
      category_id: { to: 'input.categoryId', kind: 'number', optional: true },
      card_id: { to: 'input.cardId', kind: 'number', optional: true },
    },
    answer: (details: Result<ProductDetailsQuery>) =>
      chargedAnswer(details, { url: details.url, campaign_url: details.campaignUrl }),
    example: { product_id: '4001', category_id: 4 },
  },
  {
    method: 'GET',
    path: '/api/v1/products',
    operation: 'Products',
    validationStatus: 422,
    fields: { category_id: { to: 'categoryId', kind: 'number' } },
    answer: (listed: Result<ProductsQuery>) =>
      chargedAnswer(
        listed,
        listed.products.map(({ productId, title, subTitle, logo }) => ({
          product_id: productId,
          title,
          sub_title: subTitle,
          logo,
        })),
      ),
    example: { category_id: 4 },
  },
  {
    method: 'GET',
    path: '/api/v1/products/categories',
    operation: 'ProductCategories',
    validationStatus: 422,
    fields: {},
    example: {},
    answer: (listed: Result<ProductCategoriesQuery>) =>
      chargedAnswer(
        listed,
        listed.categories.map(({ id, title }) => ({ id, title })),
      ),
  },
];
