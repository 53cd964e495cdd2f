import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { codesOf, fieldsOf, useConsole } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import {
  type Account,
  accountOf,
  CREATE,
  DELETE,
  DISABLE,
  ENABLE,
  LIST,
  publicId,
  ROTATE,
} from './webhooks.fixture.js';

// nothing is sent because these accounts place no orders
const on = useConsole({ ALLOW_PRIVATE_WEBHOOKS: 'false' });
const URL_A = 'https://hooks.test.example/receiver/secret-path?key=hidden';
const OWN = '{ webhookEndpoints { id environment url disabledAt disabledReason } }';
const NODE = 'query($id: ID!) { node(id: $id) { __typename id ... on WebhookEndpoint { environment url } } }';
const MISSING = ['RECORD_NOT_FOUND'];
const environments = ['uat', 'production'] as const;
const ORDER_EVENTS = ['RECHARGE', 'CARD_PAYMENT'].flatMap((call) =>
  ['SUCCEEDED', 'FAILED', 'REVERSED'].map((event) => `${call}_${event}`),
);

let owner: Account;
let other: Account;
beforeAll(async () => {
  owner = await accountOf(on);
  other = await accountOf(on);
});

/** Sends a request with a token of the developer. */
const as = (developer: TestDeveloper, host: Environment, query: string, variables?: object): Promise<TestResponse> =>
  on.test.graphql(host, developer.tokens[host], query, variables);

const create = (developer: TestDeveloper, host: Environment, more: object = {}): Promise<TestResponse> =>
  as(developer, host, CREATE, { input: { url: URL_A, ...more } });

/** Creates an endpoint and returns its ID in the form that clients see. */
async function madeBy(developer: TestDeveloper, host: Environment): Promise<{ id: string; secret: string }> {
  const { secret, endpoint } = (await create(developer, host)).body.data.createWebhookEndpoint;
  return { id: endpoint.id, secret };
}

const listOf = async (developer: TestDeveloper, host: Environment): Promise<{ id: string }[]> =>
  (await as(developer, host, OWN)).body.data.webhookEndpoints;

const newDeveloper = (): Promise<TestDeveloper> => on.test.developer({ rateLimitPerMinute: 2_000 });
const keyOf = (id: string): string => id.replace(/^whe_/, '');
const rowsOf = (developer: TestDeveloper) =>
  on.test.db.query<{ environment: string }>(
    'select environment from webhook_endpoint where developer_id = $1 order by webhook_endpoint.id',
    [developer.id],
  );

describe('webhook endpoints managed with a token', () => {
  it.each(environments)('are created in the environment %s and receive all events by default', async (host) => {
    const developer = await newDeveloper();
    for (const more of [{}, { types: ORDER_EVENTS.slice(0, 2) }])
      expect((await create(developer, host, more)).body).toEqual({
        data: {
          createWebhookEndpoint: {
            secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/),
            endpoint: {
              id: expect.stringMatching(/^whe_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
              environment: host.toUpperCase(),
              url: URL_A,
              types: more.types ?? ORDER_EVENTS,
              createdAt: expect.any(String),
              previousSecretUntil: null,
              disabledAt: null,
              disabledReason: null,
            },
          },
        },
      });
    expect(await rowsOf(developer)).toEqual([{ environment: host }, { environment: host }]);
  });

  it('are rejected with an explicit environment or developer, unknown types or invalid addresses', async () => {
    const developer = await newDeveloper();
    for (const [field, host, more] of [
      ['environment', 'uat', { environment: 'UAT' }],
      ['developerId', 'uat', { developerId: `dev_${developer.id}` }],
      ['types', 'uat', { types: [] }],
      ['types', 'uat', { types: ['RECHARGE_FAILED', 'RECHARGE_FAILED'] }],
      ['types', 'uat', { types: ['RECHARGE_FAILED', 'TEST_SENT'] }],
      ['url', 'uat', { url: 'https://hooks.test.example/#part' }],
    ] as const) {
      const response = await create(developer, host, more);
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
    }
    for (const url of [
      'http://hooks.test.example/',
      'https://127.0.0.1/hook',
      'https://[::1]/hook',
      'https://[::ffff:10.0.0.1]/hook',
      'https://localhost/hook',
      'https://valkey:6379/',
      'https://metadata.google.internal/',
    ]) {
      const response = await create(developer, 'uat', { url });
      expect([url, codesOf(response), fieldsOf(response)]).toEqual([url, ['VALIDATION_FAILED'], ['input.url']]);
    }
    expect(await rowsOf(developer)).toEqual([]);
  });

  it('are listed only for their developer and environment, the same as in the console', async () => {
    const { developer, session } = await accountOf(on);
    const ids: string[] = [];
    for (const host of environments) {
      const { id } = await madeBy(developer, host);
      ids.push(id);
      expect((await as(developer, host, OWN)).body.data).toEqual({
        webhookEndpoints: [{ id, environment: host.toUpperCase(), url: URL_A, disabledAt: null, disabledReason: null }],
      });
    }
    const { body } = await on.call(session, LIST);
    expect(body.data.webhookEndpoints.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const host of environments) expect(await listOf(other.developer, host)).toEqual([]);
  });

  it('are rotated, disabled, enabled and deleted by ID, with or without the prefix', async () => {
    const developer = await newDeveloper();
    const { id, secret } = await madeBy(developer, 'production');
    const key = keyOf(id);
    const { body } = await as(developer, 'production', ROTATE, { id });
    const { secret: fresh, endpoint } = body.data.rotateWebhookSecret;
    expect(endpoint).toEqual({ id, previousSecretUntil: expect.any(String) });
    expect(Date.parse(endpoint.previousSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const [row] = await on.test.db.query<{ secret: Buffer; previous_secret: Buffer }>(
      'select secret, previous_secret from webhook_endpoint where id = $1',
      [key],
    );
    const encryption = new FieldEncryption(on.test.app.config.encryptionKeys);
    const opened = [row!.secret, row!.previous_secret].map((stored) =>
      encryption.decrypt(`webhook_endpoint:${key}`, stored),
    );
    expect(opened).toEqual([fresh, secret]);
    expect(fresh).not.toBe(secret);

    const disabled = { id, disabledAt: expect.any(String), disabledReason: 'REQUEST' };
    expect((await as(developer, 'production', DISABLE, { id: key })).body).toEqual({
      data: { disableWebhookEndpoint: { endpoint: disabled } },
    });
    expect(codesOf(await as(developer, 'production', DISABLE, { id }))).toEqual(['CONFLICT']);
    expect(await listOf(developer, 'production')).toMatchObject([disabled]);
    expect((await as(developer, 'production', ENABLE, { id })).body).toEqual({
      data: { enableWebhookEndpoint: { endpoint: { id, disabledAt: null, disabledReason: null } } },
    });
    expect(codesOf(await as(developer, 'production', ENABLE, { id: key }))).toEqual(['CONFLICT']);
    expect((await as(developer, 'production', DELETE, { id: key })).body).toEqual({
      data: { deleteWebhookEndpoint: { deletedEndpointId: id } },
    });
    expect(await listOf(developer, 'production')).toEqual([]);
    expect(codesOf(await as(developer, 'production', DELETE, { id }))).toEqual(MISSING);
  });

  it('are limited to five per environment, including those created in the console', async () => {
    const { developer, session } = await accountOf(on);
    expect(await on.codes(session, CREATE, { input: { environment: 'UAT', url: URL_A } })).toEqual([]);
    const responses = await Promise.all(Array.from({ length: 6 }, () => create(developer, 'uat')));
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(codesOf(await create(developer, 'production'))).toEqual([]);
  });

  it('of other developers or the other environment are not found', async () => {
    const { id } = await madeBy(owner.developer, 'uat');
    const key = keyOf(id);
    const otherCallers = [
      [other.developer, 'uat'],
      [other.developer, 'production'],
      [owner.developer, 'production'],
    ] as const;
    for (const query of [ROTATE, DISABLE, ENABLE, DELETE]) {
      for (const [developer, host] of otherCallers)
        for (const unknown of [id, key])
          expect(codesOf(await as(developer, host, query, { id: unknown }))).toEqual(MISSING);
      for (const unknown of [UNKNOWN_ID, publicId(UNKNOWN_ID), 'nonsense', 'whe_', ''])
        expect(codesOf(await as(owner.developer, 'uat', query, { id: unknown }))).toEqual(MISSING);
    }
    expect(
      await on.test.db.query('select disabled_at, previous_secret from webhook_endpoint where id = $1', [key]),
    ).toEqual([{ disabled_at: null, previous_secret: null }]);
    const auditLog = await on.test.db.query('select action from audit_entry where subject like $1', [
      `%webhook:${key}`,
    ]);
    expect(auditLog).toEqual([{ action: 'webhook.create' }]);
  });

  it('are available as a node only to their owner', async () => {
    const { id } = await madeBy(owner.developer, 'uat');
    const node = { __typename: 'WebhookEndpoint', id, environment: 'UAT', url: URL_A };
    expect((await as(owner.developer, 'uat', NODE, { id })).body).toEqual({ data: { node } });
    for (const [developer, host] of [
      [owner.developer, 'production'],
      [other.developer, 'uat'],
      [other.developer, 'production'],
    ] as const)
      expect(codesOf(await as(developer, host, NODE, { id }))).toEqual(MISSING);
    for (const unknown of [keyOf(id), publicId(UNKNOWN_ID), 'whe_nonsense'])
      expect(codesOf(await as(owner.developer, 'uat', NODE, { id: unknown }))).toEqual(MISSING);

    for (const session of [owner.session, on.staff.admin, on.staff.support])
      expect((await on.call(session, NODE, { id })).body).toEqual({ data: { node } });
    expect(await on.codes(other.session, NODE, { id })).toEqual(MISSING);
  });

  it('write audit entries that name the account of the token and contain no secret', async () => {
    const developer = await newDeveloper();
    const { id } = await madeBy(developer, 'uat');
    const responses: TestResponse[] = [];
    for (const query of [ROTATE, DISABLE, ENABLE, DELETE]) responses.push(await as(developer, 'uat', query, { id }));
    const subject = `developer:${developer.id}/uat/webhook:${keyOf(id)}`;
    const auditLog = await on.test.db.query<{ actor: string; action: string; request_id: string }>(
      'select actor, action, request_id, before, after from audit_entry where subject = $1 order by audit_entry.id',
      [subject],
    );
    const actor = `token:${developer.id}`;
    expect(auditLog.map((entry) => [entry.actor, entry.action])).toEqual([
      [actor, 'webhook.create'],
      [actor, 'webhook.rotate_secret'],
      [actor, 'webhook.disable'],
      [actor, 'webhook.enable'],
      [actor, 'webhook.delete'],
    ]);
    expect(auditLog.slice(1).map(({ request_id }) => request_id)).toEqual(
      responses.map(({ headers }) => headers.get('x-request-id')),
    );
    expect(JSON.stringify(auditLog)).toContain('hooks.test.example');
    expect(JSON.stringify(auditLog)).not.toMatch(/whsec_|secret-path|hidden/);

    const { body } = await on.call(
      on.staff.support,
      'query($filter: AuditFilter) { auditLog(filter: $filter) { edges { node { action actor { kind name } subjectText } } } }',
      { filter: { actorId: `dev_${developer.id}` } },
    );
    const by = { kind: 'TOKEN', name: 'Application with a token' };
    expect(body.data.auditLog.edges).toEqual(
      auditLog.toReversed().map(({ action }) => ({
        node: { action: action.toUpperCase().replace('.', '_'), actor: by, subjectText: subject },
      })),
    );
  });
});
