import { describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { feesPaise, lookups, transfersOf, viaRest } from './lookups.fixture.js';

const test = useSharedApp();

const send = (developer: TestDeveloper, query: string, variables: object = {}) =>
  test.graphql('production', developer.tokens.production, query, variables);
const remainingOf = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));
const codesOf = (body: { errors?: { path: unknown[]; extensions: { code: string } }[] }) =>
  (body.errors ?? []).map(({ path, extensions }) => [path.join('.'), extensions.code]);
const pathsCalled = async () =>
  (await test.simulator.calls('ekychub')).map(({ path }) => path.split('/').at(-1)).toSorted();

const ALL_LOOKUPS = `query($mobile: String!, $key: String!, $names: [String!]) {
  find: operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {
    operatorName circle { code name } fee wallet { balance }
    plans {
      operatorName clientRequestId fee wallet { balance }
      groups(names: $names) { name plans { id price type validity } }
    }
  }
  packs: dthPlans(input: { dthNumber: "07210298754", opcode: STV, clientRequestId: $key }) {
    operatorName fee groups { name }
  }
  info: dthInfo(input: { dthNumber: "07210298754", opcode: STV, clientRequestId: $key }) {
    fee customers { name minimumRecharge }
  }
}`;

describe('a document with several lookups', () => {
  it('returns an operator with its plans and a DTH number’s plans and info, each billed once', async () => {
    const developer = await test.developer({ feesPaise });
    await test.simulator.reset();
    const { status, body } = await send(developer, ALL_LOOKUPS, { mobile: '9468455123', key: 'one' });
    expect([status, body.errors]).toEqual([200, undefined]);
    const { find, packs, info } = body.data;
    expect(find).toMatchObject({
      operatorName: 'BSNL',
      circle: { code: '96', name: 'Haryana' },
      fee: 0.1,
      plans: { operatorName: 'BSNL TOPUP', clientRequestId: 'one', fee: 0.25 },
    });
    expect(find.plans.groups.map(({ name }: { name: string }) => name)).toEqual([
      'TOPUP',
      'FULLTT',
      'DATA',
      'STV',
      'RATE CUTTER',
    ]);
    expect(packs).toMatchObject({
      operatorName: 'SUN DIRECT',
      fee: 0.13,
      groups: [{ name: 'Combo' }, { name: 'AddOn' }],
    });
    expect(info).toMatchObject({ fee: 0.07, customers: [{ minimumRecharge: expect.any(Number) }] });
    expect(await test.balance(developer, 'production')).toBe(10_000 - 0.55);
    expect(await pathsCalled()).toEqual(['dth_info', 'dth_plan_fetch', 'operator_fetch', 'operator_plan_fetch']);
    const settled = (await transfersOf(test, developer)).filter(({ kind }) => kind === 'settle');
    expect(settled.map(({ paise }) => paise).toSorted((a, b) => a - b)).toEqual([7, 10, 13, 25]);
  });

  it('returns the same result interpreted and compiled', async () => {
    const developer = await test.developer({ feesPaise });
    const responses = [];
    for (let n = 0; n < 5; n++) {
      const { body } = await send(developer, ALL_LOOKUPS, { mobile: '9468455123', key: `n${n}`, names: ['DATA'] });
      const { wallet: _, plans, ...find } = body.data.find;
      const { wallet: __, clientRequestId, ...rest } = plans;
      expect(clientRequestId).toBe(`n${n}`);
      responses.push({ ...body.data, find: { ...find, plans: rest } });
    }
    for (const response of responses) expect(response).toEqual(responses[0]);
    expect(await test.balance(developer, 'production')).toBeCloseTo(10_000 - 5 * 0.55, 6);
  });

  it('fails only for the failing alias', async () => {
    const developer = await test.developer({ feesPaise });
    const { status, body } = await send(
      developer,
      `{
        first: operatorFind(input: { mobile: "9468455123", clientRequestId: "s1" }) { operatorName fee }
        bad: operatorFind(input: { mobile: "9468540001", clientRequestId: "s2" }) {
          operatorName fee plans { operatorName }
        }
        invalid: dthInfo(input: { dthNumber: " ", opcode: STV, clientRequestId: "s3" }) { fee }
        last: dthInfo(input: { dthNumber: "07210298754", opcode: STV, clientRequestId: "s4" }) {
          fee customers { name }
        }
      }`,
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      first: { operatorName: 'BSNL', fee: 0.1 },
      bad: null,
      invalid: null,
      last: { fee: 0.07 },
    });
    expect(codesOf(body).toSorted()).toEqual([
      ['bad', 'PROVIDER_FAILED'],
      ['invalid', 'VALIDATION_FAILED'],
    ]);
    expect(await test.balance(developer, 'production')).toBeCloseTo(10_000 - 0.17, 6);
    const kinds = (await transfersOf(test, developer)).map(({ kind, paise }) => `${kind} ${paise}`).toSorted();
    expect(kinds).toEqual(['hold 10', 'hold 10', 'hold 7', 'refund 10', 'settle 10', 'settle 7']);
  });
});

describe('the plans of a found operator', () => {
  const nested = (mobile: string, plans: string) =>
    `{ operatorFind(input: { mobile: "${mobile}", clientRequestId: "x" }) { operatorName ${plans} } }`;

  it.each([
    // BSNL without an opcode uses top-ups; an explicit opcode has priority
    ['9468455123', 'plans { operatorName }', 'BSNL', 'BSNL TOPUP'],
    ['9468455123', 'plans(opcode: BS) { operatorName }', 'BSNL', 'BSNL SPECIAL'],
    ['9468455123', 'plans(opcode: null) { operatorName }', 'BSNL', 'BSNL TOPUP'],
    ['9810012345', 'plans { operatorName }', 'Jio', 'JIO'],
    ['9876512345', 'plans { operatorName }', 'Vi', 'VI'],
    ['9876540013', 'plans { operatorName }', 'VODAFONE IDEA', 'VI'],
    ['9845012345', 'plans { operatorName }', 'Airtel', 'AIRTEL'],
  ])('of %s with %s', async (mobile, plans, found, expectedName) => {
    const developer = await test.developer({ feesPaise });
    const { body } = await send(developer, nested(mobile, plans));
    expect(body).toEqual({ data: { operatorFind: { operatorName: found, plans: { operatorName: expectedName } } } });
  });

  it('are replayed with the lookup, and with the same lookup over REST', async () => {
    const developer = await test.developer({ feesPaise });
    const query = nested('9468455123', 'fee plans(opcode: BT) { fee }');
    expect((await send(developer, query)).body.data.operatorFind).toMatchObject({ fee: 0.1, plans: { fee: 0.25 } });
    expect((await send(developer, query)).body.data.operatorFind).toMatchObject({ fee: 0, plans: { fee: 0 } });
    const body = { mobile: '9468455123', opcode: 'BT', circle: '96', orderid: 'x' };
    expect((await viaRest(test, 'production', developer, 'operator-plan-fetch', body)).body.fee).toBe(0);
  });

  it('require their own access, balance and valid opcode, and never affect the operator result', async () => {
    const query = nested('9468455123', 'fee plans { fee }');
    const closed = await test.developer({ feesPaise, disabledServices: ['operator_plan_fetch'] });
    const poor = await test.developer({ feesPaise: { operator_fetch: 100, operator_plan_fetch: 1 }, liveRupees: 1 });
    for (const [developer, code] of [
      [closed, 'ACCESS_DISABLED'],
      [poor, 'INSUFFICIENT_BALANCE'],
    ] as const) {
      const { body } = await send(developer, query);
      expect(body.data.operatorFind).toMatchObject({ operatorName: 'BSNL', plans: null });
      expect(codesOf(body)).toEqual([['operatorFind.plans', code]]);
    }
    expect(await test.balance(poor, 'production')).toBe(0);
    const { body } = await send(closed, nested('9468455123', 'plans(opcode: STV) { fee }'));
    expect(codesOf({ errors: body.errors.map((error: object) => ({ path: [], ...error })) })[0]![1]).toBe(
      'VALIDATION_FAILED',
    );
  });

  it('share the limit of operator-plan-fetch, one point per call, also in one fragment; groups cost nothing', async () => {
    const developer = await test.developer({ feesPaise, rateLimitPerMinute: 3 });
    const document = `{
        a: operatorFind(input: { mobile: "9468455123", clientRequestId: "r1" }) { ...Plans }
        b: operatorFind(input: { mobile: "9468455124", clientRequestId: "r2" }) { ...Plans }
      }
      fragment Plans on OperatorFindResult { plans { fee groups { name } data: groups(names: ["DATA"]) { name } } }`;
    const { body, headers } = await send(developer, document);
    expect(body.errors).toBeUndefined();
    expect([remainingOf({ headers }), headers.get('x-ratelimit-limit')]).toEqual([1, '3']);
    const third = await viaRest(test, 'production', developer, 'operator-plan-fetch', {
      ...lookups['operator-plan-fetch'].body,
      orderid: 'r3',
    });
    expect([third.status, remainingOf(third)]).toEqual([200, 0]);
    const fourth = await send(developer, nested('9468455125', 'plans { fee }'));
    expect(fourth.body.data.operatorFind).toMatchObject({ operatorName: 'BSNL', plans: null });
    expect(codesOf(fourth.body)).toEqual([['operatorFind.plans', 'RATE_LIMITED']]);
    expect(fourth.headers.get('retry-after')).not.toBeNull();
    const fifth = await viaRest(
      test,
      'production',
      developer,
      'operator-plan-fetch',
      lookups['operator-plan-fetch'].body,
    );
    expect([fifth.status, fifth.body.code]).toEqual([429, 'RATE_LIMITED']);
  });
});

describe('the groups field', () => {
  it.each([
    ['', ['TOPUP', 'FULLTT', 'DATA', 'STV', 'RATE CUTTER']],
    ['(names: null)', ['TOPUP', 'FULLTT', 'DATA', 'STV', 'RATE CUTTER']],
    ['(names: ["STV", "TOPUP", "NOPE", "STV"])', ['TOPUP', 'STV']],
    ['(names: "DATA")', ['DATA']],
    ['(names: [])', []],
  ])('with %j returns the groups in the provider’s order', async (names, expected) => {
    const developer = await test.developer();
    const { body } = await send(
      developer,
      `{ mobilePlans(input: { mobile: "9468455123", opcode: BT, circle: "96", clientRequestId: "g" }) {
        groups${names} { name }
      } }`,
    );
    expect(body.data.mobilePlans.groups.map(({ name }: { name: string }) => name)).toEqual(expected);
  });
});
