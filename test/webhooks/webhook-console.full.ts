import { beforeAll, describe, expect, it, vi } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { WebhookEndpointService } from '../../src/webhooks/webhook-endpoint.service.js';
import { codesOf, fieldsOf, useConsole } from '../console/console.fixture.js';
import { seed } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import {
  type Account,
  accountOf,
  CREATE,
  createEndpoint,
  DELETE,
  DISABLE,
  ENABLE,
  LIST,
  LOG,
  logOf,
  outboxOf,
  publicId,
  REDELIVER,
  ROTATE,
  recharge,
} from './webhooks.fixture.js';

// nothing is delivered
const on = useConsole({ WORKERS: 'email' });
const DELIVERING = new Set(['webhooks'] as const);
const URL_A = 'https://hooks.test.example/receiver/secret-path?key=hidden';

let ownAccount: Account;
let other: Account;
beforeAll(async () => {
  ownAccount = await accountOf(on);
  other = await accountOf(on);
});

describe('webhook endpoints', () => {
  it('belong to the developer who created them; administrators must specify the developer', async () => {
    const { id } = await createEndpoint(on, ownAccount, URL_A);
    const endpointsOf = async (session: string, developerId?: unknown) =>
      (await on.call(session, LIST, { developerId: developerId === undefined ? undefined : developerId })).body.data
        .webhookEndpoints;
    expect(await endpointsOf(ownAccount.session)).toEqual([
      { id: publicId(id), environment: 'PRODUCTION', url: URL_A, disabledAt: null, disabledReason: null },
    ]);
    expect(await endpointsOf(other.session)).toEqual([]);
    expect(await endpointsOf(on.staff.admin, ownAccount.developer.id)).toHaveLength(1);
    expect(await endpointsOf(on.staff.support, ownAccount.developer.id)).toHaveLength(1);
    expect(await on.codes(other.session, LIST, { developerId: String(ownAccount.developer.id) })).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    const { body } = await on.call(on.staff.admin, CREATE, {
      input: { environment: 'UAT', url: URL_A, developerId: `dev_${ownAccount.developer.id}` },
    });
    expect(body.data.createWebhookEndpoint.endpoint).toMatchObject({ environment: 'UAT', disabledAt: null });
    expect(await endpointsOf(ownAccount.session)).toHaveLength(2);
    const withoutDeveloper = await on.call(on.staff.admin, LIST);
    expect([codesOf(withoutDeveloper), fieldsOf(withoutDeveloper)]).toEqual([['VALIDATION_FAILED'], ['developerId']]);
    for (const [field, input] of [
      ['developerId', { environment: 'UAT', url: URL_A }],
      ['environment', { developerId: ownAccount.developer.id, url: URL_A }],
    ] as const) {
      const rejection = await on.call(on.staff.admin, CREATE, { input });
      expect([codesOf(rejection), fieldsOf(rejection)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
    }
    const deliveries = 'query($developerId: ID) { webhookDeliveries(developerId: $developerId) { edges { cursor } } }';
    for (const developerId of [UNKNOWN_ID, `dev_${UNKNOWN_ID}`, '0', '-1', 'x', '99999999999']) {
      const createCodes = await on.codes(on.staff.admin, CREATE, {
        input: { environment: 'UAT', url: URL_A, developerId },
      });
      // an empty list would suggest that the account has no endpoints
      const codes = await on.codes(on.staff.support, LIST, { developerId });
      const delivered = await on.codes(on.staff.support, deliveries, { developerId });
      expect([...createCodes, ...codes, ...delivered]).toEqual(Array(3).fill('RECORD_NOT_FOUND'));
    }
    expect(await on.codes(on.staff.support, deliveries, { developerId: other.developer.id })).toEqual([]);
  });

  it('of other developers are not found', async () => {
    const { id } = await createEndpoint(on, other, URL_A);
    await recharge(on, other);
    const webhooks = on.test.app.webhooks;
    webhooks.start(DELIVERING);
    const [delivery] = await eventually(async () => {
      const log = await logOf(on, other, id);
      return log.length > 0 ? log : undefined;
    });
    for (const [query, subject] of [
      [ROTATE, id],
      [DISABLE, id],
      [ENABLE, id],
      [DELETE, id],
      [LOG, id],
      [REDELIVER, delivery.id],
    ] as const) {
      for (const unknown of [subject, publicId(subject), 'nonsense', '00000000-0000-7000-8000-000000000000'])
        expect(await on.codes(ownAccount.session, query, { id: unknown })).toEqual(['RECORD_NOT_FOUND']);
      if (query !== LOG) expect(await on.codes(on.staff.support, query, { id: subject })).toEqual(['FORBIDDEN']);
    }
    expect(await on.codes(on.staff.support, LOG, { id, first: 1 })).toEqual([]);
    expect(await on.codes(on.staff.admin, DISABLE, { id: publicId(id) })).toEqual([]);
  });

  it('are limited to five per developer and environment, also for simultaneous requests', async () => {
    const busy = await accountOf(on);
    const responses = await Promise.all(
      Array.from({ length: 9 }, () => on.codes(busy.session, CREATE, { input: { environment: 'UAT', url: URL_A } })),
    );
    expect(responses.filter((codes) => codes.length === 0)).toHaveLength(5);
    expect(responses.flat()).toEqual(Array.from({ length: 4 }, () => 'CONFLICT'));
    expect(await on.codes(busy.session, CREATE, { input: { environment: 'PRODUCTION', url: URL_A } })).toEqual([]);
    const { body } = await on.call(busy.session, LIST);
    await on.call(busy.session, DELETE, { id: body.data.webhookEndpoints[0].id });
    expect(await on.codes(busy.session, CREATE, { input: { environment: 'UAT', url: URL_A } })).toEqual([]);
  });

  it.each([
    'not a url',
    'ftp://hooks.test.example/',
    'javascript:alert(1)',
    'https://user:password@hooks.test.example/',
    'https://hooks.test.example/#part',
    `https://hooks.test.example/${'x'.repeat(2_000)}`,
    '//hooks.test.example/',
    '',
  ])('reject %s', async (url) => {
    const response = await on.call(ownAccount.session, CREATE, { input: { environment: 'UAT', url } });
    expect(response.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    expect(fieldsOf(response)).toEqual(['input.url']);
    expect(JSON.stringify(response.body)).not.toContain('password@');
  });

  it('accept only https on the public internet if private receivers are not allowed', async () => {
    const { orm, pool, audit, mails, config } = on.test.app;
    const parts = { orm, db: pool, audit, mails, encryption: new FieldEncryption(config.encryptionKeys) };
    const strict = new WebhookEndpointService(parts, { allowPrivate: false, disableAfterMs: 1_000, consoleUrl: '' });
    const careful = await accountOf(on);
    const rejectionFor = (url: string) =>
      strict
        .create({ developerId: careful.developer.id, environment: 'uat' }, { url }, { by: seed, clientId: null })
        .then(
          () => 'accepted',
          (error) => error.code,
        );
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '10.1.2.3',
      '169.254.169.254',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '0',
    ])
      expect([host, await rejectionFor(`https://${host}/hook`)]).toEqual([host, 'VALIDATION_FAILED']);
    expect(await rejectionFor('http://hooks.test.example/')).toBe('VALIDATION_FAILED');
    expect(await rejectionFor('https://hooks.test.example/')).toBe('accepted');
    expect(await rejectionFor('https://8.8.8.8:8443/')).toBe('accepted');
  });

  it('keep their secrets encrypted, show them once, and write audit entries without them', async () => {
    const quiet = await accountOf(on);
    const { id, secret } = await createEndpoint(on, quiet, URL_A);
    const { body } = await on.call(quiet.session, ROTATE, { id });
    const { secret: fresh, endpoint } = body.data.rotateWebhookSecret;
    expect(endpoint.id).toBe(publicId(id));
    expect(fresh).not.toBe(secret);
    await on.call(quiet.session, DISABLE, { id });
    expect(await on.codes(quiet.session, DISABLE, { id })).toEqual(['CONFLICT']);
    await on.call(quiet.session, ENABLE, { id });
    expect(await on.codes(quiet.session, ENABLE, { id })).toEqual(['CONFLICT']);
    const [row] = await on.test.db.query<{ secret: Buffer; previous_secret: Buffer }>(
      'select secret, previous_secret from webhook_endpoint where id = $1',
      [id],
    );
    for (const stored of [row!.secret, row!.previous_secret])
      for (const plaintext of [secret, fresh])
        expect(stored.includes(Buffer.from(plaintext.slice(6), 'base64'))).toBe(false);
    const encryption = new FieldEncryption(on.test.app.config.encryptionKeys);
    expect(encryption.decrypt(`webhook_endpoint:${id}`, row!.secret)).toBe(fresh);
    expect(encryption.decrypt(`webhook_endpoint:${id}`, row!.previous_secret)).toBe(secret);
    expect(() => encryption.decrypt('webhook_endpoint:another', row!.secret)).toThrow();
    await on.call(quiet.session, DELETE, { id });
    const auditLog = await on.test.db.query<{ action: string; actor: string }>(
      `select action, actor, subject, before, after from audit_entry where subject like $1 order by audit_entry.id`,
      [`%webhook:${id}`],
    );
    expect(auditLog.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.rotate_secret',
      'webhook.disable',
      'webhook.enable',
      'webhook.delete',
    ]);
    for (const { actor } of auditLog) expect(actor).toMatch(/^user:[0-9a-f-]{36}$/);
    expect(JSON.stringify(auditLog)).toContain('hooks.test.example');
    expect(JSON.stringify(auditLog)).not.toMatch(/whsec_|secret-path|hidden/);
  });

  it('delete their log with them, and no event is left', async () => {
    const closingAccount = await accountOf(on);
    const { id } = await createEndpoint(on, closingAccount, URL_A);
    await recharge(on, closingAccount);
    expect(await outboxOf(on, closingAccount)).toEqual([{ event: 'succeeded' }]);
    expect((await on.call(closingAccount.session, DELETE, { id })).body.data).toEqual({
      deleteWebhookEndpoint: { deletedEndpointId: publicId(id) },
    });
    on.test.app.webhooks.start(DELIVERING);
    await eventually(async () => ((await outboxOf(on, closingAccount)).length === 0 ? true : undefined));
    expect(
      await on.test.db.query('select 1 from webhook_delivery where developer_id = $1', [closingAccount.developer.id]),
    ).toEqual([]);
    expect(await on.codes(closingAccount.session, LOG, { id, first: 1 })).toEqual(['RECORD_NOT_FOUND']);
  });

  it('show only staff the failed deliveries of all accounts, newest first, using an index', async () => {
    const owners = [ownAccount, other];
    const endpoints = await Promise.all(owners.map((owner) => createEndpoint(on, owner, URL_A)));
    for (const [n, { id }] of endpoints.entries())
      await on.test.db.query(
        `insert into webhook_delivery (developer_id, id, endpoint_id, order_id, reference, event, step, environment, operation,
            amount_paise, occurred_at, state, next_attempt_at)
          select $1, uuidv7(n * interval '-1 minute'), $2, gen_random_uuid(), 'r' || n, 'succeeded', 2, case when n % 3 = 0 then 'uat' else 'production' end,
            'recharge', 1, now(), case when n % $3 = 0 then 'failed' else 'delivered' end, null from generate_series(1, $4::integer) n`,
        [owners[n]!.developer.id, id, n === 0 ? 100 : 250, 5_000],
      );
    await on.test.db.query('analyze webhook_delivery');
    const FAILED_DELIVERIES = `query($filter: WebhookDeliveryFilter, $first: Int, $after: String) {
      webhookDeliveries(filter: $filter, first: $first, after: $after) {
        edges { node { id state apiRequestId developer { id name } } } pageInfo { hasNextPage endCursor } } }`;
    const state = ['FAILED'];
    const query = vi.spyOn(on.test.app.pool, 'query');
    const first = await on.call(on.staff.support, FAILED_DELIVERIES, { filter: { state }, first: 4 });
    const [statement] = query.mock.calls.flatMap(([text]) =>
      JSON.stringify(text).includes('webhook_delivery') ? [text as unknown as { text: string; values: unknown[] }] : [],
    );
    query.mockRestore();
    const { edges, pageInfo } = first.body.data.webhookDeliveries;
    const [a, b] = owners.map(({ developer }) => `dev_${developer.id}`);
    expect(edges.map(({ node }: any) => [node.apiRequestId, node.developer.id, node.state])).toEqual([
      ['r100', a, 'FAILED'],
      ['r200', a, 'FAILED'],
      ['r250', b, 'FAILED'],
      ['r300', a, 'FAILED'],
    ]);
    const rest = await on.call(on.staff.support, FAILED_DELIVERIES, {
      filter: { state },
      first: 200,
      after: pageInfo.endCursor,
    });
    expect([pageInfo.hasNextPage, rest.body.data.webhookDeliveries.edges.length]).toEqual([true, 66]);
    const inUat = await on.call(on.staff.admin, FAILED_DELIVERIES, { filter: { state, environment: 'UAT' }, first: 1 });
    expect(inUat.body.data.webhookDeliveries.edges[0].node.apiRequestId).toBe('r300');
    const { rows } = await on.test.app.pool.query(`explain ${statement!.text}`, statement!.values);
    expect(JSON.stringify(rows)).toContain('webhook_delivery_failed');

    for (const filter of [undefined, {}, { state: ['FAILED', 'PENDING'] }, { state: ['DELIVERED'] }]) {
      const rejection = await on.call(on.staff.admin, FAILED_DELIVERIES, { filter });
      expect([filter, codesOf(rejection), fieldsOf(rejection)]).toEqual([
        filter,
        ['VALIDATION_FAILED'],
        ['developerId'],
      ]);
    }
    // a developer sees only their own account
    const own = await on.call(ownAccount.session, FAILED_DELIVERIES, { filter: { state }, first: 200 });
    const developerIds = own.body.data.webhookDeliveries.edges.map(({ node }: any) => node.developer.id);
    expect([developerIds.length, new Set(developerIds)]).toEqual([50, new Set([a])]);
  });

  it('reject invalid page sizes and cursors', async () => {
    const { id } = await createEndpoint(on, ownAccount, URL_A);
    for (const page of [
      { first: 0 },
      { first: 201 },
      { first: 1, after: 'nonsense' },
      { last: 0 },
      { last: 201 },
      { last: 1, before: 'nonsense' },
      { first: 1, last: 1 },
    ])
      expect(await on.codes(ownAccount.session, LOG, { id, ...page })).toEqual(['VALIDATION_FAILED']);
    expect(await on.codes(ownAccount.session, LOG, { id })).toEqual([]);
  });
});

describe('the application role', () => {
  it.each([
    `insert into webhook_outbox (developer_id, order_id, event) values (uuidv7(), gen_random_uuid(), 'succeeded')`,
    'delete from webhook_outbox',
    `update webhook_outbox set event = 'failed'`,
    `insert into webhook_delivery (developer_id, endpoint_id, order_id, event, environment, operation, amount_paise, occurred_at)
      values (uuidv7(), gen_random_uuid(), gen_random_uuid(), 'succeeded', 'uat', 'recharge', 1, now())`,
    `update webhook_delivery set event = 'failed'`,
    'update webhook_delivery set amount_paise = 1',
    'delete from webhook_delivery',
    'update webhook_endpoint set developer_id = uuidv7()',
    `update webhook_endpoint set url = 'https://elsewhere.test.example/'`,
    `select pgboss.create_queue('mine', '{"policy": "standard", "partition": "true"}')`,
    'drop table pgboss.job_common',
    'create table pgboss.mine (id integer)',
  ])('cannot execute: %s', async (statement) => {
    await expect(on.test.app.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const page = await look();
    if (page !== undefined) return page;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error('Timed out waiting for the condition.');
}
