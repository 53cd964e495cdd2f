import { beforeAll, describe, expect, it } from 'vitest';
import { ProductCatalogue } from '../../src/products/product.catalogue.js';
import type { LeadsPort } from '../../src/providers/ports/leads.port.js';
import { leadProducts } from '../../src/simulator/lead-catalogue.js';
import { PROFILE, person } from '../leads/lead.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';
import { CATALOGUE, callsDuring, callsOf, setDefaultCustomer } from './product.fixture.js';

const PRODUCTS = leadProducts.length;
const environments = ['uat', 'production'] as const;

interface Catalogue {
  categories: { title: string; products: { productId: string; details: { campaignUrl: string } | null }[] }[];
}
const productsIn = ({ categories }: Catalogue) => categories.flatMap(({ products }) => products);

const test = useOwnApp();
let developer: TestDeveloper;
let call: ReturnType<typeof callsOf>;
/** Provider calls and response of the very first catalogue query. */
let first: { calls: Record<string, number>; body: { data: { productCategories: Catalogue }; errors?: unknown } };
beforeAll(async () => {
  for (const environment of environments) await setDefaultCustomer(test, environment);
  developer = await test.developer();
  call = callsOf(test, developer);
  const responses: { body: typeof first.body }[] = [];
  const calls = await callsDuring(test, async () => responses.push(await call.graphql('production', CATALOGUE)));
  first = { calls, body: responses[0]!.body };
});

let people = 0;
/** Sets a new default customer. Links are specific to a customer, so no details are cached for it. */
async function anotherCustomer(): Promise<void> {
  const { production: token } = developer.tokens;
  const { body } = await test.rest('production', 'POST', PROFILE, token, person(500 + ++people));
  await setDefaultCustomer(test, 'production', body.data.customer_id);
}

describe('the catalogue in a single query', () => {
  it('makes one upstream call per distinct key, and has more products than the rate limit', () => {
    expect(PRODUCTS).toBeGreaterThan(60);
    expect(first.body.errors).toBeUndefined();
    const products = productsIn(first.body.data.productCategories);
    expect(products.map(({ productId }) => productId).toSorted()).toEqual(
      leadProducts.map(({ productId }) => productId).toSorted(),
    );
    for (const { productId, details } of products) expect(details!.campaignUrl).toContain(`/${productId}?`);
    expect(first.calls).toEqual({ allProductCategory: 1, productByCategory: 5, otherProductDetails: PRODUCTS });
  });

  it('is not requested again while it is fresh; a different customer causes only requests for details', async () => {
    const repeatQuery = () => callsDuring(test, () => call.graphql('production', CATALOGUE));
    expect(await repeatQuery()).toEqual({});
    await anotherCustomer();
    expect(await repeatQuery()).toEqual({ otherProductDetails: PRODUCTS });
  });

  it('counts each selection once, on the counters shared with REST', async () => {
    const fresh = await test.developer({ rateLimitPerMinute: 60 });
    const calls = callsOf(test, fresh);
    const { headers } = await calls.graphql('production', CATALOGUE);
    expect(headers.get('x-ratelimit-remaining')).toBe('59');
    for (const response of [
      await calls.categories('production'),
      await calls.products('production', 4),
      await calls.details('production', { product_id: '4001' }),
    ])
      expect(response.headers.get('x-ratelimit-remaining')).toBe('58');
  });

  it('makes a single call for equal keys in one document', async () => {
    await anotherCustomer();
    const calls = await callsDuring(test, async () => {
      const { body } = await call.graphql(
        'production',
        `{ a: productDetails(input: { productId: "4001", categoryId: 4 }) { url }
           b: productDetails(input: { productId: "4001", categoryId: 4 }) { campaignUrl }
           c: productDetails(input: { productId: "4001" }) { url }
           d: products(categoryId: 4) { products { productId details { url } } } }`,
      );
      expect(body.errors).toBeUndefined();
      expect(body.data.a.url).toBe(body.data.c.url);
    });
    // 16 products of category 4, and one key without a category
    const inCategory = leadProducts.filter(({ categoryId }) => categoryId === 4).length;
    expect(calls).toEqual({ otherProductDetails: inCategory + 1 });
  });

  it('makes a single call for two simultaneous requests', async () => {
    await anotherCustomer();
    const detailsQuery = '{ productDetails(input: { productId: "4001" }) { url } }';
    const calls = await callsDuring(test, async () => {
      const responses = await Promise.all([
        call.graphql('production', detailsQuery),
        call.graphql('production', detailsQuery),
      ]);
      for (const { body } of responses) expect(body.errors).toBeUndefined();
      expect(responses[0]!.body).toEqual(responses[1]!.body);
    });
    expect(calls).toEqual({ otherProductDetails: 1 });
  });

  it('serves seven simultaneous queries with more details than the provider accepts at a time', async () => {
    await anotherCustomer();
    await test.simulator.latency('banksathi', 20);
    const responses: TestResponse[] = [];
    const calls = await callsDuring(test, async () => {
      responses.push(...(await Promise.all(Array.from({ length: 7 }, () => call.graphql('production', CATALOGUE)))));
    });
    await test.simulator.latency('banksathi', 0);
    for (const { body } of responses) {
      expect(body.errors).toBeUndefined();
      const products = productsIn(body.data.productCategories);
      expect(products).toHaveLength(PRODUCTS);
      for (const { details } of products) expect(details).not.toBeNull();
    }
    expect(calls).toEqual({ otherProductDetails: PRODUCTS });
  });

  it('uses the same document in UAT, without a provider', async () => {
    const calls = await callsDuring(test, async () => {
      const { body } = await call.graphql('uat', CATALOGUE);
      expect(body.errors).toBeUndefined();
      const products = productsIn(body.data.productCategories);
      expect(products.length).toBeGreaterThan(60);
      for (const { details } of products) expect(details!.campaignUrl).toMatch(/^https:/);
    });
    expect(calls).toEqual({});
  });

  it('returns partial data on failure: null per product and one error per code', async () => {
    const probe = await call.graphql('production', CATALOGUE);
    expect(probe.body.errors).toBeUndefined();
    await anotherCustomer();
    await test.simulator.outage('banksathi', true);
    const { status, body } = await call.graphql(
      'production',
      '{ products(categoryId: 17) { fee products { productId details { url } } } }',
    );
    await test.simulator.outage('banksathi', false);
    expect(status).toBe(200);
    const { products, fee } = body.data.products;
    expect(fee).toBe(0);
    expect(products).toHaveLength(12);
    expect(products.every(({ details }: { details: unknown }) => details === null)).toBe(true);
    const codes = body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { extensions, path } of body.errors) {
      expect(extensions.code).toMatch(/^PROVIDER_(FAILED|UNAVAILABLE)$/);
      expect(path.slice(0, 2)).toEqual(['products', 'products']);
    }
  });

  it('is rejected without access', async () => {
    const closed = await test.developer({ disabledServices: ['lead_generation'] });
    const { body } = await callsOf(test, closed).graphql('production', CATALOGUE);
    expect(body.data).toEqual({ productCategories: null });
    expect(body.errors[0].extensions.code).toBe('ACCESS_DISABLED');
  });
});

/** A provider that records its calls and can be made to fail. */
function countingPort(provider: 'BANKSATHI' | 'SANDBOX') {
  const requested: string[] = [];
  let fail = false;
  const respond = async <T>(name: string, value: T) => {
    requested.push(name);
    await new Promise((resume) => setImmediate(resume));
    return fail
      ? { kind: 'unknown' as const, evidence: { reason: 'timeout' as const } }
      : { kind: 'accepted' as const, value, evidence: { reason: 'provider_success' as const } };
  };
  const port = {
    provider,
    available: true,
    productCategories: () => respond('categories', [{ id: 4, title: `${provider} ${requested.length}` }]),
    productsByCategory: (id: number) => respond(`products ${id}`, []),
  } as unknown as LeadsPort;
  return { port, requested, failing: (on: boolean) => void (fail = on) };
}

describe('the catalogue cache', () => {
  const make = () => {
    const [uat, production] = [countingPort('SANDBOX'), countingPort('BANKSATHI')];
    const clock = { nowMs: 0 };
    const catalogue = new ProductCatalogue(
      { uat: uat.port, production: production.port },
      { freshForMs: 1_000, nowMs: () => clock.nowMs },
    );
    return { catalogue, clock, uat, production };
  };

  it('makes one request for all callers before the response, and the next one only after expiry', async () => {
    const { catalogue, clock, production } = make();
    const all = await Promise.all(Array.from({ length: 30 }, () => catalogue.categories('production')));
    expect(new Set(all).size).toBe(1);
    clock.nowMs = 999;
    await catalogue.categories('production');
    expect(production.requested).toEqual(['categories']);
    clock.nowMs = 1_000;
    const refreshed = await Promise.all([catalogue.categories('production'), catalogue.categories('production')]);
    expect(production.requested).toEqual(['categories', 'categories']);
    expect(refreshed[0]).not.toEqual(all[0]);
  });

  it('separates environments and categories', async () => {
    const { catalogue, uat, production } = make();
    expect(await catalogue.categories('uat')).not.toEqual(await catalogue.categories('production'));
    for (const id of [3, 4, 3, 4]) await catalogue.products('production', id);
    expect(uat.requested).toEqual(['categories']);
    expect(production.requested).toEqual(['categories', 'products 3', 'products 4']);
  });

  it('caches no failure and returns no outdated list instead', async () => {
    const { catalogue, clock, production } = make();
    await catalogue.categories('production');
    clock.nowMs = 1_000;
    production.failing(true);
    const failed = await Promise.allSettled([catalogue.categories('production'), catalogue.categories('production')]);
    for (const { status, reason } of failed as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason).toMatchObject({ code: 'PROVIDER_FAILED' });
    }
    production.failing(false);
    expect(await catalogue.categories('production')).toHaveLength(1);
    expect(production.requested).toHaveLength(3);
  });

  it('evicts the oldest categories if clients request too many', async () => {
    const { catalogue, production } = make();
    for (let id = 1; id <= 1_001; id++) await catalogue.products('production', id);
    await catalogue.products('production', 1_001);
    await catalogue.products('production', 1);
    expect(production.requested.filter((name) => name === 'products 1001')).toHaveLength(1);
    expect(production.requested.filter((name) => name === 'products 1')).toHaveLength(2);
  });
});
