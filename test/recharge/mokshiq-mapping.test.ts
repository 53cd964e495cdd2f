import { beforeAll, describe, expect, it } from 'vitest';
import { mismatches } from '../rest/schemas/common.js';
import { rechargeSuccess } from '../rest/schemas/recharge.schemas.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { mokshiqTools } from './mokshiq.fixture.js';

/** Indian numbers begin with 6 to 9; the provider's lookup does not find any others. */
const UNKNOWN_NUMBER = '5876543210';

const test = useSharedApp();
let tools: ReturnType<typeof mokshiqTools>;
/** A shared Mokshiq account for tests that need no account of their own. */
let developer: TestDeveloper;
beforeAll(async () => {
  tools = mokshiqTools(test);
  developer = await tools.mokshiqDeveloper();
});

describe('the circle of a Mokshiq recharge', () => {
  it.each([
    ['missing', undefined, true],
    ['empty', '', true],
    ['a name in the table', 'Bihar', false],
    ['a former name for two circles', 'Bihar and Jharkhand', false],
    ['a code', '52', false],
    ['a code with a leading zero', '06', false],
    ['a provider’s spelling', 'J&K', false],
    ['unknown', 'Atlantis', true],
    ['a code that lost its leading zero', '6', true],
  ])('given as %s leads to the same success', async (_name, circle, looksUp) => {
    const balanceBefore = await test.balance(developer, 'production');
    await test.simulator.reset();
    const { status, body: responseBody } = await tools.recharge(developer, {
      circle,
      client_request_id: `circle ${circle}`,
    });
    expect(status).toBe(200);
    expect(mismatches(rechargeSuccess, responseBody)).toEqual([]);
    expect(responseBody).toMatchObject({
      status: 'success',
      data: { amount: 10, account_number: '9876543210', provider_txn_id: expect.stringMatching(/^MQ\d+$/) },
    });
    expect(await tools.called()).toEqual([
      ...(looksUp ? ['/mokshiq/operator_lookup'] : []),
      '/mokshiq/create_mobile_recharge',
    ]);
    expect(await test.simulator.book()).toMatchObject([
      { provider: 'mokshiq', reference: null, account: '9876543210', amount: 1000, outcome: 'succeeded' },
    ]);
    expect(await test.balance(developer, 'production')).toBe(balanceBefore - 10);
  });

  it('is looked up free of charge, and not required for DTH', async () => {
    const balanceBefore = await test.balance(developer, 'production');
    await test.simulator.reset();
    const dth = { account_number: '07210298754', operator_sp_key: 55, operator_type: 'dth', circle: 'anything' };
    expect((await tools.recharge(developer, dth)).status).toBe(200);
    expect(await tools.called()).toEqual(['/mokshiq/create_dth_recharge']);
    expect((await tools.recharge(developer)).status).toBe(200);
    expect(await test.balance(developer, 'production')).toBe(balanceBefore - 20);
  });

  it.each([
    ['is not found', async () => {}, { account_number: UNKNOWN_NUMBER }],
    ['is unknown and not found', async () => {}, { account_number: UNKNOWN_NUMBER, circle: 'Atlantis' }],
    ['cannot be looked up', () => test.simulator.outage('mokshiq', true), {}],
    ['is not looked up in time', () => test.simulator.latency('mokshiq', 3_000), {}],
  ])(
    'that %s causes a rejection before money moves, without consuming the idempotency key',
    async (name, arrange, more) => {
      const stateBefore = [await tools.ordersOf(developer), await tools.kindsOf(developer)];
      const request = { client_request_id: name, ...more };
      await test.simulator.reset();
      await arrange();
      const { status, body: responseBody } = await tools.recharge(developer, request);
      await test.simulator.outage('mokshiq', false);
      await test.simulator.latency('mokshiq', 0);
      expect([status, responseBody.status, responseBody.code]).toEqual([400, 'failed', 'VALIDATION_FAILED']);
      expect(Object.keys(responseBody.errors)).toEqual(['circle']);
      expect(await tools.called()).toEqual(['/mokshiq/operator_lookup']);
      expect([await tools.ordersOf(developer), await tools.kindsOf(developer)]).toEqual(stateBefore);
      // a retry with a circle and the same idempotency key succeeds
      expect((await tools.recharge(developer, { ...request, circle: '10' })).status).toBe(200);
    },
  );
});

describe('the operator of a Mokshiq recharge', () => {
  it.each([
    ['has no mapping', { operator_sp_key: 999 }],
    ['is a DTH operator', { operator_sp_key: 55 }],
    ['is a mobile operator', { operator_sp_key: 3, operator_type: 'dth', account_number: '07210298754' }],
  ])('that %s causes a rejection before a provider is called or money moves', async (name, more) => {
    const stateBefore = [await tools.ordersOf(developer), await tools.kindsOf(developer)];
    await test.simulator.reset();
    const { status, body: responseBody } = await tools.recharge(developer, { client_request_id: name, ...more });
    expect([status, responseBody.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(Object.keys(responseBody.errors)).toEqual(['operator_sp_key']);
    expect(await tools.called()).toEqual([]);
    expect([await tools.ordersOf(developer), await tools.kindsOf(developer)]).toEqual(stateBefore);
  });
});
