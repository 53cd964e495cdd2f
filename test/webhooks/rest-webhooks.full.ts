import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import * as schemas from '../rest/schemas/webhooks.schemas.js';
import type { Answer, TestDeveloper } from '../support/app.js';
import { NOBODY } from '../support/ids.js';
import { aRecharge } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { isSignedWith, type Receiver, startReceiver } from './receiver.fixture.js';

const WEBHOOKS = '/api/v1/webhooks';
const UNUSED = 'https://hooks.test.example/';

const test = useSharedApp();
let developer: TestDeveloper;
let stranger: TestDeveloper;
let receiver: Receiver;
beforeAll(async () => {
  [developer, stranger] = [await newDeveloper(), await newDeveloper()];
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const newDeveloper = (): Promise<TestDeveloper> => test.developer({ rateLimitPerMinute: 1_000 });

const call = (
  method: string,
  path: string,
  body?: unknown,
  who = developer,
  environment: Environment = 'uat',
  headers?: Record<string, string>,
): Promise<Answer> => test.rest(environment, method, path, who.tokens[environment], body, headers);

async function madeBy(who: TestDeveloper, url: string, environment: Environment = 'uat') {
  const { body } = await call('POST', WEBHOOKS, { url }, who, environment);
  expect(mismatches(schemas.withSecret, body)).toEqual([]);
  return body.data as { id: string; secret: string; url: string };
}

const refused = ({ status, body }: Answer): [number, string] => {
  expect(mismatches(failure('error'), body)).toEqual([]);
  return [status, body.code];
};

const recharge = (client_request_id: string, who = developer) =>
  call('POST', '/api/v1/recharge', aRecharge({ client_request_id }), who);

describe('webhooks over REST', () => {
  it('can be managed from creation to deletion, with the same audit log as over GraphQL', async () => {
    const owner = await newDeveloper();
    const { id, secret } = await madeBy(owner, receiver.url);
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

    const before = receiver.received.length;
    await recharge('first', owner);
    const message = (await receiver.has(before + 1)).at(-1)!;
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
      expect(refused(await call('POST', `${WEBHOOKS}/${id}/${verb}`, undefined, owner))).toEqual([409, 'CONFLICT']);
    const enabled = await call('POST', `${WEBHOOKS}/${id}/enable`, undefined, owner);
    expect(enabled.body.data).toMatchObject({ id, disabled_at: null, disabled_reason: null });

    const deleted = await call('DELETE', `${WEBHOOKS}/${id}`, undefined, owner);
    expect([deleted.status, mismatches(schemas.deleted, deleted.body)]).toEqual([200, []]);
    expect(deleted.body.data).toEqual({ id });
    expect((await call('GET', WEBHOOKS, undefined, owner)).body.data).toEqual([]);
    expect(refused(await call('DELETE', `${WEBHOOKS}/${id}`, undefined, owner))).toEqual([404, 'RECORD_NOT_FOUND']);

    const auditLog = await test.db.query<{ action: string }>(
      'select action from audit_entry where actor = $1 order by audit_entry.id',
      [`token:${owner.id}`],
    );
    expect(auditLog.map(({ action }) => action)).toEqual(
      ['create', 'update', 'rotate_secret', 'disable', 'enable', 'delete'].map((what) => `webhook.${what}`),
    );
  });

  it('send a test message, list deliveries in pages, and redeliver one with its own ID', async () => {
    const { id, secret } = await madeBy(developer, receiver.url);
    const before = receiver.received.length;
    const tested = await call('POST', `${WEBHOOKS}/${id}/test`);
    expect(mismatches(schemas.delivery, tested.body)).toEqual([]);
    expect(tested.body.data).toMatchObject({ endpoint_id: id, type: 'test.sent', state: 'pending', attempt_count: 0 });
    await recharge('logged');
    const messages = (await receiver.has(before + 2)).slice(before);
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

    const again = await call('POST', `${WEBHOOKS}/deliveries/${body.data[0].id}/redeliver`);
    expect(mismatches(schemas.delivery, again.body)).toEqual([]);
    expect(again.body.data).toMatchObject({ id: body.data[0].id, state: 'pending' });
    const repeated = (await receiver.has(before + 3)).at(-1)!;
    const original = messages.find(({ body: { type } }) => type === 'recharge.succeeded')!;
    expect([repeated.id, repeated.raw]).toEqual([original.id, original.raw]);
    await until('it is redelivered', async () => (await log()).body.data[0].state === 'delivered');

    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const range = { from: today, to: today, type: 'recharge.succeeded', state: ['DELIVERED'] };
    const redelivered = await call('POST', `${WEBHOOKS}/${id}/redeliver`, range);
    expect(redelivered.body).toMatchObject({ status: 'success', data: { count: 1, next_from: null } });
    await receiver.has(before + 4);
    const backwards = await call('POST', `${WEBHOOKS}/${id}/redeliver`, { ...range, from: '2026-02-30' });
    expect([backwards.status, Object.keys(backwards.body.errors)]).toEqual([422, ['from']]);
  });

  it('are limited to five with valid addresses and types', async () => {
    const owner = await newDeveloper();
    for (let n = 0; n < 5; n++) await madeBy(owner, `${UNUSED}${n}`);
    expect(refused(await call('POST', WEBHOOKS, { url: UNUSED }, owner))).toEqual([409, 'CONFLICT']);
    // the other environment has its own limit
    await madeBy(owner, UNUSED, 'production');
    for (const types of [[], ['test.sent'], ['recharge.failed', 'recharge.failed'], ['recharge'], [1]]) {
      const answer = await call('POST', WEBHOOKS, { url: UNUSED, types }, owner, 'production');
      expect([types, ...refused(answer), Object.keys(answer.body.errors)]).toEqual([
        types,
        422,
        'VALIDATION_FAILED',
        expect.arrayContaining([expect.stringMatching(/^types/)]),
      ]);
    }
    for (const body of [{}, { url: '' }, { url: 'hooks.test.example' }, { url: 'https://a@hooks.test.example/' }]) {
      const answer = await call('POST', WEBHOOKS, body, owner);
      expect(refused(answer)).toEqual([422, 'VALIDATION_FAILED']);
      expect(Object.keys(answer.body.errors)).toEqual(['url']);
    }
  });

  it('are limited to this account and environment in every call', async () => {
    const { id } = await madeBy(developer, receiver.url);
    const live = await madeBy(developer, UNUSED, 'production');
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
        'another account': await call(method, path, undefined, stranger),
        'the other environment': await call(method, path, undefined, developer, 'production'),
        'an unknown ID': await call(method, path.replace(id, `whe_${NOBODY}`).replace(delivery.id, NOBODY)),
        'an invalid ID': await call(method, path.replace(id, 'x').replace(delivery.id, 'x')),
      };
      for (const [who, answer] of Object.entries(by))
        expect([method, path, who, ...refused(answer)]).toEqual([method, path, who, 404, 'RECORD_NOT_FOUND']);
    }
    const ids = (await call('GET', WEBHOOKS)).body.data.map((row: { id: string }) => row.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(live.id);
    expect((await call('GET', WEBHOOKS, undefined, stranger)).body.data).toEqual([]);
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
    const { id } = await madeBy(stranger, UNUSED);
    const orders = (await call('GET', '/api/v1/orders?limit=1')).body.next_cursor;
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      [`cursor=${orders}`, 'cursor'],
    ]) {
      const answer = await call('GET', `${WEBHOOKS}/${id}/deliveries?${query}`, undefined, stranger);
      expect([query, ...refused(answer), Object.keys(answer.body.errors)]).toEqual([
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
    const { id } = await madeBy(stranger, UNUSED);
    const json = { 'content-type': 'application/json' };
    for (const [body, headers] of [
      ['', json],
      ['{}', json],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
      [undefined, {}],
    ] as const) {
      const answer = await call('POST', `${WEBHOOKS}/${id}/rotate`, body, stranger, 'uat', headers);
      expect([body, answer.status]).toEqual([body, 200]);
    }
    expect(refused(await call('POST', WEBHOOKS, '', stranger, 'uat', json))).toEqual([400, 'MALFORMED_REQUEST']);
    const list = await call('POST', `${WEBHOOKS}/${id}/rotate`, '[1]', stranger, 'uat', json);
    expect(refused(list)).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('takes precedence over a conflicting ID in the body', async () => {
    const [one, other] = [await madeBy(stranger, UNUSED), await madeBy(stranger, UNUSED)];
    const answer = await call('POST', `${WEBHOOKS}/${one.id}/disable`, { id: other.id }, stranger);
    expect(answer.body.data.id).toBe(one.id);
  });

  it('returns its allowed methods and accepts an extra slash', async () => {
    const { id } = (await call('GET', WEBHOOKS, undefined, stranger)).body.data[0];
    for (const [method, path, allowed] of [
      ['GET', `${WEBHOOKS}/${id}`, 'DELETE'],
      ['PUT', WEBHOOKS, 'POST, GET, HEAD'],
      ['DELETE', `${WEBHOOKS}/${id}/rotate`, 'POST'],
    ] as const) {
      const answer = await call(method, path, undefined, stranger);
      expect(refused(answer)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')).toBe(allowed);
    }
    expect(refused(await call('GET', `${WEBHOOKS}/${id}/nothing`, undefined, stranger))).toEqual([404, 'NOT_FOUND']);
    expect((await call('GET', `/${WEBHOOKS}//${id}/deliveries/`, undefined, stranger)).status).toBe(200);
    expect((await call('HEAD', `${WEBHOOKS}/${id}/deliveries`, undefined, stranger)).status).toBe(200);
  });
});
