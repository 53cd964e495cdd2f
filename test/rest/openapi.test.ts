import { beforeAll, describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { declineReasons } from '../../src/providers/decline-reasons.js';
import { filledPath, parametersOf } from '../../src/rest/path.js';
import { operationOf, type RestRoute } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import type { Answer, TestDeveloper } from '../support/app.js';
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
  ['get', '/api/v1/operators'],
  ['get', '/api/v1/circles'],
  ['get', '/api/v1/banks'],
  ['get', '/api/v1/wallet/balance'],
  ['get', '/api/v1/wallet/statement'],
  ['get', '/api/v1/orders'],
  ['post', '/api/v1/webhooks'],
  ['get', '/api/v1/webhooks'],
  ['post', '/api/v1/webhooks/{id}/rotate'],
  ['post', '/api/v1/webhooks/{id}/disable'],
  ['post', '/api/v1/webhooks/{id}/enable'],
  ['post', '/api/v1/webhooks/{id}/test'],
  ['get', '/api/v1/webhooks/{id}/deliveries'],
  ['post', '/api/v1/webhooks/deliveries/{id}/redeliver'],
  ['delete', '/api/v1/webhooks/{id}'],
  ['post', '/api/v1/sandbox/scenario'],
  ['post', '/api/v1/sandbox/refill'],
];

const test = useSharedApp();
let developer: TestDeveloper;
let openApi: any;
let page: Answer;
beforeAll(async () => {
  developer = await test.developer();
  openApi = (await test.rest('uat', 'GET', '/openapi.json')).body;
  page = await test.rest('uat', 'GET', '/docs');
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
  if ('id' in example) {
    const { tokens } = developer;
    const list = await test.rest('uat', 'GET', '/api/v1/webhooks', tokens.uat);
    const endpoint: string = list.body.data[0].id;
    if (String(example.id).startsWith('whe_')) return { ...example, id: endpoint };
    const log = await test.rest('uat', 'GET', `/api/v1/webhooks/${endpoint}/deliveries`, tokens.uat);
    return { ...example, id: log.body.data[0].id };
  }
  return example;
}

/** The URL of a call, and its body where it has one. */
function requestOf({ method, path }: RestRoute, example: Record<string, unknown>): [url: string, body?: object] {
  const others = Object.entries(example).filter(([name]) => !parametersOf(path).includes(name));
  const url = filledPath(path, example);
  if (method === 'POST') return [url, others.length > 0 ? Object.fromEntries(others) : undefined];
  return [others.length > 0 ? `${url}?${new URLSearchParams(others as [string, string][])}` : url];
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
      const [url, body] = requestOf(route, example);
      const answer = await test.rest('uat', route.method, url, token, body);
      expect(answer.body.code).toBeUndefined();
      expect(answer.status).toBe(200);
      for (const name of Object.keys(route.fields)) {
        const described =
          operation.parameters?.find((parameter: { name: string }) => parameter.name === name) ??
          openApi.components.schemas[`${operation.operationId}Request`].properties[name];
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
    for (const route of routes.filter((one) => openApi.paths[one.path].post?.requestBody)) {
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

describe('/docs', () => {
  it('is one page that loads nothing from anywhere', () => {
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).not.toMatch(/<(script|link|img|iframe)|@import|url\(/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('says how long a token lives, and what to do then', () => {
    expect(page.body).toContain('ends after 30 days without use');
    expect(page.body).toContain('On 401 exchange the credentials again');
  });

  it('explains pending first, then every path, then every error', () => {
    const text = page.body as string;
    expect(text.indexOf('Never create a new order')).toBeLessThan(text.indexOf('<section'));
    for (const { path } of routes) expect(text).toContain(`<code>${path}</code>`);
    for (const code of Object.keys(errorCatalogue)) expect(text).toContain(`<code>${code}</code>`);
    for (const reason of Object.keys(declineReasons)) expect(text).toContain(`<code>${reason}</code>`);
  });
});
