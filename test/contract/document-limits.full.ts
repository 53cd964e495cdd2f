import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { FROM_TEST, seed, type TestDeveloper, type TestResponse } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { doublingFragments } from '../support/worst-documents.js';

const test = useSharedApp();
let developer: TestDeveloper;
let ownName: string;
beforeAll(async () => {
  developer = await test.developer();
  const { body } = await test.graphql('uat', developer.tokens.uat, '{ me { name } }');
  ownName = body.data.me.name;
});

const post = (query: string, host: 'uat' | 'production' = 'uat'): Promise<TestResponse> =>
  test.graphql(host, developer.tokens[host], query);
const times = (count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');

function expectRejected({ status, body }: TestResponse, message: RegExp): void {
  expect([status, body.data, body.errors.length]).toEqual([400, undefined, 1]);
  expect(body.errors[0].extensions.code).toBe('INVALID_DOCUMENT');
  expect(body.errors[0].message).toMatch(message);
}
const expectAccepted = ({ status, body }: TestResponse): void =>
  expect([status, body.errors]).toEqual([200, undefined]);

describe('depth', () => {
  // Inline fragments are not counted, fields are: wallet > statement > edges > node > kind has a depth of five.
  const nest = (depth: number): string => `{ me ${'{ ... on Account '.repeat(depth)} { id } ${'}'.repeat(depth)} }`;

  it('of five is accepted, and inline fragments add none', async () => {
    expectAccepted(await post('{ wallet { statement(first: 1) { edges { node { kind } } } } }'));
    expectAccepted(await post(nest(10)));
  });

  it('of ten is accepted: a statement of the wallet of the orders of a statement', async () => {
    const node = 'statement(first: 2) { edges { node';
    expectAccepted(await post(`{ wallet { ${node} { order { wallet { ${node} { kind } } } } } } } } } }`));
  });

  // No field of the API nests this deep: a document within the limit is rejected for an unknown field.
  it.each([
    [12, /^Cannot query field "a" on type "Query"\.$/],
    [13, /^The operation has too many levels\. The maximum is 12\.$/],
  ])('of %i is rejected, through fragments too, by %s', async (depth, expectedMessage) => {
    const path = `{ ${'a { '.repeat(depth - 1)} b ${'} '.repeat(depth - 1)} }`;
    expectRejected(await post(path), expectedMessage);
    expectRejected(await post(`query { ...F } fragment F on Query ${path}`), expectedMessage);
  });
});

describe('root fields', () => {
  const fields = (count: number) => `{ ${times(count, (n) => (n < 15 ? `m${n}: me { id }` : '__typename'))} }`;
  it('up to 20 are accepted', async () => expectAccepted(await post(fields(20))));
  it('21 are rejected', async () =>
    expectRejected(await post(fields(21)), /too many root fields\. The maximum is 20\./));
  it('are counted through fragments', async () => {
    const query = `{ ...A ...B } fragment A on Query { ${times(11, () => 'me { id }')} } fragment B on Query { ${times(10, () => 'me { id }')} }`;
    expectRejected(await post(query), /too many root fields/);
  });
});

describe('aliases', () => {
  it('up to 15 are accepted', async () => expectAccepted(await post(`{ ${times(15, (n) => `m${n}: me { id }`)} }`)));
  it('16 are rejected, including nested ones and those in fragments', async () => {
    expectRejected(await post(`{ ${times(16, (n) => `m${n}: me { id }`)} }`), /too many aliases\. The maximum is 15\./);
    expectRejected(await post(`{ me { ${times(16, (n) => `i${n}: id`)} } }`), /too many aliases/);
    expectRejected(
      await post(`{ a: me { ...F } b: me { ...F } } fragment F on Account { ${times(7, (n) => `i${n}: id`)} }`),
      /too many aliases/,
    );
  });
});

describe('tokens', () => {
  it('up to 2,000 are accepted, and one more is rejected first', async () => {
    const document = (tokens: number) => `{ me(ids: [${times(tokens - 12, () => '1')}]) { id } }`;
    expectRejected(await post(document(2_000)), /Unknown argument "ids"/);
    expectRejected(await post(document(2_001)), /too many tokens\. The maximum is 2000\./);
  });

  it('of one field a hundred times are rejected as too expensive to compare', async () => {
    expectAccepted(await post(`{ me { ${times(100, () => 'id')} } }`));
    expectRejected(
      await post(`{ me { ${times(102, () => 'id')} } }`),
      /too often\. The most frequent is id, 102 times\. .* cost of 10302\. The maximum is 10000\./,
    );
    expectRejected(await post(`{ me { ${times(1_001, () => 'id')} } }`), /too many fields\. The maximum is 1000\./);
  });
});

describe('fragments', () => {
  it.each(['uat', 'production', 'console'] as const)(
    'that double at every level are rejected on %s, whatever their expanded size',
    async (host) => {
      const tooManySpreads = /too many fragment spreads\. The maximum is 50\./;
      expectRejected(await test.graphql(host, undefined, doublingFragments(100)), tooManySpreads);
      expectRejected(await test.graphql(host, undefined, doublingFragments(20)), /too many root fields/);
      const got = await test.rest(host as 'uat', 'GET', `/graphql?query=${encodeURIComponent(doublingFragments(100))}`);
      expectRejected(got, tooManySpreads);
    },
  );

  it('that double inside introspection are rejected too', async () => {
    const source = `{ __schema { ...f0 } } ${times(20, (n) => `fragment f${n} on __Schema { ...f${n + 1} ...f${n + 1} }`)} fragment f20 on __Schema { description }`;
    for (const host of ['uat', 'console'] as const)
      expectRejected(await test.graphql(host, undefined, source), /too many fields/);
  });

  it('that form a cycle are rejected', async () => {
    expectRejected(await post('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'), /form a cycle/);
  });
});

describe('an error in the document', () => {
  it.each([
    ['4111111111111111', '1, column 1: unexpected a whole number'],
    ['{ me { id } }\n  sk_uat_secret', '2, column 3: unexpected a name'],
    ['{ me(a: "sk_uat_secret) }', '1, column 26: string without a closing quote'],
    ['{ me { id }', '1, column 12: expected a name, found the end of the document'],
    ['{ me { id } } }', '1, column 15: unexpected "}"'],
    ['{ me(a "sk_uat_secret") }', '1, column 8: expected ":", found a string'],
    ["{ me(a: 'sk_uat_secret') }", '1, column 9: strings require double quotes'],
    ['{ me { ...F } } fragment F sk_uat_secret { id }', '1, column 28: expected "on", found a name'],
    ['{ me(a: 0sk_uat_secret) }', '1, column 10'],
  ])('is reported with its location and the kind of token there, without values: %s', async (source, problem) => {
    const { body } = await post(source);
    expect(body.errors[0].extensions.code).toBe('INVALID_DOCUMENT');
    expect(body.errors[0].message).toBe(`Syntax error at line ${problem}.`);
  });

  it('in a literal never includes the literal', async () => {
    const secret = '4111111111111111';
    const invalid: [source: string, fields: [path: string, rule: string][]][] = [
      [`{ me @include(if: "${secret}") { id } }`, [['if', 'TYPE']]],
      [`{ me @include(if: ${secret}) { id } }`, [['if', 'TYPE']]],
      [`query($v: Boolean = ${secret}) { me @include(if: $v) { id } }`, [['v', 'TYPE']]],
      [
        `{ order(kind: "${secret}", clientRequestId: [{ a: ${secret} }]) { id } }`,
        [
          ['kind', 'ENUM'],
          ['clientRequestId', 'TYPE'],
        ],
      ],
    ];
    for (const [source, fields] of invalid) {
      const { status, body } = await post(source);
      const reported = body.errors[0].extensions.fields.map(({ path, rule }: Record<string, string>) => [path, rule]);
      expect([source, status, reported]).toEqual([source, 400, fields]);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it('has a short message, however long the names in the document are', async () => {
    const { body } = await post(`{ ${times(20, (n) => `f${n}${'a'.repeat(3_000)}`)} }`);
    expect(body.errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  });
});

describe('without a token', () => {
  it('a document that needs a token is rejected for that, whatever else is wrong with it', async () => {
    const { status, body } = await test.graphql('uat', undefined, '{ me { nothing(a: 1) } }');
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('one request, one operation', () => {
  it('batches are rejected', async () => {
    for (const body of [[{ query: '{ me { id } }' }], [], [{ query: '{ me { id } }' }, { query: '{ me { id } }' }]]) {
      const { status, body: responseBody } = await test.rest('uat', 'POST', '/graphql', developer.tokens.uat, body);
      expect([status, responseBody.data, responseBody.errors[0].extensions.code]).toEqual([
        400,
        undefined,
        'MALFORMED_REQUEST',
      ]);
      expect(responseBody.errors[0].extensions.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('at most one field can move money; otherwise nothing runs', async () => {
    const recharge = (alias: string) =>
      `${alias}: recharge(input: {accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "${alias}"}) { order { status } }`;
    const balanceBefore = await test.balance(developer, 'uat');
    expectRejected(
      await post(`mutation { ${recharge('a')} ${recharge('b')} }`),
      /An operation can contain at most one field that moves money/,
    );
    expectRejected(
      await post(`mutation { ...A ${recharge('b')} } fragment A on Mutation { ${recharge('a')} }`),
      /at most one field that moves money/,
    );
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
    expectAccepted(await post(`mutation { ${recharge('a')} }`));
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore - 10);
  });

  it('with several operations requires an operation name', async () => {
    const query = 'query A { me { id } } query B { me { name } }';
    expectRejected(await post(query), /operation/i);
    const response = await test.rest('uat', 'POST', '/graphql', developer.tokens.uat, { query, operationName: 'B' });
    expect(response.body.data).toEqual({ me: { name: ownName } });
  });
});

describe('GET', () => {
  const get = (host: 'uat' | 'production' | 'console', query: string, more = '') =>
    test.rest(host as 'uat', 'GET', `/graphql?query=${encodeURIComponent(query)}${more}`, developer.tokens.uat);

  const LOOKUP = 'operatorFind(input: {mobile: "9876543210", clientRequestId: "get"}) { fee }';

  it.each(['uat', 'production'] as const)('runs queries without fees, for a caller with a token: %s', async (host) => {
    const me = { me: { name: ownName } };
    const send = (query: string, more = '', token: string | undefined = developer.tokens[host]) =>
      test.rest(host, 'GET', `/graphql?query=${encodeURIComponent(query)}${more}`, token);
    for (const query of ['{ me { name } }', '{ ...F } fragment F on Query { me { name } }'])
      expect((await send(query)).body).toEqual({ data: me });
    const variables = encodeURIComponent(JSON.stringify({ t: 'DTH' }));
    const { body } = await send('query($t: OperatorType) { operators(type: $t) { type } }', `&variables=${variables}`);
    expect(new Set(body.data.operators.map(({ type }: { type: string }) => type))).toEqual(new Set(['DTH']));
    expect((await send(`query A { me { name } } query B { ${LOOKUP} }`, '&operationName=A')).body.data).toEqual(me);
    expect((await send('{ nothing }')).body.errors[0].extensions.code).toBe('INVALID_DOCUMENT');
    expect((await send('{ me { name } }', '', 'at_wrong')).status).toBe(401);
  });

  it('is rejected for other callers, with instructions', async () => {
    for (const host of ['uat', 'production', 'console'] as const) {
      const { status, body } = await test.rest(host as 'uat', 'GET', '/graphql?query={me{id}}');
      const expectedText = host === 'console' ? 'only introspection on this host' : 'preferGetMethod: false';
      expect([status, body.errors[0].message]).toEqual([405, expect.stringContaining(expectedText)]);
    }
    expect((await get('console', '{ viewer { user { id } } }')).status).toBe(405);
  });

  it.each([
    `{ ${LOOKUP} }`,
    `{ me { id } ...F } fragment F on Query { ${LOOKUP} }`,
    `query A { __typename } query B { ${LOOKUP} }`,
    '{ leadStatus(leadCode: "x") { fee } }',
    '{ productCategories { fee } }',
    'query A { me { id } } query C { me { id } }',
    'mutation { __typename }',
    'mutation { recharge(input: {accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE}) { order { status } } }',
    '{ not a document',
    '',
  ])('runs no field that may have a fee: %s', async (query) => {
    const { status, headers, body } = await get('uat', query, '&operationName=B');
    expect([status, headers.get('allow'), body.errors[0].extensions.code]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
    expect(body.errors[0].message).toContain('Send this operation by POST');
  });

  it('runs no introspection in Production', async () => {
    const query = encodeURIComponent('{ __schema { queryType { name } } }');
    expect((await test.rest('production', 'GET', `/graphql?query=${query}`)).status).toBe(405);
    const introspected = await test.rest('production', 'GET', `/graphql?query=${query}`, developer.tokens.production);
    expect(introspected.body.errors[0].message).toBe('Introspection is disabled on this host.');
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])('%s is not allowed', async (method) => {
    const { status, headers } = await test.rest('uat', method, '/graphql');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('introspection', () => {
  const FULL = getIntrospectionQuery({
    descriptions: true,
    inputValueDeprecation: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
  });

  it.each(['uat', 'console'] as const)('returns the full schema on %s, without a token', async (host) => {
    const { status, body } = await test.graphql(host, undefined, FULL);
    expect([status, body.errors]).toEqual([200, undefined]);
    const schema = buildClientSchema(body.data);
    const fields = Object.keys(schema.getMutationType()!.getFields());
    expect(fields.includes('recharge')).toBe(host === 'uat');
    expect(fields.includes('approveDeveloper')).toBe(host === 'console');
  });

  it('is disabled in Production, where suggestions name no field either', async () => {
    expectRejected(
      await post('{ __schema { types { name } } }', 'production'),
      /^Introspection is disabled on this host\.$/,
    );
    expectRejected(
      await post('{ __type(name: "Query") { name } }', 'production'),
      /^Introspection is disabled on this host\.$/,
    );
    expectRejected(await post('{ mee { id } }', 'production'), /^Cannot query field "mee" on type "Query"\.$/);
    expectAccepted(await post('{ __typename }', 'production'));
  });

  it('is enabled on the console, where suggestions name a field to signed-in users only', async () => {
    const email = 'suggestions@test.example';
    const password = 'correct horse battery';
    await test.app.users.create({ email, name: 'Admin', password, role: 'admin' }, seed);
    const { token } = await test.app.sessions.signIn({ email, password }, FROM_TEST);
    const misspelt = 'mutation { signInn { token } }';
    const messages = async (session: string | undefined) =>
      (await test.graphql('console', session, misspelt)).body.errors.map(({ message }: Error) => message);
    expect(await messages(token)).toEqual(expect.arrayContaining([expect.stringMatching(/Did you mean/)]));
    expect((await messages(undefined)).join()).not.toMatch(/Did you mean/);
  });

  it('is allowed once per document, and without aliases', async () => {
    expectRejected(await post('{ a: __schema { description } b: __schema { description } }'), /__schema too often/);
    const types = (count: number): string => `{ ${times(count, (n) => `t${n}: __type(name: "Account") { name }`)} }`;
    expectAccepted(await post(types(5)));
    expectRejected(await post(types(6)), /__type too often\. The maximum is 5\./);
    expectRejected(await post('{ __schema { a: types { name } b: types { name } } }'), /aliases inside __schema/);
    expectRejected(
      await post('{ __schema { types { fields { type { fields { name } } } } } }'),
      /too many nested lists of the schema/,
    );
  });

  it('cannot be nested into an expensive query', async () => {
    const list = 'fields { type { ';
    const heavy = `{ __schema { types { ${list.repeat(3)} fields { name } ${'} } '.repeat(3)} } } }`;
    expectRejected(await post(heavy), /too many nested lists of the schema/);
  });
});
