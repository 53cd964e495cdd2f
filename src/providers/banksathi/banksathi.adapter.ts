import { rupeesNumber, shortDecimalText } from '../../core/money.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient, ProviderRequest, ProviderResponse } from '../http-client.js';
import type { LeadProfile, LeadsPort } from '../ports/leads.port.js';
import {
  judgeCategories,
  judgeChoices,
  judgeLead,
  judgeLeadStatus,
  judgeProductDetails,
  judgeProducts,
  judgeProfile,
} from './banksathi.mapping.js';

export interface BankSathiOptions {
  /** HTTP client for the provider's host. All paths are below `/api/b2b`. */
  client: ProviderHttpClient;
  /** Separate client for product details. A catalog sends hundreds of these requests at once, which must not block leads. */
  detailsClient: ProviderHttpClient;
  credentials: { apiKey: Secret; iv: Secret };
}

/** Creates the adapter for leads and the product catalog of BankSathi. */
export function createBankSathiAdapter(options: BankSathiOptions): LeadsPort<'BANKSATHI'> {
  const { client, detailsClient, credentials } = options;
  const send = (request: Omit<ProviderRequest, 'headers'>, httpClient = client): Promise<ProviderResponse> =>
    httpClient.send({
      ...request,
      path: `/api/b2b/${request.path}`,
      headers: { 'x-api-key': credentials.apiKey.reveal(), iv: credentials.iv.reveal() },
    });
  const get = (path: string, query?: Record<string, string>) => send({ method: 'GET', path, query });
  const post = (path: string, json: Record<string, unknown>) => send({ method: 'POST', path, body: { json } });

  return {
    provider: 'BANKSATHI',
    acceptsAnyId: false,
    get available() {
      return client.available;
    },
    async upsertProfile(profile) {
      const form = profileForm(profile);
      const query = { mobile_no: profile.mobileNo, category_id: String(profile.categoryId) };
      const request = { method: 'POST', path: 'createLeadProfile', query, body: { form } } as const;
      return judgeProfile(await send({ ...request, number: profile.mobileNo }), profile);
    },
    async createLead({ customerId, productId, categoryId, requiredAmountPaise }) {
      const lead = {
        customer_id: customerId,
        product_id: productId,
        ...category(categoryId),
        ...(requiredAmountPaise === undefined ? {} : { required_amount: rupeesNumber(requiredAmountPaise) }),
      };
      return judgeLead(await post('lead', lead));
    },
    async leadStatus(leadCode) {
      return judgeLeadStatus(await get('leadStatus', { lead_code: leadCode }), leadCode);
    },
    async productDetails({ customerId, productId, categoryId, cardId }) {
      const product = {
        customer_id: customerId,
        product_id: productId,
        ...category(categoryId),
        ...(cardId === undefined ? {} : { card_id: cardId }),
      };
      const request = { method: 'POST', path: 'otherProductDetails', body: { json: product } } as const;
      return judgeProductDetails(await send(request, detailsClient));
    },
    async productsByCategory(categoryId) {
      return judgeProducts(await get('productByCategory', { category_id: String(categoryId) }));
    },
    async productCategories() {
      return judgeCategories(await get('allProductCategory'));
    },
    async companies(search) {
      return judgeChoices(await get('companies', { searchKey: search }));
    },
    async occupations() {
      return judgeChoices(await get('occupation'));
    },
    async pincodes(search) {
      return judgeChoices(await get('pincodes', { searchKey: search }));
    },
  };
}

/**
 * Returns the category fields. Sends the category under the correct and the misspelled name, as existing clients do. The
 * documentation does not specify which one is used.
 */
const category = (categoryId: number | undefined) =>
  categoryId === undefined ? {} : { category_id: categoryId, categroy_id: categoryId };

/** Returns the form of `createLeadProfile`. Fields that the provider spells in two ways are sent with both spellings. */
const profileForm = (profile: LeadProfile): Record<string, string> => ({
  first_name: profile.firstName,
  last_name: profile.lastName,
  mobile_no: profile.mobileNo,
  email: profile.email,
  dob: profile.dob,
  company: String(profile.company),
  occupation: String(profile.occupation),
  monthly_salary: shortDecimalText(profile.monthlySalaryPaise),
  itr_amount: shortDecimalText(profile.itrAmountPaise),
  gender: profile.gender,
  Gender: profile.gender,
  pincode: String(profile.pincode),
  address: profile.address,
  Address: profile.address,
  category: profile.category,
  category_id: String(profile.categoryId),
  pan: profile.pan,
  pan_no: profile.pan,
  ...(profile.customerId === undefined ? {} : { customer_id: profile.customerId }),
});
