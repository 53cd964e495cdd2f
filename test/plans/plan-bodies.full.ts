import { beforeAll, describe, expect, it } from 'vitest';
import { failure, mismatches } from '../rest/schemas/common.js';
import { dthInfo, operatorPlanFetch } from '../rest/schemas/plans.schemas.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { type Body, feesPaise, lookupNames, lookups, serviceOf, viaRest } from './lookups.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ feesPaise, rateLimitPerMinute: 500 });
});

describe('lookup bodies (interface.md 4.6 to 4.9)', () => {
  it.each(lookupNames)('%s in UAT: returns the sample with fee 0 and calls no provider', async (name) => {
    const { status, body } = await viaRest(test, 'uat', developer, name, lookups[name].body);
    expect(status).toBe(200);
    expect(mismatches(lookups[name].schema, body)).toEqual([]);
    expect(body).toMatchObject({ fee: 0, wallet_balance: 200_000, data: { orderid: lookups[name].body.orderid } });
    expect(await test.simulator.calls('ekychub')).toEqual([]);
  });

  it.each(lookupNames)('%s in Production: returns live data, the fee and the balance after it', async (name) => {
    const balanceBefore = await test.balance(developer, 'production');
    const { status, body } = await viaRest(test, 'production', developer, name, lookups[name].body);
    expect(status).toBe(200);
    expect(mismatches(lookups[name].schema, body)).toEqual([]);
    expect(body.fee).toBe(lookups[name].feePaise / 100);
    expect(body.wallet_balance).toBe(await test.balance(developer, 'production'));
    expect(balanceBefore - body.wallet_balance).toBeCloseTo(body.fee, 6);
    expect((await test.simulator.calls('ekychub')).at(-1)).toMatchObject({
      provider: 'ekychub',
      path: `/ekychub/v3/verification/${name.replaceAll('-', '_')}`,
    });
  });

  it('keep the provider’s data in the provider’s order', async () => {
    const found = await viaRest(test, 'production', developer, 'operator-fetch', {
      mobile: '9468455123',
      orderid: 'O-1',
    });
    expect(found.body.data).toEqual({
      circle: 'Haryana',
      circle_code: '96',
      company: 'BSNL',
      number: '9468455xxx',
      orderid: 'O-1',
    });
    const { data } = (
      await viaRest(test, 'production', developer, 'operator-plan-fetch', {
        ...lookups['operator-plan-fetch'].body,
        orderid: 'O-2',
      })
    ).body;
    // SMS is null and left out, RATE CUTTER is an undocumented group
    expect(Object.keys(data.plans)).toEqual(['TOPUP', 'FULLTT', 'DATA', 'STV', 'RATE CUTTER']);
    expect(data.plans.TOPUP[0]).toEqual({ rs: 10, Type: 'talktime', desc: 'Talktime of Rs. 7.47', validity: 'NA' });
    expect(data.operator).toBe('BSNL TOPUP');
    const dth = await viaRest(test, 'production', developer, 'dth-plan-fetch', lookups['dth-plan-fetch'].body);
    expect(Object.keys(dth.body.data.plans)).toEqual(['Combo', 'AddOn']);
    expect(dth.body.data.operator).toBe('SUN DIRECT');
  });

  it('normalize prices as strings, missing types, null groups and lower-case keys', async () => {
    const plans = await viaRest(test, 'production', developer, 'operator-plan-fetch', {
      mobile: '9468540013',
      opcode: 'J',
      circle: '10',
      orderid: 'ODD-1',
    });
    expect(mismatches(operatorPlanFetch, plans.body)).toEqual([]);
    expect(plans.body.data.operator).toBe('JIO');
    expect(Object.keys(plans.body.data.plans)).not.toContain('ROAMING');
    expect(plans.body.data.plans.STV[0].Type).toBe('stv');
    expect(plans.body.data.plans['RATE CUTTER'][0].Type).toBe('rate cutter');
    const info = await viaRest(test, 'production', developer, 'dth-info', {
      dth_number: '07210540013',
      opcode: 'VTV',
      orderid: 'ODD-2',
    });
    expect(mismatches(dthInfo, info.body)).toEqual([]);
  });

  it.each([
    ['operator-plan-fetch', ['A', 'V', 'J', 'BT', 'BS'], 36],
    ['dth-plan-fetch', ['ATV', 'STV', 'DTV', 'TTV', 'VTV'], 20],
  ] as const)('%s has enough sample plans for each of %j', async (name, opcodes, fewest) => {
    for (const opcode of opcodes) {
      const { body } = await viaRest(test, 'uat', developer, name, { ...lookups[name].body, opcode });
      expect(mismatches(lookups[name].schema, body)).toEqual([]);
      expect(Object.values<object[]>(body.data.plans).flat().length).toBeGreaterThanOrEqual(fewest);
      expect(body.data.operator).not.toBe('');
    }
    expect((await viaRest(test, 'uat', developer, 'dth-info', { ...lookups['dth-info'].body })).status).toBe(200);
  });

  it('accept opcodes in any case, ignore unknown fields and trim spaces', async () => {
    const body: Body = { dth_number: ' 07210298754 ', opcode: ' ttv ', orderid: ' X ', colour: 'blue' };
    const { status, body: responseBody } = await viaRest(test, 'uat', developer, 'dth-info', body);
    expect([status, responseBody.data.orderid, responseBody.data.customer[0].VC]).toEqual([200, 'X', '07210298754']);
  });

  it('follow interface.md 7.1 on failure, without data, fee or balance', async () => {
    for (const environment of ['uat', 'production'] as const) {
      const { status, body } = await viaRest(test, environment, developer, 'operator-fetch', {
        mobile: '9468540001',
        orderid: 'F',
      });
      expect(status).toBe(400);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(body).toEqual({
        status: 'error',
        code: 'PROVIDER_FAILED',
        doc_url: expect.stringMatching(/\/docs\/errors#PROVIDER_FAILED$/),
        request_id: expect.any(String),
        message: 'The provider could not complete the request. Check credentials, wallet balance or validation errors.',
      });
    }
  });
});

it.each(lookupNames)('disabling a service affects only %s, in both environments', async (closed) => {
  const closedFor = await test.developer({ disabledServices: [serviceOf(closed)] });
  for (const environment of ['uat', 'production'] as const)
    for (const name of lookupNames) {
      const { status, body } = await viaRest(test, environment, closedFor, name, lookups[name].body);
      expect([name, status]).toEqual([name, name === closed ? 403 : 200]);
      if (name === closed) expect(body).toMatchObject({ status: 'error', code: 'ACCESS_DISABLED' });
    }
});
