import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import * as schemas from '../rest/schemas/webhooks.schemas.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { isSignedWith, type Receiver, startReceiver } from './receiver.fixture.js';

const WEBHOOKS = '/api/v1/webhooks';
const UNUSED = 'https://hooks.test.example/';

const test = useSharedApp();
let developer: TestDeveloper;
let otherAccount: TestDeveloper;
let receiver: Receiver;
beforeAll(async () => {
  [developer, otherAccount] = [await newDeveloper(), await newDeveloper()];
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const newDeveloper = (): Promise<TestDeveloper> => test.developer({ rateLimitPerMinute: 1_000 });

const call = (
  method: string,
  path: string,
  body?: unknown,
  account = developer,
  environment: Environment = 'uat',
  headers?: Record<string, string>,
): Promise<TestResponse> => test.rest(environment, method, path, account.tokens[environment], body, headers);

async function createFor(account: TestDeveloper, url: string, environment: Environment = 'uat') {
  const { body } = await call('POST', WEBHOOKS, { url }, account, environment);
  expect(mismatches(schemas.withSecret, body)).toEqual([]);
  return body.data as { id: string; secret: string; url: string };
}

const rejectionOf = ({ status, body }: TestResponse): [number, string] => {
  expect(mismatches(failure('error'), body)).toEqual([]);
  return [status, body.code];
};

const recharge = (client_request_id: string, account = developer) =>
  call('POST', '/api/v1/recharge', rechargeBody({ client_request_id }), account);

describe('webhooks over REST', () => {
  it('can be managed from creation to deletion, with the same audit log as over GraphQL', async () => {
    const owner = await newDeveloper();
    const { id, secret } = await createFor(owner, receiver.url);
    const chosen = await call(
      'POST',
      `${WEBHOOKS}/${id}/update`,
      { types: 'RECHARGE.succeeded,recharge.failed' },
      owner,
    );
    expect(mismatches(schemas.endpoint, chosen.body)).toEqual([]);
    expect(chosen.body.data.types).toEqual(['recharge.succeeded', 'recharge.failed']);
    const list = await call('GET', WEBHOOKS, undefined, owner);
    expect(mismatches(schemas.endpoints, list.body)).toEqual([]);
    expect(list.body.data).toEqual([expect.objectContaining({ id, url: receiver.url, disabled_at: null })]);
    const twin = await test.graphql('uat', owner.tokens.uat, '{ webhookEndpoints { id url } }');
    expect(twin.body.data.webhookEndpoints).toEqual([{ id, url: receiver.url }]);

    const countBefore = receiver.received.length;
    await recharge('first', owner);
    const message = (await receiver.has(countBefore + 1)).at(-1)!;
    expect(message.body).toMatchObject({ type: 'recharge.succeeded', data: { client_request_id: 'first' } });
    expect(isSignedWith(secret, message)).toBe(true);

    const rotated = await call('POST', `${WEBHOOKS}/${id}/rotate`, undefined, owner);
    expect(mismatches(schemas.withSecret, rotated.body)).toEqual([]);
    expect(rotated.body.data.secret).not.toBe(secret);
    expect(rotated.body.data.previous_secret_until).not.toBeNull();

    const disabled = await call('POST', `${WEBHOOKS}/${id}/disable`, undefined, owner);
    expect(mismatches(schemas.endpoint, disabled.body)).toEqual([]);
    expect(disabled.body.data).toMatchObject({ id, disabled_reason: 'request' });
    for (const verb of ['disable', 'test'])
      expect(rejectionOf(await call('POST', `${WEBHOOKS}/${id}/${verb}`, undefined, owner))).toEqual([409, 'CONFLICT']);
    const enabled = await call('POST', `${WEBHOOKS}/${id}/enable`, undefined, owner);
    expect(enabled.body.data).toMatchObject({ id, disabled_at: null, disabled_reason: null });

    const deleted = await call('DELETE', `${WEBHOOKS}/${id}`, undefined, owner);
    expect([deleted.status, mismatches(schemas.deleted, deleted.body)]).toEqual([200, []]);
    expect(deleted.body.data).toEqual({ id });
    expect((await call('GET', WEBHOOKS, undefined, owner)).body.data).toEqual([]);
    expect(rejectionOf(await call('DELETE', `${WEBHOOKS}/${id}`, undefined, owner))).toEqual([404, 'RECORD_NOT_FOUND']);

    const auditLog = await test.db.query<{ action: string }>(
      'select action from audit_entry where actor = $1 order by audit_entry.id',
      [`token:${owner.id}`],
    );
    expect(auditLog.map(({ action }) => action)).toEqual(
      ['create', 'update', 'rotate_secret', 'disable', 'enable', 'delete'].map((action) => `webhook.${action}`),
    );
  });

  it('send a test message, list deliveries in pages, and redeliver one with its own ID', async () => {
    const { id, secret } = await createFor(developer, receiver.url);
    const countBefore = receiver.received.length;
    const tested = await call('POST', `${WEBHOOKS}/${id}/test`);
    expect(mismatches(schemas.delivery, tested.body)).toEqual([]);
    expect(tested.body.data).toMatchObject({ endpoint_id: id, type: 'test.sent', state: 'pending', attempt_count: 0 });
    await recharge('logged');
    const messages = (await receiver.has(countBefore + 2)).slice(countBefore);
    expect(messages.map((message) => isSignedWith(secret, message))).toEqual([true, true]);

    const log = (query: object = {}) =>
      call('GET', `${WEBHOOKS}/${id}/deliveries?${new URLSearchParams(query as Record<string, string>)}`);
    await until('both are delivered', async () =>
      (await log()).body.data.every(({ state }: { state: string }) => state === 'delivered'),
    );
    const { body } = await log();
    expect(mismatches(schemas.deliveries, body)).toEqual([]);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['recharge.succeeded', 'test.sent']);
    expect(body.data[0]).toMatchObject({ attempt_count: 1, http_status: 200, error: null, next_attempt_at: null });
    const first = (await log({ limit: 1 })).body;
    const second = (await log({ limit: 1, cursor: first.next_cursor })).body;
    expect([...first.data, ...second.data]).toEqual(body.data);
    expect(second.next_cursor).toBeNull();

    const retry = await call('POST', `${WEBHOOKS}/deliveries/${body.data[0].id}/redeliver`);
    expect(mismatches(schemas.delivery, retry.body)).toEqual([]);
    expect(retry.body.data).toMatchObject({ id: body.data[0].id, state: 'pending' });
    const redelivery = (await receiver.has(countBefore + 3)).at(-1)!;
    const original = messages.find(({ body: { type } }) => type === 'recharge.succeeded')!;
    expect([redelivery.id, redelivery.raw]).toEqual([original.id, original.raw]);
    await until('it is redelivered', async () => (await log()).body.data[0].state === 'delivered');

    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const range = { from: today, to: today, type: 'recharge.succeeded', state: ['DELIVERED'] };
    const redelivered = await call('POST', `${WEBHOOKS}/${id}/redeliver`, range);
    expect(redelivered.body).toMatchObject({ status: 'success', data: { count: 1, next_from: null } });
    await receiver.has(countBefore + 4);
    const backwards = await call('POST', `${WEBHOOKS}/${id}/redeliver`, { ...range, from: '2026-02-30' });
    expect([backwards.status, Object.keys(backwards.body.errors)]).toEqual([422, ['from']]);
  });

  it('are limited to five with valid addresses and types', async () => {
    const owner = await newDeveloper();
    for (let n = 0; n < 5; n++) await createFor(owner, `${UNUSED}${n}`);
    expect(rejectionOf(await call('POST', WEBHOOKS, { url: UNUSED }, owner))).toEqual([409, 'CONFLICT']);
    // the other environment has its own limit
    await createFor(owner, UNUSED, 'production');
    for (const types of [[], ['test.sent'], ['recharge.failed', 'recharge.failed'], ['recharge'], [1]]) {
      const response = await call('POST', WEBHOOKS, { url: UNUSED, types }, owner, 'production');
      expect([types, ...rejectionOf(response), Object.keys(response.body.errors)]).toEqual([
        types,
        422,
        'VALIDATION_FAILED',
        expect.arrayContaining([expect.stringMatching(/^types/)]),
      ]);
    }
    for (const body of [{}, { url: '' }, { url: 'hooks.test.example' }, { url: 'https://a@hooks.test.example/' }]) {
      const response = await call('POST', WEBHOOKS, body, owner);
      expect(rejectionOf(response)).toEqual([422, 'VALIDATION_FAILED']);
      expect(Object.keys(response.body.errors)).toEqual(['url']);
    }
  });

  it('are limited to this account and environment in every call', async () => {
    const { id } = await createFor(developer, receiver.url);
    const live = await createFor(developer, UNUSED, 'production');
    await call('POST', `${WEBHOOKS}/${id}/test`);
    const [delivery] = (await call('GET', `${WEBHOOKS}/${id}/deliveries`)).body.data;
    const calls: [string, string][] = [
      ['POST', `${WEBHOOKS}/${id}/rotate`],
      ['POST', `${WEBHOOKS}/${id}/disable`],
      ['POST', `${WEBHOOKS}/${id}/enable`],
      ['POST', `${WEBHOOKS}/${id}/test`],
      ['GET', `${WEBHOOKS}/${id}/deliveries`],
      ['POST', `${WEBHOOKS}/deliveries/${delivery.id}/redeliver`],
      ['DELETE', `${WEBHOOKS}/${id}`],
    ];
    for (const [method, path] of calls) {
      const by = {
        'another account': await call(method, path, undefined, otherAccount),
        'the other environment': await call(method, path, undefined, developer, 'production'),
        'an unknown ID': await call(method, path.replace(id, `whe_${UNKNOWN_ID}`).replace(delivery.id, UNKNOWN_ID)),
        'an invalid ID': await call(method, path.replace(id, 'x').replace(delivery.id, 'x')),
      };
      for (const [name, response] of Object.entries(by))
        expect([method, path, name, ...rejectionOf(response)]).toEqual([method, path, name, 404, 'RECORD_NOT_FOUND']);
    }
    const ids = (await call('GET', WEBHOOKS)).body.data.map((row: { id: string }) => row.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(live.id);
    expect((await call('GET', WEBHOOKS, undefined, otherAccount)).body.data).toEqual([]);
    // the same over GraphQL with the Production token and a UAT delivery
    const redeliver = `mutation { redeliverWebhook(input: { deliveryId: "${delivery.id}" }) { delivery { id } } }`;
    const { body } = await test.graphql('production', developer.tokens.production, redeliver);
    expect(body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
    await until('the test message is delivered', async () => {
      const log = await call('GET', `${WEBHOOKS}/${id}/deliveries`);
      return log.body.data[0].state === 'delivered';
    });
  });

  it('reject an invalid page size and cursor', async () => {
    const { id } = await createFor(otherAccount, UNUSED);
    const orders = (await call('GET', '/api/v1/orders?limit=1')).body.next_cursor;
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      [`cursor=${orders}`, 'cursor'],
    ]) {
      const response = await call('GET', `${WEBHOOKS}/${id}/deliveries?${query}`, undefined, otherAccount);
      expect([query, ...rejectionOf(response), Object.keys(response.body.errors)]).toEqual([
        query,
        422,
        'VALIDATION_FAILED',
        [field],
      ]);
    }
  });
});

describe('a path with a parameter', () => {
  it('accepts empty JSON, a form or no body if all parameters are in the path', async () => {
    const { id } = await createFor(otherAccount, UNUSED);
    const json = { 'content-type': 'application/json' };
    for (const [body, headers] of [
      ['', json],
      ['{}', json],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
      [undefined, {}],
    ] as const) {
      const response = await call('POST', `${WEBHOOKS}/${id}/rotate`, body, otherAccount, 'uat', headers);
      expect([body, response.status]).toEqual([body, 200]);
    }
    expect(rejectionOf(await call('POST', WEBHOOKS, '', otherAccount, 'uat', json))).toEqual([
      400,
      'MALFORMED_REQUEST',
    ]);
    const list = await call('POST', `${WEBHOOKS}/${id}/rotate`, '[1]', otherAccount, 'uat', json);
    expect(rejectionOf(list)).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('takes precedence over a conflicting ID in the body', async () => {
    const [first, second] = [await createFor(otherAccount, UNUSED), await createFor(otherAccount, UNUSED)];
    const response = await call('POST', `${WEBHOOKS}/${first.id}/disable`, { id: second.id }, otherAccount);
    expect(response.body.data.id).toBe(first.id);
  });

  it('returns its allowed methods and accepts an extra slash', async () => {
    const { id } = (await call('GET', WEBHOOKS, undefined, otherAccount)).body.data[0];
    for (const [method, path, allowed] of [
      ['GET', `${WEBHOOKS}/${id}`, 'DELETE'],
      ['PUT', WEBHOOKS, 'POST, GET, HEAD'],
      ['DELETE', `${WEBHOOKS}/${id}/rotate`, 'POST'],
    ] as const) {
      const response = await call(method, path, undefined, otherAccount);
      expect(rejectionOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(response.headers.get('allow')).toBe(allowed);
    }
    expect(rejectionOf(await call('GET', `${WEBHOOKS}/${id}/nothing`, undefined, otherAccount))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect((await call('GET', `/${WEBHOOKS}//${id}/deliveries/`, undefined, otherAccount)).status).toBe(200);
    expect((await call('HEAD', `${WEBHOOKS}/${id}/deliveries`, undefined, otherAccount)).status).toBe(200);
  });
});
