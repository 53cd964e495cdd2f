import { describe, expect, it, test } from 'vitest';
import { paise } from '../../src/core/money.js';
import { Secret } from '../../src/core/secret.js';
import { createBankSathiAdapter } from '../../src/providers/banksathi/banksathi.adapter.js';
import type { ProviderResponse } from '../../src/providers/http-client.js';
import { leadRejectedError } from '../../src/providers/lead-rejections.js';
import type { LeadProfile, LeadsPort } from '../../src/providers/ports/leads.port.js';
import { alienBodies, breakerOpen, doubts, neverSent, responseOf, ScriptedClient } from './scripted-client.js';

const profile: LeadProfile = {
  firstName: 'Asha',
  lastName: 'Rao',
  mobileNo: '9876543210',
  email: 'asha@example.com',
  dob: '1990-05-17',
  company: 42,
  occupation: 1,
  monthlySalaryPaise: paise(5_000_000),
  itrAmountPaise: paise(0),
  gender: 'Female',
  pincode: 7001,
  address: '12 MG Road, Bengaluru',
  category: 'Individual',
  categoryId: 3,
  pan: 'ABCDE1234F',
};
const lead = { productId: '12345', customerId: 'aUczK1BL' };

function adapterOn(...responses: ProviderResponse[]) {
  const [client, detailsClient] = [new ScriptedClient(...responses), new ScriptedClient(...responses)];
  const credentials = { apiKey: new Secret('key-1'), iv: new Secret('iv-1') };
  return { client, detailsClient, adapter: createBankSathiAdapter({ client, detailsClient, credentials }) };
}

const calls = {
  upsertProfile: (port: LeadsPort) => port.upsertProfile(profile),
  createLead: (port: LeadsPort) => port.createLead(lead),
  leadStatus: (port: LeadsPort) => port.leadStatus('BS-LEAD-987654'),
  productDetails: (port: LeadsPort) => port.productDetails(lead),
  productsByCategory: (port: LeadsPort) => port.productsByCategory(3),
  productCategories: (port: LeadsPort) => port.productCategories(),
  companies: (port: LeadsPort) => port.companies('infosys'),
  occupations: (port: LeadsPort) => port.occupations(),
  pincodes: (port: LeadsPort) => port.pincodes('5600'),
};
type Call = keyof typeof calls;
const resultOf = (call: Call, response: ProviderResponse) => calls[call](adapterOn(response).adapter);
const success = (call: Call, data: unknown) => resultOf(call, responseOf({ status: true, data, message: 'Fetched' }));
const accepted = (value: unknown, more: object = {}) => ({
  kind: 'accepted',
  value,
  evidence: { reason: 'provider_success', httpStatus: 200, elapsedMs: 12, providerStatus: 'true', ...more },
});
const unexpected = { kind: 'unknown', evidence: { reason: 'unexpected_answer' } };

/** The only request that a call sends. */
async function requestOf(call: (port: LeadsPort) => Promise<unknown>) {
  const { client, detailsClient, adapter } = adapterOn(responseOf({ status: false }));
  await call(adapter);
  const requests = [...client.requests, ...detailsClient.requests];
  expect(requests).toHaveLength(1);
  return requests[0];
}

describe('the request', () => {
  const headers = { 'x-api-key': 'key-1', iv: 'iv-1' };
  const form = {
    first_name: 'Asha',
    last_name: 'Rao',
    mobile_no: '9876543210',
    email: 'asha@example.com',
    dob: '1990-05-17',
    company: '42',
    occupation: '1',
    monthly_salary: '50000',
    itr_amount: '0',
    gender: 'Female',
    Gender: 'Female',
    pincode: '7001',
    address: '12 MG Road, Bengaluru',
    Address: '12 MG Road, Bengaluru',
    category: 'Individual',
    category_id: '3',
    pan: 'ABCDE1234F',
    pan_no: 'ABCDE1234F',
  };

  it('sends a profile as a form, with the number and category in the query too', async () => {
    expect(await requestOf(calls.upsertProfile)).toStrictEqual({
      method: 'POST',
      path: '/api/b2b/createLeadProfile',
      query: { mobile_no: '9876543210', category_id: '3' },
      headers,
      body: { form },
      number: '9876543210',
    });
  });

  it('sends the customer ID for an update, and amounts with paise', async () => {
    const update = {
      ...profile,
      customerId: 'aUczK1BL',
      monthlySalaryPaise: paise(0),
      itrAmountPaise: paise(45_050_050),
    };
    expect(await requestOf((port) => port.upsertProfile(update))).toMatchObject({
      body: { form: { ...form, customer_id: 'aUczK1BL', monthly_salary: '0', itr_amount: '450500.5' } },
    });
  });

  it('sends a lead with its category under both spellings', async () => {
    expect(
      await requestOf((port) => port.createLead({ ...lead, categoryId: 4, requiredAmountPaise: paise(25_000_050) })),
    ).toStrictEqual({
      method: 'POST',
      path: '/api/b2b/lead',
      headers,
      body: {
        json: {
          customer_id: 'aUczK1BL',
          product_id: '12345',
          category_id: 4,
          categroy_id: 4,
          required_amount: 250_000.5,
        },
      },
    });
  });

  it('requests the details of a product with its category and card', async () => {
    expect(await requestOf((port) => port.productDetails({ ...lead, categoryId: 3, cardId: 9 }))).toStrictEqual({
      method: 'POST',
      path: '/api/b2b/otherProductDetails',
      headers,
      body: { json: { customer_id: 'aUczK1BL', product_id: '12345', category_id: 3, categroy_id: 3, card_id: 9 } },
    });
  });

  test.each([
    ['createLead', '/api/b2b/lead'],
    ['productDetails', '/api/b2b/otherProductDetails'],
  ] as const)('%s omits missing optional fields', async (call, path) => {
    expect(await requestOf(calls[call])).toStrictEqual({
      method: 'POST',
      path,
      headers,
      body: { json: { customer_id: 'aUczK1BL', product_id: '12345' } },
    });
  });

  test.each<[Call, string, Record<string, string> | undefined]>([
    ['leadStatus', '/api/b2b/leadStatus', { lead_code: 'BS-LEAD-987654' }],
    ['productsByCategory', '/api/b2b/productByCategory', { category_id: '3' }],
    ['productCategories', '/api/b2b/allProductCategory', undefined],
    ['companies', '/api/b2b/companies', { searchKey: 'infosys' }],
    ['occupations', '/api/b2b/occupation', undefined],
    ['pincodes', '/api/b2b/pincodes', { searchKey: '5600' }],
  ])('%s requests %s', async (call, path, query) => {
    expect(await requestOf(calls[call])).toEqual({ method: 'GET', path, query, headers });
  });

  test.each(Object.keys(calls) as Call[])('%s uses its own client', async (call) => {
    const { client, detailsClient, adapter } = adapterOn(responseOf({ status: false }));
    await calls[call](adapter);
    expect([client.requests.length, detailsClient.requests.length]).toEqual(
      call === 'productDetails' ? [0, 1] : [1, 0],
    );
  });

  it('is available if its main client is, regardless of the client for details', () => {
    const { client, detailsClient, adapter } = adapterOn();
    detailsClient.available = false;
    expect(adapter).toMatchObject({ provider: 'BANKSATHI', available: true });
    client.available = false;
    expect(adapter.available).toBe(false);
  });
});

describe('a profile', () => {
  const details = { customer_id: 'aUczK1BL', category_id: '3', product_id: null };
  const receipt = { mobileNo: '9876543210', customerId: 'aUczK1BL', categoryId: 3, productId: null };

  it('accepts the documented response', async () => {
    const data = { mobile_no: '9876543210', profile_details: details };
    expect(await success('upsertProfile', data)).toEqual(accepted(receipt));
  });

  test.each<[string, unknown, object]>([
    [
      'numbers',
      { mobile_no: 9876543210, profile_details: { ...details, category_id: 3, product_id: 55 } },
      { productId: '55' },
    ],
    [
      'different key cases',
      { Mobile_No: '9876543210', Profile_Details: { CUSTOMER_ID: 'aUczK1BL', Category_Id: '3' } },
      {},
    ],
    ['no mobile number in the response', { profile_details: { customer_id: 'aUczK1BL' } }, {}],
    ...['three', -3, 1.5, 2 ** 31, null, {}].map((category_id): [string, unknown, object] => [
      `the category ${JSON.stringify(category_id)}`,
      { profile_details: { ...details, category_id } },
      {},
    ]),
    ['a country code', { mobile_no: '+919876543210', profile_details: details }, {}],
  ])('accepts %s', async (_name, data, differences) => {
    expect(await success('upsertProfile', data)).toEqual(accepted({ ...receipt, ...differences }));
  });

  it('rejects the profile of a different number', async () => {
    expect(await success('upsertProfile', { mobile_no: '9876543211', profile_details: details })).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'reference_mismatch' },
    });
  });

  test.each<[string, unknown]>([
    ['no profile', { mobile_no: '9876543210' }],
    ['no customer ID', { mobile_no: '9876543210', profile_details: { ...details, customer_id: null } }],
    ['an empty list', []],
    ['a list of profiles', [{ mobile_no: '9876543210', profile_details: details }]],
  ])('does not accept %s', async (_name, data) => {
    expect(await success('upsertProfile', data)).toMatchObject(unexpected);
  });
});

describe('a lead', () => {
  const campaign = 'https://apply.example.com/c/abc123';

  it('accepts the documented response and keeps the lead code as evidence', async () => {
    expect(await success('createLead', { lead_code: 'BS-LEAD-987654', campaign_url: campaign })).toEqual(
      accepted({ leadCode: 'BS-LEAD-987654', campaignUrl: campaign }, { providerTxnId: 'BS-LEAD-987654' }),
    );
  });

  test.each([undefined, null, '', 'soon', 'javascript:alert(1)', 'https://'])(
    'rejects the link %j, but keeps the lead code',
    async (campaign_url) => {
      expect(await success('createLead', { lead_code: 'BS-LEAD-987654', campaign_url })).toMatchObject({
        kind: 'unknown',
        evidence: { reason: 'unexpected_answer', providerTxnId: 'BS-LEAD-987654' },
      });
    },
  );

  it('rejects a lead without a code', async () => {
    expect(await success('createLead', { lead_code: '', campaign_url: campaign })).toMatchObject(unexpected);
  });
});

describe('a lead status', () => {
  test.each([
    ['pending', 'pending'],
    ['Approved', 'approved'],
    [' REJECTED ', 'rejected'],
    ['in_progress', 'in_progress'],
  ])('returns %j as %s', async (lead_status, leadStatus) => {
    expect(await success('leadStatus', { lead_code: 'BS-LEAD-987654', lead_status })).toEqual(
      accepted({ leadCode: 'BS-LEAD-987654', leadStatus }),
    );
  });

  it('accepts a status without the lead code', async () => {
    expect(await success('leadStatus', { lead_status: 'submitted' })).toEqual(
      accepted({ leadCode: 'BS-LEAD-987654', leadStatus: 'submitted' }),
    );
  });

  it('rejects the status of a different lead', async () => {
    expect(await success('leadStatus', { lead_code: 'BS-LEAD-1', lead_status: 'approved' })).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'reference_mismatch' },
    });
  });

  test.each([undefined, null, '', 1, true, 'Pan no ABCDE1234F is unknown', 'ABCDE1234F'])(
    'rejects the status %j',
    async (lead_status) => {
      expect(await success('leadStatus', { lead_code: 'BS-LEAD-987654', lead_status })).toMatchObject(unexpected);
    },
  );
});

describe('product details', () => {
  const campaign = 'https://apply.example.com/c/abc123';

  test.each<[string, unknown, string]>([
    ['both links', { url: 'https://apply.example.com/p', campaign_url: campaign }, 'https://apply.example.com/p'],
    ['no url', { campaign_url: campaign }, campaign],
    ['a null url', { url: null, campaign_url: campaign }, campaign],
    ['an invalid url', { url: 'javascript:alert(1)', campaign_url: campaign }, campaign],
  ])('accepts %s', async (_name, data, url) => {
    expect(await success('productDetails', data)).toEqual(accepted({ url, campaignUrl: campaign }));
  });

  test.each<[string, unknown]>([
    ['no campaign link', { url: campaign }],
    ['a script as the campaign link', { url: campaign, campaign_url: 'javascript:alert(1)' }],
    ['an empty list', []],
  ])('rejects %s', async (_name, data) => {
    expect(await success('productDetails', data)).toMatchObject(unexpected);
  });
});

describe('lists', () => {
  const product = {
    product_id: '12345',
    title: 'Gold Card',
    sub_title: 'Cashback',
    logo: 'https://cdn.example.com/1.png',
  };
  const listing = {
    productId: '12345',
    title: 'Gold Card',
    subTitle: 'Cashback',
    logo: 'https://cdn.example.com/1.png',
  };

  test.each<[string, Call, unknown, unknown]>([
    ['products', 'productsByCategory', [product], [listing]],
    ['a product ID as a number', 'productsByCategory', [{ ...product, product_id: 12345 }], [listing]],
    [
      'different key cases',
      'productsByCategory',
      [{ Product_Id: '12345', TITLE: 'Gold Card', Sub_Title: 'Cashback', Logo: product.logo }],
      [listing],
    ],
    [
      'no subtitle and no logo',
      'productsByCategory',
      [{ product_id: '12345', title: 'Gold Card', sub_title: null }],
      [{ ...listing, subTitle: '', logo: '' }],
    ],
    [
      'an invalid logo',
      'productsByCategory',
      [{ ...product, logo: 'data:image/png;base64,AA' }],
      [{ ...listing, logo: '' }],
    ],
    ['one unreadable product', 'productsByCategory', [{ title: 'No id' }, product, null], [listing]],
    ['no products', 'productsByCategory', [], []],
    ['categories', 'productCategories', [{ id: 13, title: 'Bank Accounts' }], [{ id: 13, title: 'Bank Accounts' }]],
    [
      'category IDs as strings',
      'productCategories',
      [{ id: '13', title: 'Bank Accounts' }],
      [{ id: 13, title: 'Bank Accounts' }],
    ],
    ['companies by name', 'companies', [{ id: 42, name: 'Infosys' }], [{ id: 42, name: 'Infosys' }]],
    [
      'companies whose ID fits the API',
      'companies',
      [
        { id: 2 ** 31, name: 'Too large' },
        { id: 42, name: 'Infosys' },
      ],
      [{ id: 42, name: 'Infosys' }],
    ],
    ['companies by company name', 'companies', [{ id: 42, company_name: 'Infosys' }], [{ id: 42, name: 'Infosys' }]],
    [
      'occupations by their own title',
      'occupations',
      [{ id: 1, occu_title: 'Salaried' }],
      [{ id: 1, name: 'Salaried' }],
    ],
    ['companies by title', 'companies', [{ id: '42', title: 'Infosys' }], [{ id: 42, name: 'Infosys' }]],
    [
      'occupations',
      'occupations',
      [
        { id: 1, title: 'Salaried' },
        { id: 2, title: 'Self-employed' },
      ],
      [
        { id: 1, name: 'Salaried' },
        { id: 2, name: 'Self-employed' },
      ],
    ],
    ['pincodes', 'pincodes', [{ id: 7001, pincode: '560001' }], [{ id: 7001, name: '560001' }]],
    ['pincodes as numbers', 'pincodes', [{ id: '7001', pincode: 560001 }], [{ id: 7001, name: '560001' }]],
    [
      'a list with gaps, which PHP writes as an object',
      'pincodes',
      { 1: { id: 7001, pincode: 560001 } },
      [{ id: 7001, name: '560001' }],
    ],
  ])('accepts %s', async (_name, call, data, value) => {
    expect(await success(call, data)).toEqual(accepted(value));
  });

  const lists: Call[] = ['productsByCategory', 'productCategories', 'companies', 'occupations', 'pincodes'];
  test.each(
    lists.flatMap((call) =>
      [null, undefined, 'none', { error: 'x' }, ['a', 'b'], [{ key: 1 }]].map((data) => ({ call, data })),
    ),
  )('$call rejects the data $data', async ({ call, data }) => {
    expect(await success(call, data)).toMatchObject(unexpected);
  });
});

describe.each(Object.keys(calls) as Call[])('%s', (call) => {
  it.each([false, 'false', 0, 'False'])('declines on status %j', async (status) => {
    expect(await resultOf(call, responseOf({ status, data: [], message: 'Not allowed' }))).toMatchObject({
      kind: 'declined',
      evidence: { reason: 'provider_failure', httpStatus: 200 },
    });
  });

  it('declines a failure with HTTP 422', async () => {
    expect(await resultOf(call, responseOf({ status: false, data: [] }, 422))).toMatchObject({ kind: 'declined' });
  });

  it.each(Object.entries(alienBodies))('reports %s as unexpected', async (_body, body) => {
    expect(await resultOf(call, responseOf(body))).toMatchObject(unexpected);
  });

  it.each([
    [500, { status: false, data: [] }],
    [503, { status: true, data: [{ id: 13, title: 'Bank Accounts' }] }],
  ])('is unknown with HTTP %i regardless of the body', async (httpStatus, body) => {
    expect(await resultOf(call, responseOf(body, httpStatus))).toEqual({
      kind: 'unknown',
      evidence: { reason: 'http_error', httpStatus, elapsedMs: 12 },
    });
  });

  it.each(Object.entries(doubts))('passes %s on as unknown', async (_title, evidence) => {
    expect(await resultOf(call, { kind: 'unknown', evidence })).toEqual({ kind: 'unknown', evidence });
  });

  it.each([neverSent, breakerOpen])('declines a request that was never sent: $evidence.reason', async (response) => {
    expect(await resultOf(call, response)).toEqual({ kind: 'declined', evidence: response.evidence });
  });

  it.each([
    { status: false, data: [], message: 'Pan no ABCDE1234F is associated with another mobile number XXXXXXXX01' },
    { status: 'ABCDE1234F', data: { lead_code: 'ABCDE1234F 9876543210' } },
    { status: 'Pan no ABCDE1234F is wrong', code: '9876543210' },
    { status: true, data: { lead_status: 'ABCDE1234F', mobile_no: '9876543210' }, message: 'ABCDE1234F' },
  ])('keeps the message out of the result: %j', async (body) => {
    expect(JSON.stringify(await resultOf(call, responseOf(body)))).not.toMatch(
      /ABCDE1234F|9876543210|XX01|Pan no|key-1|iv-1/,
    );
  });
});

describe('the reason of a declined profile for the caller', () => {
  const panMismatch = 'Pan no ABCDE1234F is associated with another mobile number XXXXXXXX01';
  const reasonFor = async (body: object, httpStatus?: number) => {
    const { evidence } = await resultOf('upsertProfile', responseOf(body, httpStatus));
    return leadRejectedError(evidence)?.details.reason;
  };

  it.each([
    [panMismatch, 'PAN_ON_OTHER_NUMBER'],
    [` ${panMismatch.toUpperCase()} `, 'PAN_ON_OTHER_NUMBER'],
    ['The pincode format is invalid.', 'UNSPECIFIED'],
    [`Not so: ${panMismatch}`, 'UNSPECIFIED'],
    ['PAN_ON_OTHER_NUMBER', 'UNSPECIFIED'],
    [undefined, 'UNSPECIFIED'],
    [['Pan no'], 'UNSPECIFIED'],
  ])('for %j is %s', async (message, reason) => {
    expect(await reasonFor({ status: false, data: [], message })).toBe(reason);
    expect(await reasonFor({ status: false, data: [], message }, 422)).toBe(reason);
  });

  it.each([401, 403, 429])('is empty for HTTP %i, which may be about our own credentials', async (httpStatus) => {
    expect(await reasonFor({ status: false, message: panMismatch }, httpStatus)).toBeUndefined();
  });

  it('is empty for a response that is not an error', async () => {
    expect(await reasonFor({ status: 'maybe', message: panMismatch })).toBeUndefined();
  });
});
