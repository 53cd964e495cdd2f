import { GraphQLObjectType, GraphQLSchema, GraphQLString, graphql } from 'graphql';
import { expect, it } from 'vitest';
import type { RequestContext } from '../../src/core/context.js';
import { AppError, type ErrorCode } from '../../src/core/errors.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { appErrorOf } from '../../src/graphql/execution/format-error.js';
import { RateLimits } from '../../src/graphql/schema/limits.js';
import { type FindKnownOrder, UsedKeys } from '../../src/graphql/schema/used-keys.js';

const limits = new RateLimits(new MemoryCounters(), 60);

/** Result of a recharge that is rejected with this error; `reads` counts how often the order was read. */
async function resultOf(rejection: AppError | undefined, find: FindKnownOrder, principal: object | undefined) {
  let reads = 0;
  const schema = new UsedKeys(limits, {
    recharge: (...args) => {
      reads++;
      return find(...args);
    },
  }).protect(
    new GraphQLSchema({
      query: new GraphQLObjectType({ name: 'Query', fields: { ok: { type: GraphQLString } } }),
      mutation: new GraphQLObjectType({
        name: 'Mutation',
        fields: {
          recharge: {
            type: GraphQLString,
            resolve: () => {
              if (rejection) throw rejection;
              return 'placed';
            },
          },
        },
      }),
    }),
  );
  const contextValue = { principal } as RequestContext;
  const { data, errors } = await graphql({ schema, source: 'mutation { recharge }', contextValue });
  return { result: errors ? appErrorOf(errors[0]).code : data?.recharge, reads, replayed: contextValue.replayed };
}

const developer = { kind: 'developer' };
const known: FindKnownOrder = async () => ({
  id: 'order',
  apiRequestId: 'ID',
  status: 'success',
  replay: async () => 'stored',
});

it('reads no order if the recharge is accepted', async () => {
  expect(await resultOf(undefined, known, developer)).toEqual({ result: 'placed', reads: 0, replayed: undefined });
});

it.each<ErrorCode>([
  'RATE_LIMITED',
  'SUSPENDED',
  'VALIDATION_FAILED',
  'PROVIDER_UNAVAILABLE',
  'OVERLOADED',
  'INTERNAL',
])('returns the stored order instead of %s', async (code) => {
  expect(await resultOf(new AppError(code), known, developer)).toEqual({ result: 'stored', reads: 1, replayed: true });
});

it('returns nothing to anonymous callers', async () => {
  expect(await resultOf(new AppError('UNAUTHENTICATED'), known, undefined)).toMatchObject({
    result: 'UNAUTHENTICATED',
    reads: 0,
  });
});

it('keeps an error that names the order', async () => {
  const other = new AppError('IDEMPOTENCY_KEY_REUSED', { apiRequestId: 'ID' });
  expect(await resultOf(other, known, developer)).toMatchObject({ result: 'IDEMPOTENCY_KEY_REUSED', reads: 0 });
});

it('keeps the error if the order does not exist', async () => {
  const findNothing: FindKnownOrder = async () => undefined;
  expect(await resultOf(new AppError('VALIDATION_FAILED'), findNothing, developer)).toMatchObject({
    result: 'VALIDATION_FAILED',
  });
});

it('does not report a failed request while the existence of its order is unknown', async () => {
  const unavailable: FindKnownOrder = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  expect(await resultOf(new AppError('VALIDATION_FAILED'), unavailable, developer)).toMatchObject({
    result: 'DEPENDENCY_DOWN',
  });
});
