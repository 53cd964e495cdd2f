import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/simulator/credentials.js';
import { freshSimulator, query, send, silenceOf } from './simulator.fixture.js';

let simulator: Awaited<ReturnType<typeof freshSimulator>>;
beforeAll(async () => {
  simulator = await freshSimulator();
});
afterAll(() => simulator.close());

const urlOf = (path: string, fields: Record<string, string>): string =>
  `${simulator.url}/ekychub/v3/verification/${path}?${query({ ...demoCredentials.ekychub, orderid: 'OPF_001', ...fields })}`;
const request = (path: string, fields: Record<string, string>) => send(urlOf(path, fields));

interface Plan {
  rs: number | string;
  validity: string;
  desc: string;
  Type?: string;
}

describe.concurrent('EkycHub', () => {
  it('detects the operator of a number', async () => {
    const { body } = await request('operator_fetch', { mobile: '9468455123' });
    expect(body).toEqual({
      status: 'Success',
      number: '9468455xxx',
      company: 'BSNL',
      circle: 'Haryana',
      circle_code: '96',
      message: 'Operator fetched Successfully',
    });
    expect((await request('operator_fetch', { mobile: '9468541234' })).body.company).toBe('Airtel');
  });

  it('lists several dozen constant plans, with groups that can be null', async () => {
    const fields = { mobile: '9468455123', opcode: 'BT', circle: '96' };
    const { body } = await request('operator_plan_fetch', fields);
    expect(body).toMatchObject({ status: 'Success', Operator: 'BSNL TOPUP' });
    const groups = body.data as Record<string, Plan[] | null>;
    expect(Object.keys(groups)).toEqual(['TOPUP', 'FULLTT', 'DATA', 'STV', 'RATE CUTTER', 'SMS']);
    expect(groups.SMS).toBeNull();
    const plans = Object.values(groups).flatMap((group) => group ?? []);
    expect(plans.length).toBeGreaterThanOrEqual(36);
    for (const plan of plans) {
      expect(plan).toEqual({
        rs: expect.any(Number),
        validity: expect.any(String),
        desc: expect.any(String),
        Type: expect.any(String),
      });
    }
    expect(groups.TOPUP?.[0]).toEqual({ rs: 10, validity: 'NA', desc: 'Talktime of Rs. 7.47', Type: 'talktime' });
    expect((await request('operator_plan_fetch', fields)).body).toEqual(body);
    expect((await request('operator_plan_fetch', { ...fields, circle: '06' })).body).not.toEqual(body);
  });

  it('lists DTH packs and customers', async () => {
    const fields = { dth_number: '07210298754', opcode: 'STV' };
    const plans = (await request('dth_plan_fetch', fields)).body;
    expect(plans).toMatchObject({ status: 'Success', Operator: 'SUN DIRECT' });
    expect(Object.keys(plans.data as object)).toEqual(['Combo', 'AddOn']);
    expect((await request('dth_info', fields)).body).toEqual({
      status: 'Success',
      data: [
        {
          VC: '07210298754',
          Name: expect.stringMatching(/^\w+ \w+ \w+$/),
          Balance: expect.stringMatching(/^\d+\.\d\d$/),
          Minimum_recharge: expect.stringMatching(/^\d+$/),
        },
      ],
    });
  });

  it.for([
    ['operator_fetch', { mobile: '12345' }, 'Please enter correct Mobile number '],
    ['operator_fetch', { mobile: '9876541234', orderid: '' }, 'Please enter orderid'],
    ['operator_fetch', { mobile: '9876541234', token: 'x' }, 'Invalid username or token'],
    ['operator_plan_fetch', { mobile: '9876541234', opcode: 'STV', circle: '96' }, 'Please enter correct opcode'],
    ['operator_plan_fetch', { mobile: '9876541234', opcode: 'A', circle: '6' }, 'Please enter correct circle'],
    ['dth_info', { dth_number: '0721', opcode: 'A' }, 'Please enter correct opcode'],
    ['dth_info', { dth_number: '', opcode: 'STV' }, 'Please enter correct DTH number'],
    ['operator_fetch', { mobile: '9876540001' }, 'Please enter correct Mobile number '],
    ['dth_plan_fetch', { dth_number: '3000540001', opcode: 'DTV' }, 'Please enter correct DTH number'],
  ] as const)('fails %s %o with HTTP 200', async ([path, fields, message]) => {
    const { status, body } = await request(path, fields);
    expect({ status, body }).toEqual({ status: 200, body: { status: 'Failure', message } });
  });

  it('applies the magic numbers for transport errors', async () => {
    expect(await silenceOf(urlOf('operator_fetch', { mobile: '9876540002' }))).toBe('held');
    expect(await silenceOf(urlOf('dth_info', { dth_number: '3000540012', opcode: 'DTV' }))).toBe('reset');
    expect((await request('operator_fetch', { mobile: '9876540007' })).status).toBe(500);
    const { text } = await request('operator_fetch', { mobile: '9876540008' });
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect((await request('operator_fetch', { mobile: '9876540005' })).body.status).toBe('Success');
  });

  it('returns string prices, no types and lower-case keys for 0013', async () => {
    const plans = (await request('operator_plan_fetch', { mobile: '9876540013', opcode: 'A', circle: '06' })).body;
    expect(plans).toMatchObject({ status: 'SUCCESS', operator: 'AIRTEL', data: { SMS: null } });
    expect((plans.data as Record<string, Plan[]>).TOPUP?.[0]).toEqual({
      rs: '10',
      validity: 'NA',
      desc: 'Talktime of Rs. 7.47',
    });
    const info = (await request('dth_info', { dth_number: '3000540013', opcode: 'DTV' })).body;
    expect((info.data as object[])[0]).toMatchObject({ vc: '3000540013', balance: expect.any(Number) });
    expect((await request('operator_fetch', { mobile: '9876540013' })).body.company).toBe('VODAFONE IDEA');
  });
});
