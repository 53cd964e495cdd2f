import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_ROWS, type RowCost, RowCosts } from '../../src/graphql/documents/cost.js';
import { OperationErrors } from '../../src/graphql/documents/operation-errors.js';
import { Executor } from '../../src/graphql/execution/executor.js';
import { codesOf, useConsole } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';

const service = useConsole();
const { test } = service;
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

type Surface = 'api' | 'console';

function costOf(surface: Surface, source: string, variables: Record<string, unknown> = {}): RowCost {
  const schema = test.app.schemas[surface];
  const document = parse(source);
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  return new RowCosts(schema).of(document, getOperationAST(document)!, variables);
}
const rowsOf = (...args: Parameters<typeof costOf>): number => costOf(...args).rows;

const NODES = '{ edges { node { id } } }';

describe('the row cost of an operation', () => {
  it.each<[what: string, surface: Surface, source: string, rows: number]>([
    [
      'no list',
      'api',
      '{ me { id } wallet { balance } order(kind: RECHARGE, clientRequestId: "a") { wallet { id } } }',
      0,
    ],
    ['a page without a size', 'api', `{ orders ${NODES} }`, 20],
    ['a page by first', 'api', `{ orders(first: 7) ${NODES} }`, 7],
    ['a page by last', 'api', `{ orders(last: 8) ${NODES} }`, 8],
    ['a page whose size is null', 'api', `{ orders(first: null, last: null) ${NODES} }`, 20],
    ['a page with only pageInfo', 'api', '{ orders(first: 9) { pageInfo { hasNextPage } } }', 9],
    ['the nodes of a page', 'api', '{ orders(first: 9) { nodes { id timeline { at } } } }', 9 * 11],
    [
      'nodes in addition to edges',
      'api',
      '{ orders(first: 9) { edges { node { timeline { at } } } nodes { timeline { at } } } }',
      9 * (1 + 10 + 10),
    ],
    ['a nested page', 'api', `{ wallet { statement(first: 30) ${NODES} } }`, 30],
    ['aliases', 'api', `{ a: orders(first: 5) ${NODES} b: orders(first: 6) ${NODES} }`, 11],
    [
      'a page in a page',
      'console',
      `{ developers(first: 10) { edges { node { orders(first: 5) ${NODES} } } } }`,
      10 * (1 + 1 + 5),
    ],
    [
      'lists of lists',
      'console',
      `{ developers(first: 60) { edges { node { wallets { statement(first: 20) ${NODES} } } } } }`,
      60 * (1 + 2 * (1 + 10 + 20)),
    ],
    ['a list of the default length', 'api', '{ orders(first: 100) { edges { node { timeline { at } } } } }', 100 * 11],
    ['one row for each entry', 'api', '{ wallet { statement(first: 200) { edges { node { order { id } } } } } }', 400],
    [
      'fields next to the entries',
      'console',
      '{ reviewOrders(first: 3) { totals { count } edges { node { order { id } } } } }',
      13,
    ],
    ['a count next to the entries', 'console', '{ developers(first: 3) { totalCount } }', 3],
    ['keys', 'api', '{ ordersByKey(kind: RECHARGE, clientRequestIds: ["a", "b", "c"]) { timeline { at } } }', 33],
    ['one key instead of a list', 'api', '{ ordersByKey(kind: RECHARGE, clientRequestIds: "a") { id } }', 1],
    ['days', 'api', '{ wallet { days(from: "2026-01-01", to: "2026-01-31") { date } } }', 31],
    [
      'the product catalogue',
      'api',
      '{ productCategories { categories { products { details { url } } } } }',
      10 * (1 + 10 + 20 * 11),
    ],
    [
      'a provider response in one call',
      'api',
      '{ mobilePlans(input: { mobile: "9876543210", opcode: A, circle: "06", clientRequestId: "a" }) { groups { plans { price } } } }',
      0,
    ],
    ['tables in memory', 'api', '{ services { fee } operators { available } circles { name } banks { name } }', 0],
    [
      'a type condition',
      'api',
      `query { node(id: "x") { ... on Wallet { statement(first: 5) ${NODES} } ... on Order { timeline { at } } } }`,
      10,
    ],
    ['a nested type condition', 'api', '{ node(id: "x") { ... on Node { ... on Order { timeline { at } } } } }', 10],
    [
      'the payload of a mutation',
      'api',
      `mutation { recharge(input: { accountNumber: "9876543210", amount: 1, operatorSpKey: 116, operatorType: MOBILE }) { order { timeline { at } } wallet { statement(first: 3) ${NODES} } } }`,
      13,
    ],
    ['a subscription', 'api', 'subscription { orderChanged(id: "x") { timeline { at } } }', 10],
    ['introspection', 'api', '{ __schema { types { name } } __typename }', 0],
  ])('%s', (_name, surface, source, rows) => expect(rowsOf(surface, source)).toBe(rows));

  it('includes a field that is written several times once, also through fragments', () => {
    const source = `query {
      orders(first: 50) { edges { node { id } } }
      ...A ...B ...A
      ... on Query { orders(first: 50) { edges { node { timeline { at } } } } }
    }
    fragment A on Query { orders(first: 50) { edges { node { ...O } } } }
    fragment B on Query { orders(first: 50) { edges { node { ...O timeline { detail } } } } }
    fragment O on Order { timeline { kind } wallet { id } }`;
    expect(rowsOf('api', source)).toBe(50 * (1 + 10 + 1));
  });

  it('includes a fragment for each spread', () => {
    const source = `{ a: wallet { ...W } b: wallet { ...W } } fragment W on Wallet { statement(first: 4) ${NODES} }`;
    expect(rowsOf('api', source)).toBe(8);
  });

  it.each<[source: string, variables: Record<string, unknown>, rows: number]>([
    [`query($n: Int) { orders(first: $n) ${NODES} }`, { n: 12 }, 12],
    [`query($n: Int) { orders(first: $n) ${NODES} }`, {}, 20],
    [`query($n: Int) { orders(last: $n) ${NODES} }`, { n: null }, 20],
    [`query($n: Int = 33) { orders(first: $n) ${NODES} }`, {}, 33],
    [`query($n: Int = 33) { orders(first: $n) ${NODES} }`, { n: 34 }, 34],
    [`query($n: Int = 33) { orders(first: $n) ${NODES} }`, { n: null }, 20],
    [`query($constructor: Int) { orders(first: $constructor) ${NODES} }`, {}, 20],
    ['query($k: [String!]!) { ordersByKey(kind: RECHARGE, clientRequestIds: $k) { id } }', { k: ['a', 'b'] }, 2],
    ['query($k: String!) { ordersByKey(kind: RECHARGE, clientRequestIds: [$k, "b", "c"]) { id } }', { k: 'a' }, 3],
    [
      `query($y: Boolean!) { orders @include(if: $y) ${NODES} wallet { days(from: "2026-01-01", to: "2026-01-02") @skip(if: $y) { date } } }`,
      { y: true },
      20,
    ],
    [
      `query($y: Boolean!) { orders @include(if: $y) ${NODES} wallet { days(from: "2026-01-01", to: "2026-01-02") @skip(if: $y) { date } } }`,
      { y: false },
      2,
    ],
    [`query($y: Boolean = false) { ...F @include(if: $y) me { id } } fragment F on Query { orders ${NODES} }`, {}, 0],
  ])('%s with %j', (source, variables, rows) => expect(rowsOf('api', source, variables)).toBe(rows));

  it.each([
    `{ orders(first: 0) ${NODES} }`,
    `{ orders(first: -5) ${NODES} }`,
    `{ orders(first: 201) ${NODES} }`,
    `{ orders(last: 2147483647) ${NODES} }`,
    `{ orders(first: 5, last: 5) ${NODES} }`,
    `{ ordersByKey(kind: RECHARGE, clientRequestIds: [${'"k" '.repeat(51)}]) { id } }`,
    '{ wallet { days(from: "2026-01-31", to: "2026-01-01") { date } } }',
    '{ wallet { days(from: "2025-01-01", to: "2026-01-01") { date } } }',
  ])('ignores invalid arguments: %s', (source) => expect(rowsOf('api', source)).toBe(0));

  it('is computed once if it does not depend on variables, otherwise for each request', () => {
    const costs = new RowCosts(test.app.schemas.api);
    const twice = (source: string, firstVariables: object, secondVariables: object) => {
      const document = parse(source);
      return [firstVariables, secondVariables].map((variables) =>
        costs.of(document, getOperationAST(document)!, { ...variables }),
      );
    };
    const [first, second] = twice(`query($id: ID) { order(id: $id) { timeline { at } } }`, { id: 'a' }, { id: 'b' });
    expect(second).toBe(first);
    const rows = twice(`query($n: Int) { orders(first: $n) ${NODES} }`, { n: 1 }, { n: 2 }).map((cost) => cost.rows);
    expect(rows).toEqual([1, 2]);
    const included = twice(`query($y: Boolean!) { orders @include(if: $y) ${NODES} }`, { y: true }, { y: false });
    expect(included.map((cost) => cost.rows)).toEqual([20, 0]);
  });

  it('names the most expensive list, also below lists of lists', () => {
    const inner = `orders(first: 200) ${NODES}`;
    const { rejection } = costOf(
      'console',
      `{ approvalRequests(first: 200) { edges { node { developer { ${inner} } } } } }`,
    );
    expect(rejection?.message).toContain('The largest part (40000) is for Developer.orders.');
  });

  it('includes recursive fragments once for each fragment', () => {
    // Expanded, this would be two to the power of thirty fields.
    const fragments = Array.from(
      { length: 30 },
      (_, n) => `fragment F${n} on Order { ${n < 29 ? `wallet { ...W${n} } a: wallet { ...W${n} }` : 'id'} }
        fragment W${n} on Wallet { statement { edges { node { order { ...F${Math.min(n + 1, 29)} } } } } }`,
    );
    const document = parse(`{ orders { edges { node { ...F0 } } } } ${fragments.join(' ')}`);
    const { rows, rejection } = new RowCosts(test.app.schemas.api).of(document, getOperationAST(document)!, {});
    expect([rows, rejection?.message]).toEqual([1_000_000_000, expect.stringContaining('1000000000 or more')]);
  });
});

it('only a list of objects without a declared length prevents the start', () => {
  const schemaWith = (type: string) => buildSchema(`type Query { things: ${type} } type Thing { id: ID }`);
  expect(() => new RowCosts(schemaWith('[Thing!]!'))).toThrow('Query.things does not declare how many entries it has.');
  expect(() => new RowCosts(schemaWith('[String]'))).not.toThrow();
  expect(() => new RowCosts(schemaWith('Thing'))).not.toThrow();
});

const screens: [what: string, surface: Surface, source: string][] = [
  [
    '200 orders with their timelines',
    'api',
    '{ orders(first: 200) { edges { node { id timeline { at } wallet { held } nextCheckAt } } } }',
  ],
  [
    '200 statement entries with their orders',
    'api',
    '{ wallet { statement(first: 200) { edges { node { order { timeline { at } } lead { id } } } } } }',
  ],
  [
    'the product catalogue next to orders',
    'api',
    `{ productCategories { categories { products { details { url } } } } orders(first: 200) ${NODES} }`,
  ],
  [
    'the daily totals of three months next to a page',
    'api',
    `{ wallet { days(from: "2026-01-01", to: "2026-03-31") { date } statement ${NODES} } }`,
  ],
  [
    'orders by 50 idempotency keys with their timelines',
    'api',
    `{ ordersByKey(kind: RECHARGE, clientRequestIds: [${Array.from({ length: 50 }, (_, n) => `"k${n}"`)}]) { timeline { at } } }`,
  ],
  [
    '200 developers with their services, wallets and keys',
    'console',
    '{ developers(first: 200) { totalCount edges { node { services { fee } wallets { balance } credentials { clientId } } } } }',
  ],
  [
    '100 orders in review with their timelines',
    'console',
    '{ reviewOrders(first: 100) { totals { count } edges { node { order { timeline { at } } } } } }',
  ],
  [
    '20 approval requests with their orders',
    'console',
    '{ approvalRequests(first: 20) { edges { node { developer { name } order { id } orders { orderId } } } } }',
  ],
];

describe('the row limit', () => {
  it.each(screens)('accepts %s', (_name, surface, source) => {
    const { rows, rejection } = costOf(surface, source);
    expect([rows > 0, rejection]).toEqual([true, undefined]);
  });

  const hostile: [what: string, query: string, rows: number, field: string, share: number][] = [
    [
      'statements of all developers',
      `{ developers(first: 200) { edges { node {\n wallets { statement(first: 200) ${NODES} } } } } }`,
      200 * (1 + 2 * (1 + 10 + 200)),
      'Wallet.statement',
      200 * 2 * 200,
    ],
    [
      'days of all developers',
      '{ developers(first: 200) { edges { node { wallets { days(from: "2026-01-01", to: "2026-01-02") { date } more: days(from: "2026-01-01", to: "2026-01-02") { date } } } } } }',
      200 * (1 + 2 * (1 + 20 + 4)),
      'Developer.wallets',
      200 * 2 * 21,
    ],
  ];

  it.each(hostile)('rejects %s before execution', async (_name, query, rows, field, share) => {
    const pointsBefore = await test.db.query(`select coalesce(sum(points), 0)::integer as used from rate_limit`);
    const response = await service.call(service.staff.support, query);
    expect([response.status, response.body]).toEqual([
      400,
      {
        errors: [
          {
            message: `The operation requests too many rows (${rows}). The maximum is ${MAX_ROWS}. The largest part (${share}) is for ${field}.`,
            locations: [expect.objectContaining({ line: expect.any(Number) })],
            extensions: expect.objectContaining({ code: 'INVALID_DOCUMENT', charged: false, retryable: false }),
          },
        ],
      },
    ]);
    expect(await test.db.query(`select coalesce(sum(points), 0)::integer as used from rate_limit`)).toEqual(
      pointsBefore,
    );
  });

  it('is reported with the location of the field', async () => {
    const { body } = await service.call(service.staff.support, hostile[0]![1]);
    expect(body.errors[0].locations).toEqual([{ line: 2, column: 12 }]);
  });

  it('applies to signed-in callers; anonymous ones get only the authentication error', async () => {
    const response = await service.call(undefined, hostile[0]![1]);
    expect([response.status, codesOf(response)]).toEqual([401, ['UNAUTHENTICATED']]);
  });

  it('applies to the rows that variables request, for each request and each engine', async () => {
    const query = `query($n: Int) { a: orders(first: $n) { edges { node { timeline { at } } } } b: orders(first: $n) { edges { node { wallet { statement(first: $n) ${NODES} } } } } }`;
    const send = (n: unknown) => test.graphql('uat', developer.tokens.uat, query, { n });
    for (let use = 0; use < 4; use++) {
      const small = await send(5);
      expect([small.status, small.body.errors]).toEqual([200, undefined]);
      expect(small.body.extensions).toEqual({ cost: { rows: 5 * 11 + 5 * (2 + 10 + 5), limit: MAX_ROWS } });
      expect(codesOf(await send(150))).toEqual(['INVALID_DOCUMENT']);
      // The resolver reports the invalid value.
      expect(codesOf(await send(-1))).toEqual(['VALIDATION_FAILED', 'VALIDATION_FAILED']);
      expect(codesOf(await send('many'))).toEqual(['VALIDATION_FAILED']);
    }
  });

  it('rejects a mutation before it has any effect', async () => {
    const balanceBefore = await test.balance(developer, 'uat');
    const source = (first: number) => `mutation {
      recharge(input: { accountNumber: "9876543210", amount: 5, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "cost" }) {
        wallet { statement(first: ${first}) { edges { node { order { wallet { statement(first: 100) ${NODES} } } } } } }
      }
    }`;
    expect(codesOf(await test.graphql('uat', developer.tokens.uat, source(100)))).toEqual(['INVALID_DOCUMENT']);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
    const { body } = await test.graphql('uat', developer.tokens.uat, source(10));
    expect([body.errors, body.extensions.cost.rows]).toEqual([undefined, 10 * (1 + 1 + 1 + 10 + 100)]);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore - 5);
  });

  it('applies to streams, too, of events and of a single response', async () => {
    const stream = async (query: string): Promise<string> => {
      const abort = new AbortController();
      const response = await fetch(`${test.urls.uat}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${developer.tokens.uat}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query }),
        signal: abort.signal,
      });
      return response.text();
    };
    const wallet = `wallet { statement(first: 200) { edges { node { order { timeline { at } wallet { statement(first: 50) ${NODES} } } } } } }`;
    for (const query of [`subscription { orderChanged(id: "ord_x") { ${wallet} } }`, `{ ${wallet} }`])
      expect(await stream(query)).toContain('too many rows');
    expect(await stream(`{ orders(first: 3) ${NODES} }`)).toContain(
      `"extensions":{"cost":{"rows":3,"limit":${MAX_ROWS}}}`,
    );
  });

  it("does not apply to the service's own documents", async () => {
    const schema = test.app.schemas.api;
    const document = parse(`{ orders(first: 200) { edges { node { wallet { statement(first: 200) ${NODES} } } } } }`);
    const operation = getOperationAST(document)!;
    const rowRequest = { document, operation, variables: {} };
    const principal = (await test.app.principals.ofToken(developer.tokens.uat))!;
    const executor = new Executor(new OperationErrors(schema, test.app.limits));
    const context = {
      requestId: 'r',
      host: 'uat',
      addressKey: '::',
      arrivedMs: 0,
      principal,
      refusal: undefined,
    } as const;
    expect((await executor.run(rowRequest, { ...context })).rejection?.code).toBe('INVALID_DOCUMENT');
    executor.trust(operation);
    const { result, rows } = await executor.run(rowRequest, { ...context });
    expect([result?.errors, rows]).toEqual([undefined, 0]);
  });
});

describe('extensions.cost', () => {
  const extensionsOf = async (host: 'uat' | 'production', query: string): Promise<unknown> =>
    (await test.graphql(host, developer.tokens[host], query)).body.extensions;

  it.each(['uat', 'production'] as const)('is present if rows are requested, and only then: %s', async (host) => {
    expect(await extensionsOf(host, `{ orders(last: 2) ${NODES} }`)).toEqual({ cost: { rows: 2, limit: MAX_ROWS } });
    expect(await extensionsOf(host, '{ me { id } wallet { balance held } }')).toBeUndefined();
  });

  it('is present on the console', async () => {
    const { body }: TestResponse = await service.call(
      service.staff.support,
      '{ developers { edges { node { name } } } }',
    );
    expect(body.extensions).toEqual({ cost: { rows: 20, limit: MAX_ROWS } });
  });

  it('is present next to other extensions', async () => {
    const repeatedFields = `mutation {
      recharge(input: { accountNumber: "9876543210", amount: 3, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "beside" }) {
        wallet { statement(first: 2) ${NODES} }
      }
    }`;
    expect(await extensionsOf('uat', repeatedFields)).toEqual({ cost: { rows: 2, limit: MAX_ROWS } });
    expect(await extensionsOf('uat', repeatedFields)).toEqual({ replayed: true, cost: { rows: 2, limit: MAX_ROWS } });
  });

  it('is absent from errors and from REST', async () => {
    const { body } = await test.graphql('uat', developer.tokens.uat, '{ orders(first: 5) { nothing } }');
    expect(body.extensions).toBeUndefined();
    const me = await test.rest('uat', 'GET', '/api/v1/auth/me', developer.tokens.uat);
    expect(JSON.stringify(me.body)).not.toContain('cost');
  });
});
