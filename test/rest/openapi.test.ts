import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleOf, operationOf } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import { orderEventTypes } from '../../src/webhooks/webhook-event.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { Examples } from './examples.fixture.js';
import { operationsOf } from './operations.fixture.js';

/** Endpoints of interface.md 4. */
const documented: [method: string, path: string][] = [
  ['post', '/api/v1/auth/client-credentials'],
  ['get', '/api/v1/auth/me'],
  ['post', '/api/v1/recharge'],
  ['get', '/api/v1/recharge/status'],
  ['post', '/api/v1/bill-payment/credit-card/bill-fetch'],
  ['post', '/api/v1/bill-payment/credit-card/bill-pay'],
  ['get', '/api/v1/bill-payment/credit-card/status'],
  ['post', '/api/v1/plan/operator-fetch'],
  ['post', '/api/v1/plan/operator-plan-fetch'],
  ['post', '/api/v1/plan/dth-plan-fetch'],
  ['post', '/api/v1/plan/dth-info'],
  ['post', '/api/v1/leads/profile'],
  ['post', '/api/v1/leads'],
  ['get', '/api/v1/leads/status'],
  ['post', '/api/v1/products/details'],
  ['get', '/api/v1/products'],
  ['get', '/api/v1/products/categories'],
  ...['wallet/statement', 'orders', 'leads'].flatMap((list): [string, string][] => [
    ['get', `/api/v1/${list}.csv`],
    ['get', `/api/v1/${list}.xlsx`],
  ]),
  ['get', '/api/v1/operators'],
  ['get', '/api/v1/circles'],
  ['get', '/api/v1/banks'],
  ['get', '/api/v1/wallet/balance'],
  ['get', '/api/v1/wallet/statement'],
  ['get', '/api/v1/orders'],
  ['post', '/api/v1/webhooks'],
  ['get', '/api/v1/webhooks'],
  ['post', '/api/v1/webhooks/{id}/update'],
  ['post', '/api/v1/webhooks/{id}/rotate'],
  ['post', '/api/v1/webhooks/{id}/disable'],
  ['post', '/api/v1/webhooks/{id}/enable'],
  ['post', '/api/v1/webhooks/{id}/test'],
  ['get', '/api/v1/webhooks/{id}/deliveries'],
  ['post', '/api/v1/webhooks/deliveries/{id}/redeliver'],
  ['post', '/api/v1/webhooks/{id}/redeliver'],
  ['delete', '/api/v1/webhooks/{id}'],
  ['post', '/api/v1/sandbox/scenario'],
  ['post', '/api/v1/sandbox/refill'],
];

const test = useSharedApp();
let developer: TestDeveloper;
let openApi: any;
beforeAll(async () => {
  developer = await test.developer();
  openApi = (await test.rest('uat', 'GET', '/openapi.json')).body;
});

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 and contains exactly the documented paths', () => {
    expect(openApi.openapi).toBe('3.1.0');
    const described = Object.entries<object>(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(documented.map((row) => row.join(' ')).toSorted());
    expect(openApi.components.securitySchemes.token.description).toMatch(
      /30 days without use.*365 days.*On 401, exchange/,
    );
    expect(openApi.info.description).toMatch(/^While the outcome of a recharge or bill payment is not known/);
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: the example works in UAT and its response matches the description',
    async (_name, route) => {
      const operation = openApi.paths[route.path][route.method.toLowerCase()];
      expect(operation.summary).toBeTruthy();
      const response = await new Examples(test, developer, 'uat').send(route);
      expect(response.body.code).toBeUndefined();
      expect(response.status).toBe(200);
      for (const name of Object.keys(route.fields)) {
        const described =
          operation.parameters?.find((parameter: { name: string }) => parameter.name === name) ??
          openApi.components.schemas[`${operation.operationId}Request`].properties[name];
        expect(described?.description, name).toBeTruthy();
      }
    },
  );

  it('lists which recharge failures are final, and pending as a 200 response', () => {
    const { responses, parameters } = openApi.paths['/api/v1/recharge'].post;
    expect(Object.keys(responses)).not.toContain('202');
    const { schemas } = openApi.components;
    expect(responses[200].content['application/json'].schema.$ref).toBe('#/components/schemas/RechargeAnswer');
    expect(Object.keys(schemas.RechargeAnswer.discriminator.mapping)).toEqual(['success', 'pending']);
    const failed = Object.keys(schemas).filter((name) => schemas[name].properties?.status?.const === 'failed');
    expect(failed.toSorted()).toEqual(['CardPaymentStatusFailed', 'RechargeRefused400Failed', 'RechargeStatusFailed']);
    expect(schemas.RechargeRefused400Failed.properties.code.enum).toEqual([
      'VALIDATION_FAILED',
      'INSUFFICIENT_BALANCE',
      'PROVIDER_DECLINED',
      'REVERSED',
    ]);
    expect(schemas.RechargeRefused400Error.properties.code.enum).toEqual(['MALFORMED_REQUEST']);
    expect(schemas.RechargeRefused409.properties.code.enum).toEqual(['IDEMPOTENCY_KEY_REUSED', 'LIKELY_DUPLICATE']);
    expect(schemas.RechargeSuccess.properties.warnings.items.required).toEqual(['code', 'message', 'api_request_id']);
    expect(schemas.RechargeSuccess.required).toEqual(['status', 'message', 'data']);
    const header = (name: string) => expect.objectContaining({ name, in: 'header', required: false });
    expect(parameters).toEqual([header('Idempotency-Key'), header('Prefer')]);
    expect(Object.keys(responses[200].headers)).toContain('Preference-Applied');
  });

  it('lists only the failures of each path', () => {
    const all = operationsOf(openApi);
    const failuresOf = (path: string): string[] => all.find((operation) => operation.path === path)!.codes;
    const general = failuresOf('/api/v1/auth/me');
    expect(general.toSorted()).toEqual(
      'DEPENDENCY_DOWN FORBIDDEN INTERNAL MALFORMED_REQUEST ONBOARDING_INCOMPLETE OVERLOADED PRODUCTION_LOCKED RATE_LIMITED REQUEST_TIMEOUT SUSPENDED UNAUTHENTICATED WRONG_HOST'.split(
        ' ',
      ),
    );
    const body = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'];
    const own = (path: string): string[] =>
      failuresOf(path)
        .filter((code) => !general.includes(code) && !body.includes(code))
        .toSorted();
    const order = ['INSUFFICIENT_BALANCE', 'PROVIDER_DECLINED', 'PROVIDER_UNAVAILABLE', 'REVERSED'];
    const lookup = ['ACCESS_DISABLED', 'INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'PROVIDER_UNAVAILABLE'];
    for (const [path, codes] of Object.entries({
      '/api/v1/auth/client-credentials': ['CROSS_ORIGIN_FORBIDDEN', 'INVALID_CREDENTIALS', 'TOO_MANY_FAILED_EXCHANGES'],
      '/api/v1/recharge': [...order, 'IDEMPOTENCY_KEY_REUSED', 'LIKELY_DUPLICATE'],
      '/api/v1/recharge/status': ['RECORD_NOT_FOUND', 'ORDER_ARCHIVED'],
      '/api/v1/bill-payment/credit-card/bill-fetch': lookup,
      '/api/v1/bill-payment/credit-card/bill-pay': [...order, 'DUPLICATE_ORDER', 'BILL_PAYMENT_IN_PROGRESS'],
      '/api/v1/bill-payment/credit-card/status': ['RECORD_NOT_FOUND', 'ORDER_ARCHIVED'],
      '/api/v1/plan/dth-info': lookup,
      '/api/v1/leads': [...lookup.filter((code) => code !== 'INSUFFICIENT_BALANCE'), 'LEAD_REFUSED'],
      '/api/v1/leads/status': lookup,
      '/api/v1/wallet/statement.csv': [],
      '/api/v1/wallet/statement.xlsx': [],
      '/api/v1/leads.csv': ['ACCESS_DISABLED'],
    }))
      expect([path, own(path)]).toEqual([path, codes.toSorted()]);
  });

  it('documents the limits that the service enforces', async () => {
    const { schemas } = openApi.components;
    expect(schemas.RechargeRequest.properties).toMatchObject({
      account_number: { pattern: '^[A-Za-z0-9-]{4,20}$' },
      amount: { minimum: 0.01, maximum: 25_000, multipleOf: 0.01 },
      operator_sp_key: { minimum: 1, format: 'int32' },
      operator_type: { enum: ['mobile', 'dth'] },
      client_request_id: { minLength: 1, maxLength: 100 },
    });
    expect(schemas.PayCardBillSuccess.properties.data.properties.txid).toMatchObject({
      type: 'integer',
      format: 'int64',
    });
    expect(schemas.PayCardBillRequest.properties.amount.maximum).toBe(1_000_000);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
    const validate = ajv.compile(schemas.UpsertProfileRequest);
    const profile = exampleOf(routes.find(({ path }) => path === '/api/v1/leads/profile')!, 'uat');
    expect([validate(profile), validate.errors]).toEqual([true, null]);
    // values that the document rejects are rejected by the service for the same fields
    for (const invalid of [
      { first_name: 'x'.repeat(51) },
      { last_name: '' },
      { mobile_no: '5876543210' },
      { email: 'nobody' },
      { dob: '21/05/1990' },
      { company: 0 },
      { gender: 'Feminine' },
      { address: 'x'.repeat(256) },
      { pan: 'ABCDE12345' },
      { customer_id: 'x'.repeat(513) },
    ]) {
      expect([invalid, validate({ ...profile, ...invalid })]).toEqual([invalid, false]);
      const response = await test.rest('uat', 'POST', '/api/v1/leads/profile', developer.tokens.uat, {
        ...profile,
        ...invalid,
      });
      expect([response.status, Object.keys(response.body.errors)]).toEqual([422, Object.keys(invalid)]);
    }
  });

  it('describes every event type with an example that matches no other type', () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
    ajv.addSchema(openApi, 'api');
    const types = [...orderEventTypes, 'test.sent'];
    expect(Object.keys(openApi.webhooks)).toEqual(types);
    const contents = types.map((type) => openApi.webhooks[type].post.requestBody.content['application/json']);
    for (const { schema, example } of contents) {
      const isValid = ajv.compile({ $ref: `api${schema.$ref}` });
      expect(contents.filter((other) => isValid(other.example))).toEqual([{ schema, example }]);
      // wrong type or missing value, for each field
      for (const name of Object.keys(example.data))
        for (const invalid of [[], undefined])
          expect([name, isValid({ ...example, data: { ...example.data, [name]: invalid } })]).toEqual([name, false]);
    }
  });

  it('uses REST names although its texts come from the GraphQL schema and the error catalogue', () => {
    const { properties } = openApi.components.schemas.UpsertProfileRequest;
    expect(properties.category_id.description).toBe('Product category ID from GET /api/v1/products/categories.');
    expect(properties.company.description).toBe('Company ID from `leadCompanies` over GraphQL.');
    expect(JSON.stringify(openApi)).not.toMatch(/extensions\.|clientRequestId/);
  });

  it('describes response fields without untrue promises', async () => {
    const { schemas } = openApi.components;
    const order = schemas.OrdersSuccess.properties.data.items.properties;
    expect([order.code, order.reason, order.status].map(({ description }) => description)).toEqual([
      'Machine-readable error code of the failed order.',
      'Machine-readable reason.',
      'Latest known status.',
    ]);
    const { body } = await place(test, developer, { amount: 11 }, 'uat');
    expect(body.data.client_request_id).toBe('');
    // the value is "" after a success and null while the outcome is unknown, so the text promises neither
    const { description } = schemas.RechargeSuccess.properties.data.properties.client_request_id;
    expect(description).toBe('Idempotency key sent by the client, if any.');
  });

  it('marks exactly the mandatory request fields as required', async () => {
    for (const route of routes.filter((candidate) => openApi.paths[candidate.path].post?.requestBody)) {
      const { required } = openApi.components.schemas[`${operationOf(route).name!.value}Request`] ?? {};
      if (required === undefined) continue;
      const { body } = await test.rest('uat', 'POST', route.path, developer.tokens.uat, {});
      expect(
        Object.keys(body.errors)
          .filter((name) => required.includes(name))
          .toSorted(),
        route.path,
      ).toEqual([...required].toSorted());
    }
  });
});

describe('Production documents', () => {
  it.each(['/openapi.json', '/openapi-3.0.json', '/docs'])(
    'contain no examples in %s that work only in UAT',
    async (path) => {
      const text = await (await fetch(`${test.urls.production}${path}`)).text();
      expect(text).toContain('cid_live_…');
      for (const onlyUat of [/[_-]uat[_-]/i, /environment\W+uat\b/, /BS-LEAD-987654/, /aUczK1BLSAMPLE/])
        expect(text).not.toMatch(onlyUat);
      // magic numbers belong to real people in Production, so examples with them use the UAT host
      const calls = text.split('curl ').filter((call) => /98765400\d\d/.test(call.split('</pre>')[0]!));
      for (const call of calls) expect(call).toContain(test.urls.uat);
      if (path !== '/docs') expect(text).not.toMatch(/98765400\d\d/);
    },
  );
});
