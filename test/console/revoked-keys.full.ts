import { beforeEach, describe, expect, it } from 'vitest';
import { seed, type TestDeveloper, type TestResponse } from '../support/app.js';
import { until } from '../support/until.js';
import { CREATE as CREATE_ENDPOINT, createEndpoint, DISABLE, ENABLE, LIST } from '../webhooks/webhooks.fixture.js';
import { codesOf, expectExplained, fieldsOf, useConsole } from './console.fixture.js';

const REVOKE = `mutation($input: RevokeCredentialInput!) { revokeCredential(input: $input) {
  credential { clientId revokedAt } } }`;
const URL = 'https://hooks.test.example/receiver';

const console = useConsole();
expectExplained(console);
const { test } = console;

let developer: TestDeveloper;
let user: string;
beforeEach(async () => {
  developer = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
  user = await console.userOf(developer.id);
});

const addEndpoint = (token: string): Promise<TestResponse> =>
  test.graphql('uat', token, CREATE_ENDPOINT, { input: { url: URL } });
const endpointOf = async (token: string): Promise<string> =>
  (await addEndpoint(token)).body.data.createWebhookEndpoint.endpoint.id;
const revoke = (clientId: string, more: object = {}): Promise<TestResponse> =>
  console.call(user, REVOKE, { input: { clientId, ...more } });
/** The endpoints of the account, with the keys that created them. */
const endpoints = () =>
  test.db.query<{ id: string; key: string | null; disabled: boolean }>(
    `select 'whe_' || id as id, client_id as key, disabled_at is not null as disabled from webhook_endpoint
      where developer_id = $1 order by webhook_endpoint.id`,
    [developer.id],
  );
const auditLog = () =>
  test.db.query<{ action: string; after: object | null }>(
    `select action, after from audit_entry where subject like $1 and action in ('credential.revoke', 'credential.rotate', 'webhook.disable')
      order by audit_entry.id`,
    [`developer:${developer.id}/%`],
  );
/** Audit entry of a revoked key. */
const revokedEntry = (environment: 'uat' | 'production') => ({
  clientId: developer.keys[environment].clientId,
  suspended: false,
  revoked: true,
});
const withoutPrefix = (id: string): string => id.replace(/^whe_/, '');

const ROTATE = `mutation($input: RotateCredentialInput!) { rotateCredential(input: $input) {
  credential { clientId environment label expiresAt revokedAt } apiSecret
  developer { credentials { clientId expiresAt revokedAt } } } }`;
const rotate = (clientId: string, more: object = {}, session = user): Promise<TestResponse> =>
  console.call(session, ROTATE, { input: { clientId, ...more } });
/** Rotates a key and returns the new one. */
const rotated = async (clientId: string, more: object = {}): Promise<Key> => {
  const { credential, apiSecret } = (await rotate(clientId, more)).body.data.rotateCredential;
  return { clientId: credential.clientId, apiSecret };
};
interface Key {
  clientId: string;
  apiSecret: string;
}
const exchange = ({ clientId, apiSecret }: Key): Promise<TestResponse> =>
  test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
    client_id: clientId,
    api_secret: apiSecret,
    environment: 'uat',
  });
const me = async (token: string): Promise<[number, string?]> => {
  const { status, body } = await test.rest('uat', 'GET', '/api/v1/auth/me', token);
  return status === 200 ? [status] : [status, body.code];
};
const CLIENT_TOKEN =
  'mutation { createClientToken(input: { scopes: [LOOKUPS], expiresInSeconds: 3600 }) { token expiresAt } }';
const clientTokenOf = async (token: string) =>
  (await test.graphql('uat', token, CLIENT_TOKEN)).body.data.createClientToken;
/** Expires the overlap of a rotated key. */
const expire = ({ clientId }: Key) =>
  test.db.query('update credential set expires_at = now() where client_id = $1', [clientId]);

describe('revoking a key with webhook endpoints', () => {
  it('requires a choice for its enabled endpoints, and changes nothing without one', async () => {
    const { clientId } = developer.keys.uat;
    const [first, second] = [await endpointOf(developer.tokens.uat), await endpointOf(developer.tokens.uat)];
    const { id } = await createEndpoint(console, { developer, session: user }, URL, 'uat');
    const rejection = await revoke(clientId);
    expect([codesOf(rejection), fieldsOf(rejection)]).toEqual([['VALIDATION_FAILED'], ['input.endpoints']]);
    expect(rejection.body.errors[0].extensions.fields[0]).toMatchObject({
      rule: 'REQUIRED',
      message: 'This API key has 2 enabled webhook endpoints. Send KEEP or DISABLE.',
    });
    expect(await auditLog()).toEqual([]);
    expect((await test.rest('uat', 'GET', '/api/v1/auth/me', developer.tokens.uat)).status).toBe(200);
    expect(await endpoints()).toEqual([
      { id: first, key: clientId, disabled: false },
      { id: second, key: clientId, disabled: false },
      { id: `whe_${id}`, key: null, disabled: false },
    ]);
  });

  it('with DISABLE disables them, and leaves those created by users and other keys', async () => {
    const { clientId } = developer.keys.uat;
    const endpoint = await endpointOf(developer.tokens.uat);
    const own = await createEndpoint(console, { developer, session: user }, URL, 'uat');
    expect(codesOf(await revoke(clientId, { endpoints: 'DISABLE' }))).toEqual([]);
    expect(await endpoints()).toEqual([
      { id: endpoint, key: clientId, disabled: true },
      { id: `whe_${own.id}`, key: null, disabled: false },
    ]);
    const { body } = await console.call(user, LIST);
    expect(body.data.webhookEndpoints[0]).toMatchObject({ id: endpoint, disabledReason: 'REQUEST' });
    expect(await auditLog()).toEqual([
      { action: 'webhook.disable', after: { disabled: true, reason: 'request' } },
      {
        action: 'credential.revoke',
        after: { ...revokedEntry('uat'), endpoints: 'disable', endpointIds: [withoutPrefix(endpoint)] },
      },
    ]);
  });

  it('with KEEP keeps them without the key', async () => {
    const { clientId } = developer.keys.uat;
    const endpoint = await endpointOf(developer.tokens.uat);
    expect(codesOf(await revoke(clientId, { endpoints: 'KEEP' }))).toEqual([]);
    expect(await endpoints()).toEqual([{ id: endpoint, key: null, disabled: false }]);
    expect(await auditLog()).toEqual([
      {
        action: 'credential.revoke',
        after: { ...revokedEntry('uat'), endpoints: 'keep', endpointIds: [withoutPrefix(endpoint)] },
      },
    ]);
  });

  it('requires no choice if its endpoints are disabled or missing', async () => {
    const endpoint = await endpointOf(developer.tokens.uat);
    await console.call(user, DISABLE, { id: endpoint });
    for (const environment of ['uat', 'production'] as const)
      expect(codesOf(await revoke(developer.keys[environment].clientId))).toEqual([]);
    expect((await auditLog()).at(-1)).toEqual({ action: 'credential.revoke', after: revokedEntry('production') });
  });

  it('requires a choice for an endpoint that was enabled with another key only when that key is revoked', async () => {
    const endpoint = await endpointOf(developer.tokens.uat);
    await console.call(user, DISABLE, { id: endpoint });
    await revoke(developer.keys.uat.clientId);
    const other = await test.app.credentials.create(developer.id, 'uat', undefined, seed);
    const { token } = (await exchange(other)).body;
    expect(codesOf(await test.graphql('uat', token, ENABLE, { id: endpoint }))).toEqual([]);
    expect(fieldsOf(await revoke(other.clientId))).toEqual(['input.endpoints']);
  });

  it('requires a choice for an endpoint created at the same time, or prevents its creation', async () => {
    const { clientId } = developer.keys.uat;
    const [created, revoked] = await Promise.all([addEndpoint(developer.tokens.uat), revoke(clientId)]);
    const remaining = (await endpoints()).filter(({ disabled }) => !disabled).length;
    expect([remaining, codesOf(created), fieldsOf(revoked)]).toEqual(
      remaining === 0 ? [0, ['UNAUTHENTICATED'], []] : [1, [], ['input.endpoints']],
    );
  });
});

describe('a rotated key', () => {
  it('works alongside the new one, which takes its label and endpoints, until its tokens expire with it', async () => {
    const old = developer.keys.uat;
    await test.db.query(`update credential set label = 'till 4' where client_id = $1`, [old.clientId]);
    const endpoint = await endpointOf(developer.tokens.uat);
    const startedMs = Date.now();
    const {
      credential,
      apiSecret,
      developer: listed,
    } = (await rotate(old.clientId, { overlapHours: 2 })).body.data.rotateCredential;
    expect(credential).toEqual({
      clientId: expect.stringMatching(/^cid_uat_/),
      environment: 'UAT',
      label: 'till 4',
      expiresAt: null,
      revokedAt: null,
    });
    const { expiresAt, revokedAt } = listed.credentials.find(({ clientId }: Key) => clientId === old.clientId);
    const endsAt = Date.parse(expiresAt);
    expect(Math.abs(endsAt - startedMs - 2 * 3_600_000)).toBeLessThan(60_000);
    expect(revokedAt).toBeNull();
    expect(await endpoints()).toEqual([{ id: endpoint, key: credential.clientId, disabled: false }]);
    expect(await auditLog()).toEqual([
      {
        action: 'credential.rotate',
        after: {
          clientId: credential.clientId,
          suspended: false,
          revoked: false,
          startsAt: null,
          secretMark: expect.any(String),
          label: 'till 4',
          oldEndsAt: new Date(expiresAt).toISOString(),
          endpointIds: [withoutPrefix(endpoint)],
        },
      },
    ]);
    for (const key of [old, { clientId: credential.clientId, apiSecret }])
      expect((await exchange(key)).status).toBe(200);
    expect(await me(developer.tokens.uat)).toEqual([200]);
    // A token expires no later than its key.
    expect(Date.parse((await exchange(old)).body.expires_at)).toBeLessThanOrEqual(endsAt);
    await test.db.query(`update access_token set last_used_at = now() - interval '2 hours' where client_id = $1`, [
      old.clientId,
    ]);
    await me(developer.tokens.uat);
    const recentUseQuery = `select from access_token where client_id = $1 and last_used_at > now() - interval '1 hour'`;
    await until('the use is recorded', async () => (await test.db.query(recentUseQuery, [old.clientId])).length > 0);
    const unexpiredQuery = `select from access_token where client_id = $1 and expires_at > $2::timestamptz`;
    expect(await test.db.query(unexpiredQuery, [old.clientId, expiresAt])).toEqual([]);
  });

  it('is rejected like a revoked key after the overlap', async () => {
    const { uat } = developer.keys;
    const other = await test.developer({ liveRupees: 0 });
    const responsesOf = async (key: Key, token: string, clientToken: string, session: string) => {
      const { status, body } = await exchange(key);
      const responses = await Promise.all([
        console.call(session, REVOKE, { input: { clientId: key.clientId } }),
        rotate(key.clientId, {}, session),
        console.call(
          console.staff.admin,
          'mutation($id: String!) { suspendCredential(input: {clientId: $id, reason: "r"}) { credential { clientId } } }',
          { id: key.clientId },
        ),
      ]);
      return {
        exchange: [status, body.code, body.message],
        me: await me(token),
        client: codesOf(await test.graphql('uat', clientToken, '{ me { name } }')),
        again: responses.map(({ body: { errors } }) => [errors[0].extensions.code, errors[0].message]),
      };
    };
    const tokens = [developer.tokens.uat, other.tokens.uat] as const;
    const clients = await Promise.all(tokens.map(async (token) => (await clientTokenOf(token)).token as string));
    await rotated(uat.clientId);
    expect(await me(tokens[0])).toEqual([200]);
    await expire(uat);
    const otherUser = await console.userOf(other.id);
    await console.call(otherUser, REVOKE, { input: { clientId: other.keys.uat.clientId } });
    const expired = await responsesOf(uat, tokens[0], clients[0]!, user);
    expect(expired).toEqual(await responsesOf(other.keys.uat, tokens[1], clients[1]!, otherUser));
    expect(expired).toMatchObject({
      exchange: [401, 'INVALID_CREDENTIALS', expect.any(String)],
      me: [401, 'UNAUTHENTICATED'],
      client: ['UNAUTHENTICATED'],
    });
    expect(expired.again.map(([code]) => code)).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
  });

  it('stops working immediately with its tokens and client tokens without an overlap', async () => {
    const old = developer.keys.uat;
    const { token: client } = await clientTokenOf(developer.tokens.uat);
    const fresh = await rotated(old.clientId, { overlapHours: 0 });
    expect([(await exchange(old)).body.code, (await exchange(fresh)).status]).toEqual(['INVALID_CREDENTIALS', 200]);
    expect(await me(developer.tokens.uat)).toEqual([401, 'UNAUTHENTICATED']);
    expect(codesOf(await test.graphql('uat', client, '{ me { name } }'))).toEqual(['UNAUTHENTICATED']);
  });

  it('can no longer create an endpoint, because that endpoint would be enabled without a choice', async () => {
    await rotated(developer.keys.uat.clientId);
    expect(codesOf(await addEndpoint(developer.tokens.uat))).toEqual(['CONFLICT']);
    expect(await endpoints()).toEqual([]);
  });

  it('is not included in the limit of two, and at most two can be rotated', async () => {
    const keys: Key[] = [developer.keys.uat, await test.app.credentials.create(developer.id, 'uat', undefined, seed)];
    const next = [await rotated(keys[0]!.clientId), await rotated(keys[1]!.clientId)];
    for (const key of [...keys, ...next]) expect((await exchange(key)).status).toBe(200);
    const third = await rotate(next[0]!.clientId);
    expect(third.body.errors[0].message).toContain('2 rotated API keys for uat still work');
    expect((await exchange(next[0]!)).status).toBe(200);
    // A leaked key can be rotated without waiting for the overlap.
    await rotated(next[0]!.clientId, { overlapHours: 0 });
    await expire(keys[0]!);
    expect(codesOf(await rotate(next[1]!.clientId))).toEqual([]);
  });

  it('is rotated once for two simultaneous calls, and not while the key or its account is suspended', async () => {
    const { clientId } = developer.keys.uat;
    const responses = await Promise.all([rotate(clientId), rotate(clientId)]);
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
    const live = developer.keys.production.clientId;
    await test.app.credentials.suspend(live, 'found on a page', seed);
    expect(codesOf(await rotate(live))).toEqual(['CONFLICT']);
    await test.app.credentials.reinstate(live, undefined, seed);
    await test.app.developers.change('suspendDeveloper', { developerId: developer.id, reason: 'r' }, seed);
    expect(codesOf(await rotate(live))).toEqual(['SUSPENDED']);
  });

  it('can be rotated only by its account, because the new secret is shown: admins cannot', async () => {
    const { clientId } = developer.keys.uat;
    const outsider = await console.userOf((await test.developer({ liveRupees: 0 })).id);
    expect(codesOf(await rotate(clientId, {}, outsider))).toEqual(['RECORD_NOT_FOUND']);
    for (const staff of [console.staff.support, console.staff.admin])
      expect(codesOf(await rotate(clientId, {}, staff))).toEqual(['FORBIDDEN']);
    for (const overlapHours of [-1, 169])
      expect(fieldsOf(await rotate(clientId, { overlapHours }))).toEqual(['input.overlapHours']);
  });
});
