import Fastify from 'fastify';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { AddressList } from '../../src/core/addresses.js';
import type { AppError } from '../../src/core/errors.js';
import { referenceOf } from '../../src/core/ids.js';
import { createLogger } from '../../src/core/log.js';
import { Secret } from '../../src/core/secret.js';
import { mountCallbacks } from '../../src/http/callbacks.js';
import { callbacks as formats } from '../../src/providers/registry.js';
import { Callbacks } from '../../src/status-checks/callbacks.js';
import { CALLBACK_SECRET, type TestDeveloper, testEnvironment } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { callBack, eventsOf, orderRow, sentReference, statusCalls, transfersOf } from './order.fixture.js';

const UNKNOWN_REFERENCE = '0'.repeat(25);
const lines: string[] = [];
let developer: TestDeveloper;

// the first scheduled status check is far in the future, so callbacks cause every status check in this file
const test = useOwnApp(
  { STATUS_CHECK_SCHEDULE_MS: '60s', LOG_LEVEL: 'trace' },
  pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
);
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

const recharge = (key: string, account = '9876543210') =>
  place(test, developer, { account_number: account, client_request_id: key });
const counter = async (name: string, label: string): Promise<number> => {
  const { body } = await test.rest('production', 'GET', '/metrics');
  const line = String(body)
    .split('\n')
    .find((text) => text.startsWith(`${name}{`) && text.includes(label));
  return line ? Number(line.split(' ').at(-1)) : 0;
};
const metric = (result: string): Promise<number> => counter('gateway_provider_callbacks_total', `result="${result}"`);
const stateOf = async (key: string) => (await orderRow(test, developer, key)).state;

describe('callbacks', () => {
  it.each([
    ['an unknown provider', 'nobody', CALLBACK_SECRET, 404, 'NOT_FOUND', 'unknown_provider'],
    ['a provider without a secret', 'inspay', CALLBACK_SECRET, 404, 'NOT_FOUND', 'unknown_provider'],
    ['no secret', 'roundpay', null, 401, 'UNAUTHENTICATED', 'wrong_secret'],
    ['an empty secret', 'roundpay', '', 401, 'UNAUTHENTICATED', 'wrong_secret'],
    ['a wrong secret', 'roundpay', `${CALLBACK_SECRET}!`, 401, 'UNAUTHENTICATED', 'wrong_secret'],
  ])('are rejected for %s, counted, and change nothing', async (_case, provider, secret, status, code, result) => {
    const key = `forged ${provider} ${secret}.`;
    const { body } = await recharge(key);
    const metricBefore = await metric(result);
    const response = await callBack(test, { status: 'FAILED', agentid: body.data.api_request_id }, secret, provider);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({
      status: 'error',
      message: expect.any(String),
      code,
      doc_url: `${test.urls.production}/docs/errors#${code}`,
      request_id: expect.any(String),
    });
    expect(await metric(result)).toBe(metricBefore + 1);
    const order = await orderRow(test, developer, key);
    expect(order).toMatchObject({ state: 'success', doubted_since: null, reversed_at: null });
    expect(await eventsOf(test, order.id)).toEqual(['response']);
  });

  it('are accepted only on the Production host, and only by GET and POST', async () => {
    const query = new URLSearchParams({ status: 'FAILED', agentid: UNKNOWN_REFERENCE, secret: CALLBACK_SECRET });
    for (const host of ['uat', 'console'] as const)
      expect((await fetch(`${test.urls[host]}/callbacks/roundpay?${query}`)).status).toBe(404);
    const put = await test.rest('production', 'PUT', `/callbacks/roundpay?${query}`);
    expect(put.status).toBe(405);
    expect(put.headers.get('allow')).toBe('GET, POST');
  });

  it.each([
    ['an unknown reference', 'GET', `agentid=${UNKNOWN_REFERENCE}`, undefined, undefined, 'unknown_order'],
    ['an invalid reference', 'GET', 'agentid=%27%3B--&status=FAILED', undefined, undefined, 'unknown_order'],
    ['a reference of NUL characters', 'GET', 'agentid=%00&status=SUCCESS', undefined, undefined, 'unknown_order'],
    ['a reference above 128 bits', 'GET', `agentid=${'Z'.repeat(25)}`, undefined, undefined, 'unknown_order'],
    ['no reference', 'GET', 'status=SUCCESS', undefined, undefined, 'unreadable'],
    ['truncated JSON', 'POST', '', '{"agentid":', 'application/json', 'unreadable'],
    ['a JSON array', 'POST', '', '["agentid"]', 'application/json', 'unreadable'],
    [
      'a form',
      'POST',
      '',
      `AgentId=${UNKNOWN_REFERENCE}&status=FAILED`,
      'application/x-www-form-urlencoded',
      'unknown_order',
    ],
    [
      'JSON with a text content type',
      'POST',
      '',
      JSON.stringify({ AGENTID: UNKNOWN_REFERENCE, STATUS: 2 }),
      'text/html',
      'unknown_order',
    ],
  ])('with %s return 200, are counted, and change nothing', async (_case, method, query, body, type, result) => {
    const metricBefore = await metric(result);
    const response = await test.rest('production', method, `/callbacks/roundpay?${query}`, undefined, body, {
      'x-callback-secret': CALLBACK_SECRET,
      ...(type === undefined ? {} : { 'content-type': type }),
    });
    expect([response.status, response.body]).toEqual([200, { status: 'ok' }]);
    expect(await metric(result)).toBe(metricBefore + 1);
  });

  it.each([
    ['SUCCESS', 'agrees', '9876540002', 'success'],
    ['FAILED', 'disagrees', '9876540008', 'success'],
    ['FAILED', 'agrees', '9876540003', 'failed'],
    ['nonsense', 'decides', '9876540007', 'success'],
  ])(
    'with %s for an order with an unknown outcome trigger a status check with the provider, which %s',
    async (status, _name, account, ends) => {
      const key = `unknown ${account}`;
      const { status: httpStatus, body } = await recharge(key, account);
      expect([httpStatus, body.status]).toEqual([200, 'pending']);
      expect(await stateOf(key)).toBe('open');
      const response = await callBack(test, {
        status,
        rpid: 'S1',
        mobile: account,
        amount: '10',
        agentid: body.data.api_request_id,
      });
      expect(response.status).toBe(200);
      await until('the order is final', async () => (await stateOf(key)) === ends);
      const { id } = await orderRow(test, developer, key);
      expect(await eventsOf(test, id)).toEqual(['response', 'callback', 'status_check']);
      expect(await transfersOf(test, id)).toEqual(['hold', ends === 'success' ? 'settle' : 'refund']);
    },
  );

  it.each([
    ['9876540002', 'success', 'settle'],
    ['9876540003', 'failed', 'refund'],
  ])('for an order in review trigger a status check as well: %s ends as %s', async (account, ends, transfer) => {
    const key = `in review ${account}`;
    const { body } = await recharge(key, account);
    const { id } = await orderRow(test, developer, key);
    await test.simulator.outage('roundpay', true);
    await test.db.query(`update orders set created_at = now() - interval '25 hours' where id = $1`, [id]);
    await test.db.query('update order_due set due_at = now() where order_id = $1', [id]);
    await until('the order is in review', async () => (await stateOf(key)) === 'review');
    await test.simulator.outage('roundpay', false);
    // orders in review are checked every hour; a callback triggers a check sooner
    const [due] = await test.db.query<{ minutes: number }>(
      'select extract(epoch from due_at - now())::float / 60 as minutes from order_due where order_id = $1',
      [id],
    );
    expect(due!.minutes).toBeGreaterThan(50);
    expect(due!.minutes).toBeLessThan(67);
    await test.db.query(`update orders set quiet_until = now() where id = $1`, [id]);
    await callBack(test, { status: 'SUCCESS', agentid: body.data.api_request_id });
    await until('the order is final', async () => (await stateOf(key)) === ends);
    expect(await eventsOf(test, id)).toEqual(['response', 'status_check', 'review', 'callback', 'status_check']);
    expect(await transfersOf(test, id)).toEqual(['hold', transfer]);
  });

  it('in a flood for one pending order trigger a single status check and store a limited number of events', async () => {
    const { body } = await recharge('flood', '9876540005');
    const fields = { status: 'SUCCESS', agentid: body.data.api_request_id };
    const responses = await Promise.all(Array.from({ length: 60 }, () => callBack(test, fields)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    await until('the status was checked', async () => (await orderRow(test, developer, 'flood')).statusChecks === 1);
    await Promise.all(Array.from({ length: 20 }, () => callBack(test, fields)));
    await new Promise((resume) => setTimeout(resume, 400)); // four sweeper rounds
    const { id, state } = await orderRow(test, developer, 'flood');
    expect(state).toBe('open');
    const events = await eventsOf(test, id);
    for (const [kind, times] of [
      ['status_check', 1],
      ['callback', 20],
    ] as const)
      expect([kind, events.filter((event) => event === kind).length]).toEqual([kind, times]);
  });

  it.each(['FAILED', 'nonsense'])('with %s for a successful order only trigger a status check', async (status) => {
    const key = `a success, then ${status}`;
    const { body } = await recharge(key);
    await callBack(test, { status, agentid: body.data.api_request_id });
    await until('the status was checked', async () => (await orderRow(test, developer, key)).statusChecks === 1);
    const { id } = await orderRow(test, developer, key);
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle']);
  });

  it('for an order whose request cannot be decrypted trigger one status check, counted as failed', async () => {
    const { body } = await recharge('unreadable', '9876540002');
    await test.db.query(`update orders set request = '\\x00' where client_key = 'unreadable'`);
    await callBack(test, { status: 'SUCCESS', agentid: body.data.api_request_id });
    await until(
      'the status was checked',
      async () => (await orderRow(test, developer, 'unreadable')).statusChecks === 1,
    );
    expect(await counter('gateway_provider_status_check_failures_total', 'provider="ROUNDPAY"')).toBe(1);
    const { id, state } = await orderRow(test, developer, 'unreadable');
    expect(state).toBe('open');
    // a second check soon afterwards adds no further log line
    await callBack(test, { status: 'SUCCESS', agentid: body.data.api_request_id });
    await test.db.query('update order_due set due_at = now() where order_id = $1', [id]);
    await until(
      'the status was checked again',
      async () => (await orderRow(test, developer, 'unreadable')).statusChecks === 2,
    );
    expect(await counter('gateway_orders_unreadable_total', 'part="request"')).toBe(1);
    expect(lines.filter((line) => line.includes('cannot be read') && line.includes(id))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"status check failed"') && line.includes(id))).toEqual([]);
  });

  it('that arrive while the order is being sent are recorded without further effect', async () => {
    await test.simulator.latency('roundpay', 1_800);
    const sent = recharge('being sent');
    await until('the order exists', () =>
      orderRow(test, developer, 'being sent').then(
        () => true,
        () => false,
      ),
    );
    const { id } = await orderRow(test, developer, 'being sent');
    const { due_at: leaseEnd } = await orderRow(test, developer, 'being sent');
    expect((await callBack(test, { status: 'FAILED', agentid: await sentReference(test, id) })).status).toBe(200);
    expect(await orderRow(test, developer, 'being sent')).toMatchObject({ state: 'open', due_at: leaseEnd });
    await test.simulator.latency('roundpay', 0);
    expect((await sent).status).toBe(200);
    expect(await statusCalls(test, id)).toBe(0);
    expect(await eventsOf(test, id)).toEqual(['callback', 'response']);
  });

  it('with a success for a refunded order change nothing and are logged as a status conflict', async () => {
    await recharge('declined', '9876540001');
    const { id } = await orderRow(test, developer, 'declined');
    const stateBefore = [await metric('status_conflict'), await statusCalls(test, id)];
    const agentid = await sentReference(test, id);
    await callBack(test, { status: 'SUCCESS', agentid });
    expect([await metric('status_conflict'), await statusCalls(test, id)]).toEqual([
      stateBefore[0]! + 1,
      stateBefore[1],
    ]);
    expect(await transfersOf(test, id)).toEqual(['hold', 'refund']);
    expect(
      lines.filter((line) => line.includes('reports success for a refunded order') && line.includes(agentid)),
    ).toHaveLength(1);
  });

  it('for an archived order are counted and logged', async () => {
    const agentid = '0'.repeat(20) + 'ARCHV';
    // the archive keeps only the reference of an order
    await test.db.query(`insert into order_reference (reference, developer_id, order_id) values ($1, $2, uuidv7())`, [
      agentid,
      developer.id,
    ]);
    const stateBefore = [await metric('archived'), await metric('unknown_order')];
    await callBack(test, { status: 'SUCCESS', agentid });
    expect([await metric('archived'), await metric('unknown_order')]).toEqual([stateBefore[0]! + 1, stateBefore[1]]);
    expect(lines.filter((line) => line.includes('for an archived order') && line.includes(agentid))).toHaveLength(1);
  });

  it('of one provider cannot affect an order of another provider', async () => {
    const other = await test.developer({ provider: 'MOKSHIQ' });
    const { body } = await place(test, other, { client_request_id: 'theirs', circle: 'Karnataka' });
    const metricBefore = await metric('unknown_order');
    await callBack(test, { status: 'FAILED', agentid: body.data.api_request_id });
    expect(await metric('unknown_order')).toBe(metricBefore + 1);
    expect(await eventsOf(test, (await orderRow(test, other, 'theirs')).id)).toEqual(['response']);
  });

  it('write no secret and no number to the log', async () => {
    await callBack(test, { status: 'FAILED', mobile: '9123456789', agentid: UNKNOWN_REFERENCE, rpid: 'S9123456789' });
    const log = lines.join('');
    expect(log).toContain('/callbacks/:provider');
    for (const text of [CALLBACK_SECRET, encodeURIComponent(CALLBACK_SECRET), '9123456789', '9876540002'])
      expect(log).not.toContain(text);
  });

  it('return 503 while they cannot be stored, so that the provider retries them', async () => {
    const unavailable = { recordCallback: () => Promise.reject(Object.assign(new Error('no'), { code: '57P03' })) };
    const callbacks = new Callbacks(unavailable as never, formats, createLogger('silent'));
    const agentid = referenceOf('01990000-0000-7000-8000-000000000000');
    await expect(callbacks.receive('roundpay', new Map([['agentid', agentid]]))).rejects.toMatchObject({
      code: 'DEPENDENCY_DOWN',
      entry: { httpStatus: 503 },
    });
  });
});

it('callbacks from an address outside the provider’s list are rejected, even with a valid secret', async () => {
  const app = Fastify();
  const counted: string[] = [];
  mountCallbacks(app, {
    names: ['roundpay'],
    secrets: new Map([['roundpay', [new Secret(CALLBACK_SECRET)]]]),
    secretInQuery: true,
    addresses: new Map([['roundpay', new AddressList(['203.0.113.0/24'])]]),
    take: async () => 'noted',
    count: (_provider, result) => counted.push(result),
    log: createLogger('silent'),
  });
  const from = (remoteAddress: string, secret = CALLBACK_SECRET) =>
    app.inject({ url: '/callbacks/roundpay', query: { agentid: UNKNOWN_REFERENCE, secret }, remoteAddress });
  expect((await from('203.0.113.7')).statusCode).toBe(200);
  for (const rejection of [await from('203.0.114.7'), await from('203.0.113.7', 'wrong')])
    expect(rejection.json()).toMatchObject({ message: 'This callback is not accepted.' });
  expect(counted).toEqual(['noted', 'wrong_address', 'wrong_secret']);
  await app.close();
});

describe('callback secrets', () => {
  const mounted = async (settings: { secretInQuery: boolean }) => {
    const app = Fastify();
    app.setErrorHandler((error: AppError, _request, reply) => reply.code(error.entry.httpStatus).send());
    mountCallbacks(app, {
      names: ['roundpay'],
      secrets: new Map([['roundpay', [new Secret('the new secret of it'), new Secret('the old secret of it')]]]),
      addresses: new Map(),
      ...settings,
      take: async () => 'noted',
      count: () => {},
      log: createLogger('silent'),
    });
    const inHeader = async (secret: string) =>
      (await app.inject({ url: '/callbacks/roundpay', headers: { 'x-callback-secret': secret } })).statusCode;
    const inQuery = async (secret: string) =>
      (await app.inject({ url: '/callbacks/roundpay', query: { secret } })).statusCode;
    return { app, inHeader, inQuery };
  };

  it('can be rotated with two secrets valid at the same time', async () => {
    const { app, inHeader, inQuery } = await mounted({ secretInQuery: true });
    for (const secret of ['the new secret of it', 'the old secret of it'])
      expect([await inHeader(secret), await inQuery(secret)]).toEqual([200, 200]);
    expect([await inHeader('the older secret of it'), await inQuery('')]).toEqual([401, 401]);
    await app.close();
  });

  it('are accepted only in the header if query secrets are disabled', async () => {
    const { app, inHeader, inQuery } = await mounted({ secretInQuery: false });
    expect([await inHeader('the new secret of it'), await inQuery('the new secret of it')]).toEqual([200, 401]);
    await app.close();
  });

  it('in the query do not replace a wrong secret in the header', async () => {
    const { app } = await mounted({ secretInQuery: true });
    const response = await app.inject({
      url: '/callbacks/roundpay',
      query: { secret: 'the new secret of it' },
      headers: { 'x-callback-secret': 'wrong' },
    });
    expect(response.statusCode).toBe(401);
    await app.close();
  });
});

describe('callback address list', () => {
  it.each([
    [[], '203.0.113.9', true],
    [['127.0.0.1'], '127.0.0.1', true],
    [['127.0.0.1'], '127.0.0.2', false],
    [['127.0.0.1'], '::ffff:127.0.0.1', true],
    [['10.0.0.0/8', '192.0.2.7'], '10.255.3.4', true],
    [['10.0.0.0/8', '192.0.2.7'], '11.0.0.1', false],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
  ])('%j contains %s: %s', (entries, address, takes) => {
    expect(new AddressList(entries).includes(address)).toBe(takes);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'example.org', '10.0.0.1/8/8', '10.0.0.1/', '::1/129', ''])(
    'rejects %j',
    (entry) => {
      expect(() => new AddressList([entry])).toThrow(RangeError);
    },
  );
});

describe('callback settings', () => {
  const problems = (settings: Record<string, string>): string => {
    try {
      loadConfig({ ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]), ...settings });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ['CALLBACK_SECRETS', 'roundpay:'],
    ['CALLBACK_SECRETS', 'roundpay:short'],
    ['CALLBACK_SECRETS', 'a secret without a provider'],
    ['CALLBACK_SECRETS', ['1', '2', '3'].map((n) => `roundpay:secret number ${n} of it`).join(',')],
    ['CALLBACK_QUERY_SECRET', 'perhaps'],
    ['CALLBACK_ADDRESSES', '203.0.113.7'],
    ['CALLBACK_ADDRESSES', 'roundpay:somewhere'],
    ['CALLBACK_ADDRESSES', 'roundpay:10.0.0.0/8,inspay:10.0.0.0/99'],
  ])('%s=%s is rejected with the name of the setting and without its value', (name, value) => {
    const problem = problems({ [name]: value });
    expect(problem).toContain(`${name}: `);
    expect(problem).not.toContain(value);
  });

  it('accept several providers and IPv6', () => {
    const several = 'roundpay:203.0.113.7|2001:db8::/32,inspay:10.0.0.0/8';
    expect(
      problems({
        CALLBACK_ADDRESSES: several,
        CALLBACK_SECRETS: `roundpay:${'a:'.repeat(20)},inspay:${'b'.repeat(16)}`,
      }),
    ).toBe('');
    const { callbackAddresses, callbackSecrets, callbackQuerySecret } = loadConfig({
      ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]),
      CALLBACK_ADDRESSES: several,
      CALLBACK_SECRETS: 'roundpay:the new secret of it,roundpay:the old secret of it',
      CALLBACK_QUERY_SECRET: 'false',
    });
    expect(callbackSecrets.get('roundpay')!.map((secret) => secret.reveal())).toEqual([
      'the new secret of it',
      'the old secret of it',
    ]);
    expect(callbackQuerySecret).toBe(false);
    expect(callbackAddresses.get('roundpay')!.includes('2001:db8::1')).toBe(true);
    expect(callbackAddresses.get('inspay')!.includes('203.0.113.7')).toBe(false);
  });
});
