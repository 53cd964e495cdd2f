import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const EXCHANGE = '/api/v1/auth/client-credentials';
const FORM = 'application/x-www-form-urlencoded';
const CROSS_ORIGIN = 'https://evil.example';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const credentials = () => ({
  client_id: developer.keys.uat.clientId,
  api_secret: developer.keys.uat.apiSecret,
  environment: 'uat',
});
const exchange = (headers: Record<string, string>, fields: Record<string, string> = credentials()) => {
  const body = headers['content-type'] === FORM ? new URLSearchParams(fields).toString() : fields;
  return test.rest('uat', 'POST', EXCHANGE, undefined, body, headers);
};

describe('a token exchange that a page of another site triggers in a browser', () => {
  it.each<[string, Record<string, string>]>([
    ['a form', { 'content-type': FORM, origin: CROSS_ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['a form of an older browser', { 'content-type': FORM, origin: CROSS_ORIGIN }],
    ['a form of a page that hides its origin', { 'content-type': FORM, origin: 'null' }],
    [
      'a form of another host of the same site',
      { 'content-type': FORM, origin: CROSS_ORIGIN, 'sec-fetch-site': 'same-site' },
    ],
    ['JSON', { 'sec-fetch-site': 'cross-site' }],
    ['JSON with an Origin', { origin: CROSS_ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['a truncated body', { 'content-type': 'multipart/form-data; boundary=x', origin: CROSS_ORIGIN }],
  ])('is rejected even with a correct secret: %s', async (_name, headers) => {
    const { status, body } = await exchange(headers);
    expect([status, body.status, body.code]).toEqual([403, 'error', 'CROSS_ORIGIN_FORBIDDEN']);
    expect(body.message).toBe(
      'Cross-origin browser requests cannot exchange credentials. Call this endpoint from your server.',
    );
  });

  it('is rejected for a page of this host and port with another scheme', async () => {
    const origin = test.urls.uat.replace('http:', 'https:');
    const { status, body } = await exchange({ 'content-type': FORM, origin, 'sec-fetch-site': 'cross-site' });
    expect([status, body.code]).toEqual([403, 'CROSS_ORIGIN_FORBIDDEN']);
  });

  it('is not counted as a failed attempt, so a malicious page cannot block an office', async () => {
    const counters = () => test.db.query('select key, points from rate_limit order by key');
    const countersBefore = await counters();
    const headers = {
      'content-type': FORM,
      origin: CROSS_ORIGIN,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
    };
    const responses = await Promise.all(
      Array.from({ length: 110 }, (_, n) =>
        exchange(headers, { client_id: `cid_uat_${n}`, api_secret: 'x', environment: 'uat' }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([403]));
    expect(await counters()).toEqual(countersBefore);
    expect((await exchange({})).status).toBe(200);
  });

  it('is rejected over GraphQL, too; requests with a token are not checked', async () => {
    const { clientId, apiSecret } = developer.keys.uat;
    const send = async (query: string, token?: string) => {
      const headers = { 'sec-fetch-site': 'cross-site', origin: CROSS_ORIGIN };
      return test.rest('uat', 'POST', '/graphql', token, { query }, headers);
    };
    const input = `{ clientId: "${clientId}", apiSecret: "${apiSecret}", environment: UAT }`;
    const { status, body } = await send(`mutation { issueToken(input: ${input}) { token } }`);
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'CROSS_ORIGIN_FORBIDDEN']);
    expect((await send('{ me { name } }', developer.tokens.uat)).body.errors).toBeUndefined();
  });
});

it('a host without a list accepts preflights of the console only, not of the local machine', async () => {
  const statusFor = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    return (await fetch(`${test.urls.uat}${EXCHANGE}`, { method: 'OPTIONS', headers })).status;
  };
  expect(await statusFor(test.urls.console)).toBe(204);
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:5173', 'http://[::1]:5173'])
    expect(await statusFor(origin)).toBe(403);
});

describe('a token exchange from another source', () => {
  it.each<[string, () => Record<string, string>]>([
    ['a server', () => ({})],
    ['a form of curl', () => ({ 'content-type': FORM })],
    ['a server that names an Origin', () => ({ origin: CROSS_ORIGIN })],
    ['a page of this host', () => ({ 'content-type': FORM, origin: test.urls.uat, 'sec-fetch-site': 'same-origin' })],
    ['a URL typed by the user', () => ({ 'content-type': FORM, 'sec-fetch-site': 'none' })],
  ])('is accepted: %s', async (_name, headers) => {
    expect((await exchange(headers())).status).toBe(200);
  });

  it('is accepted for a page of a listed origin', async () => {
    const { status } = await fetch(`${test.urls.uat}${EXCHANGE}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: test.urls.console, 'sec-fetch-site': 'cross-site' },
      body: JSON.stringify(credentials()),
    });
    expect(status).toBe(200);
  });
});
