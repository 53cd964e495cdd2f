import { type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import { compileQuery } from 'graphql-jit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { RequestContext } from '../../src/core/context.js';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { OperationErrors } from '../../src/graphql/documents/operation-errors.js';
import { CompiledQueries, Executor } from '../../src/graphql/execution/executor.js';
import { appErrorOf } from '../../src/graphql/execution/format-error.js';
import { RateLimits } from '../../src/graphql/schema/limits.js';
import type { TestDeveloper } from '../support/app.js';
import { place, rechargeInput } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';

// The executors of these tests compile documents, the service does not.
const test = useOwnApp({ RATE_LIMIT_PER_MINUTE: '1000000', GRAPHQL_JIT: 'false' });
let developer: TestDeveloper;
let schema: GraphQLSchema;
let principal: DeveloperPrincipal;
const limits = new RateLimits(new MemoryCounters(), 1_000_000);

beforeAll(async () => {
  developer = await test.developer();
  schema = test.app.schemas.api;
  principal = (await test.app.principals.ofToken(developer.tokens.uat))!;
  await place(test, developer, { client_request_id: 'known' }, 'uat');
});

const contextOf = (caller: DeveloperPrincipal | undefined): RequestContext => ({
  requestId: 'r',
  host: 'uat',
  addressKey: '0:0:0:0::/64',
  arrivedMs: 0,
  principal: caller,
  refusal: undefined,
});

/** Data and errors of the executor, without values that always differ between calls. */
async function responseOf(
  executor: Executor,
  source: string,
  variables: Record<string, unknown>,
  caller: DeveloperPrincipal | undefined,
) {
  const document = parse(source);
  const operation = getOperationAST(document)!;
  let last: unknown;
  // The third use is the compiled one.
  for (let use = 0; use < 3; use++) {
    const { result, rejection } = await executor.run(
      { document, operation, variables: structuredClone(variables) },
      contextOf(caller),
    );
    last = rejection
      ? { refusal: [rejection.code, rejection.message, rejection.details.fields] }
      : {
          data: result.data,
          errors: result.errors
            ?.map((error) => [error.path, appErrorOf(error).code, appErrorOf(error).details.fields])
            .toSorted(),
        };
  }
  return JSON.parse(JSON.stringify(last));
}

const orderFields = `{ id kind status amount clientRequestId apiRequestId createdAt settledAt reversedAt nextCheckAt
  decline { reason } wallet { id balance version held } timeline { at kind detail } }`;
const cases: [name: string, source: string, variables?: Record<string, unknown>][] = [
  ['plain fields', '{ me { id name email roles permissions } wallet { environment balance } }'],
  ['aliases', '{ a: me { id } b: me { name } me { email } }'],
  ['aliases that a compiled query would confuse', '{ a_b: me { id } idx0: me { name } }'],
  [
    'a fragment',
    'query Q { wallet { ...W } } fragment W on Wallet { balance statement(first: 5) { edges { cursor node { kind amount } } pageInfo { hasNextPage endCursor } } }',
  ],
  [
    'a fragment twice, with conditions',
    'query Q($y: Boolean!) { wallet { ...W @include(if: $y) } again: wallet { ...W @skip(if: $y) balance } } fragment W on Wallet { environment }',
    { y: true },
  ],
  [
    'an object that is selected twice, once conditionally',
    'query Q($y: Boolean!) { wallet @skip(if: $y) { environment } wallet { balance } }',
    { y: true },
  ],
  [
    'an object that is selected in and outside a fragment',
    'query Q($y: Boolean!) { wallet { statement(first: 1) { pageInfo { hasNextPage } } ...W @include(if: $y) } } fragment W on Wallet { statement(first: 1) { edges { cursor } } }',
    { y: false },
  ],
  ['a variable default', 'query Q($n: Int! = 2) { wallet { statement(first: $n) { edges { cursor } } } }'],
  [
    'a nullable variable default',
    'query Q($k: String = "known") { order(kind: RECHARGE, clientRequestId: $k) { amount } }',
  ],
  [
    'null for a condition that can only be omitted',
    'query Q($c: Boolean = false) { me { id name @include(if: $c) } }',
    { c: null },
  ],
  [
    'null for an argument that can only be omitted',
    'query Q($n: Int = 2) { wallet { statement(first: $n) { edges { cursor } } } }',
    { n: null },
  ],
  ['typename', '{ __typename me { __typename id } }'],
  ['an order with its timeline', `{ order(kind: RECHARGE, clientRequestId: "known") ${orderFields} }`],
  [
    'an unknown order next to a known one',
    `{ lost: order(kind: RECHARGE, clientRequestId: "nothing") { id } found: order(kind: RECHARGE, clientRequestId: "known") { status } }`,
  ],
  ['a rule on plain arguments', '{ order(kind: RECHARGE) { id } }'],
  ['a page that is too large', '{ wallet { statement(first: 1000) { edges { cursor } } } }'],
  ['a cursor of another list', '{ wallet { statement(first: 1, after: "nonsense") { edges { cursor } } } }'],
  ['an invalid variable', 'query Q($n: Int!) { wallet { statement(first: $n) { edges { cursor } } } }', { n: 'many' }],
  ['a missing variable', 'query Q($n: Int!) { wallet { statement(first: $n) { edges { cursor } } } }', {}],
  [
    'a recharge with invalid types',
    'mutation M($i: RechargeInput!) { recharge(input: $i) { order { status } } }',
    { i: { accountNumber: '1', amount: 1.005, operatorSpKey: 'x', operatorType: 'DTH', more: 1 } },
  ],
  [
    'a recharge that violates rules',
    'mutation M($i: RechargeInput!) { recharge(input: $i) { order { status } } }',
    { i: { accountNumber: '1', amount: 0, operatorSpKey: -1, operatorType: 'DTH' } },
  ],
  [
    'a replayed recharge',
    `mutation M($i: RechargeInput!) { recharge(input: $i) {
      order { status amount apiRequestId createdAt operator { name } } replayed } }`,
    {
      i: rechargeInput({ clientRequestId: 'known' }),
    },
  ],
  [
    'an amount as a literal',
    'mutation { recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "known" }) { order { status amount } } }',
  ],
  [
    'two money fields',
    'mutation { a: recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE }) { order { status } } b: recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE }) { order { status } } }',
  ],
];

describe('the compiled executor', () => {
  it.each(cases)('returns the same as graphql-js: %s', async (_name, source, variables = {}) => {
    expect(validate(schema, parse(source)).filter(({ message }) => !/cannot represent/.test(message))).toEqual([]);
    for (const caller of [principal, undefined]) {
      const interpreted = await responseOf(
        new Executor(new OperationErrors(schema, limits), { compile: false }),
        source,
        variables,
        caller,
      );
      const compiled = await responseOf(new Executor(new OperationErrors(schema, limits)), source, variables, caller);
      expect(compiled).toEqual(interpreted);
    }
  });

  it('returns the same as graphql-js: a node', async () => {
    const id = `wal_uat_${developer.id}`;
    const source = `{ node(id: "${id}") { __typename id ... on Wallet { balance } ... on Order { status } } }`;
    const interpreted = new Executor(new OperationErrors(schema, limits), { compile: false });
    const response = await responseOf(interpreted, source, {}, principal);
    expect(response.data.node).toMatchObject({ __typename: 'Wallet', id });
    expect(await responseOf(new Executor(new OperationErrors(schema, limits)), source, {}, principal)).toEqual(
      response,
    );
  });

  it('returns the same as graphql-js: introspection', async () => {
    const source = '{ __schema { queryType { fields { name } } } }';
    expect(await responseOf(new Executor(new OperationErrors(schema, limits)), source, {}, principal)).toEqual(
      await responseOf(new Executor(new OperationErrors(schema, limits), { compile: false }), source, {}, principal),
    );
  });

  describe('compiles', () => {
    const uses = async (
      source: string,
      caller: DeveloperPrincipal | undefined,
      isOwn = false,
      isCached = true,
    ): Promise<number> => {
      let compiled = 0;
      const executor = new Executor(new OperationErrors(schema, limits), {
        kept: { isCached: () => isCached, noteCompiled() {} },
        compile: (...args) => {
          compiled++;
          return compileQuery(...args);
        },
      });
      const document = parse(source);
      if (isOwn) executor.trust(getOperationAST(document)!);
      for (let use = 0; use < 5; use++)
        await executor.run({ document, operation: getOperationAST(document)!, variables: {} }, contextOf(caller));
      return compiled;
    };
    const token = 'mutation { issueToken(input: { clientId: "a", apiSecret: "b", environment: UAT }) { token } }';

    it('a document used repeatedly with a token, once', async () => {
      expect(await uses('{ me { id } }', principal)).toBe(1);
    });

    it('no uncached document except those of the service', async () => {
      expect(await uses(token, undefined, false, false)).toBe(0);
      expect(await uses(token, undefined, true, false)).toBe(1);
    });

    it('no document that is too large', async () => {
      const orders = Array.from(
        { length: 15 },
        (_, n) => `a${n}: order(kind: RECHARGE, clientRequestId: "x") ${orderFields}`,
      );
      expect(await uses(`{ ${orders.join(' ')} }`, principal)).toBe(0);
    });
  });

  it('is disabled in a service with GRAPHQL_JIT=false, which returns the same responses', async () => {
    const source = '{ me { id name } wallet { balance } }';
    const compileSpy = vi.spyOn(CompiledQueries.prototype, 'of');
    const responses: unknown[] = [];
    for (let use = 0; use < 4; use++)
      responses.push((await test.graphql('uat', developer.tokens.uat, source)).body.data);
    const compiled = compileSpy.mock.results.map(({ value }) => value as unknown);
    compileSpy.mockRestore();
    expect(compiled).toEqual([undefined, undefined, undefined, undefined]);
    const { data } = await responseOf(new Executor(new OperationErrors(schema, limits)), source, {}, principal);
    expect(responses).toEqual([data, data, data, data]);
  });

  it('runs a mutation once if its document cannot be compiled', async () => {
    const balanceBefore = await test.balance(developer, 'uat');
    const source =
      'mutation { recharge(input: { accountNumber: "9876543210", amount: 7, operatorSpKey: 116, operatorType: MOBILE, allowDuplicate: true }) { order { status } } }';
    await responseOf(new Executor(new OperationErrors(schema, limits)), source, {}, principal); // Three uses.
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore - 21);
  });
});
