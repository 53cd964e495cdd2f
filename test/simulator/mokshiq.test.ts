import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/simulator/credentials.js';
import { freshSimulator, postJson, rowsOf, send, silenceOf } from './simulator.fixture.js';

let simulator: Awaited<ReturnType<typeof freshSimulator>>;
beforeAll(async () => {
  simulator = await freshSimulator();
});
afterAll(() => simulator.close());

const { token, origin, pin } = demoCredentials.mokshiq;
const headers = { authorization: `Bearer ${token}`, origin };

function form(fields: Record<string, string>, own: Record<string, string> = headers): RequestInit {
  const body = new FormData();
  const complete = { operator: 'Airtel', amount: '199', pin, circle: 'Bihar Jharkhand', ...fields };
  for (const [name, value] of Object.entries(complete)) body.set(name, value);
  return { method: 'POST', headers: own, body };
}

const mobileUrl = () => `${simulator.url}/mokshiq/create_mobile_recharge`;
const booked = async (account: string) =>
  (await rowsOf(`${simulator.url}/_/book`)).filter((row) => row.account === account);

describe.concurrent('Mokshiq', () => {
  it('completes a mobile recharge and books it without a reference', async () => {
    const number = '9876541301';
    const { status, body } = await send(mobileUrl(), form({ number, amount: '199.50' }));
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: 'Recharge Successful',
      txn_id: expect.stringMatching(/^MQ\d+$/),
      opid: expect.stringMatching(/^OP[0-9A-Z]+$/),
    });
    const line = { provider: 'mokshiq', reference: null, account: number, amount: 19_950, outcome: 'succeeded' };
    expect(await booked(number)).toEqual([{ ...line, time: expect.any(String) }]);
  });

  it('completes every request again because it has no reference to detect duplicates', async () => {
    const number = '9876541302';
    await send(mobileUrl(), form({ number }));
    await send(mobileUrl(), form({ number }));
    expect(await booked(number)).toHaveLength(2);
  });

  it('completes a DTH recharge without a circle', async () => {
    const fields = { number: '3000123456', operator: 'Tata Sky', circle: '' };
    const { body } = await send(`${simulator.url}/mokshiq/create_dth_recharge`, form(fields));
    expect(body.status).toBe('success');
  });

  it.for([
    ['operator', 'Vi'],
    ['operator', 'Tata Sky'],
    ['circle', 'Bihar and Jharkhand'],
    ['circle', ''],
    ['amount', '0'],
    ['number', '98765'],
    ['pin', '0000'],
  ] as const)('rejects %s "%s" and completes nothing', async ([name, value]) => {
    const { body } = await send(mobileUrl(), form({ number: '9876541303', [name]: value }));
    expect(body).toEqual({ status: false, message: `Invalid ${name}` });
    expect(await booked('9876541303')).toEqual([]);
  });

  it.for([
    ['token', { ...headers, authorization: 'Bearer other' }],
    ['origin', { ...headers, origin: 'https://elsewhere.example' }],
  ] as const)('rejects a wrong %s with 403', async ([, wrong]) => {
    const { status, body } = await send(mobileUrl(), form({ number: '9876541304' }, wrong));
    expect({ status, body }).toEqual({ status: 403, body: { detail: 'Invalid token' } });
  });

  it.for([
    ['0001', { status: false, message: 'Recharge unsuccessful' }, 0],
    ['0005', { status: 'pending', message: 'Recharge is in process', txn_id: expect.any(String) }, 1],
    ['0011', expect.objectContaining({ status: 'success', amount: '200' }), 1],
    ['0013', { status: true, message: 'Recharge done successfully', reference_num: expect.stringMatching(/^\d+$/) }, 1],
  ] as const)('returns the scripted response for %s', async ([suffix, expected, lines]) => {
    const number = `912354${suffix}`;
    expect((await send(mobileUrl(), form({ number }))).body).toEqual(expected);
    expect(await booked(number)).toHaveLength(lines);
  });

  it('completes 0002 without sending a response', async () => {
    const number = '9123540002';
    expect(await silenceOf(mobileUrl(), form({ number }))).toBe('held');
    expect(await booked(number)).toHaveLength(1);
  });

  it('returns an operator in its own spelling', async () => {
    const url = `${simulator.url}/mokshiq/operator_lookup`;
    const found = await send(url, postJson({ number: '9468455123' }, headers));
    expect(found.body).toEqual({ status: 'success', operator: 'BSNL', circle: 'Haryana' });
    expect((await send(url, postJson({ number: '5468455123' }, headers))).body.status).toBe(false);
  });
});
