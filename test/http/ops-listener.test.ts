import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { FROM_TEST, seed, testEnvironment } from '../support/app.js';
import { NAMES, useAppBehindProxy } from './behind-proxy.fixture.js';

const HOSTS = ['uat', 'production', 'console'] as const;
const SECURE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(/\bcamera=\(\), .*\bgeolocation=\(\), .*\bpayment=\(\)/),
};

const test = useAppBehindProxy();
let ops: string;
beforeAll(async () => {
  ops = `http://127.0.0.1:${(test.app.ops!.server.address() as AddressInfo).port}`;
});

const send = (host: (typeof HOSTS)[number], url: string, method: 'GET' | 'POST' = 'GET', payload?: object) =>
  test.app.hosts.get(host)!.inject({ method, url, headers: { host: NAMES[host] }, ...(payload ? { payload } : {}) });

describe('health and metrics', () => {
  it('of a process have a separate listener', async () => {
    for (const [path, text] of [
      ['/livez', '{"status":"ok"}'],
      ['/readyz', '{"status":"ready"}'],
      ['/version', '"node":'],
      ['/metrics', 'gateway_request_duration_seconds'],
    ]) {
      const response = await fetch(`${ops}${path}`);
      expect([response.status, response.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
      expect(await response.text()).toContain(text);
    }
    const other = await fetch(`${ops}/graphql`);
    expect([other.status, await other.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it('include the documents for administrators: each alert links to its runbook there', async () => {
    const page = async (path: string): Promise<string> => {
      const response = await fetch(`${ops}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    };
    const runbooks = await page('/docs/runbooks');
    const anchors = [...readFileSync('ops/alerts.yml', 'utf8').matchAll(/runbooks(?:\.md)?#(\w+)/g)];
    expect(anchors.length).toBeGreaterThan(50);
    for (const [, anchor] of anchors) expect(runbooks).toContain(` id="${anchor}"`);
    const front = await page('/docs');
    const places = [...front.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, place]) => place!);
    expect(places).toContain('/docs/files/ops/haproxy.cfg');
    const links = new Set<string>();
    for (const place of places)
      for (const [, link] of (await page(place)).matchAll(/href="(\/docs[^"#]*)/g)) links.add(link!);
    expect([...links].filter((link) => link !== '/docs' && !places.includes(link))).toEqual([]);
    expect(await page('/docs/files/ops/haproxy.cfg')).toBe(readFileSync('ops/haproxy.cfg', 'utf8'));
    for (const file of ['ops/secrets', 'ops/gateway.env', '../package.json', 'package.json'])
      expect((await fetch(`${ops}/docs/files/${file}`)).status).toBe(404);
  });

  it('include every file of ops for administrators', () => {
    const tracked = execFileSync('git', ['ls-files', 'ops', 'compose.yaml', '.env.example'], { encoding: 'utf8' });
    const { files, documents } = JSON.parse(readFileSync('ops/for-operators.json', 'utf8')) as Record<string, string[]>;
    const checkoutOnly =
      /^ops\/((alerts-.*test\.yml)|(advisories|pack|pin-images)\.mjs|for-operators\.json|play\.env)$/;
    const expectedFiles = tracked
      .trim()
      .split('\n')
      .filter((file) => !checkoutOnly.test(file));
    expect(files!.toSorted()).toEqual([...expectedFiles, 'CHANGELOG.md'].toSorted());
    const forDevelopers = [
      'architecture',
      'asvs',
      'benchmarks',
      'glossary',
      'integrating',
      'interface',
      'order-states',
      'owasp-api-top-10',
      'reference-limits',
    ];
    const documentNames = readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.slice(0, -'.md'.length));
    const listedNames = documents!.map((document) => document.slice('docs/'.length, -'.md'.length));
    expect(listedNames.toSorted()).toEqual(documentNames.filter((name) => !forDevelopers.includes(name)).toSorted());
  });

  it('are not exposed on the public hosts, except that the process is live', async () => {
    for (const host of HOSTS) {
      expect((await send(host, '/livez')).json()).toEqual({ status: 'ok' });
      for (const path of ['/readyz', '/version', '/metrics']) expect((await send(host, path)).statusCode).toBe(404);
    }
  });

  it('listen on the loopback interface by default', () => {
    const opsOf = (settings: Record<string, string>) =>
      loadConfig({ ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]), ...settings }).ops;
    expect(opsOf({ HEALTH_ON_HOSTS: '' })).toEqual({ host: '127.0.0.1', port: 4004, onHosts: false });
    expect(opsOf({ HEALTH_ON_HOSTS: 'true' })).toEqual({ host: '127.0.0.1', port: undefined, onHosts: true });
    expect(opsOf({ HEALTH_ON_HOSTS: 'true', OPS_PORT: '5004', OPS_HOST: '10.0.0.1' })).toEqual({
      host: '10.0.0.1',
      port: 5004,
      onHosts: true,
    });
  });
});

it('the session cookie of the console is accepted only from pages of the console, by scheme, host and port', async () => {
  const [email, password] = ['cookie@test.example', 'correct horse battery'];
  await test.app.users.create({ email, name: 'Admin', password, role: 'admin' }, seed);
  const { token } = await test.app.sessions.signIn({ email, password }, FROM_TEST);
  const codesFor = async (origin: string) => {
    const headers = { host: NAMES.console, origin, cookie: `__Host-session=${token}` };
    const payload = { query: '{ viewer { user { email } } }' };
    const response = await test.app.hosts.get('console')!.inject({ method: 'POST', url: '/graphql', headers, payload });
    return (response.json().errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
  };
  expect(await codesFor(`https://${NAMES.console}`)).toEqual([]);
  for (const origin of [`http://${NAMES.console}`, `https://${NAMES.console}:8443`, `https://${NAMES.uat}`, 'null'])
    expect([origin, await codesFor(origin)]).toEqual([origin, ['UNAUTHENTICATED']]);
});

describe('every response', () => {
  const signIn = { query: 'mutation { signIn(input: {email: "x@x.example", password: "wrong"}) { token } }' };
  const exchange = { client_id: 'cid_uat_x', api_secret: 'wrong', environment: 'uat' };
  it.each([
    ['a token exchange', 'uat', '/api/v1/auth/client-credentials', exchange, 401],
    ['GraphQL', 'production', '/graphql', { query: '{ __typename }' }, 200],
    ['a sign-in', 'console', '/graphql', signIn, undefined],
    ['a call without a token', 'uat', '/api/v1/recharge', {}, 401],
    ['an unknown path', 'console', '/nothing', undefined, 404],
    ['a probe', 'uat', '/livez', undefined, 200],
  ] as const)('is not cacheable, and browsers do not guess its type: %s', async (_case, host, url, payload, status) => {
    const response = await send(host, url, payload ? 'POST' : 'GET', payload);
    if (status !== undefined) expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject(SECURE);
  });

  it('has the same security headers on each host, whatever its status', async () => {
    const statuses = new Set<number>();
    const json = { 'content-type': 'application/json' };
    for (const host of HOSTS) {
      const responses = [
        { url: '/livez' },
        { url: '/nothing' },
        { url: '/graphql', method: 'DELETE' },
        { url: '/graphql', method: 'POST', headers: json, payload: '{' },
        { url: '/graphql', method: 'POST', headers: json, payload: '{"query":"{ viewer { permissions } me { id } }"}' },
        { url: '/graphql', method: 'POST', headers: json, payload: `{"query":"${'x'.repeat(600_000)}"}` },
        { url: '/graphql', method: 'POST', headers: { 'content-type': 'text/plain' }, payload: 'x' },
        { url: '/graphql', method: 'POST', headers: { ...json, authorization: 'Bearer at_live_x' }, payload: '{}' },
        { url: '/api/v1/wallet/balance' },
        { url: '/graphql', method: 'POST', headers: { ...json, host: 'another.example' }, payload: '{}' },
        { url: '/%', headers: {} },
      ] as const;
      for (const { url, method = 'GET', headers = {}, payload } of responses as readonly {
        url: string;
        method?: 'GET' | 'POST' | 'DELETE';
        headers?: Record<string, string>;
        payload?: string;
      }[]) {
        const request = { method, url, headers: { host: NAMES[host], ...headers }, ...(payload ? { payload } : {}) };
        const response = await test.app.hosts.get(host)!.inject(request);
        statuses.add(response.statusCode);
        const { 'cache-control': _, ...secure } = SECURE;
        expect([host, method, url, response.statusCode, response.headers]).toEqual([
          host,
          method,
          url,
          response.statusCode,
          expect.objectContaining(secure),
        ]);
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 415]));
  });

  it('except the API reference, which is the same for all callers and can be cached', async () => {
    for (const path of ['/docs', '/openapi.json', '/openapi-3.0.json'])
      expect((await send('uat', path)).headers).toMatchObject({ ...SECURE, 'cache-control': 'public, max-age=300' });
    expect((await send('console', '/')).headers).toMatchObject({ ...SECURE, 'cache-control': expect.any(String) });
    expect((await send('uat', '/docs')).headers['content-security-policy']).toContain("default-src 'none'");
  });
});
