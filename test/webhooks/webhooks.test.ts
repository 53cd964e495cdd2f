import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { fetchIdOf, payBill } from '../card-bills/card-bills.fixture.js';
import { codesOf, fieldsOf, useOwnConsole } from '../console/console.fixture.js';
import { OUTCOME } from '../support/outcomes.js';
import { until } from '../support/until.js';
import { isSignedWith, pause, type Receiver, startReceiver } from './receiver.fixture.js';
import {
  accountOf,
  createEndpoint,
  DELETE,
  DELIVERIES,
  DISABLE,
  ENABLE,
  HEALTH,
  LOG,
  logOf,
  outboxOf,
  publicId,
  REDELIVER,
  REDELIVER_RANGE,
  ROTATE,
  recharge,
  SEND_TEST,
  UPDATE,
} from './webhooks.fixture.js';

const on = useOwnConsole({
  WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7, 2001:db8::/32',
  // the tests run concurrently, so the timeouts are long enough for slow provider responses
  PROVIDER_TIMEOUT_MS: '20s',
  SYNC_WINDOW_MS: '25s',
  VISIBILITY_DELAY_MS: '30s',
});
const REST_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

afterAll(async () => {
  // every event has been dispatched
  expect(await on.test.db.query('select * from webhook_outbox')).toEqual([]);
  // and every message matches its documentation
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  for (const environment of ['uat', 'production'] as const)
    ajv.addSchema((await on.test.rest(environment, 'GET', '/openapi.json')).body, environment);
  const messages = receivers.flatMap(({ received }) => received.map(({ body }) => body));
  const invalid = messages.filter((body) => {
    const { environment } = body.data;
    const webhook = `${environment}#/webhooks/${body.type}/post/requestBody/content/application~1json/schema`;
    return !ajv.validate({ $ref: webhook }, body);
  });
  expect([messages.length > 30, invalid]).toEqual([true, []]);
});
const receivers: Receiver[] = [];

/** Starts a receiver for one test. */
async function receiverFor({ onTestFinished }: TestContext): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** A new account for one test with one endpoint and its own receiver. */
async function listening(context: TestContext) {
  const [receiver, listener] = [await receiverFor(context), await accountOf(on)];
  return { receiver, listener, ...(await createEndpoint(on, listener, receiver.url)) };
}

// concurrent because every test has its own accounts and receivers and mostly waits for retries
describe.concurrent('webhooks', () => {
  it('report a successful recharge, signed, with its receipt data and masked numbers', async (context) => {
    const { receiver, listener, id, secret } = await listening(context);
    const { body } = await recharge(on, listener, { client_request_id: '#Order 28', amount: 10.5 });
    const [message] = await receiver.has(1);
    expect(isSignedWith(secret, message!)).toBe(true);
    expect(isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, message!)).toBe(false);
    expect(message!.signatures).toHaveLength(1);
    expect(message!.contentType).toBe('application/json');
    expect(Math.abs(message!.timestampS - Date.now() / 1_000)).toBeLessThan(60);
    expect(message!.id).toBe(`msg_${body.data.api_request_id}_succeeded`);
    expect(message!.body).toEqual({
      type: 'recharge.succeeded',
      timestamp: expect.stringMatching(ISO),
      data: {
        api_request_id: body.data.api_request_id,
        client_request_id: '#Order 28',
        environment: 'production',
        sequence: 1,
        order_status: 'success',
        amount: 10.5,
        status: 'success',
        account_number: 'xxxxxx3210',
        operator_sp_key: 116,
        operator_ref: body.data.operator_ref,
        provider_txn_id: body.data.provider_txn_id,
        settled_at: expect.stringMatching(REST_TIME),
      },
    });
    const { data, timestamp } = message!.body;
    expect([data.operator_ref, data.provider_txn_id]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    // both times are that of the commit
    expect(Date.parse(data.settled_at)).toBe(Math.floor(Date.parse(timestamp) / 1_000) * 1_000);
    expect(message!.raw).not.toContain('9876543210');
    await until('it is delivered', async () => (await logOf(on, listener, id))[0]?.state === 'DELIVERED');
    expect(await logOf(on, listener, id)).toEqual([
      {
        id: expect.any(String),
        endpointId: publicId(id),
        type: 'RECHARGE_SUCCEEDED',
        apiRequestId: body.data.api_request_id,
        occurredAt: expect.any(String),
        state: 'DELIVERED',
        attemptCount: 1,
        lastAttemptAt: expect.any(String),
        nextAttemptAt: null,
        httpStatus: 200,
        error: null,
      },
    ]);
    const query = 'query($id: String) { order(apiRequestId: $id) { deliveries { endpointId type state } } }';
    const { body: listBody } = await on.test.graphql('production', listener.developer.tokens.production, query, {
      id: body.data.api_request_id,
    });
    expect(listBody.data.order.deliveries).toEqual([
      { endpointId: publicId(id), type: 'RECHARGE_SUCCEEDED', state: 'DELIVERED' },
    ]);
  });

  it('report a failed recharge and the reversal of a successful one', async (context) => {
    const { receiver, listener, secret } = await listening(context);
    await recharge(on, listener, { account_number: '9876540001' });
    const { body } = await recharge(on, listener, { client_request_id: 'taken-back' });
    await receiver.has(2);
    const [order] = await on.test.db.query<{ id: string }>(
      `select id from orders where developer_id = $1 and client_key = 'taken-back'`,
      [listener.developer.id],
    );
    expect(await on.test.app.ledger.reverse(listener.developer.id, order!.id, {})).toBe('reversed');
    expect(await on.test.app.ledger.reverse(listener.developer.id, order!.id, {})).toBe('already');
    await receiver.has(3);
    await pause(200);
    const about = new Map(receiver.received.map(({ body: { type, data } }) => [type, data]));
    const [failed, reversed, succeeded] = ['failed', 'reversed', 'succeeded'].map((event) =>
      about.get(`recharge.${event}`),
    );
    expect(failed).toMatchObject({ client_request_id: '', code: 'PROVIDER_DECLINED', reason: 'UNSPECIFIED' });
    expect(failed).toMatchObject({ status: 'failed', operator_ref: '', account_number: 'xxxxxx0001' });
    expect(failed).toMatchObject({ sequence: 1, order_status: 'failed' });
    expect(reversed).toEqual({
      ...succeeded,
      sequence: 2,
      order_status: 'reversed',
      status: 'failed',
      code: 'REVERSED',
      reason: 'REVERSED_BY_PROVIDER',
      reversed_at: expect.stringMatching(REST_TIME),
    });
    expect(succeeded).toMatchObject({ client_request_id: 'taken-back', operator_ref: body.data.operator_ref });
    const ids = receiver.received.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.at(-1)).toBe(`msg_${body.data.api_request_id}_reversed`);
    for (const message of receiver.received) expect(isSignedWith(secret, message)).toBe(true);
  });

  it('report every correction by staff as a separate event', async (context) => {
    const { receiver, listener } = await listening(context);
    const { body } = await recharge(on, listener, { client_request_id: 'corrected' });
    const [order] = await on.test.db.query<{ id: string }>(
      `select id from orders where developer_id = $1 and client_key = 'corrected'`,
      [listener.developer.id],
    );
    const input = `input: {orderId: "${order!.id}", reason: "r"}`;
    for (const field of ['reverseOrder', 'reverseRefund', 'reverseOrder']) {
      const requested = await on.call(on.staff.admin, `mutation { ${field}(${input}) ${OUTCOME} }`);
      const { id } = requested.body.data[field].outcome.approvalRequest;
      await on.call(
        on.staff.second,
        `mutation { approveApprovalRequest(input: {approvalRequestId: "${id}"}) { outcome { __typename } } }`,
      );
    }
    const received = await receiver.has(4);
    const reference = body.data.api_request_id;
    expect(received.map(({ id, body: { type } }) => [id, type]).toSorted()).toEqual([
      [`msg_${reference}_reversed`, 'recharge.reversed'],
      [`msg_${reference}_reversed_5`, 'recharge.reversed'],
      [`msg_${reference}_succeeded`, 'recharge.succeeded'],
      [`msg_${reference}_succeeded_4`, 'recharge.succeeded'],
    ]);
    const states = received.map(({ body: { data } }) => [data.sequence, data.order_status]);
    expect(states.toSorted()).toEqual([
      [1, 'success'],
      [2, 'reversed'],
      [3, 'success'],
      [4, 'reversed'],
    ]);
    const reasons = received
      .filter(({ body: { type } }) => type === 'recharge.reversed')
      .map((message) => message.body.data.reason);
    expect(reasons).toEqual(['REVERSED_BY_SUPPORT', 'REVERSED_BY_SUPPORT']);
  });

  it('report the outcome of a pending order', async (context) => {
    const { receiver, listener } = await listening(context);
    expect((await recharge(on, listener, { account_number: '9876540003' })).body.status).toBe('pending');
    const [message] = await receiver.has(1);
    expect(message!.body.type).toBe('recharge.failed');
  });

  it('report card payments with the caller’s orderid to endpoints of their environment, and no lookups', async (context) => {
    const uat = await receiverFor(context);
    const { receiver, listener } = await listening(context);
    const { id } = await createEndpoint(on, listener, uat.url, 'uat');
    // the bill fetch is a charged lookup
    const fetch_id = await fetchIdOf(on.test, listener.developer, 'uat');
    const { status, body } = await payBill(on.test, listener.developer, 'uat', { fetch_id, orderid: 'PAY-7' });
    expect(status).toBe(200);
    const paid = body.data;
    const [message] = await uat.has(1);
    expect(message!.body).toMatchObject({
      type: 'card_payment.succeeded',
      data: { orderid: 'PAY-7', environment: 'uat', amount: 10, status: 'success', card: 'xxxx3008' },
    });
    const { utr, txid, mobile, settled_at } = message!.body.data;
    expect({ utr, txid, mobile }).toEqual({ utr: paid.utr, txid: paid.txid, mobile: 'xxxxxx3210' });
    expect([utr, settled_at]).toEqual([expect.stringMatching(/./), expect.stringMatching(REST_TIME)]);
    expect(message!.body.data).not.toHaveProperty('client_request_id');
    expect(message!.raw).not.toContain('9876543210');
    await recharge(on, listener);
    await receiver.has(1);
    await pause(150);
    expect([receiver.received.length, uat.received.length]).toEqual([1, 1]);
    expect(await logOf(on, listener, id)).toHaveLength(1);
  });

  it('reach every endpoint of the developer once, and no other endpoints', async (context) => {
    const second = await receiverFor(context);
    const { receiver, listener } = await listening(context);
    await createEndpoint(on, listener, second.url);
    await createEndpoint(on, await accountOf(on), second.url);
    await Promise.all(Array.from({ length: 10 }, (_, n) => recharge(on, listener, { client_request_id: `many-${n}` })));
    await Promise.all([receiver.has(10), second.has(10)]);
    await pause(200);
    for (const { received } of [receiver, second]) {
      expect(received).toHaveLength(10);
      expect(new Set(received.map(({ body }) => body.data.client_request_id)).size).toBe(10);
    }
  });

  it('reach only endpoints that subscribe to their type, according to the latest subscription', async (context) => {
    const { receiver: all, listener } = await listening(context);
    const some = await receiverFor(context);
    const { id } = await createEndpoint(on, listener, some.url, 'production', ['RECHARGE_FAILED']);
    const declined = { account_number: '9876540001' };
    await recharge(on, listener);
    await recharge(on, listener, declined);
    await all.has(2);
    await some.has(1);
    const types = ['RECHARGE_SUCCEEDED', 'CARD_PAYMENT_REVERSED'];
    const { body } = await on.call(listener.session, UPDATE, { input: { endpointId: id, types } });
    expect(body.data.updateWebhookEndpoint.endpoint).toEqual({ id: publicId(id), types });
    await recharge(on, listener, declined);
    await recharge(on, listener);
    await all.has(4);
    await some.has(2);
    expect(some.received.map((message) => message.body.type)).toEqual(['recharge.failed', 'recharge.succeeded']);
    expect(await logOf(on, listener, id)).toHaveLength(2);
    const auditLog = await on.test.db.query(
      `select before, after from audit_entry where action = 'webhook.update' and subject like $1`,
      [`%${id}`],
    );
    const expected = types.map((type) => (type.startsWith('R') ? 'recharge.succeeded' : 'card_payment.reversed'));
    expect(auditLog).toEqual([{ before: { types: ['recharge.failed'] }, after: { types: expected } }]);
  });

  it('are not stored if no endpoint subscribes to their type', async () => {
    const picky = await accountOf(on);
    await createEndpoint(on, picky, 'https://hooks.test.example/', 'production', ['CARD_PAYMENT_FAILED']);
    await recharge(on, picky);
    await recharge(on, picky, { account_number: '9876540001' });
    const { body } = await recharge(on, picky, { client_request_id: 'taken-back' });
    const [order] = await on.test.db.query<{ id: string }>(
      'select order_id as id from order_reference where reference = $1',
      [body.data.api_request_id],
    );
    expect(await on.test.app.ledger.reverse(picky.developer.id, order!.id, {})).toBe('reversed');
    expect(await outboxOf(on, picky)).toEqual([]);
  });

  it('are retried with identical bytes after an error and a redirect, even if the order has changed', async (context) => {
    const { receiver, listener, id, secret } = await listening(context);
    const received = Promise.withResolvers<void>();
    receiver.react(500, (response) => {
      void received.promise.then(() => response.writeHead(302, { location: '/elsewhere' }).end());
    });
    await recharge(on, listener, { client_request_id: 'again' });
    await receiver.has(1);
    await until('the first attempt is recorded', async () => (await logOf(on, listener, id))[0].attemptCount === 1);
    const [waiting] = await logOf(on, listener, id);
    expect(waiting).toMatchObject({ state: 'PENDING', httpStatus: 500, error: 'HTTP_STATUS' });
    expect(Date.parse(waiting.nextAttemptAt)).toBeGreaterThan(Date.parse(waiting.lastAttemptAt));
    received.resolve();
    await on.test.db.query(
      `update orders set provider_txn_id = 'later', reversed_at = now(), reversed_by = 'support', answer = null where developer_id = $1`,
      [listener.developer.id],
    );
    const [first, second, third] = await receiver.has(3);
    expect([second!.id, third!.id]).toEqual([first!.id, first!.id]);
    expect([second!.raw, third!.raw]).toEqual([first!.raw, first!.raw]);
    expect(third!.timestampS).toBeGreaterThan(first!.timestampS);
    for (const message of [first!, second!, third!]) expect(isSignedWith(secret, message)).toBe(true);
    await until('it is delivered', async () => (await logOf(on, listener, id))[0].state === 'DELIVERED');
    expect((await logOf(on, listener, id))[0]).toMatchObject({ attemptCount: 3, httpStatus: 200, error: null });
    // restores the order for the ledger check
    await on.test.db.query(`update orders set reversed_at = null, reversed_by = null where developer_id = $1`, [
      listener.developer.id,
    ]);
  });

  it('report the outcome even if a part of the order cannot be decrypted', async (context) => {
    const { receiver, listener } = await listening(context);
    receiver.react(500);
    await recharge(on, listener);
    await receiver.has(1);
    await on.test.db.query(`update webhook_delivery set answer = 'damaged' where developer_id = $1`, [
      listener.developer.id,
    ]);
    const [, second] = await receiver.has(2);
    expect(second!.body.data).toMatchObject({
      status: 'success',
      account_number: 'xxxxxx3210',
      operator_ref: null,
      provider_txn_id: expect.stringMatching(/./),
    });
  });

  it('fail after the last retry and can be redelivered', async (context) => {
    const { receiver, listener, id } = await listening(context);
    receiver.react(503, 503, 503);
    await recharge(on, listener);
    await until('the delivery has failed', async () => (await logOf(on, listener, id))[0]?.state === 'FAILED');
    const [failedDelivery] = await logOf(on, listener, id);
    expect(failedDelivery).toMatchObject({
      attemptCount: 3,
      httpStatus: 503,
      error: 'HTTP_STATUS',
      nextAttemptAt: null,
    });
    const letters = () =>
      on.test.db.query(`select data from pgboss.job where name = 'webhook-dead' and data ->> 'deliveryId' = $1`, [
        failedDelivery.id,
      ]);
    expect(await letters()).toHaveLength(1);
    const failed = { at: expect.any(String), httpStatus: 503, error: 'HTTP_STATUS', durationMs: expect.any(Number) };
    const deliveries = await on.call(listener.session, DELIVERIES, { endpointId: id, filter: { state: ['FAILED'] } });
    expect(deliveries.body.data.webhookDeliveries.edges[0].node.attempts).toEqual([failed, failed, failed]);
    const health = async () => (await on.call(on.staff.support, HEALTH, { id: publicId(id) })).body.data.node.health;
    expect(await health()).toEqual({
      delivered: 0,
      failedAttempts: 3,
      failedDeliveries: 1,
      p95Ms: expect.any(Number),
      pausedUntil: null,
    });
    await on.test.db.query(
      `update webhook_endpoint set failing_since = now(), paused_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect(Date.parse((await health()).pausedUntil)).toBeGreaterThan(Date.now());
    const { body } = await on.call(listener.session, REDELIVER, { id: failedDelivery.id });
    expect(body.data.redeliverWebhook.delivery).toMatchObject({
      id: failedDelivery.id,
      endpointId: publicId(id),
      state: 'PENDING',
    });
    const messages = await receiver.has(4);
    expect(new Set(messages.map((message) => message.id)).size).toBe(1);
    await until('it is delivered', async () => (await logOf(on, listener, id))[0].state === 'DELIVERED');
    expect((await logOf(on, listener, id))[0]).toMatchObject({ attemptCount: 4, error: null });
    expect(await health()).toMatchObject({ delivered: 1, failedAttempts: 3, failedDeliveries: 0, pausedUntil: null });
    expect(await letters()).toEqual([]);
    // delivered messages can be redelivered too
    expect(await on.codes(listener.session, REDELIVER, { id: failedDelivery.id })).toEqual([]);
    await receiver.has(5);
  });

  it('come from addresses that are published for firewalls', async () => {
    const { body } = await on.test.rest('production', 'GET', '/webhook-addresses.json');
    expect(body).toEqual({ addresses: ['203.0.113.7', '2001:db8::/32'] });
    const guide = await fetch(`${on.test.urls.production}/docs/webhooks`);
    expect(await guide.text()).toContain('<code>2001:db8::/32</code>');
  });

  it('of a range are redelivered in one call, failed ones by default or those selected by the caller', async (context) => {
    const { receiver, listener, id } = await listening(context);
    const from = new Date(Date.now() - 60_000).toISOString();
    const input = { endpointId: publicId(id), from, to: new Date(Date.now() + 3_600_000).toISOString() };
    const range = (more: object = {}, session = listener.session) =>
      on.call(session, REDELIVER_RANGE, { input: { ...input, ...more } });
    const redelivered = async (more?: object) => (await range(more)).body.data.redeliverWebhooks;
    for (let n = 0; n < 3; n++) await recharge(on, listener);
    const messages = await receiver.has(3);
    await until('all are delivered', async () =>
      (await logOf(on, listener, id)).every(({ state }) => state === 'DELIVERED'),
    );
    expect(await redelivered()).toEqual({ count: 0, nextFrom: null });
    const [last, , first] = await logOf(on, listener, id);
    await on.test.db.query(`update webhook_delivery set state = 'failed' where id = any($1)`, [[last.id, first.id]]);
    await on.test.db.query(
      `update webhook_endpoint set failing_since = now(), paused_until = now() + interval '1 hour' where id = $1`,
      [id],
    );

    // endpoints of other accounts are not found
    const otherAccount = await accountOf(on);
    expect(codesOf(await range({}, otherAccount.session))).toEqual(['RECORD_NOT_FOUND']);
    expect(fieldsOf(await range({ to: from }))).toEqual(['input.to']);
    expect(await redelivered({ type: ['CARD_PAYMENT_SUCCEEDED'] })).toMatchObject({ count: 0 });

    expect(await redelivered()).toEqual({ count: 2, nextFrom: null });
    const sent = await receiver.has(5);
    expect(new Set(sent.map((message) => message.id))).toEqual(new Set(messages.map((message) => message.id)));
    await until('they are delivered', async () =>
      (await logOf(on, listener, id)).every(({ state }) => state === 'DELIVERED'),
    );
    const types = ['RECHARGE_SUCCEEDED'];
    expect(await redelivered({ type: types, state: ['DELIVERED'] })).toMatchObject({ count: 3 });
    await receiver.has(8);
    const entries = await on.test.db.query<{ after: object }>(
      `select after from audit_entry where action = 'webhook.redeliver_range' and subject like '%' || $1 order by id`,
      [id],
    );
    expect(entries.map(({ after }) => after)).toMatchObject([{ count: 2 }, { count: 3, type: ['recharge.succeeded'] }]);
    await on.call(listener.session, DISABLE, { id: publicId(id) });
    expect(codesOf(await range({ state: ['DELIVERED'] }))).toEqual(['CONFLICT']);
  });

  it('of a long range are redelivered by several calls, each with the start time of the next one', async (context) => {
    const { receiver, listener, id } = await listening(context);
    await recharge(on, listener);
    await receiver.has(1);
    await until('it is delivered', async () => (await logOf(on, listener, id))[0]?.state === 'DELIVERED');
    const columns = (
      await on.test.db.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = 'webhook_delivery'::regclass and attnum > 0
         and not attisdropped and attname not in ('id', 'step', 'state', 'job_id', 'created_at')`,
      )
    ).map(({ name }) => name);
    // one per second of an hour yesterday; the first call stops after the newest of them
    await on.test.db.query(
      `insert into webhook_delivery (id, step, state, job_id, created_at, ${columns})
       select uuidv7(n * interval '1 s' - interval '1 day'), n, 'failed', gen_random_uuid(), now() - interval '1 day', ${columns}
       from webhook_delivery, generate_series(101, 1102) n where endpoint_id = $1`,
      [id],
    );
    const range = async (from: string) => {
      const input = { endpointId: publicId(id), from, to: new Date().toISOString() };
      return (await on.call(listener.session, REDELIVER_RANGE, { input })).body.data.redeliverWebhooks;
    };
    const first = await range(new Date(Date.now() - 2 * 86_400_000).toISOString());
    expect(first).toEqual({ count: 1_000, nextFrom: expect.any(String) });
    expect(await range(first.nextFrom)).toEqual({ count: 2, nextFrom: null });
    // a thousand deliveries would take too long and would not differ
    await on.call(listener.session, DELETE, { id: publicId(id) });
  });

  it('are sent immediately when redelivery is requested', async (context) => {
    const { receiver, listener, id } = await listening(context);
    receiver.react(500);
    await recharge(on, listener);
    await until('the first attempt is recorded', async () => (await logOf(on, listener, id))[0]?.attemptCount === 1);
    const [waiting] = await logOf(on, listener, id);
    await on.test.db.query(
      `update pgboss.job set start_after = now() + interval '1 hour' where data ->> 'deliveryId' = $1`,
      [waiting.id],
    );
    await on.call(listener.session, REDELIVER, { id: waiting.id });
    await receiver.has(2);
    await until('it is delivered', async () => (await logOf(on, listener, id))[0].state === 'DELIVERED');
    expect(
      await on.test.db.query(`select 1 from pgboss.job where data ->> 'deliveryId' = $1`, [waiting.id]),
    ).toHaveLength(1);
  });

  it('carry the signatures of both secrets for a day after a rotation, then only that of the new one', async (context) => {
    const { receiver, listener, id, secret: old } = await listening(context);
    const { body } = await on.call(listener.session, ROTATE, { id });
    const { secret: fresh, endpoint } = body.data.rotateWebhookSecret;
    const overlapMs = Date.parse(endpoint.previousSecretUntil) - Date.now();
    expect(overlapMs).toBeGreaterThan(23.9 * 3_600_000);
    expect(overlapMs).toBeLessThanOrEqual(24 * 3_600_000);
    await recharge(on, listener);
    const [during] = await receiver.has(1);
    expect(during!.signatures).toHaveLength(2);
    expect([isSignedWith(old, during!), isSignedWith(fresh, during!)]).toEqual([true, true]);
    await on.test.db.query(`update webhook_endpoint set previous_secret_until = now() - interval '1 s' where id = $1`, [
      id,
    ]);
    await recharge(on, listener);
    const after = (await receiver.has(2))[1]!;
    expect(after.signatures).toHaveLength(1);
    expect([isSignedWith(old, after), isSignedWith(fresh, after)]).toEqual([false, true]);
  });

  it('stop when the receiver returns 410, and resume when the endpoint is enabled', async (context) => {
    const { receiver, listener, id } = await listening(context);
    receiver.react(410);
    await recharge(on, listener);
    await until('it is cancelled', async () => (await logOf(on, listener, id))[0]?.state === 'CANCELLED');
    expect((await logOf(on, listener, id))[0]).toMatchObject({ httpStatus: 410, error: 'GONE' });
    const auditLog = await on.test.db.query(
      `select actor, after from audit_entry where action = 'webhook.disable' and subject like $1`,
      [`%${id}`],
    );
    expect(auditLog).toEqual([{ actor: 'system:webhooks', after: { disabled: true, reason: 'gone' } }]);
    await recharge(on, listener);
    expect(await outboxOf(on, listener)).toEqual([]);
    expect(await on.codes(listener.session, REDELIVER, { id: (await logOf(on, listener, id))[0].id })).toEqual([
      'CONFLICT',
    ]);
    const { body } = await on.call(listener.session, ENABLE, { id });
    expect(body.data.enableWebhookEndpoint.endpoint).toEqual({
      id: publicId(id),
      disabledAt: null,
      disabledReason: null,
    });
    await recharge(on, listener);
    await receiver.has(2);
    expect(await logOf(on, listener, id)).toHaveLength(2);
  });

  it('are cancelled if pending when their endpoint is disabled', async (context) => {
    const { receiver, listener, id } = await listening(context);
    receiver.react(500, 500, 500);
    await recharge(on, listener);
    await receiver.has(1);
    expect((await on.call(listener.session, DISABLE, { id })).body.data.disableWebhookEndpoint.endpoint).toMatchObject({
      disabledReason: 'REQUEST',
    });
    await until('it is cancelled', async () => (await logOf(on, listener, id))[0].state === 'CANCELLED');
    // on a busy machine the second attempt was already in progress
    expect((await logOf(on, listener, id))[0]).toMatchObject({
      error: 'ENDPOINT_DISABLED',
      attemptCount: receiver.received.length,
    });
  });

  it('are not stored without endpoints', async () => {
    const deaf = await accountOf(on);
    await recharge(on, deaf);
    await recharge(on, deaf, { account_number: '9876540001' });
    expect(await outboxOf(on, deaf)).toEqual([]);
    const deliveries = 'select 1 from webhook_delivery where developer_id = $1';
    expect(await on.test.db.query(deliveries, [deaf.developer.id])).toEqual([]);
  });

  it('for one slow receiver do not delay those of other developers', async (context) => {
    const slow = await receiverFor(context);
    slow.react(...Array.from({ length: 40 }, () => 'hang' as const));
    const stuckAccount = await accountOf(on);
    await createEndpoint(on, stuckAccount, slow.url);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => recharge(on, stuckAccount, { client_request_id: `slow-${n}` })),
    );
    await slow.has(8);
    const { receiver, listener } = await listening(context);
    await recharge(on, listener);
    await receiver.has(1);
    expect(slow.received).toHaveLength(8);
  });

  it('can be searched, and include their order, attempts and sent bytes', async (context) => {
    const { receiver, listener, id } = await listening(context);
    const { id: other } = await createEndpoint(on, listener, receiver.url, 'uat');
    const order = await recharge(on, listener);
    await recharge(on, listener, { account_number: '9876540001' });
    await recharge(on, listener, {}, 'uat');
    const { body: tested } = await on.call(listener.session, SEND_TEST, { id });
    const test = tested.data.sendTestEvent.delivery;
    await receiver.has(4);
    const find = async (variables: object, session = listener.session): Promise<any[]> => {
      const { body } = await on.call(session, DELIVERIES, variables);
      return body.data.webhookDeliveries.edges.map(({ node }: { node: unknown }) => node);
    };
    const typesIn = async (filter: object) => (await find({ filter })).map(({ type }) => type).toSorted();
    await until('all are delivered', async () => (await find({ filter: { state: ['PENDING'] } })).length === 0);
    const all = await find({});
    expect(all).toHaveLength(4);
    expect(all.map(({ body }) => body).toSorted()).toEqual(receiver.received.map(({ raw }) => raw).toSorted());

    const reference = order.body.data.api_request_id;
    const [first] = await find({ endpointId: id, filter: { apiRequestId: reference } });
    expect(first).toMatchObject({
      type: 'RECHARGE_SUCCEEDED',
      order: { apiRequestId: reference, status: 'SUCCESS', accountNumber: '9876543210' },
      attempts: [{ httpStatus: 200, error: null, durationMs: expect.any(Number) }],
    });
    expect(Date.now() - Date.parse(first.attempts[0].at)).toBeLessThan(60_000);
    expect(await find({ filter: { apiRequestId: test.apiRequestId } })).toMatchObject([{ id: test.id, order: null }]);
    expect(await find({ endpointId: other, filter: { apiRequestId: reference } })).toEqual([]);
    expect(await typesIn({ type: ['RECHARGE_FAILED', 'TEST_SENT'] })).toEqual(['RECHARGE_FAILED', 'TEST_SENT']);
    expect(await typesIn({ environment: 'UAT' })).toEqual(['RECHARGE_SUCCEEDED']);
    const now = new Date().toISOString();
    expect([await typesIn({ from: now }), (await typesIn({ to: now })).length]).toEqual([[], 4]);
    for (const apiRequestId of ['unknown', 'test-', 'test-unknown'])
      expect(await find({ filter: { apiRequestId } })).toEqual([]);
    // staff see masked numbers and must specify the developer; a token sees only its environment
    const [delivery] = await find({ endpointId: id, filter: { apiRequestId: reference } }, on.staff.support);
    expect([delivery.order.accountNumber, delivery.body]).toEqual(['xxxxxx3210', first.body]);
    expect(await on.codes(on.staff.support, DELIVERIES)).toEqual(['VALIDATION_FAILED']);
    const { tokens } = listener.developer;
    const own = await on.test.graphql('uat', tokens.uat, DELIVERIES);
    expect(own.body.data.webhookDeliveries.edges.map(({ node }: any) => node.endpointId)).toEqual([publicId(other)]);
    expect(codesOf(await on.test.graphql('uat', tokens.uat, DELIVERIES, { endpointId: id }))).toEqual([
      'RECORD_NOT_FOUND',
    ]);
  });

  it('are listed in pages, newest first', async (context) => {
    const { receiver, listener, id } = await listening(context);
    for (let n = 0; n < 5; n++) await recharge(on, listener, { client_request_id: `page-${n}` });
    await receiver.has(5);
    const page = async (request: object): Promise<any> =>
      (await on.call(listener.session, LOG, { id, ...request })).body.data.webhookDeliveries;
    const idsOf = ({ edges }: { edges: { node: { apiRequestId: string } }[] }) =>
      edges.map(({ node }) => node.apiRequestId);
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const read: any = await page({ first: 2, after });
      ids.push(...idsOf(read));
      after = read.pageInfo.hasNextPage ? read.pageInfo.endCursor : null;
    } while (after);
    expect(new Set(ids).size).toBe(5);
    for (const request of [{ first: 200 }, {}]) expect(idsOf(await page(request))).toEqual(ids);
    const fromTheEnd: string[] = [];
    let beforeCursor: string | null = null;
    do {
      const read: any = await page({ last: 2, before: beforeCursor });
      fromTheEnd.unshift(...idsOf(read));
      beforeCursor = read.pageInfo.hasPreviousPage ? read.pageInfo.startCursor : null;
    } while (beforeCursor);
    expect(fromTheEnd).toEqual(ids);
  });

  it('of all endpoints of an environment form one list, paginated from either end', async (context) => {
    const { receiver, listener } = await listening(context);
    await createEndpoint(on, listener, receiver.url);
    await createEndpoint(on, listener, receiver.url, 'uat');
    for (let n = 0; n < 3; n++) await recharge(on, listener, { client_request_id: `each-${n}` });
    await recharge(on, listener, {}, 'uat');
    await receiver.has(7);
    const page = async (request: object, filter: object = { environment: 'PRODUCTION' }) => {
      const { body } = await on.call(listener.session, DELIVERY_LIST, { filter, ...request });
      const { edges, pageInfo } = body.data.webhookDeliveries;
      return { ids: edges.map(({ node }: { node: { id: string } }) => node.id) as string[], pageInfo };
    };
    // the type filter applies to all endpoints
    const { ids: all } = await page({ first: 50 }, { environment: 'PRODUCTION', type: ['RECHARGE_SUCCEEDED'] });
    expect(all).toHaveLength(6);
    expect((await page({ first: 50 })).ids).toEqual(all);
    expect((await page({}, { environment: 'UAT' })).ids).toHaveLength(1);
    const [first, last] = [await page({ first: 4 }), await page({ last: 4 })];
    const after = await page({ first: 4, after: first.pageInfo.endCursor });
    const previousPage = await page({ last: 4, before: last.pageInfo.startCursor });
    expect([...first.ids, ...after.ids]).toEqual(all);
    expect([...previousPage.ids, ...last.ids]).toEqual(all);
    expect([first.pageInfo.hasNextPage, after.pageInfo.hasNextPage, previousPage.pageInfo.hasPreviousPage]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

const DELIVERY_LIST = `query($filter: WebhookDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {
  webhookDeliveries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    edges { node { id } } pageInfo { endCursor startCursor hasNextPage hasPreviousPage } } }`;
