import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';

const LIMIT = 3;
const test = useOwnApp({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const QUERY = '{ me { name } }';
const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', QUERY) } };
const HOSTS = ['uat', 'production', 'console'] as const;
type Host = (typeof HOSTS)[number];

/** `fetch` sends the Accept header `*\/*` by default. */
async function send(host: Host, init: RequestInit, search = ''): Promise<TestResponse> {
  const response = await fetch(`${test.urls[host]}/graphql${search}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const post = (host: Host, body: object, headers: Record<string, string> = {}) =>
  send(host, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const get = (host: Host, parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  send(host, { headers }, `?${new URLSearchParams(parameters)}`);

function expectNotSupported({ status, body }: TestResponse, expected: number): void {
  const [{ message, extensions: about }] = body.errors;
  expect([status, message, about.code]).toEqual([
    expected,
    'PersistedQueryNotSupported',
    'PERSISTED_QUERY_NOT_SUPPORTED',
  ]);
  expect(about.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(about.docUrl).toMatch(/\/docs\/errors#PERSISTED_QUERY_NOT_SUPPORTED$/);
  expect(body.data).toBeUndefined();
}

describe.each(HOSTS)('a hash without a document on the %s host', (host) => {
  it.each([
    ['*/*', 200],
    ['application/json', 200],
    ['application/graphql-response+json', 400],
    ['application/graphql-response+json, application/json, text/event-stream, multipart/mixed', 400],
  ])('is not supported: with Accept: %s the status is %i', async (accept, status) => {
    const hashed = { operationName: 'Me', variables: '{}', extensions: JSON.stringify(extensions) };
    expectNotSupported(await get(host, hashed, { accept }), status);
    expectNotSupported(await get(host, { ...hashed, query: '' }, { accept }), status);
    expectNotSupported(await post(host, { operationName: 'Me', variables: {}, extensions }, { accept }), status);
  });

  it('is not supported as a stream', async () => {
    expectNotSupported(await post(host, { extensions }, { accept: 'text/event-stream' }), 400);
  });
});

describe('by GET', () => {
  it('requires a document in any other case', async () => {
    for (const value of ['{}', 'null', '[]', '{"persistedQuery":null}']) {
      const { status, body } = await get('uat', { extensions: value });
      expect([value, status, body.errors[0].extensions.code]).toEqual([value, 405, 'METHOD_NOT_ALLOWED']);
    }
    const { status, body } = await get('uat', { extensions: '{' });
    expect([status, body.errors[0].message]).toEqual([400, 'The extensions are not valid JSON.']);
  });

  it('a hash in addition to a document is ignored', async () => {
    const { status, body } = await get('uat', { query: QUERY, extensions: JSON.stringify(extensions) });
    expect([status, body.errors[0].extensions.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });
});

it('is counted as a document for an anonymous caller, but not for a caller with a token', async () => {
  const anonymous = 20 * LIMIT;
  const seen = new Set<string>();
  let limited: TestResponse | undefined;
  for (let n = 0; n <= 2 * anonymous && !limited; n++) {
    const responses = [() => post('uat', { extensions }), () => get('uat', { extensions: JSON.stringify(extensions) })];
    const response = await responses[n % 2]!();
    if (response.status === 429) limited = response;
    else seen.add(response.body.errors[0].extensions.code);
  }
  expect([...seen]).toEqual(['PERSISTED_QUERY_NOT_SUPPORTED']);
  expect(limited?.headers.get('ratelimit-policy')).toBe(`"anonymous-documents";q=${anonymous};w=60`);
  const streamed = await post('uat', { extensions }, { accept: 'text/event-stream' });
  expect([streamed.status, streamed.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
  const authorization = `Bearer ${developer.tokens.uat}`;
  for (let n = 0; n <= 2 * LIMIT; n++) expectNotSupported(await post('uat', { extensions }, { authorization }), 200);
});
