import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/simulator/credentials.js';
import {
  fileDay,
  freshSimulator,
  newReference,
  postJson,
  query,
  roundpayStatusUrl,
  roundpayTransactionUrl,
  rowsOf,
  send,
  silenceOf,
} from './simulator.fixture.js';

let simulator: Awaited<ReturnType<typeof freshSimulator>>;
beforeAll(async () => {
  simulator = await freshSimulator();
});
afterAll(() => simulator.close());

const control = (command: string, body: object) => send(`${simulator.url}/_/${command}`, postJson(body));
const rechargeUrl = (Account: string, APIRequestID = newReference()) =>
  roundpayTransactionUrl(simulator.url, { Account, APIRequestID });

const errorScript = {
  provider: 'roundpay',
  call: 'status_check',
  suffix: '1612',
  httpStatus: 200,
  answer: {},
  echo: 'none',
};

beforeEach(async () => {
  expect(await control('reset', {})).toMatchObject({ status: 200, body: { ok: true } });
});

it('the simulator describes itself at its root', async () => {
  const { status, text } = await send(`${simulator.url}/`);
  expect(status).toBe(200);
  expect(text).toMatch(/^This is the provider simulator/);
  for (const provider of ['roundpay', 'mokshiq', 'ekychub', 'inspay', 'banksathi'])
    expect(text).toContain(`/${provider}/`);
});

describe('control endpoints', () => {
  it('lists every call by path, without its query and without unknown paths', async () => {
    await send(rechargeUrl('9876541601'));
    await send(`${simulator.url}/ekychub/v3/9876541601`);
    expect(await rowsOf(`${simulator.url}/_/calls`)).toEqual([
      {
        provider: 'roundpay',
        path: '/roundpay/API/TransactionAPI',
        reference: null,
        time: expect.stringMatching(/Z$/),
      },
      { provider: 'ekychub', path: '/ekychub/(unknown path)', reference: null, time: expect.stringMatching(/Z$/) },
    ]);
    expect((await send(`${simulator.url}/_/calls`)).text).not.toContain('9876541601');
  });

  it('an outage returns 503 with a page, processes nothing and does not affect other providers', async () => {
    await control('outage', { provider: 'roundpay', on: true });
    const { status, text } = await send(rechargeUrl('9876541602'));
    expect(status).toBe(503);
    expect(text).toMatch(/^<!DOCTYPE html>/);
    expect(await rowsOf(`${simulator.url}/_/book`)).toEqual([]);
    expect(await rowsOf(`${simulator.url}/_/calls`)).toHaveLength(1);
    expect((await send(`${simulator.url}/banksathi/api/b2b/occupation`)).status).toBe(401);
    await control('outage', { provider: 'roundpay', on: false });
    expect((await send(rechargeUrl('9876541602'))).body.STATUS).toBe('2');
  });

  it('latency delays the response, but not the processing, until it is changed', async () => {
    await control('latency', { provider: 'roundpay', ms: 60_000 });
    let hasResponded = false;
    const response = send(rechargeUrl('9876541603')).finally(() => (hasResponded = true));
    await expect.poll(() => rowsOf(`${simulator.url}/_/book`)).toHaveLength(1);
    expect(hasResponded).toBe(false);
    await control('latency', { provider: 'roundpay', ms: 20 });
    expect((await response).body.STATUS).toBe('2');
    const startedAt = performance.now();
    expect((await send(rechargeUrl('9876541604'))).body.STATUS).toBe('2');
    expect(performance.now() - startedAt).toBeGreaterThan(19);
  });

  it('a changed clock books transactions on the simulated day, and status checks find them only on that day', async () => {
    const reference = newReference();
    await control('clock', { aheadMs: 86_400_000 });
    await send(rechargeUrl('9876541605', reference));
    const checkOn = async (Optional1: string) =>
      (await send(roundpayStatusUrl(simulator.url, { AGENTID: reference, Optional1 }))).body.ERRORCODE;
    expect([await checkOn(fileDay()), await checkOn(fileDay(1)), await checkOn(fileDay(2))]).toEqual([
      '404',
      '200',
      '404',
    ]);
  });

  it('a blind provider books as usual, but finds no transactions until it is reset', async () => {
    const reference = newReference();
    const statusCode = async () =>
      (await send(roundpayStatusUrl(simulator.url, { AGENTID: reference }))).body.ERRORCODE;
    await control('blind', { provider: 'roundpay', on: true });
    expect((await send(rechargeUrl('9876541606', reference))).body.STATUS).toBe('2');
    expect(await statusCode()).toBe('404');
    await control('blind', { provider: 'roundpay', on: false });
    expect(await statusCode()).toBe('200');
  });

  it('each provider with a status check can be blind', async () => {
    const sent = { ...demoCredentials.inspay, orderid: newReference(), format: 'json' };
    const bill = { ...sent, mobile: '9876541609', card: '3008', opcode: 'HSBC', amount: 10 };
    const post = (path: string, more: object = {}) =>
      send(`${simulator.url}/inspay/v4/credit_card/${path}`, postJson({ ...bill, ...more }));
    const { fetch_id } = (await post('bill_fetch')).body;
    expect((await post('bill_pay', { fetch_id })).body.status).toBe('Success');
    const { orderid } = sent;
    const checkStatus = async () => (await send(`${simulator.url}/inspay/v3/recharge/status?${query(sent)}`)).body;
    await control('blind', { provider: 'inspay', on: true });
    expect(await checkStatus()).toMatchObject({ error_code: 'ORDER_NOT_FOUND', orderid });
    await control('blind', { provider: 'inspay', on: false });
    expect(await checkStatus()).toMatchObject({ status: 'Success', orderid });
  });

  it('a scripted error replaces the response, with the selected echo, and the book is unchanged', async () => {
    const AGENTID = newReference();
    const { body: booked } = await send(rechargeUrl('9876541610', AGENTID));
    const words = { STATUS: '3', ERRORCODE: '429' };
    const { ACCOUNT, AMOUNT, RPID } = booked;
    const respondWith = async (echo: string, more: object = {}) => {
      await control('refusal', { ...errorScript, suffix: '1610', echo, answer: words, ...more });
      const { status, body } = await send(roundpayStatusUrl(simulator.url, { AGENTID, RPID: 'asked' }));
      return [status, body];
    };
    expect(await respondWith('none', { httpStatus: 429 })).toEqual([429, words]);
    expect(await respondWith('asked')).toEqual([200, { AGENTID, RPID: 'asked', ...words }]);
    expect(await respondWith('transaction')).toEqual([200, { ACCOUNT, AMOUNT, RPID, AGENTID, ...words }]);
    expect(await respondWith('other order')).toEqual([
      200,
      { ACCOUNT, AMOUNT, RPID, AGENTID: 'ANOTHERORDER', ...words },
    ]);
    expect(await respondWith('other amount')).toEqual([200, { ACCOUNT, AMOUNT: 7, RPID, AGENTID, ...words }]);
    expect(await respondWith('other transaction')).toEqual([200, { ACCOUNT, AMOUNT, RPID: 42, AGENTID, ...words }]);
    expect(await respondWith('none', { answer: null })).toEqual([200, booked]);
    await control('refusal', { ...errorScript, call: 'payment', suffix: '1611', answer: words });
    const other = newReference();
    expect((await send(rechargeUrl('9876541611', other))).body).toEqual(words);
    expect((await rowsOf(`${simulator.url}/_/book`)).map(({ reference }) => reference)).toContain(other);
    await control('reset', {});
    expect((await send(rechargeUrl('9876541611'))).body.STATUS).toBe('2');
  });

  it('an outcome overrides a suffix until the reset', async () => {
    await control('outcome', { suffix: '0001', outcome: 'success' });
    await control('outcome', { suffix: '4321', outcome: 'silent_never_found' });
    expect((await send(rechargeUrl('9876540001'))).body.STATUS).toBe('2');
    expect(await silenceOf(rechargeUrl('9876544321'))).toBe('held');
    await control('reset', {});
    expect((await send(rechargeUrl('9876540001'))).body.STATUS).toBe('3');
    expect((await send(rechargeUrl('9876544321'))).body.STATUS).toBe('2');
  });

  it('a reset clears the book and the calls, also for status checks', async () => {
    const reference = newReference();
    await send(rechargeUrl('9876541604', reference));
    await control('reset', {});
    expect(await rowsOf(`${simulator.url}/_/book`)).toEqual([]);
    expect(await rowsOf(`${simulator.url}/_/calls`)).toEqual([]);
    const { body } = await send(roundpayStatusUrl(simulator.url, { AGENTID: reference }));
    expect(body.ERRORCODE).toBe('404');
  });

  it.each([
    ['outage', { provider: 'ROUNDPAY', on: true }, 'provider'],
    ['outage', { provider: 'roundpay', on: 'yes' }, 'on'],
    ['blind', { provider: 'roundpay' }, 'on'],
    // rejected because it would have no effect, and tests that rely on it would prove nothing
    ['blind', { provider: 'mokshiq', on: true }, 'provider'],
    ['refusal', { ...errorScript, provider: 'mokshiq' }, 'provider'],
    ['refusal', { ...errorScript, call: 'status' }, 'call'],
    ['refusal', { ...errorScript, suffix: '54' }, 'suffix'],
    ['refusal', { ...errorScript, echo: 'all' }, 'echo'],
    ['refusal', { ...errorScript, httpStatus: 700 }, 'httpStatus'],
    ['refusal', { ...errorScript, answer: 'no' }, 'answer'],
    ['clock', { aheadMs: 0.5 }, 'aheadMs'],
    ['clock', { aheadMs: 1e12 }, 'aheadMs'],
    ['latency', { ms: 5 }, 'provider'],
    ['latency', { provider: 'inspay', ms: -1 }, 'ms'],
    ['latency', { provider: 'inspay', ms: 1.5 }, 'ms'],
    ['outcome', { suffix: '12345', outcome: 'success' }, 'suffix'],
    ['outcome', { suffix: 1, outcome: 'success' }, 'suffix'],
    ['outcome', { suffix: '0001', outcome: 'toString' }, 'outcome'],
    ['outage', [], 'body'],
  ] as const)('%s %o is rejected with the name of its field', async (command, body, field) => {
    const response = await control(command, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: expect.stringMatching(new RegExp(`^${field} must be `)), field });
  });

  it('rejects web pages, wrong methods and unknown endpoints', async () => {
    const fromPage = postJson({}, { origin: 'https://elsewhere.example' });
    expect((await send(`${simulator.url}/_/reset`, fromPage)).status).toBe(403);
    expect((await send(`${simulator.url}/_/reset`)).status).toBe(405);
    expect((await send(`${simulator.url}/_/book`, { method: 'POST' })).status).toBe(405);
    expect((await send(`${simulator.url}/_/other`)).status).toBe(404);
  });
});

describe('paths and bodies that do not exist at any provider', () => {
  it('return a page', async () => {
    expect((await send(`${simulator.url}/nobody/x`)).status).toBe(404);
    expect((await send(`${simulator.url}/roundpay/API/Other`)).status).toBe(404);
    expect((await send(rechargeUrl('9876541605'), { method: 'POST' })).status).toBe(405);
    const long = { method: 'POST', body: 'x'.repeat(300_000) };
    expect((await send(`${simulator.url}/inspay/v4/credit_card/bill_pay`, long)).status).toBe(413);
  });
});
