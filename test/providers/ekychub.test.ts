import { describe, expect, it, test } from 'vitest';
import { Secret } from '../../src/core/secret.js';
import { createEkycHubAdapter } from '../../src/providers/ekychub/ekychub.adapter.js';
import type { ProviderResponse } from '../../src/providers/http-client.js';
import { alienBodies, breakerOpen, doubts, neverSent, responseOf, ScriptedClient } from './scripted-client.js';

const MOBILE = '9468455123';

function adapterOn(...responses: ProviderResponse[]) {
  const client = new ScriptedClient(...responses);
  const credentials = { username: 'shop', token: new Secret('token-1') };
  return { client, adapter: createEkycHubAdapter({ client, credentials }) };
}

const detect = (response: ProviderResponse) =>
  adapterOn(response).adapter.operatorFetch({ mobile: MOBILE, clientRequestId: 'o1' });
const plans = (response: ProviderResponse) =>
  adapterOn(response).adapter.mobilePlans({ mobile: MOBILE, opcode: 'BT', circleCode: '96', clientRequestId: 'o1' });
const info = (response: ProviderResponse) =>
  adapterOn(response).adapter.dthInfo({ dthNumber: '07210298754', opcode: 'STV', clientRequestId: 'o1' });

const detection = {
  status: 'Success',
  number: '9468455xxx',
  company: 'BSNL',
  circle: 'Haryana',
  circle_code: '96',
  message: 'Operator fetched Successfully',
};
const customer = { VC: '07210298754', Name: 'A Kumar', Balance: '40.63', Minimum_recharge: '200' };

describe('the request', () => {
  const signIn = { username: 'shop', token: 'token-1', orderid: 'o1' };
  const failure = responseOf({ status: 'Failure' });

  it('requests the operator by mobile number', async () => {
    const { client, adapter } = adapterOn(failure);
    await adapter.operatorFetch({ mobile: MOBILE, clientRequestId: 'o1' });
    expect(client.requests).toEqual([
      { method: 'GET', path: '/v3/verification/operator_fetch', query: { ...signIn, mobile: MOBILE }, number: MOBILE },
    ]);
  });

  it('requests mobile plans by number, opcode and circle code', async () => {
    const { client, adapter } = adapterOn(failure);
    await adapter.mobilePlans({ mobile: MOBILE, opcode: 'BT', circleCode: '06', clientRequestId: 'o1' });
    expect(client.requests).toEqual([
      {
        method: 'GET',
        path: '/v3/verification/operator_plan_fetch',
        query: { ...signIn, mobile: MOBILE, opcode: 'BT', circle: '06' },
        number: MOBILE,
      },
    ]);
  });

  test.each([
    ['dthPlans', '/v3/verification/dth_plan_fetch'],
    ['dthInfo', '/v3/verification/dth_info'],
  ] as const)('%s sends the DTH number and opcode', async (method, path) => {
    const { client, adapter } = adapterOn(failure);
    await adapter[method]({ dthNumber: '07210298754', opcode: 'STV', clientRequestId: 'o1' });
    expect(client.requests).toEqual([
      { method: 'GET', path, query: { ...signIn, dth_number: '07210298754', opcode: 'STV' }, number: '07210298754' },
    ]);
  });

  it('is available if its client is available', () => {
    const { client, adapter } = adapterOn();
    expect(adapter.available).toBe(true);
    client.available = false;
    expect(adapter.available).toBe(false);
  });
});

describe('operator detection', () => {
  const haryana = { number: '9468455xxx', company: 'BSNL', circle: 'Haryana', circleCode: '96' };

  it('accepts the documented response', async () => {
    expect(await detect(responseOf(detection))).toEqual({
      kind: 'accepted',
      value: haryana,
      evidence: { reason: 'provider_success', httpStatus: 200, elapsedMs: 12, providerStatus: 'success' },
    });
  });

  test.each<[string, Record<string, unknown>, Partial<typeof haryana>]>([
    ['upper-case keys', { STATUS: 'SUCCESS', COMPANY: 'BSNL', CIRCLE: 'Haryana', CIRCLE_CODE: '96' }, {}],
    ['a boolean status', { ...detection, status: true }, {}],
    [
      'a circle code as a number',
      { ...detection, circle: 'Karnataka', circle_code: 6 },
      { circle: 'Karnataka', circleCode: '06' },
    ],
    [
      'a code without its leading zero',
      { ...detection, circle: 'Punjab', circle_code: '2' },
      { circle: 'Punjab', circleCode: '02' },
    ],
    [
      'a code with its leading zero',
      { ...detection, circle: 'Punjab', circle_code: '02' },
      { circle: 'Punjab', circleCode: '02' },
    ],
    ['a code of three digits', { ...detection, circle: 'Goa', circle_code: 102 }, { circle: 'Goa', circleCode: '102' }],
    [
      'a missing code',
      { ...detection, circle: 'UP(East)', circle_code: undefined },
      { circle: 'UP(East)', circleCode: '54' },
    ],
    ['a null code', { ...detection, circle: 'J&K', circle_code: null }, { circle: 'J&K', circleCode: '55' }],
    ['a code of 0', { ...detection, circle_code: 0 }, {}],
    ['a missing circle name', { ...detection, circle: undefined }, {}],
    ['an unlisted code', { ...detection, circle: 'Ladakh', circle_code: '77' }, { circle: 'Ladakh', circleCode: '77' }],
    ['a missing number', { ...detection, number: undefined }, {}],
    ['a different mask', { ...detection, number: '946XXXX123' }, { number: '946XXXX123' }],
    ['a full number', { ...detection, number: MOBILE }, {}],
    ['a full number with its country code', { ...detection, number: `+91${MOBILE}` }, {}],
    ['a full number as a JSON number', { ...detection, number: Number(MOBILE) }, {}],
  ])('accepts %s', async (_name, body, differences) => {
    expect(await detect(responseOf(body))).toMatchObject({ kind: 'accepted', value: { ...haryana, ...differences } });
  });

  test.each<[string, Record<string, unknown>]>([
    ['no company', { ...detection, company: undefined }],
    ['a blank company', { ...detection, company: ' ' }],
    ['neither circle nor code', { ...detection, circle: '', circle_code: '' }],
    ['no code and an unlisted circle', { ...detection, circle: 'Ladakh', circle_code: null }],
  ])('rejects %s', async (_name, body) => {
    expect(await detect(responseOf(body))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer' },
    });
  });
});

const groupsOf = async (data: unknown) => {
  const outcome = await plans(responseOf({ status: 'Success', Operator: 'BSNL TOPUP', data }));
  if (outcome.kind !== 'accepted') throw new Error(outcome.evidence.reason);
  return outcome.value.groups;
};

describe('plans', () => {
  it('keeps the groups in their order and omits null groups', async () => {
    const body = {
      status: 'Success',
      Operator: 'BSNL TOPUP',
      message: 'Plan fetched',
      data: {
        TOPUP: [{ rs: 10, validity: 'NA', desc: 'Rs. 7.47 Talktime', Type: 'talktime' }],
        DATA: [],
        SMS: null,
        STV: [],
        FRC: [{ rs: 108, validity: '45 Days', desc: '1 GB per day', Type: 'FRC' }],
      },
    };
    expect(await plans(responseOf(body))).toEqual({
      kind: 'accepted',
      value: {
        operator: 'BSNL TOPUP',
        groups: [
          { name: 'TOPUP', plans: [{ price: 10, validity: 'NA', description: 'Rs. 7.47 Talktime', type: 'talktime' }] },
          { name: 'DATA', plans: [] },
          { name: 'STV', plans: [] },
          { name: 'FRC', plans: [{ price: 108, validity: '45 Days', description: '1 GB per day', type: 'frc' }] },
        ],
      },
      evidence: { reason: 'provider_success', httpStatus: 200, elapsedMs: 12, providerStatus: 'success' },
    });
  });

  it('reads DTH plans the same way', async () => {
    const { adapter } = adapterOn(
      responseOf({
        status: 'Success',
        Operator: 'SUN DIRECT',
        data: { Combo: [{ rs: 299, validity: '30 Days', desc: 'Family', Type: 'combo' }], AddOn: [] },
      }),
    );
    expect(await adapter.dthPlans({ dthNumber: '1234567', opcode: 'STV', clientRequestId: 'o1' })).toMatchObject({
      kind: 'accepted',
      value: {
        operator: 'SUN DIRECT',
        groups: [
          { name: 'Combo', plans: [{ price: 299, type: 'combo', description: 'Family', validity: '30 Days' }] },
          { name: 'AddOn', plans: [] },
        ],
      },
    });
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['a price as a string', { rs: '199' }, { price: 199 }],
    ['a price with paise as a string', { rs: ' 199.50 ' }, { price: 199.5 }],
    ['a price with paise', { rs: 7.47 }, { price: 7.47 }],
    [
      'different key cases',
      { RS: 10, VALIDITY: '3 Days', DESC: 'x', TYPE: 'STV' },
      { price: 10, validity: '3 Days', description: 'x', type: 'stv' },
    ],
    ['a missing type', { rs: 10 }, { type: 'data' }],
    ['a null type', { rs: 10, Type: null }, { type: 'data' }],
    ['a missing validity', { rs: 10 }, { validity: 'NA' }],
    ['a validity in days as a number', { rs: 10, validity: 28 }, { validity: '28' }],
    ['a missing description', { rs: 10 }, { description: '' }],
  ])('reads %s', async (_name, plan, expected) => {
    expect(await groupsOf({ DATA: [plan] })).toEqual([{ name: 'DATA', plans: [expect.objectContaining(expected)] }]);
  });

  test.each<[string, unknown]>([
    ['no price', { desc: 'free' }],
    ['a null price', { rs: null }],
    ['a price of 0', { rs: 0 }],
    ['a negative price', { rs: -10 }],
    ['a price in words', { rs: 'ten' }],
    ['a price with a currency', { rs: 'Rs 10' }],
    ['a price with thousandths', { rs: 10.005 }],
    ['a price in scientific notation', { rs: '1e3' }],
    ['a text instead of an object', 'see the web site'],
    ['null', null],
  ])('drops a plan with %s and keeps the others', async (_name, plan) => {
    expect(await groupsOf({ STV: [plan, { rs: 18, Type: 'stv' }] })).toEqual([
      { name: 'STV', plans: [{ price: 18, type: 'stv', description: '', validity: 'NA' }] },
    ]);
  });

  it('keeps a group whose only plan has no usable price', async () => {
    expect(await groupsOf({ STV: [{ rs: '' }] })).toEqual([{ name: 'STV', plans: [] }]);
  });

  it('reads a list with gaps, which PHP writes as an object', async () => {
    expect(await groupsOf({ STV: { 0: { rs: 18 }, 2: { rs: 20 } } })).toMatchObject([
      { name: 'STV', plans: [{ price: 18 }, { price: 20 }] },
    ]);
  });

  test.each<[string, unknown]>([
    ['an empty object', {}],
    ['an empty list, which PHP writes for an object without groups', []],
    ['only null and empty groups', { TOPUP: null, DATA: '' }],
  ])('has no groups when the data is %s', async (_name, data) => {
    expect(await groupsOf(data)).toEqual([]);
  });

  it('leaves the operator empty if the provider returns none', async () => {
    const outcome = await plans(responseOf({ status: 'Success', data: { TOPUP: null } }));
    expect(outcome).toMatchObject({ kind: 'accepted', value: { operator: '', groups: [] } });
  });

  test.each<[string, unknown]>([
    ['missing data', undefined],
    ['null', null],
    ['text', 'no plans'],
    ['a list of plans without groups', [{ rs: 10 }]],
    ['a group that is text', { TOPUP: 'no plans' }],
    ['a group that is an object', { TOPUP: { rs: 10 } }],
  ])('rejects %s', async (_name, data) => {
    expect(await plans(responseOf({ status: 'Success', data }))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer', providerStatus: 'success' },
    });
  });
});

describe('DTH customers', () => {
  it('accepts the documented response', async () => {
    expect(await info(responseOf({ status: 'Success', data: [customer] }))).toEqual({
      kind: 'accepted',
      value: [{ subscriberNumber: '07210298754', name: 'A Kumar', balance: '40.63', minimumRecharge: '200' }],
      evidence: { reason: 'provider_success', httpStatus: 200, elapsedMs: 12, providerStatus: 'success' },
    });
  });

  test.each<[string, Record<string, unknown>, object]>([
    [
      'lower-case keys and numbers',
      { vc: 7210298754, name: 'A', balance: 40.63, minimum_recharge: 200 },
      { subscriberNumber: '7210298754', balance: '40.63', minimumRecharge: '200' },
    ],
    ['a negative balance', { ...customer, Balance: '-12.40' }, { balance: '-12.40' }],
    ['no name', { ...customer, Name: null }, { name: '' }],
    ['no minimum', { ...customer, Minimum_recharge: '' }, { minimumRecharge: '' }],
  ])('accepts %s', async (_name, entry, expected) => {
    expect(await info(responseOf({ Status: true, Data: [entry] }))).toMatchObject({
      kind: 'accepted',
      value: [expected],
    });
  });

  test.each<[string, unknown]>([
    ['no customer', []],
    ['null', null],
    ['a customer without a number', [{ ...customer, VC: '' }]],
    ['a customer without a balance', [{ ...customer, Balance: undefined }]],
    ['a balance in words', [{ ...customer, Balance: 'nil' }]],
    ['a minimum in words', [{ ...customer, Minimum_recharge: 'two hundred' }]],
    ['a balance out of range', [{ ...customer, Balance: '9'.repeat(400) }]],
    ['a minimum out of range', [{ ...customer, Minimum_recharge: '9'.repeat(14) }]],
  ])('rejects %s', async (_name, data) => {
    expect(await info(responseOf({ status: 'Success', data }))).toMatchObject({ kind: 'unknown' });
  });
});

const lookups = { detect, plans, info };

describe.each(Object.entries(lookups))('%s', (_name, lookup) => {
  it.each(['Failure', 'failure', 'FAILURE ', false])('declines on %j with HTTP 200', async (status) => {
    expect(await lookup(responseOf({ status, message: 'Please enter correct Mobile number ' }))).toEqual({
      kind: 'declined',
      evidence: {
        reason: 'provider_failure',
        httpStatus: 200,
        elapsedMs: 12,
        providerStatus: String(status).trim().toLowerCase(),
      },
    });
  });

  it.each(Object.entries(alienBodies))('reports %s as unexpected', async (_body, body) => {
    expect(await lookup(responseOf(body))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer' },
    });
  });

  it.each([
    [500, { status: 'Failure' }],
    [502, detection],
    [503, { status: 'Success', data: [customer] }],
  ])('is unknown with HTTP %i regardless of the body', async (httpStatus, body) => {
    expect(await lookup(responseOf(body, httpStatus))).toEqual({
      kind: 'unknown',
      evidence: { reason: 'http_error', httpStatus, elapsedMs: 12 },
    });
  });

  it.each(Object.entries(doubts))('passes %s on as unknown', async (_title, evidence) => {
    expect(await lookup({ kind: 'unknown', evidence })).toEqual({ kind: 'unknown', evidence });
  });

  it.each([neverSent, breakerOpen])('declines a request that was never sent: $evidence.reason', async (response) => {
    expect(await lookup(response)).toEqual({ kind: 'declined', evidence: response.evidence });
  });

  it.each([
    { status: `Success for ${MOBILE}` },
    { status: MOBILE },
    { status: 'ABCDE1234F' },
    { status: 'Failure', message: `${MOBILE} is not valid`, number: MOBILE },
    { status: 'Success', message: MOBILE, number: MOBILE },
  ])('keeps the request data out of the evidence of %j', async (body) => {
    const { evidence } = await lookup(responseOf(body));
    expect(JSON.stringify(evidence)).not.toMatch(/9468455|07210298754|ABCDE|token-1/);
  });
});
