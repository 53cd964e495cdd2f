import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { testEnvironment } from '../support/app.js';
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

const ask = (host: (typeof HOSTS)[number], url: string, method: 'GET' | 'POST' = 'GET', payload?: object) =>
  test.app.hosts.get(host)!.inject({ method, url, headers: { host: NAMES[host] }, ...(payload ? { payload } : {}) });

describe('health and metrics', () => {
  it('of a process are on a listener of their own', async () => {
    for (const [path, text] of [
      ['/livez', '{"status":"ok"}'],
      ['/readyz', '{"status":"ready"}'],
      ['/version', '"node":'],
      ['/metrics', 'gateway_request_duration_seconds'],
    ]) {
      const answer = await fetch(`${ops}${path}`);
      expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
      expect(await answer.text()).toContain(text);
    }
    const other = await fetch(`${ops}/graphql`);
    expect([other.status, await other.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it('are nothing that the hosts tell a stranger, but that they live', async () => {
    for (const host of HOSTS) {
      expect((await ask(host, '/livez')).json()).toEqual({ status: 'ok' });
      for (const path of ['/readyz', '/version', '/metrics']) expect((await ask(host, path)).statusCode).toBe(404);
    }
  });

  it('listen on the loopback interface, unless the settings say otherwise', () => {
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

describe('every answer', () => {
  const signIn = { query: 'mutation { signIn(input: {email: "x@x.example", password: "wrong"}) { token } }' };
  const exchange = { client_id: 'cid_uat_x', api_secret: 'wrong', environment: 'uat' };
  it.each([
    ['a token exchange', 'uat', '/api/v1/auth/client-credentials', exchange, 401],
    ['GraphQL', 'production', '/graphql', { query: '{ __typename }' }, 200],
    ['a sign-in', 'console', '/graphql', signIn, undefined],
    ['a call without a token', 'uat', '/api/v1/recharge', {}, 401],
    ['an unknown path', 'console', '/nothing', undefined, 404],
    ['a probe', 'uat', '/livez', undefined, 200],
  ] as const)('is kept by nobody and guessed at by nobody: %s', async (_case, host, url, payload, status) => {
    const answer = await ask(host, url, payload ? 'POST' : 'GET', payload);
    if (status !== undefined) expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject(SECURE);
  });

  it('but the reference, which is the same for everybody and may be kept a while', async () => {
    for (const path of ['/docs', '/openapi.json', '/openapi-3.0.json'])
      expect((await ask('uat', path)).headers).toMatchObject({ ...SECURE, 'cache-control': 'public, max-age=300' });
    expect((await ask('console', '/')).headers).toMatchObject({ ...SECURE, 'cache-control': expect.any(String) });
    expect((await ask('uat', '/docs')).headers['content-security-policy']).toContain("default-src 'none'");
  });
});
