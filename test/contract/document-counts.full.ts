import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';

const LIMIT = 6;
const SCHEMA = '{ __schema { queryType { name } } }';

const test = useOwnApp({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const codeOf = ({ body }: TestResponse): string => body.errors?.[0].extensions.code ?? 'answered';
const execute = (query: string, token?: string, host: 'uat' | 'console' = 'uat') => test.graphql(host, token, query);
async function codes(count: number, query: (n: number) => string, token?: string): Promise<string[]> {
  const reported: string[] = [];
  for (let n = 0; n < count; n++) reported.push(codeOf(await execute(query(n), token)));
  return reported;
}
const repeat = (count: number, code: string): string[] => Array.from({ length: count }, () => code);

function expectLimited(response: TestResponse, endpoint: string, limit: number): void {
  expect([response.status, codeOf(response)]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(response.headers.get('ratelimit-policy')).toBe(`"${endpoint}";q=${limit};w=60`);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
}

describe('introspection queries', () => {
  it('are limited per minute, with rate limit headers, and then rejected', async () => {
    const first = await execute(SCHEMA);
    expect([codeOf(first), first.headers.get('x-ratelimit-remaining')]).toEqual(['answered', String(LIMIT - 1)]);
    // Another document or GET has the same counter.
    expect(await codes(LIMIT - 2, (n) => `{ __type(name: "T${n}") { name } }`)).toEqual(repeat(LIMIT - 2, 'answered'));
    const get = await test.rest('uat', 'GET', `/graphql?query=${encodeURIComponent(SCHEMA)}`);
    expect(codeOf(get)).toBe('answered');
    expectLimited(await execute(SCHEMA), 'introspection', LIMIT);
    expectLimited(
      await test.rest('uat', 'GET', `/graphql?query=${encodeURIComponent(SCHEMA)}`),
      'introspection',
      LIMIT,
    );
  });

  it('with a token and on another host have separate counters; other documents still run', async () => {
    expect(await codes(LIMIT + 1, () => SCHEMA, developer.tokens.uat)).toEqual([
      ...repeat(LIMIT, 'answered'),
      'RATE_LIMITED',
    ]);
    expect(codeOf(await execute(SCHEMA, undefined, 'console'))).toBe('answered');
    expect(codeOf(await execute('{ __typename }'))).toBe('answered');
    expect(codeOf(await execute('{ me { id } }', developer.tokens.uat))).toBe('answered');
  });
});

describe('invalid documents', () => {
  const invalid = [
    '{ nothing }',
    '{ not a document',
    `{ ${'a: __typename '.repeat(21)} }`,
    'mutation { issueToken(input: 1) { token } }',
  ];

  it('are limited to twice the number per minute, of all kinds together; then documents are rejected unread', async () => {
    const expected = ['INVALID_DOCUMENT', 'INVALID_DOCUMENT', 'INVALID_DOCUMENT', 'VALIDATION_FAILED'];
    expect(await codes(2 * LIMIT, (n) => invalid[n % 4]!)).toEqual([...expected, ...expected, ...expected]);
    for (const query of [...invalid, '{ __typename }'])
      expectLimited(await execute(query), 'invalid-documents', 2 * LIMIT);
  });

  it('of anonymous callers do not affect callers with a token', async () => {
    expect(codeOf(await execute('{ __typename }'))).toBe('RATE_LIMITED');
    expect(codeOf(await execute('{ me { name } }', developer.tokens.uat))).toBe('answered');
  });

  it('of a token block its new documents, but not its known valid ones', async () => {
    const { uat } = developer.tokens;
    const known = '{ wallet { environment } }';
    // Cached from the second use.
    for (let times = 0; times < 2; times++) expect(codeOf(await execute(known, uat))).toBe('answered');
    expect(await codes(2 * LIMIT, (n) => `{ nothing${n} }`, uat)).toEqual(repeat(2 * LIMIT, 'INVALID_DOCUMENT'));
    expect(codeOf(await execute('{ wallet { balance } }', uat))).toBe('RATE_LIMITED');
    expect(codeOf(await execute(known, uat))).toBe('answered');
    expect((await test.rest('uat', 'GET', '/api/v1/auth/me', uat)).status).toBe(200);
  });
});

describe('documents of anonymous callers that need no token', () => {
  const ANONYMOUS_LIMIT = 20 * LIMIT;

  it.each([
    ['production', 0],
    // The introspection query above.
    ['console', 1],
  ] as const)('are limited to twenty times the rate limit of an account: on %s', async (host, usedBefore) => {
    const send = (query: string, token?: string) => test.graphql(host, token, query);
    // Known documents, new ones, and those with an invalid token.
    const queries = ['{ __typename }', '{ again: __typename }', 'query Third { __typename }'];
    const responses = await Promise.all(
      Array.from({ length: ANONYMOUS_LIMIT - usedBefore }, (_, n) =>
        send(queries[n % 3]!, n % 5 === 0 ? 'at_uat_none' : undefined),
      ),
    );
    expect(responses.map(codeOf)).toEqual(repeat(ANONYMOUS_LIMIT - usedBefore, 'answered'));
    for (const query of [queries[0]!, 'query New { __typename }'])
      expectLimited(await send(query), 'anonymous-documents', ANONYMOUS_LIMIT);
    // Fields that need a token are rejected for that.
    expect(codeOf(await send(host === 'console' ? '{ viewer { user { id } } }' : '{ me { id } }'))).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('do not affect callers with a token, and are counted in a metric', async () => {
    expect(codeOf(await test.graphql('production', developer.tokens.production, '{ __typename }'))).toBe('answered');
    expect(await test.app.metrics.text()).toMatch(/gateway_rate_limited_total\{endpoint="anonymous-documents"\} [4-9]/);
  });
});
