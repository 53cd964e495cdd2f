import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials, demoLeadCustomerId } from '../../src/simulator/credentials.js';
import { freshSimulator, type Json, query, send, silenceOf } from './simulator.fixture.js';

let simulator: Awaited<ReturnType<typeof freshSimulator>>;
beforeAll(async () => {
  simulator = await freshSimulator();
});
afterAll(() => simulator.close());

const headers = { 'x-api-key': demoCredentials.banksathi.apiKey, iv: demoCredentials.banksathi.iv };
const get = (path: string) => send(`${simulator.url}/banksathi/api/b2b/${path}`, { headers });
const post = (path: string, fields: Record<string, string>) =>
  [
    `${simulator.url}/banksathi/api/b2b/${path}`,
    { method: 'POST', headers, body: new URLSearchParams(fields) },
  ] as const;

function profileRequest(fields: Record<string, string>) {
  const mobile = fields.mobile_no ?? '';
  const complete = {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha@example.com',
    dob: '1990-05-15',
    company: '216001',
    occupation: '1',
    monthly_salary: '50000',
    itr_amount: '0',
    gender: 'Female',
    Gender: 'Female',
    pincode: '10001',
    address: '1 Main Road',
    category: 'Individual',
    category_id: '3',
    ...fields,
    pan_no: fields.pan ?? '',
  };
  return post(`createLeadProfile?${query({ mobile_no: mobile, category_id: complete.category_id })}`, complete);
}
const saveProfile = (fields: Record<string, string>) => send(...profileRequest(fields));
const customerIdIn = (body: Json): string =>
  (body.data as { profile_details: { customer_id: string } }).profile_details.customer_id;

const details = async (product_id: string) =>
  (await send(...post('otherProductDetails', { product_id, customer_id: demoLeadCustomerId }))).body.data;

async function newLead(productId: string): Promise<string> {
  const { body } = await send(...post('lead', { product_id: productId, customer_id: demoLeadCustomerId }));
  return (body.data as { lead_code: string }).lead_code;
}

describe.concurrent('BankSathi', () => {
  it('lists five categories with more than sixty products in total', async () => {
    const { body } = await get('allProductCategory');
    const categories = body.data as { id: number; title: string }[];
    expect(categories.map(({ id }) => id)).toEqual([3, 4, 13, 17, 30]);
    const lists = await Promise.all(categories.map(({ id }) => get(`productByCategory?category_id=${id}`)));
    const products = lists.map((list) => list.body.data as { product_id: string; title: string }[]);
    for (const list of products) expect(list.length).toBeGreaterThanOrEqual(12);
    const ids = products.flat().map(({ product_id }) => product_id);
    expect(ids.length).toBeGreaterThan(60);
    expect(new Set(ids).size).toBe(ids.length);
    expect(products[0]?.[0]).toEqual({
      product_id: expect.stringMatching(/^\d+$/),
      title: expect.any(String),
      sub_title: expect.any(String),
      logo: expect.stringMatching(/^https:\/\//),
    });
    expect((await get('productByCategory?category_id=99')).body).toMatchObject({ status: true, data: [] });
  });

  it('finds companies, occupations and PIN codes', async () => {
    const companies = (await get('companies?searchKey=tata')).body.data as { id: number; company_name: string }[];
    expect(companies).toHaveLength(3);
    expect(companies[0]).toEqual({ id: expect.any(Number), company_name: 'Tata Consultancy Services' });
    expect((await get('occupation')).body.data).toContainEqual({ id: 2, occu_title: 'Self-employed' });
    expect((await get('pincodes?searchKey=829208')).body.data).toEqual([{ id: 729_208, pincode: 829_208 }]);
    const areas = (await get('pincodes?searchKey=56')).body.data as { pincode: number }[];
    expect(areas.map(({ pincode }) => pincode)).toEqual([560001, 560034]);
    expect((await get('pincodes?searchKey=zz')).body.data).toEqual([]);
  });

  it('keeps one customer ID per mobile number', async () => {
    const fields = { mobile_no: '9876541501', pan: 'ABCDE1501F' };
    const created = await saveProfile(fields);
    expect(created.body).toEqual({
      status: true,
      data: {
        mobile_no: '9876541501',
        profile_details: { customer_id: expect.any(String), category_id: '3', product_id: null },
      },
      message: 'Customer profile has been created.',
    });
    const updated = await saveProfile({ ...fields, pan: 'ABCDE1502F', address: '2 Main Road' });
    expect(updated.body.message).toBe('Customer profile has been updated.');
    expect(customerIdIn(updated.body)).toBe(customerIdIn(created.body));
    const freed = await saveProfile({ mobile_no: '9876541502', pan: 'ABCDE1501F' });
    expect(freed.body.status).toBe(true);
  });

  it('rejects a PAN of another customer, echoes it, and stores no PAN on disk', async () => {
    await saveProfile({ mobile_no: '9876541503', pan: 'ABCDE1503F' });
    expect((await saveProfile({ mobile_no: '9876541504', pan: 'ABCDE1503F' })).body).toEqual({
      status: false,
      data: [],
      message: 'Pan no ABCDE1503F is associated with another mobile number XXXXXXXX03',
    });
    expect(await readFile(join(simulator.dataDir, 'simulator', 'book.jsonl'), 'utf8')).not.toContain('ABCDE1503F');
  });

  it.for([
    ['last_name', { last_name: '' }, 'The last name field is required.'],
    ['mobile_no', { mobile_no: '1876541505' }, 'The mobile no format is invalid.'],
    ['Gender', { Gender: 'Male' }, 'The Gender format is invalid.'],
    ['category_id', { category_id: '99' }, 'The category id format is invalid.'],
  ] as const)('rejects a profile with a wrong %s', async ([, fields, message]) => {
    const { body } = await saveProfile({ mobile_no: '9876541505', pan: 'ABCDE1505F', ...fields });
    expect(body).toEqual({ status: false, data: [], message });
  });

  it('requires mobile_no and category_id in the query as well', async () => {
    const [url, init] = profileRequest({ mobile_no: '9876541506', pan: 'ABCDE1506F' });
    expect((await send(url.replace(/\?.*/, ''), init)).body.message).toBe('The mobile no field is required.');
  });

  it.for([
    ['2301', ['pending', 'submitted', 'approved', 'approved']],
    ['99901', ['pending', 'submitted', 'rejected', 'rejected']],
    ['99902', ['pending', 'submitted', 'failed', 'failed']],
  ] as const)('advances a lead for product %s by one step per status call', async ([productId, steps]) => {
    const leadCode = await newLead(productId);
    expect(leadCode).toMatch(/^BS-LEAD-\d+$/);
    for (const lead_status of steps) {
      expect((await get(`leadStatus?lead_code=${leadCode}`)).body.data).toEqual({ lead_code: leadCode, lead_status });
    }
  });

  it('rejects leads for unknown products, customers and codes, and a category with only one of its spellings', async () => {
    const fields = { product_id: '2301', customer_id: demoLeadCustomerId };
    const errorBody = async (own: Record<string, string>) => (await send(...post('lead', { ...fields, ...own }))).body;
    expect(await errorBody({ product_id: '1' })).toMatchObject({
      status: false,
      message: 'The selected product id is invalid.',
    });
    expect(await errorBody({ customer_id: 'x' })).toMatchObject({ status: false });
    expect(await errorBody({ category_id: '4' })).toMatchObject({ status: false });
    expect(await errorBody({ category_id: '3' })).toMatchObject({ message: 'The categroy id field is required.' });
    expect(await errorBody({ category_id: '3', categroy_id: '3' })).toMatchObject({ status: true });
    expect((await get('leadStatus?lead_code=BS-LEAD-1')).body).toMatchObject({ status: false, data: [] });
  });

  it('returns product details, without a separate page for credit lines', async () => {
    expect(await details('1701')).toEqual({
      url: expect.stringMatching(/^https:\/\//),
      campaign_url: expect.stringMatching(/^https:\/\//),
    });
    expect(Object.keys((await details('3001')) as object)).toEqual(['campaign_url']);
  });

  it('rejects wrong keys', async () => {
    const wrong = { ...headers, iv: 'x' };
    const { status, body } = await send(`${simulator.url}/banksathi/api/b2b/occupation`, { headers: wrong });
    expect({ status, body }).toMatchObject({ status: 401, body: { status: false } });
  });

  it('applies the magic numbers to the mobile number of a profile', async () => {
    const failed = (await saveProfile({ mobile_no: '9123540001', pan: 'ABCDE1507F' })).body;
    expect(failed.message).toBe('Pan no ABCDE1507F is associated with another mobile number XXXXXXXX01');
    expect(await silenceOf(...profileRequest({ mobile_no: '9123540002', pan: 'ABCDE1508F' }))).toBe('held');
    expect((await saveProfile({ mobile_no: '9123540007', pan: 'ABCDE1509F' })).status).toBe(500);
    const odd = (await saveProfile({ mobile_no: '9123540013', pan: 'ABCDE1510F' })).body;
    expect(odd.data).toEqual({
      mobile_no: 9_123_540_013,
      profile_details: { customer_id: expect.any(String), category_id: 3 },
    });
  });
});
