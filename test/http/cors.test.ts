import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import { testEnvironment } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';

const FRIEND = 'https://partner.example';
const SHOP = 'https://shop.example';
const test = useOwnApp({
  CORS_ORIGINS_UAT: `${FRIEND}/, https://other.example`,
  CORS_ORIGINS_PRODUCTION: SHOP,
});
let own: string;
beforeAll(async () => {
  own = test.urls.console;
});

const ask = (host: 'uat' | 'production' | 'console', origin: string | undefined, method = 'POST', path = '/graphql') =>
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

describe('CORS on uat', () => {
  it('lets pages of the console and of the listed origins in', async () => {
    for (const origin of [own, FRIEND, 'https://other.example']) {
      const { status, headers } = await preflight('uat', origin);
      expect([origin, status, headers.get('access-control-allow-origin')]).toEqual([origin, 204, origin]);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
      const accepted = headers.get('access-control-allow-headers')!.split(', ');
      expect(accepted.slice(0, 4)).toEqual(['authorization', 'content-type', 'accept', 'idempotency-key']);
      // of an application with tracing, which adds them to every request
      expect(accepted).toEqual(expect.arrayContaining(['traceparent', 'baggage', 'sentry-trace', 'x-request-id']));
      const answer = await ask('uat', origin);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after');
    }
  });

  it('shows failures and REST paths to them too', async () => {
    const answer = await ask('uat', own, 'GET', '/api/v1/auth/me');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, own]);
    expect((await preflight('uat', own, '/api/v1/recharge')).status).toBe(204);
  });

  it.each(['https://evil.example', 'null', `${FRIEND}.evil.example`, 'http://partner.example'])(
    'tells nothing to %s',
    async (origin) => {
      for (const { headers } of [await preflight('uat', origin), await ask('uat', origin)]) {
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('vary')).toBe('Origin');
      }
    },
  );

  it('never allows cookies', async () => {
    for (const { headers } of [await preflight('uat', own), await ask('uat', own)])
      expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('changes nothing for programs', async () => {
    const { status, headers } = await ask('uat', undefined);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});

it('CORS of production lets in the origins of its own list, and no other', async () => {
  const listed = await preflight('production', SHOP);
  expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([204, SHOP]);
  expect((await ask('production', SHOP)).headers.get('access-control-allow-origin')).toBe(SHOP);
  for (const origin of [own, FRIEND]) {
    expect((await preflight('production', origin)).status).toBe(405);
    expect((await ask('production', origin)).headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await ask('uat', SHOP)).headers.get('access-control-allow-origin')).toBeNull();
});

it('CORS is off on the console, and on production where nobody lists an origin', async () => {
  const unset = loadConfig(testEnvironment('postgres://localhost/x', 'http://127.0.0.1:1', [1, 2, 3]));
  expect([unset.uatOrigins, unset.productionOrigins]).toEqual([[], []]);
  const host = 'console';
  for (const origin of [own, FRIEND, SHOP]) {
    const answer = await preflight(host, origin);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    expect((await ask(host, origin)).headers.get('access-control-allow-origin')).toBeNull();
  }
});

it('refuses to start with something that is no origin', () => {
  const environment = testEnvironment('postgres://localhost/x', 'http://127.0.0.1:1', [1, 2, 3]);
  for (const wrong of ['*', 'partner.example', 'ftp://partner.example'])
    expect(() => loadConfig({ ...environment, CORS_ORIGINS_PRODUCTION: wrong })).toThrow(ConfigError);
});
