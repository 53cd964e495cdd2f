import { createClient } from 'graphql-sse';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UserId } from '../../src/core/principal.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { APOLLO_ACCEPT, codesOf, openEventStream, partsOf, resultsOf } from '../support/event-stream.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place, RECHARGE, rechargeBody } from '../support/recharges.js';
import { rowKeys } from '../support/row-keys.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { signedIn } from './order.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

const clientOf = (token: string | undefined, host: 'uat' | 'production' = 'production') =>
  createClient({
    url: `${test.urls[host]}/graphql`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });

const CHANGES = 'subscription($id: ID!) { orderChanged(id: $id) { id status timeline { kind } } }';

async function recharge(key: string, more: object = {}): Promise<string> {
  const { tokens } = developer;
  await place(test, { tokens }, { client_request_id: key, ...more });
  const query = 'query($key: String) { order(kind: RECHARGE, clientRequestId: $key) { id } }';
  const { body } = await test.graphql('production', tokens.production, query, { key });
  return body.data.order.id;
}

let resolvedOrder: Promise<string> | undefined;
const finalOrderId = (): Promise<string> => (resolvedOrder ??= recharge('decided'));

describe('changes of an order', () => {
  it('are streamed from the current state to the final status', async () => {
    const id = await recharge('to watch', { account_number: '9876540005' });
    const client = clientOf(developer.tokens.production);
    const events: any[] = [];
    for await (const { data, errors } of client.iterate<any>({ query: CHANGES, variables: { id } })) {
      expect(errors).toBeUndefined();
      events.push(data!.orderChanged);
    }
    expect(events.map(({ status }) => status)).toEqual(['PENDING', 'SUCCESS']);
    expect(events[0].id).toBe(id);
    expect(events[1].timeline.at(-1).kind).toBe('SETTLE');
  });

  it('contain only the current state if the order is final', async () => {
    const id = await recharge('done');
    const client = clientOf(developer.tokens.production);
    const events: any[] = [];
    for await (const { data } of client.iterate<any>({ query: CHANGES, variables: { id } })) events.push(data);
    expect(events).toEqual([{ orderChanged: { id, status: 'SUCCESS', timeline: expect.any(Array) } }]);
  });

  it('are no longer watched after the client disconnects', async () => {
    const id = await recharge('left alone', { account_number: '9876540004' });
    const client = clientOf(developer.tokens.production);
    const events = client.iterate<any>({ query: CHANGES, variables: { id } });
    expect((await events.next()).value.data.orderChanged.status).toBe('PENDING');
    await until('the subscription is open', async () => test.app.waiters.count === 1);
    await events.return?.();
    await until('the subscription is closed', async () => test.app.waiters.count === 0);
  });
});

const stream = (
  token: string | undefined,
  body: unknown,
  host: 'uat' | 'production' | 'console' = 'production',
  accept = 'text/event-stream',
) => openEventStream(test.urls[host], token, body, { headers: { accept } });

describe('an event stream', () => {
  it.each([
    ['without a token', undefined, { query: CHANGES, variables: { id: UNKNOWN_ID } }, 401, 'UNAUTHENTICATED'],
    ['of an unknown order', 'own', { query: CHANGES, variables: { id: UNKNOWN_ID } }, 404, 'RECORD_NOT_FOUND'],
    ['of an invalid ID', 'own', { query: CHANGES, variables: { id: 'x' } }, 404, 'RECORD_NOT_FOUND'],
    ['without its variable', 'own', { query: CHANGES }, 422, 'VALIDATION_FAILED'],
    ['of an invalid document', 'own', { query: 'subscription { nothing }' }, 400, 'INVALID_DOCUMENT'],
    ['of a document with a syntax error', 'own', { query: 'subscription {' }, 400, 'INVALID_DOCUMENT'],
    ['without a query', 'own', {}, 400, 'MALFORMED_REQUEST'],
    ['of several operations', 'own', [{ query: CHANGES }], 400, 'MALFORMED_REQUEST'],
    ['with invalid variables', 'own', { query: CHANGES, variables: 'id' }, 400, 'MALFORMED_REQUEST'],
    ['with an invalid operation name', 'own', { query: CHANGES, operationName: 1 }, 400, 'MALFORMED_REQUEST'],
  ] as const)('%s is rejected before it starts', async (_name, hasToken, body, status, code) => {
    for (const [accept, type] of [
      ['text/event-stream', 'application/json'],
      [APOLLO_ACCEPT, 'application/graphql-response+json'],
    ] as const) {
      const response = await stream(hasToken && developer.tokens.production, body, 'production', accept);
      expect([response.status, codesOf((await response.json()) as any)]).toEqual([status, [code]]);
      expect(response.headers.get('content-type')).toContain(type);
    }
  });

  const QUERY = '{ me { name } }';
  const DOUBLE = `query One ${QUERY} subscription Two { orderChanged(id: "${UNKNOWN_ID}") { id } }`;
  it.each([
    ['text/event-stream, multipart/mixed', CHANGES, 'text/event-stream'],
    ['text/event-stream;q=1.0, application/json;q=0.5', CHANGES, 'text/event-stream'],
    ['application/json, text/event-stream', CHANGES, 'text/event-stream'],
    ['application/graphql-response+json, application/json, Text/Event-Stream;q=0.1', CHANGES, 'text/event-stream'],
    ['text/event-stream; charset=utf-8', CHANGES, 'text/event-stream'],
    ['text/event-stream, multipart/mixed', QUERY, 'text/event-stream'],
    ['application/json, text/event-stream', QUERY, 'application/json'],
    ['application/json, text/event-stream;q=0.5', `query subscription ${QUERY}`, 'application/json'],
    ['application/json;q=0.5, text/event-stream;q=0', QUERY, 'application/json'],
    ['*/*', QUERY, 'application/json'],
    [APOLLO_ACCEPT, CHANGES, 'multipart/mixed'],
    [APOLLO_ACCEPT, QUERY, 'application/graphql-response+json'],
    ['multipart/mixed;subscriptionSpec="1.0", application/json', CHANGES, 'multipart/mixed'],
    ['application/json, Multipart/Mixed; boundary=-; SubscriptionSpec=1.0; q=0.5', CHANGES, 'multipart/mixed'],
    ['text/event-stream;q=0.5, multipart/mixed;subscriptionSpec=1.0', CHANGES, 'multipart/mixed'],
    ['text/event-stream, multipart/mixed;subscriptionSpec=1.0', CHANGES, 'text/event-stream'],
    ['multipart/mixed;subscriptionSpec=1.0', QUERY, 'multipart/mixed'],
  ])('is the response to Accept: %s with %j', async (accept, query, type) => {
    const id = await finalOrderId();
    const response = await stream(developer.tokens.production, { query, variables: { id } }, 'production', accept);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).not.toContain('errors');
  });

  it.each([
    ['*/*', CHANGES, 200, 'INVALID_DOCUMENT'],
    ['application/json', CHANGES, 200, 'INVALID_DOCUMENT'],
    ['application/json, text/event-stream;q=0', CHANGES, 200, 'INVALID_DOCUMENT'],
    ['application/json, text/event-stream', DOUBLE, 200, 'INVALID_DOCUMENT'],
    ['multipart/mixed', CHANGES, 406, 'NOT_ACCEPTABLE'],
    ['multipart/mixed;subscriptionSpec=2.0', CHANGES, 406, 'NOT_ACCEPTABLE'],
    ['multipart/mixed;subscriptionSpec=1.0;q=0', CHANGES, 406, 'NOT_ACCEPTABLE'],
    ['application/json, multipart/mixed;deferSpec=20220824', CHANGES, 200, 'INVALID_DOCUMENT'],
    ['text/event-stream;q=0', QUERY, 406, 'NOT_ACCEPTABLE'],
    // otherwise Apollo would execute it and then reject the content type
    ['text/*', QUERY, 406, 'NOT_ACCEPTABLE'],
  ])('is not the response to Accept: %s with %j, and the error is JSON', async (accept, query, status, code) => {
    const response = await stream(developer.tokens.production, { query }, 'production', accept);
    const { errors } = (await response.json()) as any;
    expect([response.status, errors[0].extensions.code]).toEqual([status, code]);
  });

  it('also responds to a query, with a single result', async () => {
    const client = clientOf(developer.tokens.production);
    const events: any[] = [];
    for await (const { data } of client.iterate<any>({ query: '{ me { name } wallet { balance } }' }))
      events.push(data);
    expect(events).toEqual([{ me: { name: expect.any(String) }, wallet: { balance: expect.any(Number) } }]);
  });

  it('costs one point, and its events cost nothing', async () => {
    const { tokens } = await test.developer({ rateLimitPerMinute: 60 });
    const { body } = await test.graphql(
      'uat',
      tokens.uat,
      'mutation { recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE }) { order { id } } }',
    );
    const variables = { id: body.data.recharge.order.id };
    const remaining: (string | null)[] = [];
    // opened one after the other, so that the cost of an event would appear in the next response
    for (let n = 0; n < 3; n++) {
      const response = await stream(tokens.uat, { query: CHANGES, variables }, 'uat');
      remaining.push(response.headers.get('x-ratelimit-remaining'));
      expect(await response.text()).toContain('SUCCESS');
    }
    expect(remaining).toEqual(['59', '58', '57']);
  });

  it('is required for a subscription; the error over plain JSON explains how to open one', async () => {
    const { body } = await test.graphql('production', developer.tokens.production, CHANGES, { id: UNKNOWN_ID });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0'),
      extensions: { code: 'INVALID_DOCUMENT' },
    });
  });
});

describe('a multipart stream', () => {
  const open = (body: unknown) => stream(developer.tokens.production, body, 'production', APOLLO_ACCEPT);
  const WATCH = 'subscription($id: ID!) { orderChanged(id: $id) { status } }';

  it('contains each event as a part, and a closing boundary', async () => {
    const response = await open({ query: WATCH, variables: { id: await finalOrderId() } });
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="graphql";subscriptionSpec=1.0');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.has('x-ratelimit-remaining')).toBe(true);
    expect(await response.text()).toBe(
      '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n' +
        '{"payload":{"data":{"orderChanged":{"status":"SUCCESS"}}}}\r\n--graphql--\r\n',
    );
  });

  it('has heartbeats, delivers each part immediately, and ends when the order is settled', async () => {
    await test.simulator.blind('roundpay', true);
    const id = await recharge('in parts', { account_number: '9876540005' });
    const wait = setTimeout;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    timers.mockImplementation(((call: () => void, ms: number, ...more: []) =>
      wait(call, ms === 12_000 ? 1 : ms, ...more)) as never);
    const statuses: string[] = [];
    for await (const part of partsOf(await open({ query: WATCH, variables: { id } }))) {
      if (part.payload) statuses.push(part.payload.data.orderChanged.status);
      else {
        expect(part).toEqual({});
        if (statuses.length === 1) await test.simulator.blind('roundpay', false);
      }
    }
    expect(statuses).toEqual(['PENDING', 'SUCCESS']);
  });

  it('is not available over GET', async () => {
    const query = `subscription { orderChanged(id: "${await finalOrderId()}") { status } }`;
    const response = await fetch(`${test.urls.production}/graphql?${new URLSearchParams({ query })}`, {
      headers: { accept: APOLLO_ACCEPT, authorization: `Bearer ${developer.tokens.production}` },
    });
    expect([response.status, codesOf((await response.json()) as any)]).toEqual([405, ['METHOD_NOT_ALLOWED']]);
  });
});

describe('an order that becomes final after the caller lost access', () => {
  const set =
    (change: string) =>
    ({ id }: TestDeveloper) =>
      test.db.query(change, [id]);
  const revokeKey = ({ id, keys: { production } }: TestDeveloper) =>
    test.app.credentials.revoke({ developerId: id, clientId: production.clientId }, undefined, seed);
  const keyCondition = 'where client_id in (select client_id from credential where developer_id = $1)';
  const cases: [
    what: string,
    happens: (developer: TestDeveloper) => Promise<unknown>,
    code: string,
    client?: 'client',
  ][] = [
    ['its key was revoked', revokeKey, 'UNAUTHENTICATED'],
    ['its token has expired', set(`update access_token set expires_at = now() ${keyCondition}`), 'UNAUTHENTICATED'],
    [
      'its client token has expired',
      set(
        `update client_token set expires_at = now() where parent_hash in (select token_hash from access_token ${keyCondition})`,
      ),
      'UNAUTHENTICATED',
      'client',
    ],
    [
      'its account is suspended',
      set(`update developer set suspended_at = now(), suspension_reason = 'r' where id = $1`),
      'SUSPENDED',
    ],
  ];

  it('is not shown: streams and waiting queries end with the error', async () => {
    await test.simulator.blind('roundpay', true);
    const countBefore = test.app.waiters.count;
    const waiting = await Promise.all(
      cases.map(async ([name, happens, code, client]) => {
        const owner = await test.developer();
        const server = owner.tokens.production;
        // only one request per order can wait with a client token
        const placeOrder = async (key: string) => {
          await test.rest(
            'production',
            'POST',
            RECHARGE,
            server,
            rechargeBody({ client_request_id: key, account_number: '9876540007' }),
          );
          const { id } = (await test.graphql('production', server, '{ orders(first: 1) { edges { node { id } } } }'))
            .body.data.orders.edges[0].node;
          if (!client) return { id, token: server };
          const created = await test.graphql(
            'production',
            server,
            'mutation($id: ID!) { createClientToken(input: { scopes: [ORDER], orderId: $id }) { token } }',
            { id },
          );
          return { id, token: created.body.data.createClientToken.token };
        };
        const [streamed, queried] = [await placeOrder(name), await placeOrder(`${name} too`)];
        const events = clientOf(streamed.token).iterate<any>({
          query: 'subscription($id: ID!) { orderChanged(id: $id) { status accountNumber } }',
          variables: { id: streamed.id },
        });
        const first = (await events.next()).value;
        const waits = test.graphql(
          'production',
          queried.token,
          'query($id: ID!) { order(id: $id, waitMs: 25000) { status accountNumber } }',
          { id: queried.id },
        );
        return { what: name, happens, code, owner, ids: [streamed.id, queried.id], first, events, waits };
      }),
    );
    await until('all requests wait', async () => test.app.waiters.count === countBefore + 2 * cases.length);
    for (const { happens, owner } of waiting) await happens(owner);
    await test.simulator.blind('roundpay', false);
    for (const { what, code, ids, first, events, waits } of waiting) {
      expect([what, first.data.orderChanged.status]).toEqual([what, 'PENDING']);
      const rejection = [{ extensions: { code, requestId: expect.any(String) } }];
      const { value, done } = await events.next();
      expect([what, done, value.data, value.errors]).toMatchObject([what, false, null, rejection]);
      expect([what, (await events.next()).done]).toEqual([what, true]);
      const { body } = await waits;
      expect([what, body.data, body.errors]).toMatchObject([what, { order: null }, rejection]);
      // the order became final, but no waiting caller received it
      expect(
        await test.db.query(`select from orders where id = any($1) and state = 'success'`, [
          ids.map((id) => id.replace(/^ord_/, '')),
        ]),
      ).toHaveLength(2);
    }
  });
});

describe('in the console', () => {
  const WATCH = 'subscription($id: ID!) { orderChanged(id: $id) { status accountNumber } }';
  const lastUse = "last_used_at = now() - $2 * interval '1 minute'";
  const setLastUse = (session: string, minutesAgo: number) =>
    test.db.query(`update session set ${lastUse} where session_hash = $1`, [
      rowKeys.lookup('session', session),
      minutesAgo,
    ]);

  it('users watch their own orders and staff any order until the session expires, and a stream does not extend the session', async () => {
    const [staff, idle, own, other] = await Promise.all([
      signedIn(test, 'admin'),
      signedIn(test, 'support'),
      signedIn(test, 'developer', developer),
      signedIn(test, 'developer', await test.developer()),
    ]);
    await test.simulator.blind('roundpay', true);
    const id = await recharge('for people', { account_number: '9876540005' });
    const body = { query: WATCH, variables: { id } };
    const watch = (session: string) => stream(session, body, 'console');
    const withCookie = (origin: string) =>
      openEventStream(test.urls.console, undefined, body, {
        headers: { cookie: `session=${own}`, origin, accept: APOLLO_ACCEPT },
      });

    const otherResponse = await watch(other);
    expect([otherResponse.status, codesOf((await otherResponse.json()) as any)]).toEqual([404, ['RECORD_NOT_FOUND']]);
    const crossOrigin = await withCookie('https://elsewhere.example');
    expect([crossOrigin.status, codesOf((await crossOrigin.json()) as any)]).toEqual([401, ['UNAUTHENTICATED']]);

    const [staffEvents, owned, ended] = (
      await Promise.all([watch(staff), withCookie(new URL(test.urls.console).origin), watch(idle)])
    ).map(resultsOf);
    const first = await Promise.all([staffEvents!.next(), owned!.next(), ended!.next()]);
    const pending = (accountNumber: string) => ({ orderChanged: { status: 'PENDING', accountNumber } });
    expect(first.map(({ value }) => value.data)).toEqual(
      ['xxxxxx0005', '9876540005', 'xxxxxx0005'].map((number) => pending(number)),
    );
    const query = 'query($id: ID!) { order(id: $id, waitMs: 25000) { status accountNumber } }';
    const queries = Promise.all([staff, idle].map((session) => test.graphql('console', session, query, { id })));
    await until('all requests wait', () => test.app.waiters.count === 5);
    await setLastUse(idle, 31);
    await setLastUse(staff, 5);
    await test.simulator.blind('roundpay', false);

    expect((await staffEvents!.next()).value.data).toEqual({
      orderChanged: { status: 'SUCCESS', accountNumber: 'xxxxxx0005' },
    });
    expect((await owned!.next()).value.data).toEqual({
      orderChanged: { status: 'SUCCESS', accountNumber: '9876540005' },
    });
    expect(codesOf((await ended!.next()).value)).toEqual(['UNAUTHENTICATED']);
    for (const events of [staffEvents, owned, ended]) expect((await events!.next()).done).toBe(true);
    const [completed, rejected] = await queries;
    expect(completed!.body.data).toEqual({ order: { status: 'SUCCESS', accountNumber: 'xxxxxx0005' } });
    expect([rejected!.body.data, codesOf(rejected!.body)]).toEqual([{ order: null }, ['UNAUTHENTICATED']]);
    const [{ idleMinutes }] = (await test.db.query<{ idleMinutes: number }>(
      `select extract(epoch from now() - last_used_at)::integer / 60 as "idleMinutes" from session where session_hash = $1`,
      [rowKeys.lookup('session', staff)],
    )) as [{ idleMinutes: number }];
    expect(idleMinutes).toBe(5);
  });

  it('a stream counts towards the limit of its user', async () => {
    const session = await signedIn(test, 'support');
    await test.simulator.blind('roundpay', true);
    const id = await recharge('for one more', { account_number: '9876540005' });
    const [{ user_id: userId }] = (await test.db.query('select user_id from session where session_hash = $1', [
      rowKeys.lookup('session', session),
    ])) as [{ user_id: UserId }];
    const leave = Array.from({ length: 100 }, () => test.app.waitingPlaces.take({ kind: 'session', userId }));
    const send = () => stream(session, { query: WATCH, variables: { id } }, 'console');
    const full = await send();
    expect([full.status, full.headers.get('retry-after'), codesOf((await full.json()) as any)]).toEqual([
      429,
      '1',
      ['RATE_LIMITED'],
    ]);
    leave.forEach((leaveStream) => leaveStream());
    const events = resultsOf(await send());
    expect((await events.next()).value.data.orderChanged.status).toBe('PENDING');
    await test.simulator.blind('roundpay', false);
    expect((await events.next()).value.data.orderChanged.status).toBe('SUCCESS');
    expect((await events.next()).done).toBe(true);
  });
});
