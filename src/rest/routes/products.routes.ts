import { charged } from '../answers.js';
import { graphql } from '../document.js';
import { type RestRoute, route } from '../route.js';

/** Product details, products and categories (interface.md 4.13 to 4.15). `data` of the lists is the array itself. */
export const productRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/products/details',
    document: graphql(`
      query ProductDetails($input: ProductDetailsInput!) {
        result: productDetails(input: $input) {
          message
          fee
          walletBalance
          url
          campaignUrl
        }
      }
    `),
    fields: {
      product_id: { to: 'input.productId', kind: 'text' },
      category_id: { to: 'input.categoryId', kind: 'number', optional: true },
      card_id: { to: 'input.cardId', kind: 'number', optional: true },
    },
    answer: (details) => charged(details, { url: details.url, campaign_url: details.campaignUrl }),
    example: { product_id: '4001', category_id: 4 },
  }),
  route({
    method: 'GET',
    path: '/api/v1/products',
    document: graphql(`
      query Products($categoryId: Int!) {
        result: products(categoryId: $categoryId) {
          message
          fee
          walletBalance
          products { productId title subTitle logo }
        }
      }
    `),
    fields: { category_id: { to: 'categoryId', kind: 'number' } },
    answer: (listed) =>
      charged(
        listed,
        listed.products.map(({ productId, title, subTitle, logo }) => ({
          product_id: productId,
          title,
          sub_title: subTitle,
          logo,
        })),
      ),
    example: { category_id: 4 },
  }),
  route({
    method: 'GET',
    path: '/api/v1/products/categories',
    document: graphql(`
      query ProductCategories {
        result: productCategories {
          message
          fee
          walletBalance
          categories { id title }
        }
      }
    `),
    fields: {},
    example: {},
    answer: (listed) =>
      charged(
        listed,
        listed.categories.map(({ id, title }) => ({ id, title })),
      ),
  }),
];
