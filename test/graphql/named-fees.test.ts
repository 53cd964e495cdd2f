import { type GraphQLField, type GraphQLNamedType, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { canCharge } from '../../src/graphql/documents/charges.js';
import { policyOf } from '../../src/graphql/schema/policy.js';
import { checkArguments } from '../../src/graphql-toolkit/input.js';
import { feesPaise } from '../plans/lookups.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();

const send = (developer: TestDeveloper, query: string, variables: object = {}) =>
  test.graphql('production', developer.tokens.production, query, variables);
const amountSpent = async (developer: TestDeveloper) => 10_000 - (await test.balance(developer, 'production'));

const PLANS = `query($names: [String!], $with: Boolean = true) {
  plans: mobilePlans(input: { mobile: "9468455123", opcode: BT, circle: "06", clientRequestId: "n" }) {
    fee groups(names: $names) @include(if: $with) { name }
  }
  find: operatorFind(input: { mobile: "9468455123", clientRequestId: "n" }) { fee }
}`;

describe('an invalid value below a call with a fee', () => {
  it.each([
    ['the character NUL', ['a\u0000'], 'names.0'],
    ['half a surrogate pair', ['\ud800'], 'names.0'],
    ['1,001 names', Array.from({ length: 1_001 }, (_, n) => String(n)), 'names'],
  ])('rejects the call before it runs: %s', async (_, names, path) => {
    const developer = await test.developer({ feesPaise });
    for (let n = 0; n < 4; n++) {
      const { body } = await send(developer, PLANS, { names });
      expect(body.data).toEqual({ plans: null, find: { fee: n === 0 ? 0.1 : 0 } });
      expect(body.errors).toMatchObject([
        { path: ['plans'], extensions: { code: 'VALIDATION_FAILED', charged: false, fields: [{ path }] } },
      ]);
    }
    expect(await amountSpent(developer)).toBeCloseTo(0.1, 6);
  });

  it('rejects the outermost call', async () => {
    const developer = await test.developer({ feesPaise });
    const nested = `query($names: [String!]) {
      operatorFind(input: { mobile: "9468455123", clientRequestId: "o" }) { fee plans { fee groups(names: $names) { name } } }
    }`;
    const { body } = await send(developer, nested, { names: ['\u0000'] });
    expect([body.data, body.errors[0].path]).toEqual([{ operatorFind: null }, ['operatorFind']]);
    expect(await amountSpent(developer)).toBe(0);
  });

  it.each([
    ['no entries', 'first: 0', 'first', 'RANGE'],
    ['too many entries', 'last: 201', 'last', 'RANGE'],
    ['both ends', 'first: 1, last: 1', 'last', 'COMBINATION'],
    ['a cursor of another list', `after: "${Buffer.from('orders:1').toString('base64url')}"`, 'after', 'REFERENCE'],
    ['an invalid cursor', 'first: 1, before: "x"', 'before', 'REFERENCE'],
  ])('rejects it for a page of %s', async (_, page, path, rule) => {
    const developer = await test.developer({ feesPaise });
    const query = `{
      operatorFind(input: { mobile: "9468455123", clientRequestId: "p" }) { fee wallet { statement(${page}) { edges { cursor } } } }
      wallet { statement(${page}) { edges { cursor } } }
    }`;
    const { body } = await send(developer, query);
    expect(body.data).toEqual({ operatorFind: null, wallet: { statement: null } });
    const extensions = { code: 'VALIDATION_FAILED', charged: false, fields: [{ path, rule }] };
    expect(body.errors).toMatchObject([
      { path: ['operatorFind'], extensions },
      { path: ['wallet', 'statement'], extensions },
    ]);
    expect(await amountSpent(developer)).toBe(0);
  });

  it('has rules for the pages of every list below it', () => {
    const { api } = test.app.schemas;
    const seen = new Set<GraphQLObjectType>();
    const lists: GraphQLField<unknown, unknown>[] = [];
    const walk = (type: GraphQLNamedType): void => {
      if (!isObjectType(type) || seen.has(type)) return;
      seen.add(type);
      for (const field of Object.values(type.getFields())) {
        if (field.args.some(({ name }) => name === 'after')) lists.push(field);
        walk(getNamedType(field.type));
      }
    };
    for (const root of [api.getQueryType()!, api.getMutationType()!])
      for (const field of Object.values(root.getFields()))
        if (canCharge(policyOf(root, field.name))) walk(getNamedType(field.type));
    expect(lists.map(({ name }) => name)).toEqual(['statement']);
    for (const { args, extensions } of lists)
      for (const invalid of [{ first: -1 }, { last: 100_000 }, { first: 1, last: 1 }, { after: 'x' }, { before: 'x' }])
        expect(checkArguments(args, invalid, extensions, false).problems).toHaveLength(1);
  });

  it('also rejects a recharge, but not a skipped one', async () => {
    const developer = await test.developer({ feesPaise });
    const { body } = await send(
      developer,
      `mutation {
        recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE }) {
          order { id } wallet { days(from: "2026-02-01", to: "2026-01-01") { date } }
        }
      }`,
    );
    expect([body.data, body.errors[0].path]).toEqual([{ recharge: null }, ['recharge']]);
    expect(await amountSpent(developer)).toBe(0);
    const skipped = await send(developer, PLANS, { names: ['\u0000'], with: false });
    expect([skipped.body.errors, skipped.body.data.plans]).toEqual([undefined, { fee: 0.25 }]);
  });
});
