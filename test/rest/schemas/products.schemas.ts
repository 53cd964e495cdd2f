import { charged, exactly, filledText, integer, text } from './common.js';

const url = { type: 'string', format: 'uri' };

/** Product details (interface.md 2.11 and 4.13). */
export const productDetailsSuccess = charged(exactly({ url, campaign_url: url }));

/** Products (interface.md 2.11 and 4.14): `data` is the array itself. */
export const productsSuccess = charged({
  type: 'array',
  items: exactly({ product_id: filledText, title: filledText, sub_title: text, logo: url }),
});

/** Categories (interface.md 2.11 and 4.15): `data` is the array itself. */
export const productCategoriesSuccess = charged({
  type: 'array',
  minItems: 1,
  items: exactly({ id: integer, title: filledText }),
});
