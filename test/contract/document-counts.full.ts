import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, TestDeveloper } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';

const LIMIT = 6;
const SCHEMA = '{ __schema { queryType { name } } }';

const test = useOwnApp({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const codeOf = ({ body }: Answer): string => body.errors?.[0].extensions.code ?? 'answered';
const ask = (query: string, token?: string, host: 'uat' | 'console' = 'uat') => test.graphql(host, token, query);
async function codes(count: number, query: (n: number) => string, token?: string): Promise<string[]> {
  const seen: string[] = [];
  for (let n = 0; n < count; n++) seen.push(codeOf(await ask(query(n), token)));
  return seen;
}
const many = (count: number, code: string): string[] => Array.from({ length: count }, () => code);

function expectLimited(answer: Answer, endpoint: string, limit: number): void {
  expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(answer.headers.get('ratelimit-policy')).toBe(`"${endpoint}";q=${limit};w=60`);
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
}

describe('questions about the schema', () => {
  it('are answered so often in a minute, with headers that count down; then they are refused', async () => {
    const first = await ask(SCHEMA);
    expect([codeOf(first), first.headers.get('x-ratelimit-remaining')]).toEqual(['answered', String(LIMIT - 1)]);
    // another document is no new counter, and GET is none either
    expect(await codes(LIMIT - 2, (n) => `{ __type(name: "T${n}") { name } }`)).toEqual(many(LIMIT - 2, 'answered'));
    const get = await test.rest('uat', 'GET', `/graphql?query=${encodeURIComponent(SCHEMA)}`);
    expect(codeOf(get)).toBe('answered');
    expectLimited(await ask(SCHEMA), 'introspection', LIMIT);
    expectLimited(
      await test.rest('uat', 'GET', `/graphql?query=${encodeURIComponent(SCHEMA)}`),
      'introspection',
      LIMIT,
    );
  });

  it('of a token have a count of their own, as have those of another host; other documents go on', async () => {
    expect(await codes(LIMIT + 1, () => SCHEMA, developer.tokens.uat)).toEqual([
      ...many(LIMIT, 'answered'),
      'RATE_LIMITED',
    ]);
    expect(codeOf(await ask(SCHEMA, undefined, 'console'))).toBe('answered');
    expect(codeOf(await ask('{ __typename }'))).toBe('answered');
    expect(codeOf(await ask('{ me { id } }', developer.tokens.uat))).toBe('answered');
  });
});

describe('invalid documents', () => {
  const invalid = [
    '{ nothing }',
    '{ not a document',
    `{ ${'a: __typename '.repeat(21)} }`,
    'mutation { issueToken(input: 1) { token } }',
  ];

  it('are answered twice as often in a minute, of every kind together; then no document is looked at', async () => {
    const expected = ['INVALID_DOCUMENT', 'INVALID_DOCUMENT', 'INVALID_DOCUMENT', 'VALIDATION_FAILED'];
    expect(await codes(2 * LIMIT, (n) => invalid[n % 4]!)).toEqual([...expected, ...expected, ...expected]);
    for (const query of [...invalid, '{ __typename }']) expectLimited(await ask(query), 'invalid-documents', 2 * LIMIT);
  });

  it('of strangers stop nobody who has a token', async () => {
    expect(codeOf(await ask('{ __typename }'))).toBe('RATE_LIMITED');
    expect(codeOf(await ask('{ me { name } }', developer.tokens.uat))).toBe('answered');
  });

  it('of a token stop new documents of it, and not those that were valid before', async () => {
    const { uat } = developer.tokens;
    const known = '{ wallet { environment } }';
    // kept from its second answer on
    for (let times = 0; times < 2; times++) expect(codeOf(await ask(known, uat))).toBe('answered');
    expect(await codes(2 * LIMIT, (n) => `{ nothing${n} }`, uat)).toEqual(many(2 * LIMIT, 'INVALID_DOCUMENT'));
    expect(codeOf(await ask('{ wallet { balance } }', uat))).toBe('RATE_LIMITED');
    expect(codeOf(await ask(known, uat))).toBe('answered');
    expect((await test.rest('uat', 'GET', '/api/v1/auth/me', uat)).status).toBe(200);
  });
});

describe('documents of strangers that need no token', () => {
  const STRANGERS = 20 * LIMIT;

  it.each([
    ['production', 0],
    // a question about its schema, above
    ['console', 1],
  ] as const)('are answered twenty times as often in a minute as an account may call: on %s', async (host, before) => {
    const send = (query: string, token?: string) => test.graphql(host, token, query);
    // known ones, new ones, and those of a token that is none
    const queries = ['{ __typename }', '{ again: __typename }', 'query Third { __typename }'];
    const answers = await Promise.all(
      Array.from({ length: STRANGERS - before }, (_, n) =>
        send(queries[n % 3]!, n % 5 === 0 ? 'at_uat_none' : undefined),
      ),
    );
    expect(answers.map(codeOf)).toEqual(many(STRANGERS - before, 'answered'));
    for (const query of [queries[0]!, 'query New { __typename }'])
      expectLimited(await send(query), 'anonymous-documents', STRANGERS);
    // what needs a token is refused for that
    expect(codeOf(await send(host === 'console' ? '{ viewer { user { id } } }' : '{ me { id } }'))).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('stop nobody who has a token, and are seen by monitoring', async () => {
    expect(codeOf(await test.graphql('production', developer.tokens.production, '{ __typename }'))).toBe('answered');
    expect(await test.app.metrics.text()).toMatch(/gateway_rate_limited_total\{endpoint="anonymous-documents"\} [4-9]/);
  });
});
