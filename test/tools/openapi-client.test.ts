import createClient, { type Client } from 'openapi-fetch';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { openApiOf } from '../../src/http/hosts.js';
import { salaried, setDefaultCustomer } from '../leads/lead.fixture.js';
import { lookupNames, lookups } from '../plans/lookups.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import type { components, paths } from './generated/openapi.js';

type Schemas = components['schemas'];

const RECHARGE = {
  account_number: '9876543210',
  amount: 10.5,
  operator_sp_key: 116,
  operator_type: 'mobile',
} satisfies Schemas['RechargeRequest'];
const CARD = { card: '3008', mobile: '9876543210', opcode: 'ICIC' };
const DTH = { dth_number: '07210298754', opcode: 'STV' } as const;
const test = useSharedApp();
let developer: TestDeveloper;
let poor: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  poor = await test.developer({ liveRupees: 0 });
  await setDefaultCustomer(test, 'production');
});

describe.each(['uat', 'production'] as const)('a client generated from the document of %s', (environment) => {
  const called = new Set<string>();
  let document: any;
  beforeAll(() => {
    document = openApiOf(environment, test.app);
  });

  /** The path of the document that matches this URL path. */
  const templateOf = (pathname: string): string | undefined =>
    [pathname, ...Object.keys(document.paths)].find(
      (path) => path in document.paths && new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );

  /** Configured as documented. Each response is validated against the document. */
  function clientOf(who?: TestDeveloper): Client<paths> {
    return createClient<paths>({
      baseUrl: test.urls[environment],
      ...(who ? { headers: { authorization: `Bearer ${who.tokens[environment]}` } } : {}),
      fetch: async (request: Request) => {
        const response = await fetch(request);
        const text = await response.clone().text();
        const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
        const { pathname } = new URL(request.url);
        test.expectDescribed(environment, request.method, pathname, { ...answerOf(response), body });
        if (response.ok) called.add(`${request.method} ${templateOf(pathname)}`);
        return response;
      },
    });
  }

  it('exchanges credentials and receives typed errors', async () => {
    const client = clientOf();
    const exchange = (api_secret: string, host: Environment) =>
      client.POST('/api/v1/auth/client-credentials', {
        body: { client_id: developer.keys[host].clientId, api_secret, environment: environment },
      });
    const { data } = await exchange(developer.keys[environment].apiSecret, environment);
    expect(data?.user.id).toBeGreaterThan(0);
    expect(data?.environment satisfies Environment | undefined).toBe(environment);
    const wrong = await exchange('sk_wrong', environment);
    expect(wrong.error?.code satisfies string | undefined).toBe('INVALID_CREDENTIALS');
    const other = environment === 'uat' ? 'production' : 'uat';
    expect((await exchange(developer.keys[other].apiSecret, other)).error?.code).toBe('WRONG_HOST');
  });

  it('returns the owner of a token', async () => {
    const { data } = await clientOf(developer).GET('/api/v1/auth/me');
    expect(data?.roles satisfies 'developer'[] | undefined).toEqual(['developer']);
  });

  it('distinguishes a successful from a pending recharge, and a final failure from an error', async () => {
    const client = clientOf(developer);
    const recharge = (client_request_id: string, more: object = {}) =>
      client.POST('/api/v1/recharge', { body: { ...RECHARGE, client_request_id, ...more } });
    const done = await recharge('typed-1');
    // the status determines which fields can be null
    if (done.data?.status !== 'success') throw new Error('It did not succeed.');
    expect(done.data.data.provider_txn_id.length satisfies number).toBeGreaterThan(0);
    const pending = await recharge('typed-2', { account_number: '9876540005' });
    if (pending.data?.status !== 'pending') throw new Error('It is not pending.');
    expect(pending.data.data.operator_ref satisfies string | null).toBeNull();
    expect(Number(pending.response.headers.get('retry-after'))).toBeGreaterThan(0);
    const declined = await recharge('typed-3', { account_number: '9876540001' });
    expect(declined.error).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
    expect((await recharge('typed-1')).response.headers.get('idempotent-replayed')).toBe('true');
    expect((await recharge('typed-1', { amount: 11 })).error).toMatchObject({
      status: 'error',
      code: 'IDEMPOTENCY_KEY_REUSED',
      api_request_id: done.data.data.api_request_id,
    });
    const dear = await clientOf(poor).POST('/api/v1/recharge', { body: { ...RECHARGE, amount: 20_000 } });
    if (environment === 'production')
      expect(dear.error).toMatchObject({ status: 'failed', code: 'INSUFFICIENT_BALANCE' });
  });

  it('returns the status of a recharge', async () => {
    const client = clientOf(developer);
    const ask = (client_request_id: string) =>
      client.GET('/api/v1/recharge/status', { params: { query: { client_request_id } } });
    expect((await ask('typed-1')).data?.status).toBe('success');
    const failed = await ask('typed-3');
    if (failed.data?.status !== 'failed') throw new Error('It did not fail.');
    expect(failed.data.code satisfies 'PROVIDER_DECLINED' | 'REVERSED').toBe('PROVIDER_DECLINED');
    expect((await ask('nobody-sent-it')).error?.code).toBe('RECORD_NOT_FOUND');
  });

  it('fetches a card bill, pays it once, and returns its status', async () => {
    const client = clientOf(developer);
    const fetched = await client.POST('/api/v1/bill-payment/credit-card/bill-fetch', {
      body: { ...CARD, orderid: 'typed-fetch' },
    });
    const { fetch_id } = fetched.data!.data;
    const pay = () =>
      client.POST('/api/v1/bill-payment/credit-card/bill-pay', {
        body: { ...CARD, amount: 100, orderid: 'typed-pay', fetch_id },
      });
    const paid = await pay();
    if (paid.data?.status !== 'success') throw new Error('It was not paid.');
    expect(paid.data.data.txid satisfies number).toBeGreaterThan(0);
    expect((await pay()).error).toMatchObject({
      code: 'DUPLICATE_ORDER',
      order_id: 'typed-pay',
      order_status: 'success',
    });
    const statusResponse = await client.GET('/api/v1/bill-payment/credit-card/status', {
      params: { query: { orderid: 'typed-pay' } },
    });
    expect(statusResponse.data?.data.txid).toBe(paid.data.data.txid);
  });

  it('looks up operators, plans and subscribers', async () => {
    const client = clientOf(developer);
    const found = await client.POST('/api/v1/plan/operator-fetch', {
      body: { mobile: '9468455123', orderid: 'typed-find' },
    });
    const plans = await client.POST('/api/v1/plan/operator-plan-fetch', {
      body: { mobile: '9468455123', opcode: 'BT', circle: '96', orderid: 'typed-plans' },
    });
    const dthPlans = await client.POST('/api/v1/plan/dth-plan-fetch', { body: { ...DTH, orderid: 'typed-dth' } });
    const info = await client.POST('/api/v1/plan/dth-info', { body: { ...DTH, orderid: 'typed-info' } });
    expect(found.data?.data.circle_code).toMatch(/^\d{2,3}$/);
    for (const { data } of [plans, dthPlans])
      expect(Object.values(data!.data.plans)[0]![0]!.rs satisfies number).toBeGreaterThan(0);
    expect(info.data?.data.customer[0]!.Balance satisfies string | undefined).toMatch(/^\d/);
    for (const name of lookupNames) {
      const body = { ...lookups[name].body, orderid: `typed-${name}` };
      const { response } = await client.POST(`/api/v1/plan/${name}`, { body: body as never });
      expect([name, response.status]).toEqual([name, 200]);
    }
    const failing = await client.POST('/api/v1/plan/operator-fetch', {
      body: { mobile: '9876540001', orderid: 'typed-failing' },
    });
    expect(failing.error?.code).toBe('PROVIDER_FAILED');
  });

  it('goes from the categories to a lead and its status', async () => {
    const client = clientOf(developer);
    const categories = await client.GET('/api/v1/products/categories');
    const category_id = categories.data!.data[0]!.id;
    const products = await client.GET('/api/v1/products', { params: { query: { category_id } } });
    const { product_id } = products.data!.data[0]!;
    const details = await client.POST('/api/v1/products/details', { body: { product_id, category_id } });
    expect(details.data?.data.campaign_url).toMatch(/^https:/);
    const profile = await client.POST('/api/v1/leads/profile', { body: { ...salaried, category_id } });
    const { customer_id } = profile.data!.data;
    const lead = await client.POST('/api/v1/leads', { body: { product_id, customer_id, category_id } });
    const { lead_code } = lead.data!.data;
    const status = await client.GET('/api/v1/leads/status', { params: { query: { lead_code } } });
    expect(['pending', 'submitted']).toContain(status.data?.data.lead_status);
  });

  it('downloads the files', async () => {
    const options = { params: { query: { from: today(), to: today() } }, parseAs: 'text' } as const;
    for (const path of ['/api/v1/wallet/statement.csv', '/api/v1/orders.csv', '/api/v1/leads.csv'] as const) {
      const { data, response } = await clientOf(developer).GET(path, options);
      expect([path, data!.split('\r\n').length > 2]).toEqual([path, true]);
      expect(response.headers.get('content-disposition')).toContain('attachment');
    }
    for (const path of ['/api/v1/wallet/statement.xlsx', '/api/v1/orders.xlsx', '/api/v1/leads.xlsx'] as const) {
      const { data } = await clientOf(developer).GET(path, options);
      // signature of a ZIP file
      expect([path, data!.slice(0, 2)]).toEqual([path, 'PK']);
    }
  });

  it('lists reference data, orders and wallet entries', async () => {
    const client = clientOf(developer);
    const operators = await client.GET('/api/v1/operators', { params: { query: { operator_type: 'mobile' } } });
    expect(operators.data?.data[0]!.operator_sp_key satisfies number | undefined).toBeGreaterThan(0);
    expect((await client.GET('/api/v1/circles')).data?.data.length).toBe(30);
    expect((await client.GET('/api/v1/banks')).data?.data.length).toBeGreaterThan(0);
    const balance = await client.GET('/api/v1/wallet/balance');
    expect(balance.data?.data.balance satisfies number | undefined).toBeGreaterThan(0);
    const orders = await client.GET('/api/v1/orders', {
      params: { query: { status: ['failed'], from: today(), limit: 1 } },
    });
    expect(orders.data?.data.map(({ status }) => status)).toEqual(['failed']);
    const wrong = await client.GET('/api/v1/orders', { params: { query: { cursor: 'of-nothing' } } });
    expect(wrong.error?.code).toBe('VALIDATION_FAILED');
    const statement = await client.GET('/api/v1/wallet/statement', { params: { query: { limit: 2 } } });
    expect(statement.data?.data.length).toBe(2);
  });

  it('manages webhooks', async () => {
    const client = clientOf(developer);
    const body = { url: 'https://shop.example/typed', types: ['recharge.failed' as const] };
    const created = await client.POST('/api/v1/webhooks', { body });
    const { id } = created.data!.data;
    const params = { path: { id } };
    expect((await client.GET('/api/v1/webhooks')).data?.data.map((endpoint) => endpoint.id)).toEqual([id]);
    const types = ['card_payment.reversed' as const];
    const updated = await client.POST('/api/v1/webhooks/{id}/update', { params, body: { types } });
    expect([created.data!.data.types, updated.data!.data.types]).toEqual([body.types, types]);
    const rotated = await client.POST('/api/v1/webhooks/{id}/rotate', { params });
    expect(rotated.data?.data.secret).not.toBe(created.data?.data.secret);
    await client.POST('/api/v1/webhooks/{id}/disable', { params });
    expect((await client.POST('/api/v1/webhooks/{id}/test', { params })).error?.code).toBe('CONFLICT');
    await client.POST('/api/v1/webhooks/{id}/enable', { params });
    await client.POST('/api/v1/webhooks/{id}/test', { params });
    const [delivery] = (await client.GET('/api/v1/webhooks/{id}/deliveries', { params })).data!.data;
    const again = await client.POST('/api/v1/webhooks/deliveries/{id}/redeliver', {
      params: { path: { id: delivery!.id } },
    });
    expect(again.data?.data.type).toBe('test.sent');
    const range = { from: '2026-01-01', to: '2099-01-01', state: ['delivered' as const] };
    const redelivered = await client.POST('/api/v1/webhooks/{id}/redeliver', { params, body: range });
    expect(redelivered.data?.data).toEqual({ count: 0, next_from: null });
    await client.DELETE('/api/v1/webhooks/{id}', { params });
    expect((await client.DELETE('/api/v1/webhooks/{id}', { params })).error?.code).toBe('RECORD_NOT_FOUND');
  });

  it('uses the sandbox in UAT', async () => {
    const client = clientOf(developer);
    const scenario = await client.POST('/api/v1/sandbox/scenario', {
      body: { outcome: 'decline', reason: 'AMOUNT_NOT_OFFERED', client_request_id: 'typed-scenario' },
    });
    const refill = await client.POST('/api/v1/sandbox/refill', { body: {} });
    if (environment === 'production')
      return expect([scenario.error?.code, refill.error?.code]).toEqual(['UAT_ONLY', 'UAT_ONLY']);
    const declined = await client.POST('/api/v1/recharge', {
      body: { ...RECHARGE, client_request_id: 'typed-scenario' },
    });
    expect(declined.error).toMatchObject({ code: 'PROVIDER_DECLINED', reason: 'AMOUNT_NOT_OFFERED' });
    expect(refill.data?.data.refills_left satisfies number | undefined).toBe(4);
  });

  it('has called every path of the document', () => {
    const all = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.entries<any>(operations).flatMap(([method, { responses }]) =>
        environment === 'production' && JSON.stringify(responses).includes('UAT_ONLY')
          ? []
          : [`${method.toUpperCase()} ${path}`],
      ),
    );
    expect([...called].toSorted()).toEqual(all.toSorted());
  });
});

/** Current date in IST. */
const today = (): string => new Date(Date.now() + 330 * 60_000).toISOString().slice(0, 10);

const answerOf = ({ status, headers }: Response) => ({ status, headers });
