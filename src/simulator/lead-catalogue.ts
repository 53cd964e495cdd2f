import { sampleCompanies, sampleOccupations, samplePincodes } from '../samples/directory.js';
import { categoryAliases, sampleCategories } from '../samples/products.js';

export interface LeadProduct {
  productId: string;
  categoryId: number;
  title: string;
  subTitle: string;
}

const liveIds = new Map(Object.entries(categoryAliases).map(([live, uat]) => [uat, Number(live)]));

/** Production IDs of product categories (interface.md 2.12, code tables). */
const liveCategories = sampleCategories.map(({ id, ...category }) => ({ id: liveIds.get(id) ?? id, ...category }));
export const leadCategories = liveCategories.map(({ id, title }) => ({ id, title }));

/** Products whose leads end as rejected and failed, see simulator.md. */
const scriptedProducts: readonly LeadProduct[] = [
  { productId: '99901', categoryId: 4, title: 'Cautious Personal Loan', subTitle: 'Ends rejected' },
  { productId: '99902', categoryId: 4, title: 'Broken Personal Loan', subTitle: 'Ends failed' },
];

/** Sample products, and the two whose leads do not succeed. */
export const leadProducts: readonly LeadProduct[] = [
  ...liveCategories.flatMap(({ id, products }) =>
    products.map(([productId, title, subTitle]) => ({ productId, categoryId: id, title, subTitle })),
  ),
  ...scriptedProducts,
];

const productById = new Map(leadProducts.map((product) => [product.productId, product]));
export const leadProduct = (productId: string): LeadProduct | undefined => productById.get(productId);

export const companies = sampleCompanies.map(({ id, name }) => ({ id, company_name: name }));
export const occupations = sampleOccupations.map(({ id, name }) => ({ id, occu_title: name }));

const pincodes = samplePincodes.map(({ name }) => name.slice(0, 6));
const postalArea = (pincode: string) => ({ id: Number(pincode) - 100_000, pincode: Number(pincode) });

/** Returns the areas whose PIN code begins with the text. Every well-formed complete code is known. The ID is not the code. */
export function postalAreasOf(searchKey: string): { id: number; pincode: number }[] {
  if (/^[1-8]\d{5}$/.test(searchKey)) return [postalArea(searchKey)];
  return pincodes.filter((pincode) => pincode.startsWith(searchKey)).map(postalArea);
}
