import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import { testEnvironment } from '../support/app.js';
import { logLines } from '../support/log-lines.js';
import { useOwnApp } from '../support/use-app.js';

const FRIEND = 'https://partner.example';
const SHOP = 'https://shop.example';
const LOCAL = 'http://localhost:5173';
const lines = logLines();
const test = useOwnApp(
  {
    CORS_ORIGINS_UAT: `${FRIEND}/, loopback, https://other.example`,
    CORS_ORIGINS_PRODUCTION: SHOP,
  },
  lines.log,
);
let own: string;
beforeAll(async () => {
  own = test.urls.console;
});

const send = (host: 'uat' | 'production' | 'console', origin: string | undefined, method = 'POST', path = '/graphql') =>
  fetch(`${test.urls[host]}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
    ...(method === 'POST' ? { body: JSON.stringify({ query: '{ __typename }' }) } : {}),
  });
const preflight = (host: 'uat' | 'production' | 'console', origin: string, path = '/graphql') =>
  fetch(`${test.urls[host]}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('CORS in UAT', () => {
  it('allows pages of the console and of the listed origins', async () => {
    const local = [LOCAL, 'http://localhost', 'http://127.0.0.1:3000', 'http://[::1]:8080'];
    for (const origin of [own, FRIEND, 'https://other.example', ...local]) {
      const { status, headers } = await preflight('uat', origin);
      expect([origin, status, headers.get('access-control-allow-origin')]).toEqual([origin, 204, origin]);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
      const accepted = headers.get('access-control-allow-headers')!.split(', ');
      expect(accepted.slice(0, 4)).toEqual(['authorization', 'content-type', 'accept', 'idempotency-key']);
      // Headers that an application with tracing adds to every request.
      expect(accepted).toEqual(expect.arrayContaining(['traceparent', 'baggage', 'sentry-trace', 'x-request-id']));
      const response = await send('uat', origin);
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(response.headers.get('access-control-expose-headers')).toContain('retry-after');
    }
  });

  it('shows these pages errors and REST paths, too', async () => {
    const response = await send('uat', own, 'GET', '/api/v1/auth/me');
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, own]);
    expect((await preflight('uat', own, '/api/v1/recharge')).status).toBe(204);
  });

  it.each([
    'https://evil.example',
    'null',
    `${FRIEND}.evil.example`,
    'http://partner.example',
    'loopback',
    `${LOCAL}.evil.example`,
    'http://localhost.evil.example',
    'http://127.0.0.2:5173',
    'http://evil.example:5173',
  ])('sends no CORS headers to %s', async (origin) => {
    for (const { headers } of [await preflight('uat', origin), await send('uat', origin)]) {
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toBe('Origin');
    }
  });

  it.each(['https://evil.example', 'null', 'capacitor://localhost'])(
    'names the setting and the origin when it rejects a preflight of %s',
    async (origin) => {
      const message = `Origin ${origin} is not listed in CORS_ORIGINS_UAT, so its pages cannot call this host.`;
      const response = await preflight('uat', origin, '/api/v1/recharge');
      expect([response.status, response.headers.get('x-cors-error')]).toEqual([403, message]);
      expect(await response.json()).toMatchObject({ status: 'error', code: 'CROSS_ORIGIN_FORBIDDEN', message });
      expect(await lines.ofRequest(response.headers.get('x-request-id'))).toMatchObject({
        origin,
        httpStatus: 403,
        code: 'CROSS_ORIGIN_FORBIDDEN',
      });
      const { errors } = (await (await preflight('uat', origin)).json()) as { errors: { message: string }[] };
      expect(errors[0]!.message).toBe(message);
    },
  );

  it.each(['https://evil.example/<script>', '9876543210', `https://${'x'.repeat(300)}`])(
    'does not repeat an invalid Origin header: %s',
    async (origin) => {
      const response = await preflight('uat', origin, '/api/v1/recharge');
      const message = 'The origin of this page is not listed in CORS_ORIGINS_UAT, so its pages cannot call this host.';
      expect([response.status, response.headers.get('x-cors-error')]).toEqual([403, message]);
      expect(await response.text()).not.toContain(origin);
      expect((await lines.ofRequest(response.headers.get('x-request-id'))).origin).toBe('invalid');
    },
  );

  it('rejects an OPTIONS request that is not a preflight as a method that is not allowed', async () => {
    const { status, headers } = await fetch(`${test.urls.uat}/graphql`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect([status, headers.get('allow'), headers.get('x-cors-error')]).toEqual([405, 'POST', null]);
  });

  it('never allows cookies', async () => {
    for (const { headers } of [await preflight('uat', own), await send('uat', own)])
      expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('changes nothing for clients other than browsers', async () => {
    const { status, headers } = await send('uat', undefined);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});

it('CORS in Production allows the origins of its own list, and no other', async () => {
  const preflightResponse = await preflight('production', SHOP);
  expect([preflightResponse.status, preflightResponse.headers.get('access-control-allow-origin')]).toEqual([204, SHOP]);
  expect((await send('production', SHOP)).headers.get('access-control-allow-origin')).toBe(SHOP);
  for (const origin of [own, FRIEND]) {
    const response = await preflight('production', origin);
    const message = `Origin ${origin} is not listed in CORS_ORIGINS_PRODUCTION, so its pages cannot call this host.`;
    expect([response.status, response.headers.get('x-cors-error')]).toEqual([403, message]);
    expect((await send('production', origin)).headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await send('uat', SHOP)).headers.get('access-control-allow-origin')).toBeNull();
});

it('CORS is disabled on the console, and in Production without listed origins', async () => {
  const unset = loadConfig(testEnvironment('postgres://localhost/x', 'http://127.0.0.1:1', [1, 2, 3]));
  expect([unset.uatOrigins, unset.productionOrigins]).toEqual([[], []]);
  const host = 'console';
  for (const origin of [own, FRIEND, SHOP]) {
    const response = await preflight(host, origin);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const message = `Origin ${origin} is not the origin of the console, so its pages cannot call this host.`;
    expect(response.headers.get('x-cors-error')).toBe(message);
    expect((await send(host, origin)).headers.get('access-control-allow-origin')).toBeNull();
  }
});

it('the service does not start with an invalid origin', () => {
  const environment = testEnvironment('postgres://localhost/x', 'http://127.0.0.1:1', [1, 2, 3]);
  for (const invalid of ['*', 'partner.example', 'ftp://partner.example', 'loopbacks'])
    for (const setting of ['CORS_ORIGINS_UAT', 'CORS_ORIGINS_PRODUCTION'])
      expect(() => loadConfig({ ...environment, [setting]: invalid })).toThrow(ConfigError);
  expect(() => loadConfig({ ...environment, CORS_ORIGINS_PRODUCTION: `${SHOP},loopback` })).toThrow(
    'CORS_ORIGINS_PRODUCTION: must not be loopback, which is accepted only for UAT',
  );
});
