import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer, TestDeveloper } from '../support/app.js';
import { CREATE as CREATE_ENDPOINT, createEndpoint, DISABLE, ENABLE, LIST } from '../webhooks/webhooks.fixture.js';
import { codesOf, fieldsOf, useConsole } from './console.fixture.js';

const REVOKE = `mutation($input: RevokeCredentialInput!) { revokeCredential(input: $input) {
  credential { clientId revokedAt } } }`;
const URL = 'https://hooks.test.example/receiver';

const console = useConsole();
const { test } = console;

let developer: TestDeveloper;
let user: string;
beforeEach(async () => {
  developer = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
  user = await console.userOf(developer.id);
});

const plant = (token: string): Promise<Answer> => test.graphql('uat', token, CREATE_ENDPOINT, { input: { url: URL } });
const plantedBy = async (token: string): Promise<string> =>
  (await plant(token)).body.data.createWebhookEndpoint.endpoint.id;
const revoke = (clientId: string, more: object = {}): Promise<Answer> =>
  console.call(user, REVOKE, { input: { clientId, ...more } });
/** The endpoints of the account, by the key that made them. */
const endpoints = () =>
  test.db.query<{ id: string; key: string | null; disabled: boolean }>(
    `select 'whe_' || id as id, client_id as key, disabled_at is not null as disabled from webhook_endpoint
      where developer_id = $1 order by webhook_endpoint.id`,
    [developer.id],
  );
const trail = () =>
  test.db.query<{ action: string; after: object | null }>(
    `select action, after from audit_entry where subject like $1 and action in ('credential.revoke', 'credential.rotate', 'webhook.disable')
      order by audit_entry.id`,
    [`developer:${developer.id}/%`],
  );
const bare = (id: string): string => id.replace(/^whe_/, '');

describe('a key that is revoked does not leave a webhook behind unnoticed', () => {
  it('its enabled endpoints have to be decided about, and until then nothing has changed', async () => {
    const { clientId } = developer.keys.uat;
    const [first, second] = [await plantedBy(developer.tokens.uat), await plantedBy(developer.tokens.uat)];
    const { id } = await createEndpoint(console, { developer, session: user }, URL, 'uat');
    const refused = await revoke(clientId);
    expect([codesOf(refused), fieldsOf(refused)]).toEqual([['VALIDATION_FAILED'], ['input.endpoints']]);
    expect(refused.body.errors[0].extensions.fields[0]).toMatchObject({
      rule: 'REQUIRED',
      message: 'This key made 2 webhook endpoints that are still enabled: send KEEP or END.',
    });
    expect(await trail()).toEqual([]);
    expect((await test.rest('uat', 'GET', '/api/v1/auth/me', developer.tokens.uat)).status).toBe(200);
    expect(await endpoints()).toEqual([
      { id: first, key: clientId, disabled: false },
      { id: second, key: clientId, disabled: false },
      { id: `whe_${id}`, key: null, disabled: false },
    ]);
  });

  it('END disables them with the key, and those of people and of other keys stay', async () => {
    const { clientId } = developer.keys.uat;
    const planted = await plantedBy(developer.tokens.uat);
    const own = await createEndpoint(console, { developer, session: user }, URL, 'uat');
    expect(codesOf(await revoke(clientId, { endpoints: 'END' }))).toEqual([]);
    expect(await endpoints()).toEqual([
      { id: planted, key: clientId, disabled: true },
      { id: `whe_${own.id}`, key: null, disabled: false },
    ]);
    const { body } = await console.call(user, LIST);
    expect(body.data.webhookEndpoints[0]).toMatchObject({ id: planted, disabledReason: 'REQUEST' });
    expect(await trail()).toEqual([
      { action: 'webhook.disable', after: { disabled: true, reason: 'request' } },
      { action: 'credential.revoke', after: { endpoints: 'end', endpointIds: [bare(planted)] } },
    ]);
  });

  it('KEEP leaves them and forgets the key', async () => {
    const { clientId } = developer.keys.uat;
    const planted = await plantedBy(developer.tokens.uat);
    expect(codesOf(await revoke(clientId, { endpoints: 'KEEP' }))).toEqual([]);
    expect(await endpoints()).toEqual([{ id: planted, key: null, disabled: false }]);
    expect(await trail()).toEqual([
      { action: 'credential.revoke', after: { endpoints: 'keep', endpointIds: [bare(planted)] } },
    ]);
  });

  it('nobody is asked about endpoints that are disabled, or where there are none', async () => {
    const planted = await plantedBy(developer.tokens.uat);
    await console.call(user, DISABLE, { id: planted });
    for (const environment of ['uat', 'production'] as const)
      expect(codesOf(await revoke(developer.keys[environment].clientId))).toEqual([]);
    expect((await trail()).at(-1)).toEqual({ action: 'credential.revoke', after: null });
  });

  it('who switches an endpoint on with another key answers for it', async () => {
    const planted = await plantedBy(developer.tokens.uat);
    await console.call(user, DISABLE, { id: planted });
    await revoke(developer.keys.uat.clientId);
    const other = await test.app.credentials.create(developer.id, 'uat', undefined, {
      actor: 'system:test',
      requestId: 'test',
    });
    const exchanged = await test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
      client_id: other.clientId,
      api_secret: other.apiSecret,
      environment: 'uat',
    });
    expect(codesOf(await test.graphql('uat', exchanged.body.token, ENABLE, { id: planted }))).toEqual([]);
    expect(fieldsOf(await revoke(other.clientId))).toEqual(['input.endpoints']);
  });

  it('an endpoint that is made in the same instant is asked about, or not made', async () => {
    const { clientId } = developer.keys.uat;
    const [made, revoked] = await Promise.all([plant(developer.tokens.uat), revoke(clientId)]);
    const left = (await endpoints()).filter(({ disabled }) => !disabled).length;
    expect([left, codesOf(made), fieldsOf(revoked)]).toEqual(
      left === 0 ? [0, ['UNAUTHENTICATED'], []] : [1, [], ['input.endpoints']],
    );
  });
});
