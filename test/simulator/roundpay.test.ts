import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  freshSimulator,
  newReference,
  roundpayStatusUrl,
  roundpayTransactionUrl,
  rowsOf,
  type SimulatorResponse,
  send,
  silenceOf,
} from './simulator.fixture.js';

const callbacks: URL[] = [];
const callbackHost = createServer((request, response) => {
  callbacks.push(new URL(request.url ?? '', 'http://callback'));
  response.end('{}');
});

let simulator: Awaited<ReturnType<typeof freshSimulator>>;

beforeAll(async () => {
  await new Promise<void>((resolve) => callbackHost.listen(0, '127.0.0.1', resolve));
  const { port } = callbackHost.address() as AddressInfo;
  simulator = await freshSimulator({
    callback: { baseUrl: `http://127.0.0.1:${port}/`, secrets: new Map([['roundpay', 'callback-secret']]) },
  });
});
afterAll(async () => {
  await simulator.close();
  callbackHost.closeAllConnections();
  callbackHost.close();
});

/** Sends one recharge to a magic number with a new reference. */
function recharge(suffix: string) {
  const account = `987654${suffix}`;
  const reference = newReference();
  return {
    account,
    reference,
    url: roundpayTransactionUrl(simulator.url, { Account: account, APIRequestID: reference }),
    checkStatus: (): Promise<SimulatorResponse> => send(roundpayStatusUrl(simulator.url, { AGENTID: reference })),
    booked: async () =>
      (await rowsOf(`${simulator.url}/_/book`)).filter((row) => row.reference === reference).map((row) => row.outcome),
  };
}

describe.concurrent('RoundPay', () => {
  it('completes a recharge once and returns the documented keys as strings', async () => {
    const { url, account, reference, booked } = recharge('1234');
    const { status, body } = await send(url);
    expect(status).toBe(200);
    expect(body).toEqual({
      STATUS: '2',
      MSG: 'SUCCESS',
      BAL: expect.stringMatching(/^\d+\.\d\d$/),
      ERRORCODE: '200',
      ACCOUNT: account,
      AMOUNT: '199',
      RPID: expect.stringMatching(/^S\d{12}[0-9A-Z]+$/),
      AGENTID: reference,
      OPID: expect.stringMatching(/^BR[0-9A-Z]+$/),
    });
    expect(await booked()).toEqual(['succeeded']);
  });

  it('returns the existing transaction for a repeated reference, also when both requests arrive together', async () => {
    const { url, booked } = recharge('1235');
    const [first, second] = await Promise.all([send(url), send(url)]);
    expect(second.body).toEqual({ ...first.body, BAL: expect.any(String) });
    expect((await send(url.replace('Amount=199', 'Amount=500'))).body).toMatchObject({
      AMOUNT: '199',
      RPID: first.body.RPID,
    });
    expect(await booked()).toEqual(['succeeded']);
  });

  it('rejects wrong credentials with 101', async () => {
    const { url, booked } = recharge('1236');
    expect((await send(url.replace('Token=', 'Token=x'))).body.ERRORCODE).toBe('101');
    expect((await send(url.replace('UserID=', 'UserID=x'))).body.ERRORCODE).toBe('101');
    expect(await booked()).toEqual([]);
  });

  it.for([
    ['Account', ''],
    ['Amount', '-5'],
    ['Amount', '1e3'],
    ['SPKey', 'airtel'],
    ['APIRequestID', 'LONGER-THAN-THE-TWENTY-FIVE-ALLOWED'],
    ['Format', ''],
  ] as const)('rejects %s "%s" as STATUS 1 with 102 and books nothing', async ([name, value]) => {
    const reference = newReference();
    const fields = { Account: '9876541237', APIRequestID: reference, [name]: value };
    const { body } = await send(roundpayTransactionUrl(simulator.url, fields));
    expect(body).toEqual({ STATUS: '1', MSG: `Invalid parameter ${name}`, ERRORCODE: '102' });
    expect((await send(roundpayStatusUrl(simulator.url, { AGENTID: reference }))).body.ERRORCODE).toBe('404');
  });

  it.for([
    ['an unknown operator', { SPKey: '9999' }],
    ['a mobile account on a DTH operator', { SPKey: '51', Account: '1' }],
    ['a short mobile number', { Account: '98765' }],
  ] as const)('fails %s with 501', async ([, fields]) => {
    const reference = newReference();
    const url = roundpayTransactionUrl(simulator.url, { Account: '9876541238', APIRequestID: reference, ...fields });
    expect((await send(url)).body).toEqual({
      STATUS: '3',
      MSG: 'Operator Down or Invalid Account',
      ERRORCODE: '501',
    });
    expect((await send(roundpayStatusUrl(simulator.url, { AGENTID: reference }))).body.STATUS).toBe('3');
  });

  it('finds no transaction that was never sent', async () => {
    const { status, body } = await send(roundpayStatusUrl(simulator.url, { AGENTID: 'NEVERSENT' }));
    expect({ status, body }).toEqual({
      status: 200,
      body: { STATUS: '0', MSG: 'Transaction not found', ERRORCODE: '404', AGENTID: 'NEVERSENT', RPID: '' },
    });
  });

  it('0001 is declined', async () => {
    const { url, checkStatus, booked } = recharge('0001');
    expect((await send(url)).body).toMatchObject({ STATUS: '3', ERRORCODE: '501' });
    expect((await checkStatus()).body).toMatchObject({ STATUS: '3', ERRORCODE: '302' });
    expect(await booked()).toEqual([]);
  });

  it.for([
    ['0002', 'held', 'succeeded', { STATUS: '2', ERRORCODE: '200', AMOUNT: '199' }],
    ['0003', 'held', undefined, { STATUS: '3', ERRORCODE: '302' }],
    ['0004', 'held', undefined, { STATUS: '0', ERRORCODE: '404' }],
    ['0012', 'reset', 'succeeded', { STATUS: '2', ERRORCODE: '200' }],
  ] as const)('%s sends no response (%s)', async ([suffix, end, outcome, expected]) => {
    const { url, checkStatus, booked } = recharge(suffix);
    expect(await silenceOf(url)).toBe(end);
    expect(await booked()).toEqual(outcome ? [outcome] : []);
    expect((await checkStatus()).body).toMatchObject(expected);
  });

  it.for([
    ['0005', { STATUS: '2', ERRORCODE: '200' }, ['succeeded']],
    ['0006', { STATUS: '3', ERRORCODE: '302' }, []],
  ] as const)('%s is pending until the third status check', async ([suffix, settled, lines]) => {
    const { url, checkStatus, booked } = recharge(suffix);
    const pending = { STATUS: '1', ERRORCODE: '100', OPID: '' };
    expect((await send(url)).body).toMatchObject(pending);
    expect((await send(url)).body).toMatchObject(pending);
    expect((await checkStatus()).body).toMatchObject(pending);
    expect((await checkStatus()).body).toMatchObject(pending);
    expect((await checkStatus()).body).toMatchObject(settled);
    expect((await checkStatus()).body).toMatchObject(settled);
    expect(await booked()).toEqual(lines);
  });

  it('0007 returns HTTP 500 with a page after completing the recharge', async () => {
    const { url, checkStatus, booked } = recharge('0007');
    const { status, text } = await send(url);
    expect(status).toBe(500);
    expect(text).toMatch(/^<!DOCTYPE html>/);
    expect(await booked()).toEqual(['succeeded']);
    expect((await checkStatus()).body.STATUS).toBe('2');
  });

  it('0008 returns truncated JSON after completing the recharge', async () => {
    const { url, booked } = recharge('0008');
    const { status, text } = await send(url);
    expect(status).toBe(200);
    expect(text).toMatch(/^\{"STATUS":"2"/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(await booked()).toEqual(['succeeded']);
  });

  it('0009 responds after three seconds', async () => {
    const { url, booked } = recharge('0009');
    const startedAt = performance.now();
    const response = send(url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await booked()).toEqual(['succeeded']);
    expect((await response).body.STATUS).toBe('2');
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
  });

  it('0010 succeeds, is reversed a moment later and sends a callback', async () => {
    const { url, account, reference, checkStatus, booked } = recharge('0010');
    const { body } = await send(url);
    expect(body.STATUS).toBe('2');
    expect((await checkStatus()).body.STATUS).toBe('2');
    await vi.waitFor(async () => expect(await booked()).toEqual(['succeeded', 'reversed']), {
      timeout: 300_000,
      interval: 20,
    });
    expect((await checkStatus()).body).toMatchObject({ STATUS: '4', ERRORCODE: '303' });
    const ownCallback = () => callbacks.find((callback) => callback.searchParams.get('agentid') === reference);
    await vi.waitFor(() => expect(ownCallback()).toBeDefined(), { timeout: 300_000, interval: 20 });
    expect(ownCallback()?.pathname).toBe('/callbacks/roundpay');
    expect(Object.fromEntries(ownCallback()?.searchParams ?? [])).toEqual({
      status: 'FAILED',
      rpid: body.RPID,
      mobile: account,
      amount: '199',
      agentid: reference,
      opid: body.OPID,
      secret: 'callback-secret',
    });
  });

  it('0011 returns a different amount', async () => {
    const { url, account, reference, checkStatus } = recharge('0011');
    expect((await send(url)).body).toMatchObject({ STATUS: '2', AMOUNT: '200' });
    expect((await checkStatus()).body.AMOUNT).toBe('199');
    const line = (await rowsOf(`${simulator.url}/_/book`)).find((row) => row.reference === reference);
    expect(line).toEqual({
      provider: 'roundpay',
      reference,
      account,
      amount: 19_900,
      outcome: 'succeeded',
      time: expect.any(String),
    });
  });

  it('0013 returns lower-case keys and numbers', async () => {
    const { url, account, reference, checkStatus } = recharge('0013');
    const { body } = await send(url);
    expect(body).toMatchObject({ status: 2, errorcode: 200, account, amount: 199, agentid: reference });
    expect(body).not.toHaveProperty('STATUS');
    expect((await checkStatus()).body).toMatchObject({ status: 2, amount: 199 });
  });
});

describe('RoundPay balance', () => {
  it('decreases with each completed recharge', async () => {
    const own = await freshSimulator();
    try {
      const balanceUrl = roundpayStatusUrl(own.url, {}).replace('StatusCheck', 'Balance');
      const initialBalance = (await send(balanceUrl)).body.bal as number;
      const fields = { Account: '9876541240', APIRequestID: newReference(), Amount: '10.50' };
      const { body } = await send(roundpayTransactionUrl(own.url, fields));
      expect(body.AMOUNT).toBe('10.5');
      expect((await send(balanceUrl)).body).toEqual({ bal: initialBalance - 10.5 });
    } finally {
      await own.close();
    }
  });
});
