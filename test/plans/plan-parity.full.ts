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

/** The lookup, what differs from a body that succeeds, and what comes of it: the fee in paise, or the code and the field. */
type Case = [what: string, name: LookupName, change: Body, expected: number | 'PROVIDER_FAILED' | { field: string }];

const magic = (name: LookupName, suffix: string): Body => ({ [lookups[name].identifier]: `946854${suffix}` });
const failing = (name: LookupName, suffix: string): Case => [
  `magic number ${suffix}`,
  name,
  magic(name, suffix),
  'PROVIDER_FAILED',
];
const wrong = (what: string, name: LookupName, field: string, value: unknown): Case => [
  what,
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
  ['the longest order id', 'operator-fetch', { orderid: 'é'.repeat(100) }, 10],
  ['an order id like #Order28', 'dth-info', { orderid: '#Order 28/á' }, 7],
  ['an odd answer', 'operator-fetch', magic('operator-fetch', '0013'), 10],
  ['null groups, rs as text and no Type', 'operator-plan-fetch', magic('operator-plan-fetch', '0013'), 25],
  ['null groups, rs as text and no Type', 'dth-plan-fetch', magic('dth-plan-fetch', '0013'), 13],
  ['numbers instead of text', 'dth-info', magic('dth-info', '0013'), 7],
  failing('operator-fetch', '0001'),
  failing('operator-plan-fetch', '0001'),
  failing('dth-plan-fetch', '0001'),
  failing('dth-info', '0001'),
  failing('operator-fetch', '0007'),
  failing('operator-plan-fetch', '0008'),
  failing('dth-plan-fetch', '0012'),
  failing('dth-info', '0002'),
  wrong('circle "6"', 'operator-plan-fetch', 'circle', '6'),
  wrong('circle 6', 'operator-plan-fetch', 'circle', 6),
  wrong('circle 96 as a number', 'operator-plan-fetch', 'circle', 96),
  wrong('a circle that is not listed', 'operator-plan-fetch', 'circle', '00'),
  wrong('a circle with a zero too many', 'operator-plan-fetch', 'circle', '006'),
  wrong('the name of a circle', 'operator-plan-fetch', 'circle', 'Karnataka'),
  wrong('an empty circle', 'operator-plan-fetch', 'circle', ''),
  wrong('no circle', 'operator-plan-fetch', 'circle', undefined),
  wrong('a DTH opcode for mobile plans', 'operator-plan-fetch', 'opcode', 'ATV'),
  wrong('an operator’s name', 'operator-plan-fetch', 'opcode', 'Airtel'),
  wrong('a number as opcode', 'operator-plan-fetch', 'opcode', 3),
  wrong('a mobile opcode for DTH plans', 'dth-plan-fetch', 'opcode', 'A'),
  wrong('a mobile opcode for DTH info', 'dth-info', 'opcode', 'BT'),
  wrong('an opcode that names a property', 'dth-info', 'opcode', 'constructor'),
  wrong('no opcode', 'dth-info', 'opcode', null),
  wrong('eleven digits', 'operator-fetch', 'mobile', '94684551234'),
  wrong('nine digits', 'operator-plan-fetch', 'mobile', '946845512'),
  wrong('a number instead of digits', 'operator-fetch', 'mobile', 9468455123.5),
  wrong('digits of another script', 'operator-fetch', 'mobile', '९४६८४५५१२३'),
  wrong('an empty mobile', 'operator-fetch', 'mobile', '   '),
  wrong('an empty order id', 'operator-fetch', 'orderid', ''),
  wrong('a blank order id', 'operator-plan-fetch', 'orderid', '  '),
  wrong('an order id of 101 characters', 'dth-plan-fetch', 'orderid', LONG),
  wrong('an order id of two lines', 'dth-info', 'orderid', 'a\nb'),
  wrong('a number as order id', 'operator-fetch', 'orderid', 28.5),
  wrong('a DTH number of 33 characters', 'dth-info', 'dth_number', 'x'.repeat(33)),
  wrong('an empty DTH number', 'dth-plan-fetch', 'dth_number', ''),
  wrong('a list as DTH number', 'dth-plan-fetch', 'dth_number', ['0721', '0722']),
];

const test = useSharedApp();
/** One developer per API, so that neither gets the other's stored answers and their wallets can be compared. */
let rest: TestDeveloper;
let graphql: TestDeveloper;
beforeAll(async () => {
  const options = { feesPaise, rateLimitPerMinute: 1_000 };
  rest = await test.developer(options);
  graphql = await test.developer(options);
});

/** The contract's: GraphQL has none of it, because nothing there is up to the caller. */
const ADVICE = ' Check credentials, wallet balance or validation errors.';

/** Both APIs with one body; the outcomes are equal, or the test ends here. */
async function both(environment: Environment, name: LookupName, body: Body) {
  const [one, other] = await Promise.all([
    viaRest(test, environment, rest, name, body),
    viaGraphql(test, environment, graphql, name, body),
  ]);
  const outcome = restOutcome(one);
  const expected = 'message' in outcome ? { ...outcome, message: outcome.message.replace(ADVICE, '') } : outcome;
  expect(graphqlOutcome(name, other)).toEqual(expected);
  return { outcome, rest: one, graphql: other };
}

const bodyOf = (name: LookupName, what: string, change: Body): Body => ({
  ...lookups[name].body,
  orderid: `${name} ${what}`,
  ...change,
});

describe.each(['uat', 'production'] as const)('REST and GraphQL agree in %s about', (environment) => {
  it.each(cases)('%s at %s', async (what, name, change, expected) => {
    const balance = await test.balance(rest, environment);
    const calls = (await test.simulator.calls('ekychub')).length;
    const answers = await both(environment, name, bodyOf(name, what, change));
    const { outcome } = answers;
    const live = environment === 'production';
    if (typeof expected === 'number') {
      expect(outcome).toMatchObject({ fee: live ? expected / 100 : 0, balance: await test.balance(rest, environment) });
      expect([answers.rest.status, answers.graphql.status]).toEqual([200, 200]);
    } else {
      const isInput = typeof expected === 'object';
      expect(outcome).toMatchObject({ code: isInput ? 'VALIDATION_FAILED' : expected });
      expect(answers.rest.status).toBe(isInput ? 422 : 400);
      if (isInput) expect(Object.keys((outcome as { fields: object }).fields)).toEqual([expected.field]);
      expect(await test.balance(rest, environment)).toBe(balance);
    }
    expect(await test.balance(graphql, environment)).toBe(await test.balance(rest, environment));
    // nothing leaves the machine in UAT, nor for a request that is refused
    const asked = live && typeof expected !== 'object' ? 2 : 0;
    expect(await test.simulator.calls('ekychub')).toHaveLength(calls + asked);
  });
});

describe('REST and GraphQL agree', () => {
  it('about every transfer that all of this made', async () => {
    const [one, other] = [await transfersOf(test, rest), await transfersOf(test, graphql)];
    expect(one).toEqual(other);
    const count = (kind: string) => one.filter((transfer) => transfer.kind === kind).length;
    expect([count('hold'), count('settle'), count('refund')]).toEqual([18, 10, 8]);
  });

  it('when the provider answers 503 to everything', async () => {
    await test.simulator.outage('ekychub', true);
    const { outcome } = await both('production', 'operator-fetch', bodyOf('operator-fetch', 'outage', {}));
    await test.simulator.outage('ekychub', false);
    expect(outcome).toMatchObject({ code: 'PROVIDER_FAILED', fields: {} });
  });

  it('about several wrong fields at once, all of them named', async () => {
    const { outcome } = await both('production', 'operator-plan-fetch', {
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
  ])('are refused by field before anything is charged: %s', async (literal, path) => {
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
