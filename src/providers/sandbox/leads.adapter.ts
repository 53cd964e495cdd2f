import { newId, referenceOf } from '../../core/ids.js';
import { type DirectoryEntry, sampleCompanies, sampleOccupations, samplePincodes } from '../../samples/directory.js';
import { categoryAliases, type SampleCategory, sampleCategories } from '../../samples/products.js';
import { sampleHex, sampleToken } from '../../samples/values.js';
import type { LeadRejection } from '../lead-rejections.js';
import type { LeadsPort, ProductListing } from '../ports/leads.port.js';
import { ChosenScripts } from './chosen-scripts.js';
import { sandboxLeadStatus } from './lead-status.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { replyToLookup } from './sandbox.scripts.js';
import { accepted, ScriptedResponses } from './scripted-responses.js';

const SEARCH_LIMIT = 50;
/** Simulated reason why the provider declines a profile. */
const REJECTION: LeadRejection = 'PAN_ON_OTHER_NUMBER';

/**
 * Creates sample leads for UAT. They use no network. The outcome of a profile is determined by the scenario of the caller,
 * otherwise by its mobile number (`scriptOf`). Other calls have no such identifier and always succeed. Any well-formed lead
 * code, product, category or customer ID returns sample data.
 */
export function createSandboxLeads(options: SandboxOptions): LeadsPort & Closable {
  const responses = new ScriptedResponses(options);
  const chosen = new ChosenScripts(options.scenarios);
  return {
    provider: 'SANDBOX',
    available: true,
    acceptsAnyId: true,
    async upsertProfile(profile, caller) {
      const script = await chosen.ofLookup(caller, profile.mobileNo);
      const receipt = () => ({
        mobileNo: profile.mobileNo,
        // An update keeps the customer ID even if the number changes.
        customerId: profile.customerId ?? sampleToken(`customer:${profile.mobileNo}`),
        categoryId: profile.categoryId,
        productId: null,
      });
      return responses.respond(replyToLookup[script], receipt, undefined, REJECTION);
    },
    async createLead({ productId }) {
      const leadCode = `BS-LEAD-UAT-${referenceOf(newId())}`;
      return accepted({ leadCode, campaignUrl: `${campaignOf(productId)}?lead=${leadCode}` });
    },
    leadStatus: async (leadCode) => accepted({ leadCode, leadStatus: 'pending' }),
    nextStatus: sandboxLeadStatus,
    async productDetails({ productId, customerId, cardId }) {
      const visit = sampleHex(`visit:${productId}:${customerId}:${cardId ?? ''}`, 16);
      return accepted({
        url: `https://products.example/${encodeURIComponent(productId)}`,
        campaignUrl: `${campaignOf(productId)}?visit=${visit}`,
      });
    },
    productsByCategory: async (categoryId) => accepted([...productsOf(categoryId)]),
    productCategories: async () => accepted(sampleCategories.map(({ id, title }) => ({ id, title }))),
    companies: async (search) => accepted(entriesWith(sampleCompanies, search)),
    occupations: async () => accepted([...sampleOccupations]),
    pincodes: async (search) => accepted(entriesWith(samplePincodes, search)),
    close: async () => responses.close(),
  };
}

const campaignOf = (productId: string): string => `https://campaigns.example/apply/${encodeURIComponent(productId)}`;

/** Returns the entries whose name contains the text, ignoring case. An empty search returns the first entries. */
function entriesWith(entries: readonly DirectoryEntry[], search: string): DirectoryEntry[] {
  const searchText = search.trim().toLowerCase();
  return entries.filter(({ name }) => name.toLowerCase().includes(searchText)).slice(0, SEARCH_LIMIT);
}

const listingsOf = ({ products }: SampleCategory): ProductListing[] =>
  products.map(([productId, title, subTitle]) =>
    Object.freeze({ productId, title, subTitle, logo: `https://static.example/logos/${productId}.png` }),
  );

const listingsByCategory = new Map(sampleCategories.map((category) => [category.id, listingsOf(category)] as const));

/** Products returned for an unknown category: the first three of every category. */
const mixedListings = Object.freeze([...listingsByCategory.values()].flatMap((listings) => listings.slice(0, 3)));

/** Returns the products of a category. They are frozen and shared. An unknown ID returns a mixed sample. */
const productsOf = (categoryId: number): readonly ProductListing[] =>
  listingsByCategory.get(categoryAliases[categoryId] ?? categoryId) ?? mixedListings;
