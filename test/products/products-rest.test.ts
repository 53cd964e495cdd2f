import { beforeAll, describe, expect, it } from 'vitest';
import { failure, mismatches } from '../rest/schemas/common.js';
import { productCategoriesSuccess, productDetailsSuccess, productsSuccess } from '../rest/schemas/products.schemas.js';
import type { TestDeveloper } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';
import { CATEGORIES, callsDuring, callsOf, DETAILS, PRODUCTS, setDefaultCustomer } from './product.fixture.js';

const environments = ['uat', 'production'] as const;
const product = { uat: '4001', production: '4001' };

const test = useOwnApp();
let developer: TestDeveloper;
let call: ReturnType<typeof callsOf>;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000, feesPaise: { lead_generation: 5_000 } });
  call = callsOf(test, developer);
});

describe('without a default customer', () => {
  it('details are a sample in UAT, and unavailable in Production until an administrator sets the customer', async () => {
    expect((await call.details('uat', { product_id: '4001' })).status).toBe(200);
    const sent = await callsDuring(test, async () => {
      const { status, body } = await call.details('production', { product_id: '4001' });
      expect([status, body.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(body.message).toMatch(/default customer/);
    });
    expect(sent).toEqual({});
    for (const environment of environments) await setDefaultCustomer(test, environment);
  });
});

describe('documented bodies', () => {
  it.each(environments)('details, products and categories in %s are free of charge', async (environment) => {
    const balanceBefore = await test.balance(developer, environment);
    const charge = { fee: 0, wallet_balance: balanceBefore };
    for (const more of [
      {},
      { category_id: 4 },
      { category_id: '4', card_id: '17' },
      { category_id: null, card_id: '' },
    ]) {
      const details = await call.details(environment, { product_id: product[environment], ...more });
      expect(details.status).toBe(200);
      expect(mismatches(productDetailsSuccess, details.body)).toEqual([]);
      expect(details.body).toMatchObject(charge);
    }
    const categories = await call.categories(environment);
    expect(categories.status).toBe(200);
    expect(mismatches(productCategoriesSuccess, categories.body)).toEqual([]);
    expect(categories.body).toMatchObject(charge);
    for (const { id } of categories.body.data as { id: number }[]) {
      const products = await call.products(environment, id);
      expect(products.status).toBe(200);
      expect(mismatches(productsSuccess, products.body)).toEqual([]);
      expect(products.body).toMatchObject(charge);
      expect(products.body.data.length).toBeGreaterThan(0);
    }
    expect(await test.balance(developer, environment)).toBe(balanceBefore);
  });

  it('both IDs of Credit Cards are accepted in UAT, where the list contains the other one', async () => {
    const { data } = (await call.categories('uat')).body;
    const { id } = data.find(({ title }: { title: string }) => title === 'Credit Cards');
    expect(id).not.toBe(3);
    const [common, products] = [await call.products('uat', 3), await call.products('uat', id)];
    expect(common.body.data).toEqual(products.body.data);
  });

  it('any category and product returns a sample in UAT', async () => {
    expect((await call.products('uat', 987_654)).body.data.length).toBeGreaterThan(0);
    const { body } = await call.details('uat', { product_id: 'whatever' });
    expect(mismatches(productDetailsSuccess, body)).toEqual([]);
  });

  it('in Production, an unknown category is an empty list, and an unknown product fails', async () => {
    const unknown = await call.products('production', 987_654);
    expect(unknown.status).toBe(200);
    expect(mismatches(productsSuccess, unknown.body)).toEqual([]);
    expect(unknown.body.data).toEqual([]);
    for (const body of [{ product_id: 'whatever' }, { product_id: '4001', category_id: 3 }]) {
      const details = await call.details('production', body);
      expect([details.status, details.body.code]).toEqual([400, 'PROVIDER_FAILED']);
      expect(mismatches(failure('error'), details.body)).toEqual([]);
    }
  });

  it('a credit line without its own page has the campaign address twice', async () => {
    const { body } = await call.details('production', { product_id: '3001' });
    expect(body.data.url).toBe(body.data.campaign_url);
  });

  it.each(environments)('every path rejects requests without a token and without access in %s', async (environment) => {
    const closed = await test.developer({ disabledServices: ['lead_generation'] });
    for (const [method, path, body] of [
      ['POST', DETAILS, { product_id: '4001' }],
      ['GET', `${PRODUCTS}?category_id=4`, undefined],
      ['GET', CATEGORIES, undefined],
    ] as const) {
      const anonymous = await test.rest(environment, method, path, undefined, body);
      expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(mismatches(failure('error'), anonymous.body)).toEqual([]);
      const rejection = await test.rest(environment, method, path, closed.tokens[environment], body);
      expect([rejection.status, rejection.body.code]).toEqual([403, 'ACCESS_DISABLED']);
      expect(mismatches(failure('error'), rejection.body)).toEqual([]);
    }
  });

  it('no provider is called in UAT', async () => {
    const sent = await callsDuring(test, async () => {
      await call.categories('uat');
      await call.products('uat', 4);
      await call.details('uat', { product_id: '4001' });
    });
    expect(sent).toEqual({});
  });
});

const notAnId = ['abc', '', ' ', '1e3', '0x10', '1.5', '0', '-1', '3000000000', '٣'];

describe('invalid input', () => {
  it('reports category_id of products', async () => {
    for (const query of [
      '',
      ...notAnId.map((value) => `?category_id=${encodeURIComponent(value)}`),
      '?category_id=3&category_id=4',
    ]) {
      const { status, body } = await test.rest('uat', 'GET', `${PRODUCTS}${query}`, developer.tokens.uat);
      expect([query, status]).toEqual([query, 422]);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(Object.keys(body.errors)).toEqual(['category_id']);
    }
  });

  it.each([
    ['product_id', [undefined, null, '', '  ', 4001.5, true, ['4001'], { id: 1 }, 'x'.repeat(65), 'a\u0000b']],
    ['category_id', [...notAnId.filter((value) => value.trim()), 0, -1, 1.5, 3_000_000_000, true, [3]]],
    ['card_id', [...notAnId.filter((value) => value.trim()), 0, -1, 1.5, 3_000_000_000, true, [3]]],
  ])('reports %s of products/details', async (field, values) => {
    for (const value of values) {
      const { status, body } = await call.details('uat', { product_id: '4001', [field]: value });
      expect([field, value, status]).toEqual([field, value, 422]);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(Object.keys(body.errors)).toEqual([field]);
    }
  });

  it('is reported in the same way over GraphQL', async () => {
    const { body } = await call.graphql(
      'uat',
      '{ products(categoryId: 0) { fee } productDetails(input: { productId: "" }) { fee } }',
    );
    expect(body.data).toEqual({ products: null, productDetails: null });
    const fields = body.errors.flatMap(({ extensions }: { extensions: { fields: object[] } }) => extensions.fields);
    expect(fields).toHaveLength(2);
    expect(fields).toContainEqual({
      path: 'categoryId',
      rule: 'RANGE',
      min: 1,
      message: 'Must be a whole number greater than 0.',
    });
    expect(fields).toContainEqual({
      path: 'input.productId',
      rule: 'TEXT',
      min: 1,
      max: 64,
      message: 'Must be 1 to 64 characters of printable text.',
    });
  });
});
