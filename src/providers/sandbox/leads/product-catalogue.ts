import type { ProductListing } from '../../ports/leads.port.js';
import { deepFreeze } from '../deep-freeze.js';
import { categoryAliases, type SampleCategory, sampleCategories } from './product.table.js';

const listingsOf = ({ products }: SampleCategory): ProductListing[] =>
  deepFreeze(
    products.map(([productId, title, subTitle]) => ({
      productId,
      title,
      subTitle,
      logo: `https://static.example/logos/${productId}.png`,
    })),
  );

const listingsByCategory = new Map(sampleCategories.map((category) => [category.id, listingsOf(category)] as const));

/** What an unknown category shows: the first three products of every category. */
const mixedListings = Object.freeze([...listingsByCategory.values()].flatMap((listings) => listings.slice(0, 3)));

/** The products of a category, frozen and shared; a mixed sample for an id that UAT does not know. */
export const productsOf = (categoryId: number): readonly ProductListing[] =>
  listingsByCategory.get(categoryAliases[categoryId] ?? categoryId) ?? mixedListings;
