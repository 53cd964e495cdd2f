import { upsertProfile } from './banksathi-profile.js';
import {
  companies,
  type LeadProduct,
  leadCategories,
  leadProduct,
  leadProducts,
  occupations,
  postalAreasOf,
} from './lead-catalogue.js';
import { json, type Reply } from './reply.js';
import type { Route, Routes } from './world.js';

const successReply = (data: object, message = 'Data fetched successfully'): Reply =>
  json({ status: true, data, message });
const failureReply = (message: string): Reply => json({ status: false, data: [], message });

/** Assumption: the provider's response to invalid keys is not documented. */
const unauthorized = json({ status: false, data: [], message: 'Unauthorized access' }, 401);

const authorized =
  (handle: Route): Route =>
  (call, world) => {
    const { apiKey, iv } = world.credentials.banksathi;
    return call.headers['x-api-key'] === apiKey && call.headers.iv === iv ? handle(call, world) : unauthorized;
  };

const PAGE_SIZE = 25;
const LONGEST_SEARCH = 100;

/** Creates a list that returns the first entries matching a search text. */
const searchable =
  (find: (searchKey: string) => readonly object[]): Route =>
  ({ query }) => {
    const searchKey = (query.get('searchKey') ?? '').trim().slice(0, LONGEST_SEARCH);
    return successReply(find(searchKey).slice(0, PAGE_SIZE));
  };

const companiesLike = (searchKey: string) =>
  companies.filter(({ company_name }) => company_name.toLowerCase().includes(searchKey.toLowerCase()));

const productByCategory: Route = ({ query }) => {
  const listed = leadProducts.filter(({ categoryId }) => String(categoryId) === query.get('category_id'));
  const rows = listed.map(({ productId, title, subTitle }) => ({
    product_id: productId,
    title,
    sub_title: subTitle,
    logo: `https://cdn.leads.example/logos/${productId}.png`,
  }));
  return successReply(rows, rows.length > 0 ? 'Products fetched successfully' : 'No products found');
};

/** Returns the requested product, or the error message of the provider. */
function requestedProduct(fields: ReadonlyMap<string, string>): LeadProduct | string {
  const product = leadProduct(fields.get('product_id') ?? '');
  if (!product) return 'The selected product id is invalid.';
  const categoryId = fields.get('category_id');
  if (categoryId !== undefined && categoryId !== '' && Number(categoryId) !== product.categoryId) {
    return 'The selected category id is invalid.';
  }
  return product;
}

const campaignUrl = (product: LeadProduct, key: string): string =>
  `https://apply.leads.example/${product.productId}?c=${encodeURIComponent(key)}`;

const createLead: Route = async ({ fields }, { leads }) => {
  const product = requestedProduct(fields);
  if (typeof product === 'string') return failureReply(product);
  // Spelling of the provider. Both names must be sent with the same value.
  if ((fields.get('category_id') ?? '') !== (fields.get('categroy_id') ?? '')) {
    return failureReply('The categroy id field is required.');
  }
  if (!leads.isCustomer(fields.get('customer_id') ?? '')) return failureReply('The selected customer id is invalid.');
  const leadCode = await leads.createLead(product.productId);
  return successReply(
    { lead_code: leadCode, campaign_url: campaignUrl(product, leadCode) },
    'Lead created successfully',
  );
};

const leadStatus: Route = async ({ query }, { leads }) => {
  const leadCode = query.get('lead_code') ?? '';
  const status = await leads.nextStatus(leadCode);
  return status ? successReply({ lead_code: leadCode, lead_status: status }) : failureReply('Lead not found');
};

/** Returns the details of other products. Credit lines have no product page, so only the campaign URL is returned. */
const otherProductDetails: Route = ({ fields }, { leads }) => {
  const product = requestedProduct(fields);
  if (typeof product === 'string') return failureReply(product);
  const customerId = fields.get('customer_id') ?? '';
  if (!leads.isCustomer(customerId)) return failureReply('The selected customer id is invalid.');
  const campaign = { campaign_url: campaignUrl(product, customerId) };
  const isCreditLine = product.categoryId === 30;
  return successReply(
    isCreditLine ? campaign : { url: `https://leads.example/products/${product.productId}`, ...campaign },
  );
};

export const banksathiRoutes: Routes = {
  '/api/b2b/allProductCategory': { method: 'GET', handle: authorized(() => successReply(leadCategories)) },
  '/api/b2b/productByCategory': { method: 'GET', handle: authorized(productByCategory) },
  '/api/b2b/companies': { method: 'GET', handle: authorized(searchable(companiesLike)) },
  '/api/b2b/occupation': { method: 'GET', handle: authorized(() => successReply(occupations)) },
  '/api/b2b/pincodes': { method: 'GET', handle: authorized(searchable(postalAreasOf)) },
  '/api/b2b/leadStatus': { method: 'GET', handle: authorized(leadStatus) },
  '/api/b2b/createLeadProfile': { method: 'POST', handle: authorized(upsertProfile) },
  '/api/b2b/lead': { method: 'POST', handle: authorized(createLead) },
  '/api/b2b/otherProductDetails': { method: 'POST', handle: authorized(otherProductDetails) },
};
