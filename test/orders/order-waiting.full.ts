import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import { Channel } from '../../src/db/channel.js';
import { ResolvedOrders } from '../../src/orders/resolved-orders.js';
import {
  OrderWaiters,
  type WaiterParts,
  WaitingPlaces,
  type WaitOptions,
} from '../../src/orders/views/order-waiters.js';
import type { TestDeveloper } from '../support/app.js';
import { APOLLO_ACCEPT, codesOf, openEventStream, partsOf, resultsOf } from '../support/event-stream.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useOwnApp, useSharedApp } from '../support/use-app.js';
import { orderRow } from './order.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

const NEVER_FOUND = '9876540004';
/** Pending at first, and a success with the third status check. */
const PENDING_THEN_SUCCESS = '9876540005';

/** Places an order that stays pending until the provider lists its orders again. */
const placePending = async (key: string): Promise<void> => {
  await test.simulator.blind('roundpay', true);
  const { body } = await place(test, developer, { client_request_id: key, account_number: PENDING_THEN_SUCCESS });
  expect(body.status).toBe('pending');
};

const send = (key: string, waitMs: number) =>
  test.graphql(
    'production',
    developer.tokens.production,
    `query($key: String!, $waitMs: Int!) {
      order(kind: RECHARGE, clientRequestId: $key, waitMs: $waitMs) { status nextCheckAt settledAt }
    }`,
    { key, waitMs },
  );

describe('a query with waitMs', () => {
  it('returns when the order is final', async () => {
    await placePending('wait for me');
    const { body: pending } = await send('wait for me', 0);
    expect(pending.data.order).toMatchObject({ status: 'PENDING', settledAt: null });
    expect(Date.parse(pending.data.order.nextCheckAt)).toBeGreaterThan(Date.now() - 60_000);
    await test.simulator.blind('roundpay', false);
    const { body } = await send('wait for me', 25_000);
    expect(body.data.order).toEqual({ status: 'SUCCESS', nextCheckAt: null, settledAt: expect.any(String) });
    expect(test.app.waiters.count).toBe(0);
  });

  it('returns immediately if the order is final', async () => {
    const startedAt = performance.now();
    expect((await send('wait for me', 25_000)).body.data.order.status).toBe('SUCCESS');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('returns the current status when the time is up', async () => {
    await placePending('not so soon');
    const { body } = await send('not so soon', 1);
    expect(body.data.order.status).toBe('PENDING');
    await test.simulator.blind('roundpay', false);
    await send('not so soon', 25_000);
  });

  it.each([-1, 25_001])('is rejected for %s milliseconds', async (waitMs) => {
    const { body } = await send('wait for me', waitMs);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: [{ path: 'waitMs', rule: 'RANGE', min: 0, max: 25_000 }],
    });
  });
});

describe('on a host with capacity for two requests', () => {
  const small = useOwnApp({ MAX_IN_FLIGHT: '2', VISIBILITY_DELAY_MS: '30s' });

  it('waiting queries do not block other requests', async () => {
    const { tokens } = await small.developer({ rateLimitPerMinute: 1_000 });
    const query = (text: string) => small.graphql('production', tokens.production, text);
    // the outcome stays unknown for a while
    await place(small, { tokens }, { client_request_id: 'crowd', account_number: NEVER_FOUND });
    const waiting: ReturnType<typeof query>[] = [];
    while (waiting.length < 5) {
      waiting.push(query('{ order(kind: RECHARGE, clientRequestId: "crowd", waitMs: 25000) { status } }'));
      await until('the query waits', async () => small.app.waiters.count === waiting.length);
    }
    expect((await query('{ me { name } }')).status).toBe(200);
    // old enough for "not found" to be conclusive
    await small.db.query(`update orders set unknown_since = unknown_since - interval '1 minute'`);
    for (const { status, body: responseBody } of await Promise.all(waiting))
      expect([status, responseBody.data.order.status]).toEqual([200, 'FAILED']);
  });

  it('the last event of a stream contains the error, and at shutdown the instruction to reconnect', async () => {
    const { tokens } = await small.developer();
    await small.simulator.blind('roundpay', true);
    const placeOrder = async (key: string): Promise<string> => {
      await place(small, { tokens }, { client_request_id: key, account_number: PENDING_THEN_SUCCESS });
      const query = 'query($key: String!) { order(kind: RECHARGE, clientRequestId: $key) { id } }';
      return (await small.graphql('production', tokens.production, query, { key })).body.data.order.id;
    };
    const open = async (id: string) =>
      resultsOf(
        await openEventStream(small.urls.production, tokens.production, {
          query: `subscription { orderChanged(id: "${id}") { status } }`,
        }),
      );
    const all = { query: 'subscription { ordersChanged { status } }' };
    const stream = await open(await placeOrder('lost'));
    expect((await stream.next()).value.data.orderChanged.status).toBe('PENDING');
    // authentication fails because the tokens cannot be read
    await small.db.query('alter table access_token rename to out_of_reach');
    await small.simulator.blind('roundpay', false);
    const { value } = await stream.next();
    await small.db.query('alter table out_of_reach rename to access_token');
    expect([value.data, codesOf(value)]).toEqual([null, ['DEPENDENCY_DOWN']]);
    expect((await stream.next()).done).toBe(true);

    await small.simulator.blind('roundpay', true);
    const two = await open(await placeOrder('drained'));
    expect((await two.next()).value.data.orderChanged.status).toBe('PENDING');
    const three = resultsOf(await openEventStream(small.urls.production, tokens.production, all));
    const headers = { accept: APOLLO_ACCEPT };
    const parts = partsOf(await openEventStream(small.urls.production, tokens.production, all, { headers }));
    // simulates the shutdown of the process
    small.app.waiters.stop();
    small.app.feed.stop();
    for (const events of [two, three]) {
      const last = (await events.next()).value;
      expect([last.data, codesOf(last)]).toEqual([null, ['STREAM_ENDED']]);
      expect((await events.next()).done).toBe(true);
    }
    const last = (await parts.next()).value;
    expect(last).toEqual({
      payload: null,
      errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code: 'STREAM_ENDED' }) }],
    });
    expect((await parts.next()).done).toBe(true);
    const rejection = await openEventStream(small.urls.production, tokens.production, all);
    expect([rejection.status, rejection.headers.has('retry-after')]).toEqual([503, true]);
    await small.simulator.blind('roundpay', false);
  });
});

describe('waiters', () => {
  const log = createLogger('silent');
  const emptyStore = { settledIdsOf: async () => [] };
  const waitersOn = (resolved = new ResolvedOrders(undefined), store: WaiterParts['store'] = emptyStore) =>
    new OrderWaiters({ store, resolvedOrders: resolved, places: new WaitingPlaces({ defaultLimit: 60 }), log });
  const key = (id: string) => ({ developerId: developer.id, id });
  const callerIn = (environment: Environment, more: Partial<DeveloperPrincipal> = {}): WaitOptions => ({
    caller: { kind: 'developer', developerId: developer.id, environment, rateLimitPerMinute: undefined, ...more },
  });
  const server = () => callerIn('production');
  const browser = (environment: Environment): WaitOptions =>
    callerIn(environment, { client: { scopes: new Set(['order']), orderId: undefined } });

  it('return when another process finalizes the order', async () => {
    const channels = [new Channel(test.db.url, log), new Channel(test.db.url, log)] as const;
    const waiters = waitersOn(new ResolvedOrders(channels[0]));
    const remoteOrders = new ResolvedOrders(channels[1]);
    for (const channel of channels) channel.start();
    try {
      let woken = false;
      const waiting = waiters.wait(key('an-order'), 600_000, server()).then(() => {
        woken = true;
      });
      // announcements are lost until both connections are established
      while (!woken) {
        remoteOrders.announce(key('an-order'));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await waiting;
    } finally {
      waiters.stop();
      await Promise.all(channels.map((channel) => channel.stop()));
    }
  });

  it('return without an announcement because they check the database', async () => {
    await placePending('unannounced');
    await send('unannounced', 25_000);
    const { id } = await orderRow(test, developer, 'unannounced');
    const waiters = waitersOn(undefined, test.app.store);
    await waiters.wait(key(id), 25_000, server());
    expect(waiters.count).toBe(0);
    waiters.stop();
  });

  it('return when the process drains, and no new ones are accepted', async () => {
    const waiters = waitersOn();
    const waiting = waiters.wait(key('never'), 25_000, server());
    expect(waiters.count).toBe(1);
    waiters.stop();
    await waiting;
    await waiters.wait(key('never'), 25_000, server());
    expect(waiters.count).toBe(0);
  });

  it('are removed when their caller disconnects', async () => {
    const waiters = waitersOn();
    const caller = new AbortController();
    const waiting = waiters.wait(key('never'), 25_000, { ...server(), disconnectSignal: () => caller.signal });
    caller.abort();
    await waiting;
    expect(waiters.count).toBe(0);
    waiters.stop();
  });

  const crowd = (waiters: OrderWaiters, count: number, waiter: WaitOptions) =>
    Array.from({ length: count }, (_, n) => waiters.wait(key(`order ${n}`), 25_000, waiter));
  const full = { code: 'RATE_LIMITED', details: { retryAfterMs: 1_000 } };

  it('are limited to 100 per account and environment for servers, or to the account’s own limit', async () => {
    const waiters = waitersOn();
    const waiting = crowd(waiters, 100, server());
    await expect(async () => waiters.wait(key('one more'), 25_000, server())).rejects.toMatchObject(full);
    const more = [
      waiters.wait(key('order 1'), 25_000, callerIn('production', { developerId: 'another' as never })),
      waiters.wait(key('one more'), 25_000, callerIn('uat')),
      waiters.wait(key('one more'), 25_000, callerIn('production', { rateLimitPerMinute: 101 })),
    ];
    await expect(async () =>
      waiters.wait(key('two more'), 25_000, callerIn('production', { rateLimitPerMinute: 101 })),
    ).rejects.toMatchObject({
      ...full,
      message: 'At most 101 requests from the servers of an account can wait at the same time.',
    });
    waiters.stop();
    expect(await Promise.all([...waiting, ...more])).toEqual(Array.from({ length: 103 }, () => 'draining'));
  });

  it('of browsers are counted separately from those of servers, in both environments', async () => {
    const waiters = waitersOn();
    // 20 client tokens of one order, five requests each
    const reloads = Array.from({ length: 100 }, () => waiters.wait(key('one order'), 25_000, browser('uat')));
    expect(await Promise.all(reloads.slice(0, -1))).toEqual(Array.from({ length: 99 }, () => 'replaced'));
    expect(waiters.count).toBe(1);
    const waiting = [reloads[99]!, ...crowd(waiters, 99, browser('uat'))];
    await expect(async () => waiters.wait(key('one more'), 25_000, browser('uat'))).rejects.toMatchObject(full);
    // the newest request for a watched order always finds a place because it replaces the older one
    const newest = waiters.wait(key('one order'), 25_000, browser('uat'));
    expect(await reloads[99]).toBe('replaced');
    const servers = [
      waiters.wait(key('one order'), 25_000, server()),
      waiters.wait(key('one order'), 25_000, callerIn('uat')),
    ];
    waiters.stop();
    await Promise.all([...waiting, newest]);
    expect(await Promise.all(servers)).toEqual(['draining', 'draining']);
    expect(waiters.count).toBe(0);
  });
});
