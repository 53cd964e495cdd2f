import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { services } from '../../src/core/services.js';
import { type TestResponse, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { codesOf, expectExplained, fieldsOf, useConsole } from './console.fixture.js';

const SET = 'mutation($input: SetServiceAccessInput!) { setServiceAccess(input: $input) { developer { id } } }';
const LIMIT =
  'mutation($input: SetRateLimitInput!) { setRateLimit(input: $input) { developer { rateLimitPerMinute } } }';
const RESET_LIMIT =
  'mutation($input: ResetRateLimitInput!) { resetRateLimit(input: $input) { developer { rateLimitPerMinute } } }';
const CREATE = `mutation($input: CreateCredentialInput!) { createCredential(input: $input) {
  credential { id clientId environment label } apiSecret developer { id } } }`;
const REVOKE = `mutation($input: RevokeCredentialInput!) { revokeCredential(input: $input) {
  credential { id clientId revokedAt } developer { credentials { clientId revokedAt } } } }`;
const ME = '/api/v1/auth/me';
const EXCHANGE = '/api/v1/auth/client-credentials';

const console = useConsole();
expectExplained(console);

/** A second process of the service on the same database. */
let other: App;
beforeAll(async () => {
  const { db, simulator } = console.test;
  const ports = [await freePort(), await freePort(), await freePort()];
  other = await createApp(loadConfig(testEnvironment(db.url, simulator.url, ports)), createLogger('silent'));
  await other.listen();
});
afterAll(() => other.close());

async function get(app: App, environment: Environment, token: string): Promise<TestResponse> {
  const response = await fetch(`${app.config.publicUrls[environment]}${ME}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const admin = (query: string, variables: object) => console.call(console.staff.admin, query, variables);
const create = (user: string, input: object) => console.call(user, CREATE, { input });
const revoke = (user: string, clientId: string) => console.call(user, REVOKE, { input: { clientId } });

describe('a change by an administrator takes effect on the next request in every process', () => {
  it('when a service is disabled and enabled again', async () => {
    const { id, tokens } = await console.test.developer({ liveRupees: 0 });
    for (const enabled of [false, true, false]) {
      await admin(SET, { input: { developerId: id, service: 'LEAD_GENERATION', enabled } });
      for (const app of [console.test.app, other]) {
        const { permissions } = (await get(app, 'production', tokens.production)).body;
        expect(permissions.includes('lead_generation')).toBe(enabled);
        expect(permissions).toHaveLength(enabled ? services.length : services.length - 1);
      }
    }
  });

  it('when a rate limit is raised and reset', async () => {
    const { id, tokens } = await console.test.developer({ liveRupees: 0 });
    for (const [field, query, input, limit, limitHeader] of [
      ['setRateLimit', LIMIT, { perMinute: 500 }, 500, '500'],
      ['resetRateLimit', RESET_LIMIT, {}, null, '10000'],
    ] as const) {
      const { body } = await admin(query, { input: { developerId: id, ...input } });
      expect(body.data[field]).toEqual({ developer: { rateLimitPerMinute: limit } });
      for (const app of [console.test.app, other])
        expect((await get(app, 'uat', tokens.uat)).headers.get('x-ratelimit-limit')).toBe(limitHeader);
    }
    for (const perMinute of [0, -5, 1_000_001, null]) {
      const response = await admin(LIMIT, { input: { developerId: id, perMinute } });
      const rejection = ['VALIDATION_FAILED', 'input.perMinute'];
      expect([perMinute, ...codesOf(response), ...fieldsOf(response)]).toEqual([perMinute, ...rejection]);
    }
  });

  it('when a key is revoked, for every token issued with it', async () => {
    const { id, keys, tokens } = await console.test.developer({ liveRupees: 0 });
    const user = await console.userOf(id);
    expect((await get(other, 'uat', tokens.uat)).status).toBe(200);
    const { credential, developer } = (await revoke(user, keys.uat.clientId)).body.data.revokeCredential;
    expect(credential).toEqual({
      id: `key_${keys.uat.clientId}`,
      clientId: keys.uat.clientId,
      revokedAt: expect.any(String),
    });
    const revoked = developer.credentials.filter((key: { revokedAt: string | null }) => key.revokedAt);
    expect(revoked.map((key: { clientId: string }) => key.clientId)).toEqual([keys.uat.clientId]);
    for (const app of [console.test.app, other]) expect((await get(app, 'uat', tokens.uat)).status).toBe(401);
    // The Production key is still valid; the revoked secret gets no new token.
    expect((await get(other, 'production', tokens.production)).status).toBe(200);
    const exchange = await console.test.rest('uat', 'POST', EXCHANGE, undefined, {
      client_id: keys.uat.clientId,
      api_secret: keys.uat.apiSecret,
      environment: 'uat',
    });
    expect([exchange.status, exchange.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(codesOf(await revoke(user, keys.uat.clientId))).toEqual(['CONFLICT']);
  });

  it('when the provider of a developer changes, for new calls', async () => {
    const { id, tokens } = await console.test.developer({ liveRupees: 0 });
    await admin(
      'mutation($id: ID!) { assignRechargeProvider(input: {developerId: $id, provider: MOKSHIQ}) { developer { id } } }',
      { id },
    );
    const recharge = { account_number: '9876543210', amount: 10, operator_sp_key: 999_999, operator_type: 'mobile' };
    // MOKSHIQ does not know the idempotency key; ROUNDPAY would accept the order.
    const { status, body } = await console.test.rest(
      'production',
      'POST',
      '/api/v1/recharge',
      tokens.production,
      recharge,
    );
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['operator_sp_key']]);
  });
});

describe('API keys', () => {
  it('are created by the developer, work immediately, and show their secret only once', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const user = await console.userOf(id);
    const { body } = await create(user, { environment: 'UAT', label: ' till 4 ' });
    const { credential, apiSecret, developer } = body.data.createCredential;
    const { clientId } = credential;
    expect([clientId.slice(0, 8), apiSecret.slice(0, 7)]).toEqual(['cid_uat_', 'sk_uat_']);
    expect(credential).toEqual({ id: `key_${clientId}`, clientId, environment: 'UAT', label: 'till 4' });
    expect(developer).toEqual({ id: `dev_${id}` });
    const exchange = await console.test.rest('uat', 'POST', EXCHANGE, undefined, {
      client_id: clientId,
      api_secret: apiSecret,
      environment: 'uat',
    });
    expect(exchange.status).toBe(200);
    const { body: viewerBody } = await console.call(
      user,
      '{ viewer { developer { credentials { clientId label secretLast4 } } } }',
    );
    expect(viewerBody.data.viewer.developer.credentials).toContainEqual({
      clientId,
      label: 'till 4',
      secretLast4: apiSecret.slice(-4),
    });
    const rows = await console.test.db.query<{ row: string }>(
      'select to_json(c)::text as row from credential c union all select to_json(a)::text from audit_entry a',
    );
    for (const { row } of rows) expect(row).not.toContain(apiSecret);
  });

  it('are limited to two per environment, also for three simultaneous requests; revoking one allows a new one', async () => {
    const { id, keys } = await console.test.developer({ liveRupees: 0 });
    const user = await console.userOf(id);
    const responses = await Promise.all([1, 2, 3].map(() => create(user, { environment: 'PRODUCTION' })));
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(codesOf(await create(user, { environment: 'UAT' }))).toEqual([]);
    await revoke(user, keys.production.clientId);
    expect(codesOf(await create(user, { environment: 'PRODUCTION' }))).toEqual([]);
  });

  it('require an approved account, and Production access for a Production key', async () => {
    const id = await console.applicant();
    const user = await console.userOf(id);
    expect(codesOf(await create(user, { environment: 'UAT' }))).toEqual(['ONBOARDING_INCOMPLETE']);
    await admin('mutation($id: ID!) { approveDeveloper(input: {developerId: $id}) { developer { id } } }', { id });
    expect(codesOf(await create(user, { environment: 'UAT' }))).toEqual([]);
    expect(codesOf(await create(user, { environment: 'PRODUCTION' }))).toEqual(['PRODUCTION_LOCKED']);
    await admin('mutation($id: ID!) { unlockProduction(input: {developerId: $id}) { developer { id } } }', { id });
    expect(codesOf(await create(user, { environment: 'PRODUCTION' }))).toEqual([]);
  });

  it('of another developer are not found; an admin can revoke any key, support cannot', async () => {
    const [owner, otherDeveloper] = [
      await console.test.developer({ liveRupees: 0 }),
      await console.test.developer({ liveRupees: 0 }),
    ];
    const user = await console.userOf(owner.id);
    const { clientId } = otherDeveloper.keys.uat;
    expect(codesOf(await revoke(user, clientId))).toEqual(['RECORD_NOT_FOUND']);
    expect(codesOf(await revoke(console.staff.support, clientId))).toEqual(['FORBIDDEN']);
    expect((await get(other, 'uat', otherDeveloper.tokens.uat)).status).toBe(200);
    expect(codesOf(await revoke(console.staff.admin, clientId))).toEqual([]);
    expect((await get(other, 'uat', otherDeveloper.tokens.uat)).status).toBe(401);
    expect(codesOf(await revoke(console.staff.admin, 'cid_uat_none'))).toEqual(['RECORD_NOT_FOUND']);
  });

  it('accept only printable text as a label', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const user = await console.userOf(id);
    for (const label of ['', 'x'.repeat(101), 'a\u0007b'])
      expect(fieldsOf(await create(user, { environment: 'UAT', label }))).toEqual(['input.label']);
  });
});
