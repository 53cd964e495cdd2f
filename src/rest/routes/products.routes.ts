import { chargedResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { FREE_CALL } from '../service-codes.js';

/** Routes of product details, products and categories (interface.md 4.13 to 4.15). `data` of the lists is the array itself. */
export const productRoutes: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/api/v1/products/categories',
    document: graphql(`
      query ProductCategories {
        result: productCategories {
          fee
          wallet { balance }
          categories { categoryId title }
        }
      }
    `),
    codes: FREE_CALL,
    fields: {},
    example: {},
    toResponse: (result) =>
      chargedResponse(
        'Product categories fetched.',
        result,
        result.categories.map(({ categoryId, title }) => ({ id: categoryId, title })),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/products',
    document: graphql(`
      query Products($categoryId: Int!) {
        result: products(categoryId: $categoryId) {
          fee
          wallet { balance }
          products { productId title subTitle logo }
        }
      }
    `),
    codes: FREE_CALL,
    fields: { category_id: { to: 'categoryId', kind: 'number' } },
    toResponse: (result) =>
      chargedResponse(
        'Products fetched.',
        result,
        result.products.map(({ productId, title, subTitle, logo }) => ({
          product_id: productId,
          title,
          sub_title: subTitle,
          logo,
        })),
      ),
    example: { category_id: 4 },
  }),
  route({
    method: 'POST',
    path: '/api/v1/products/details',
    document: graphql(`
      query ProductDetails($input: ProductDetailsInput!) {
        result: productDetails(input: $input) {
          fee
          wallet { balance }
          url
          campaignUrl
        }
      }
    `),
    codes: FREE_CALL,
    fields: {
      product_id: { to: 'input.productId', kind: 'text', alsoNumber: true },
      category_id: { to: 'input.categoryId', kind: 'number', optional: true },
      card_id: { to: 'input.cardId', kind: 'number', optional: true },
    },
    toResponse: (details) =>
      chargedResponse('Product details fetched.', details, { url: details.url, campaign_url: details.campaignUrl }),
    example: { product_id: '4001', category_id: 4 },
  }),
];
