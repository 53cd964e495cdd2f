import { createClient } from 'graphql-sse';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import { ResolvedOrders } from '../../src/orders/resolved-orders.js';
import type { StoredOrder } from '../../src/orders/stored-order.js';
import { OrderFeed, OrderStream } from '../../src/orders/views/order-feed.js';
import { OrderFeedStore } from '../../src/orders/views/order-feed.store.js';
import { WaitingPlaces } from '../../src/orders/views/order-waiters.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { codesOf, openEventStream, resultsOf } from '../support/event-stream.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { inReview, publicId, signedIn } from './order.fixture.js';

const test = useSharedApp();
const CHANGES = 'subscription { ordersChanged { clientRequestId status accountNumber wallet { version } } }';
/** Pending at first, and a success with the third status check. */
const PENDING_THEN_SUCCESS = '9876540005';
const DECLINED = '9876540001';

const recharge = ({ tokens }: TestDeveloper, environment: 'uat' | 'production', key: string, account = '9876543210') =>
  place(test, { tokens }, { client_request_id: key, account_number: account }, environment);

/** Collects the results of a stream until it ends: key and status of each order, or the error code. */
async function listen(token: string, environment: 'uat' | 'production') {
  const client = new AbortController();
  const response = await openEventStream(test.urls[environment], token, { query: CHANGES }, { signal: client.signal });
  expect(response.status).toBe(200);
  const received: string[] = [];
  const ended = (async () => {
    for await (const result of resultsOf(response)) {
      const order = result.data?.ordersChanged;
      received.push(order ? `${order.clientRequestId} ${order.status}` : codesOf(result).join());
    }
  })();
  // a client that disconnects receives no end
  return { received, ended: ended.catch(() => received.push('cut')), leave: () => client.abort() };
}

describe('changes of all orders of an account', () => {
  it('are streamed from the response on, for older and newer orders of this account and environment, however resolved', async () => {
    const [owner, otherOwner, admin] = await Promise.all([test.developer(), test.developer(), signedIn(test, 'admin')]);
    await test.simulator.blind('roundpay', true);
    await recharge(owner, 'production', 'before', PENDING_THEN_SUCCESS);
    await recharge(owner, 'uat', 'taken back');
    const reviewed = await inReview(test, owner, { key: 'in review', environment: 'uat' });
    const live = await listen(owner.tokens.production, 'production');
    const play = await listen(owner.tokens.uat, 'uat');
    // another process without announcements
    const otherFeed = new OrderFeed({
      store: test.app.store,
      feedStore: new OrderFeedStore(test.app.pool),
      resolvedOrders: new ResolvedOrders(undefined),
      places: new WaitingPlaces({ defaultLimit: 60 }),
      log: createLogger('silent'),
    });
    const caller = { kind: 'developer', developerId: owner.id, environment: 'production' } as DeveloperPrincipal;
    const unannounced = await otherFeed.open(caller, undefined);

    await Promise.all([recharge(otherOwner, 'production', 'not yours'), recharge(otherOwner, 'uat', 'not yours')]);
    await Promise.all([recharge(owner, 'production', 'declined', DECLINED), recharge(owner, 'uat', 'after')]);
    const resolveOrder = (field: string, input: string) =>
      test.graphql(
        'console',
        admin,
        `mutation { ${field}(input: { ${input}, reason: "test" }) { outcome { __typename } } }`,
      );
    const found = await test.graphql(
      'uat',
      owner.tokens.uat,
      '{ orders(first: 3) { edges { node { id clientRequestId } } } }',
    );
    const { id } = found.body.data.orders.edges.find(({ node }: any) => node.clientRequestId === 'taken back').node;
    const resolutions = [
      await resolveOrder('reverseOrder', `orderId: "${id}"`),
      await resolveOrder('resolveOrder', `orderId: "${publicId(reviewed)}", outcome: FAILED`),
    ];
    expect(resolutions.flatMap(({ body }) => body.errors ?? [])).toEqual([]);
    await test.simulator.blind('roundpay', false);

    const last = ['declined FAILED', 'before SUCCESS'];
    const all = ['after SUCCESS', 'taken back REVERSED', 'in review FAILED'];
    await until(
      'all events are received',
      () => last.every((event) => live.received.includes(event)) && all.every((one) => play.received.includes(one)),
    );
    // intermediate states belong to the same orders, and no final status is repeated
    expect(live.received.filter((event) => event !== 'declined PENDING').toSorted()).toEqual(last.toSorted());
    expect(play.received.filter((event) => event !== 'after PENDING').toSorted()).toEqual(all.toSorted());
    const received: string[] = [];
    while (!received.includes('success') || !received.includes('failed'))
      received.push((await unannounced.next())!.state);
    unannounced.end();
    otherFeed.stop();

    // the stream ends when the API key is revoked
    await test.simulator.blind('roundpay', true);
    await recharge(owner, 'production', 'too late', PENDING_THEN_SUCCESS);
    await until('the event is received', () => live.received.includes('too late PENDING'));
    await test.app.credentials.revoke(
      { developerId: owner.id, clientId: owner.keys.production.clientId },
      undefined,
      seed,
    );
    await test.simulator.blind('roundpay', false);
    await live.ended;
    expect(live.received.at(-1)).toBe('UNAUTHENTICATED');
    play.leave();
    await until('no subscription is left', () => test.app.feed.count === 0);
    expect(test.app.waitingPlaces.count).toBe(0);
  });

  it('require a free place before their first byte, like those of one order', async () => {
    const owner = await test.developer({ rateLimitPerMinute: 60 });
    await test.simulator.blind('roundpay', true);
    await recharge(owner, 'production', 'waits', PENDING_THEN_SUCCESS);
    const query = '{ order(kind: RECHARGE, clientRequestId: "waits") { id } }';
    const { id } = (await test.graphql('production', owner.tokens.production, query)).body.data.order;
    const controller = new AbortController();
    const caller = { kind: 'developer', environment: 'production', developerId: owner.id } as DeveloperPrincipal;
    const waits = Array.from({ length: 100 }, (_, n) =>
      test.app.waiters.wait({ developerId: owner.id, id: `order ${n}` }, 60_000, {
        caller,
        disconnectSignal: () => controller.signal,
      }),
    );
    const bodies = [{ query: CHANGES }, { query: `subscription { orderChanged(id: "${id}") { status } }` }];
    for (const body of bodies) {
      const response = await openEventStream(test.urls.production, owner.tokens.production, body);
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
      expect(response.headers.get('x-ratelimit-remaining')).toBe('59');
      const { errors } = (await response.json()) as any;
      expect(errors[0]).toMatchObject({
        message: 'At most 100 requests from the servers of an account can wait at the same time.',
        extensions: { code: 'RATE_LIMITED', retryAfterMs: 1_000 },
      });
    }
    controller.abort();
    await Promise.all(waits);
    await test.simulator.blind('roundpay', false);
    const stream = await openEventStream(test.urls.production, owner.tokens.production, bodies[1]);
    const statuses: string[] = [];
    for await (const { data } of resultsOf(stream)) statuses.push(data.orderChanged.status);
    expect(statuses.at(-1)).toBe('SUCCESS');
  });

  it('start when graphql-sse reports the connection, so that no later event is lost', async () => {
    const owner = await test.developer();
    const client = createClient({
      url: `${test.urls.production}/graphql`,
      headers: { authorization: `Bearer ${owner.tokens.production}` },
      on: { connected: () => void recharge(owner, 'production', 'connected') },
    });
    const events = client.iterate<any>({ query: CHANGES });
    expect((await events.next()).value!.data.ordersChanged.clientRequestId).toBe('connected');
    await events.return?.();
  });

  it('are not available to a client token', async () => {
    const owner = await test.developer();
    const created = await test.graphql(
      'production',
      owner.tokens.production,
      'mutation { createClientToken(input: { scopes: [LOOKUPS, PRODUCTS] }) { token } }',
    );
    const response = await openEventStream(test.urls.production, created.body.data.createClientToken.token, {
      query: CHANGES,
    });
    expect([response.status, codesOf((await response.json()) as any)]).toEqual([403, ['FORBIDDEN']]);
  });
});

describe('the buffer of a subscription', () => {
  const order = (id: string, state = 'open') => ({ id, state }) as StoredOrder;

  it('keeps the newest state of each order', async () => {
    const stream = new OrderStream(() => {});
    stream.push([order('one'), order('two')]);
    stream.push([order('one', 'success')]);
    stream.end();
    expect([await stream.next(), await stream.next(), await stream.next()]).toEqual([
      order('one', 'success'),
      order('two'),
      undefined,
    ]);
  });

  it('is limited, and the stream of a slow reader ends', async () => {
    let ends = 0;
    const stream = new OrderStream(() => ends++);
    stream.push(Array.from({ length: 1_000 }, (_, n) => order(`order ${n}`)));
    expect(ends).toBe(0);
    stream.push([order('one more')]);
    stream.push([order('after the end')]);
    expect([ends, await stream.next()]).toEqual([1, undefined]);
  });
});
