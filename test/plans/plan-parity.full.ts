import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import {
  type Body,
  feesPaise,
  graphqlOutcome,
  type LookupName,
  lookups,
  restOutcome,
  transfersOf,
  viaGraphql,
  viaRest,
} from './lookups.fixture.js';

/** A lookup, its changes to a valid body, and the expected result: the fee in paise, or the error code and field. */
type Case = [what: string, name: LookupName, change: Body, expected: number | 'PROVIDER_FAILED' | { field: string }];

const magic = (name: LookupName, suffix: string): Body => ({ [lookups[name].identifier]: `946854${suffix}` });
const failing = (name: LookupName, suffix: string): Case => [
  `magic number ${suffix}`,
  name,
  magic(name, suffix),
  'PROVIDER_FAILED',
];
const invalid = (label: string, name: LookupName, field: string, value: unknown): Case => [
  label,
  name,
  { [field]: value },
  { field },
];

const LONG = 'x'.repeat(101);
const cases: readonly Case[] = [
  ['a plain request', 'operator-fetch', {}, 10],
  ['a plain request', 'operator-plan-fetch', {}, 25],
  ['a plain request', 'dth-plan-fetch', {}, 13],
  ['a plain request', 'dth-info', {}, 7],
  ['the longest order ID', 'operator-fetch', { orderid: 'é'.repeat(100) }, 10],
  ['an order ID like #Order28', 'dth-info', { orderid: '#Order 28/á' }, 7],
  ['an unusual response', 'operator-fetch', magic('operator-fetch', '0013'), 10],
  ['null groups, rs as a string and no Type', 'operator-plan-fetch', magic('operator-plan-fetch', '0013'), 25],
  ['null groups, rs as a string and no Type', 'dth-plan-fetch', magic('dth-plan-fetch', '0013'), 13],
  ['numbers instead of strings', 'dth-info', magic('dth-info', '0013'), 7],
  failing('operator-fetch', '0001'),
  failing('operator-plan-fetch', '0001'),
  failing('dth-plan-fetch', '0001'),
  failing('dth-info', '0001'),
  failing('operator-fetch', '0007'),
  failing('operator-plan-fetch', '0008'),
  failing('dth-plan-fetch', '0012'),
  failing('dth-info', '0002'),
  invalid('circle "6"', 'operator-plan-fetch', 'circle', '6'),
  invalid('circle 6', 'operator-plan-fetch', 'circle', 6),
  invalid('circle 96 as a number', 'operator-plan-fetch', 'circle', 96),
  invalid('an unlisted circle', 'operator-plan-fetch', 'circle', '00'),
  invalid('a circle with an extra zero', 'operator-plan-fetch', 'circle', '006'),
  invalid('the name of a circle', 'operator-plan-fetch', 'circle', 'Karnataka'),
  invalid('an empty circle', 'operator-plan-fetch', 'circle', ''),
  invalid('no circle', 'operator-plan-fetch', 'circle', undefined),
  invalid('a DTH opcode for mobile plans', 'operator-plan-fetch', 'opcode', 'ATV'),
  invalid('an operator’s name', 'operator-plan-fetch', 'opcode', 'Airtel'),
  invalid('a number as the opcode', 'operator-plan-fetch', 'opcode', 3),
  invalid('a mobile opcode for DTH plans', 'dth-plan-fetch', 'opcode', 'A'),
  invalid('a mobile opcode for DTH info', 'dth-info', 'opcode', 'BT'),
  invalid('an opcode named like an object property', 'dth-info', 'opcode', 'constructor'),
  invalid('no opcode', 'dth-info', 'opcode', null),
  invalid('eleven digits', 'operator-fetch', 'mobile', '94684551234'),
  invalid('nine digits', 'operator-plan-fetch', 'mobile', '946845512'),
  invalid('a number instead of digits', 'operator-fetch', 'mobile', 9468455123.5),
  invalid('non-ASCII digits', 'operator-fetch', 'mobile', '९४६८४५५१२३'),
  invalid('an empty mobile', 'operator-fetch', 'mobile', '   '),
  invalid('an empty order ID', 'operator-fetch', 'orderid', ''),
  invalid('a blank order ID', 'operator-plan-fetch', 'orderid', '  '),
  invalid('an order ID of 101 characters', 'dth-plan-fetch', 'orderid', LONG),
  invalid('an order ID of two lines', 'dth-info', 'orderid', 'a\nb'),
  invalid('a number as the order ID', 'operator-fetch', 'orderid', 28.5),
  invalid('a DTH number of 33 characters', 'dth-info', 'dth_number', 'x'.repeat(33)),
  invalid('an empty DTH number', 'dth-plan-fetch', 'dth_number', ''),
  invalid('a list as the DTH number', 'dth-plan-fetch', 'dth_number', ['0721', '0722']),
];

const test = useSharedApp();
/** One developer per API, so that neither receives stored responses of the other and their wallets can be compared. */
let rest: TestDeveloper;
let graphql: TestDeveloper;
beforeAll(async () => {
  const options = { feesPaise, rateLimitPerMinute: 1_000 };
  rest = await test.developer(options);
  graphql = await test.developer(options);
});

/** Advice in the contract's message. GraphQL omits it because the caller cannot do anything about the failure. */
const ADVICE = ' Check credentials, wallet balance or validation errors.';

/** Sends the same body over both APIs and expects equal outcomes. */
async function sendBoth(environment: Environment, name: LookupName, body: Body) {
  const [restResponse, graphqlResponse] = await Promise.all([
    viaRest(test, environment, rest, name, body),
    viaGraphql(test, environment, graphql, name, body),
  ]);
  const outcome = restOutcome(restResponse);
  const expected = 'message' in outcome ? { ...outcome, message: outcome.message.replace(ADVICE, '') } : outcome;
  expect(graphqlOutcome(name, graphqlResponse)).toEqual(expected);
  return { outcome, rest: restResponse, graphql: graphqlResponse };
}

const bodyOf = (name: LookupName, label: string, change: Body): Body => ({
  ...lookups[name].body,
  orderid: `${name} ${label}`,
  ...change,
});

describe.each(['uat', 'production'] as const)('REST and GraphQL agree in %s', (environment) => {
  it.each(cases)('for %s at %s', async (label, name, change, expected) => {
    const balance = await test.balance(rest, environment);
    const calls = (await test.simulator.calls('ekychub')).length;
    const responses = await sendBoth(environment, name, bodyOf(name, label, change));
    const { outcome } = responses;
    const live = environment === 'production';
    if (typeof expected === 'number') {
      expect(outcome).toMatchObject({ fee: live ? expected / 100 : 0, balance: await test.balance(rest, environment) });
      expect([responses.rest.status, responses.graphql.status]).toEqual([200, 200]);
    } else {
      const isInput = typeof expected === 'object';
      expect(outcome).toMatchObject({ code: isInput ? 'VALIDATION_FAILED' : expected });
      expect(responses.rest.status).toBe(isInput ? 422 : 400);
      if (isInput) expect(Object.keys((outcome as { fields: object }).fields)).toEqual([expected.field]);
      expect(await test.balance(rest, environment)).toBe(balance);
    }
    expect(await test.balance(graphql, environment)).toBe(await test.balance(rest, environment));
    // no provider is called in UAT or for a rejected request
    const expectedCalls = live && typeof expected !== 'object' ? 2 : 0;
    expect(await test.simulator.calls('ekychub')).toHaveLength(calls + expectedCalls);
  });
});

describe('REST and GraphQL agree', () => {
  it('on every transfer of these tests', async () => {
    const [restTransfers, graphqlTransfers] = [await transfersOf(test, rest), await transfersOf(test, graphql)];
    expect(restTransfers).toEqual(graphqlTransfers);
    const count = (kind: string) => restTransfers.filter((transfer) => transfer.kind === kind).length;
    expect([count('hold'), count('settle'), count('refund')]).toEqual([18, 10, 8]);
  });

  it('when the provider returns 503 for every call', async () => {
    await test.simulator.outage('ekychub', true);
    const { outcome } = await sendBoth('production', 'operator-fetch', bodyOf('operator-fetch', 'outage', {}));
    await test.simulator.outage('ekychub', false);
    expect(outcome).toMatchObject({ code: 'PROVIDER_FAILED', fields: {} });
  });

  it('on several invalid fields, all of them reported', async () => {
    const { outcome } = await sendBoth('production', 'operator-plan-fetch', {
      mobile: '12',
      opcode: 'ZZ',
      circle: '6',
      orderid: '',
    });
    expect(Object.keys((outcome as { fields: object }).fields).toSorted()).toEqual([
      'circle',
      'mobile',
      'opcode',
      'orderid',
    ]);
  });
});

describe('GraphQL literals', () => {
  it.each([
    ['circle: 6', 'input.circle'],
    ['circle: "6"', 'input.circle'],
    ['circle: "00"', 'input.circle'],
    ['circle: "06", opcode: ATV', 'input.opcode'],
    ['circle: "06", mobile: 9468455123', 'input.mobile'],
  ])('are rejected by field before anything is charged: %s', async (literal, path) => {
    const literals = { mobile: '"9468455123"', opcode: 'A', clientRequestId: '"L"', circle: '"06"' };
    const changed = Object.fromEntries(literal.split(', ').map((pair) => pair.split(': ')));
    const input = Object.entries({ ...literals, ...changed })
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ');
    const { body } = await test.graphql(
      'production',
      graphql.tokens.production,
      `{ mobilePlans(input: { ${input} }) { fee } }`,
    );
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', fields: [{ path }] });
    expect(body.data?.mobilePlans ?? null).toBeNull();
  });
});
