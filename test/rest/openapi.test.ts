import { beforeAll, describe, expect, it } from 'vitest';
import { operationOf } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

/** The paths of interface.md 4, endpoints. */
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
  ['get', '/api/v1/wallet/statement.csv'],
  ['get', '/api/v1/orders.csv'],
  ['get', '/api/v1/leads.csv'],
];

const test = useSharedApp();
let developer: TestDeveloper;
let openApi: any;
beforeAll(async () => {
  developer = await test.developer();
  openApi = (await test.rest('uat', 'GET', '/openapi.json')).body;
});

/** Examples hold what only this caller can know as samples. The rows stand in an order in which each finds what it asks for. */
async function runnable(example: Record<string, unknown>): Promise<Record<string, unknown>> {
  if ('client_id' in example)
    return { ...example, client_id: developer.keys.uat.clientId, api_secret: developer.keys.uat.apiSecret };
  if ('fetch_id' in example) {
    const { card, mobile, opcode } = example;
    const { body } = await test.rest(
      'uat',
      'POST',
      '/api/v1/bill-payment/credit-card/bill-fetch',
      developer.tokens.uat,
      { card, mobile, opcode, orderid: 'before-pay' },
    );
    return { ...example, fetch_id: body.data.fetch_id };
  }
  return example;
}

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 and holds exactly the documented paths', () => {
    expect(openApi.openapi).toBe('3.1.0');
    const described = Object.entries<object>(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(documented.map((row) => row.join(' ')).toSorted());
    expect(openApi.components.securitySchemes.token.description).toMatch(
      /30 days without use.*365 days.*On 401 exchange/,
    );
    expect(openApi.info.description).toMatch(/^A recharge or bill payment whose outcome is not known yet/);
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: the example works in UAT and the answer is as described',
    async (_name, route) => {
      const operation = openApi.paths[route.path][route.method.toLowerCase()];
      expect(operation.summary).toBeTruthy();
      expect(route.example, 'example').toBeDefined();
      const example = await runnable({ ...route.example });
      const token = operation.security.length > 0 ? developer.tokens.uat : undefined;
      const query =
        route.method === 'GET' && Object.keys(example).length > 0
          ? `?${new URLSearchParams(example as Record<string, string>)}`
          : '';
      const answer = await test.rest(
        'uat',
        route.method,
        `${route.path}${query}`,
        token,
        route.method === 'POST' ? example : undefined,
      );
      expect(answer.body.code).toBeUndefined();
      expect(answer.status).toBe(200);
      for (const name of Object.keys(route.fields)) {
        const described =
          route.method === 'GET'
            ? operation.parameters.find((parameter: { name: string }) => parameter.name === name)
            : openApi.components.schemas[`${operation.operationId}Request`].properties[name];
        expect(described?.description, name).toBeTruthy();
      }
    },
  );

  it('says which failures of a recharge are a verdict, and that pending is a 200', () => {
    const { responses, parameters } = openApi.paths['/api/v1/recharge'].post;
    expect(Object.keys(responses)).not.toContain('202');
    expect(Object.keys(responses[200].content['application/json'].schema.discriminator.mapping)).toEqual([
      'success',
      'pending',
    ]);
    const { schemas } = openApi.components;
    const failed = Object.keys(schemas).filter((name) => schemas[name].properties?.status?.const === 'failed');
    expect(failed.toSorted()).toEqual(['CardPaymentStatusFailed', 'RechargeRefused400Failed', 'RechargeStatusFailed']);
    expect(schemas.RechargeRefused400Failed.properties.code.enum).toEqual([
      'VALIDATION_FAILED',
      'INSUFFICIENT_BALANCE',
      'PROVIDER_DECLINED',
      'REVERSED',
    ]);
    expect(schemas.RechargeRefused400Error.properties.code.enum).toEqual(['MALFORMED_REQUEST']);
    expect(schemas.RechargeRefused409.properties.code.enum).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    expect(parameters).toEqual([expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false })]);
  });

  it('requires in the request exactly what a request must hold', async () => {
    for (const route of routes.filter(({ method, example }) => method === 'POST' && example)) {
      const { required } = openApi.components.schemas[`${operationOf(route).name!.value}Request`];
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
