import { beforeAll, describe, expect, it, vi } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { WebhookEndpointService } from '../../src/webhooks/webhook-endpoint.service.js';
import { codesOf, fieldsOf, useConsole } from '../console/console.fixture.js';
import { seed } from '../support/app.js';
import { NOBODY } from '../support/ids.js';
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
  REDELIVER,
  ROTATE,
  recharge,
  shownId,
} from './webhooks.fixture.js';

// nothing is delivered
const on = useConsole({ WORKERS: 'email' });
const DELIVERING = new Set(['webhooks'] as const);
const URL_A = 'https://hooks.test.example/receiver/secret-path?key=hidden';

let mine: Account;
let other: Account;
beforeAll(async () => {
  mine = await accountOf(on);
  other = await accountOf(on);
});

describe('webhook endpoints', () => {
  it('belong to the developer who created them; administrators must specify the developer', async () => {
    const { id } = await createEndpoint(on, mine, URL_A);
    const seen = async (session: string, developerId?: unknown) =>
      (await on.call(session, LIST, { developerId: developerId === undefined ? undefined : developerId })).body.data
        .webhookEndpoints;
    expect(await seen(mine.session)).toEqual([
      { id: shownId(id), environment: 'PRODUCTION', url: URL_A, disabledAt: null, disabledReason: null },
    ]);
    expect(await seen(other.session)).toEqual([]);
    expect(await seen(on.staff.admin, mine.developer.id)).toHaveLength(1);
    expect(await seen(on.staff.support, mine.developer.id)).toHaveLength(1);
    expect(await on.codes(other.session, LIST, { developerId: String(mine.developer.id) })).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    const { body } = await on.call(on.staff.admin, CREATE, {
      input: { environment: 'UAT', url: URL_A, developerId: `dev_${mine.developer.id}` },
    });
    expect(body.data.createWebhookEndpoint.endpoint).toMatchObject({ environment: 'UAT', disabledAt: null });
    expect(await seen(mine.session)).toHaveLength(2);
    const nobody = await on.call(on.staff.admin, LIST);
    expect([codesOf(nobody), fieldsOf(nobody)]).toEqual([['VALIDATION_FAILED'], ['developerId']]);
    for (const [field, input] of [
      ['developerId', { environment: 'UAT', url: URL_A }],
      ['environment', { developerId: mine.developer.id, url: URL_A }],
    ] as const) {
      const refused = await on.call(on.staff.admin, CREATE, { input });
      expect([codesOf(refused), fieldsOf(refused)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
    }
    const deliveries = 'query($developerId: ID) { webhookDeliveries(developerId: $developerId) { edges { cursor } } }';
    for (const developerId of [NOBODY, `dev_${NOBODY}`, '0', '-1', 'x', '99999999999']) {
      const createCodes = await on.codes(on.staff.admin, CREATE, {
        input: { environment: 'UAT', url: URL_A, developerId },
      });
      // an empty list would suggest that the account has no endpoints
      const listed = await on.codes(on.staff.support, LIST, { developerId });
      const delivered = await on.codes(on.staff.support, deliveries, { developerId });
      expect([...createCodes, ...listed, ...delivered]).toEqual(Array(3).fill('RECORD_NOT_FOUND'));
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
      for (const unknown of [subject, shownId(subject), 'nonsense', '00000000-0000-7000-8000-000000000000'])
        expect(await on.codes(mine.session, query, { id: unknown })).toEqual(['RECORD_NOT_FOUND']);
      if (query !== LOG) expect(await on.codes(on.staff.support, query, { id: subject })).toEqual(['FORBIDDEN']);
    }
    expect(await on.codes(on.staff.support, LOG, { id, first: 1 })).toEqual([]);
    expect(await on.codes(on.staff.admin, DISABLE, { id: shownId(id) })).toEqual([]);
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
    const answer = await on.call(mine.session, CREATE, { input: { environment: 'UAT', url } });
    expect(answer.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(['input.url']);
    expect(JSON.stringify(answer.body)).not.toContain('password@');
  });

  it('accept only https on the public internet if private receivers are not allowed', async () => {
    const { orm, pool, audit, mails, config } = on.test.app;
    const parts = { orm, db: pool, audit, mails, encryption: new FieldEncryption(config.encryptionKeys) };
    const strict = new WebhookEndpointService(parts, { allowPrivate: false, disableAfterMs: 1_000, consoleUrl: '' });
    const careful = await accountOf(on);
    const refusal = (url: string) =>
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
      expect([host, await refusal(`https://${host}/hook`)]).toEqual([host, 'VALIDATION_FAILED']);
    expect(await refusal('http://hooks.test.example/')).toBe('VALIDATION_FAILED');
    expect(await refusal('https://hooks.test.example/')).toBe('accepted');
    expect(await refusal('https://8.8.8.8:8443/')).toBe('accepted');
  });

  it('keep their secrets encrypted, show them once, and write audit entries without them', async () => {
    const quiet = await accountOf(on);
    const { id, secret } = await createEndpoint(on, quiet, URL_A);
    const { body } = await on.call(quiet.session, ROTATE, { id });
    const { secret: fresh, endpoint } = body.data.rotateWebhookSecret;
    expect(endpoint.id).toBe(shownId(id));
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
      for (const shown of [secret, fresh]) expect(stored.includes(Buffer.from(shown.slice(6), 'base64'))).toBe(false);
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
    const leaving = await accountOf(on);
    const { id } = await createEndpoint(on, leaving, URL_A);
    await recharge(on, leaving);
    expect(await outboxOf(on, leaving)).toEqual([{ event: 'succeeded' }]);
    expect((await on.call(leaving.session, DELETE, { id })).body.data).toEqual({
      deleteWebhookEndpoint: { deletedEndpointId: shownId(id) },
    });
    on.test.app.webhooks.start(DELIVERING);
    await eventually(async () => ((await outboxOf(on, leaving)).length === 0 ? true : undefined));
    expect(
      await on.test.db.query('select 1 from webhook_delivery where developer_id = $1', [leaving.developer.id]),
    ).toEqual([]);
    expect(await on.codes(leaving.session, LOG, { id, first: 1 })).toEqual(['RECORD_NOT_FOUND']);
  });

  it('show only staff the failed deliveries of all accounts, newest first, using an index', async () => {
    const owners = [mine, other];
    const ofBoth = await Promise.all(owners.map((owner) => createEndpoint(on, owner, URL_A)));
    for (const [n, { id }] of ofBoth.entries())
      await on.test.db.query(
        `insert into webhook_delivery (developer_id, id, endpoint_id, order_id, reference, event, step, environment, operation,
            amount_paise, occurred_at, state, next_attempt_at)
          select $1, uuidv7(n * interval '-1 minute'), $2, gen_random_uuid(), 'r' || n, 'succeeded', 2, case when n % 3 = 0 then 'uat' else 'production' end,
            'recharge', 1, now(), case when n % $3 = 0 then 'failed' else 'delivered' end, null from generate_series(1, $4::integer) n`,
        [owners[n]!.developer.id, id, n === 0 ? 100 : 250, 5_000],
      );
    await on.test.db.query('analyze webhook_delivery');
    const GIVEN_UP = `query($filter: WebhookDeliveryFilter, $first: Int, $after: String) {
      webhookDeliveries(filter: $filter, first: $first, after: $after) {
        edges { node { id state apiRequestId developer { id name } } } pageInfo { hasNextPage endCursor } } }`;
    const state = ['FAILED'];
    const query = vi.spyOn(on.test.app.pool, 'query');
    const first = await on.call(on.staff.support, GIVEN_UP, { filter: { state }, first: 4 });
    const [statement] = query.mock.calls.flatMap(([asked]) =>
      JSON.stringify(asked).includes('webhook_delivery')
        ? [asked as unknown as { text: string; values: unknown[] }]
        : [],
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
    const rest = await on.call(on.staff.support, GIVEN_UP, {
      filter: { state },
      first: 200,
      after: pageInfo.endCursor,
    });
    expect([pageInfo.hasNextPage, rest.body.data.webhookDeliveries.edges.length]).toEqual([true, 66]);
    const inUat = await on.call(on.staff.admin, GIVEN_UP, { filter: { state, environment: 'UAT' }, first: 1 });
    expect(inUat.body.data.webhookDeliveries.edges[0].node.apiRequestId).toBe('r300');
    const { rows } = await on.test.app.pool.query(`explain ${statement!.text}`, statement!.values);
    expect(JSON.stringify(rows)).toContain('webhook_delivery_failed');

    for (const filter of [undefined, {}, { state: ['FAILED', 'PENDING'] }, { state: ['DELIVERED'] }]) {
      const refused = await on.call(on.staff.admin, GIVEN_UP, { filter });
      expect([filter, codesOf(refused), fieldsOf(refused)]).toEqual([filter, ['VALIDATION_FAILED'], ['developerId']]);
    }
    // a developer sees only their own account
    const own = await on.call(mine.session, GIVEN_UP, { filter: { state }, first: 200 });
    const whose = own.body.data.webhookDeliveries.edges.map(({ node }: any) => node.developer.id);
    expect([whose.length, new Set(whose)]).toEqual([50, new Set([a])]);
  });

  it('reject invalid page sizes and cursors', async () => {
    const { id } = await createEndpoint(on, mine, URL_A);
    for (const page of [
      { first: 0 },
      { first: 201 },
      { first: 1, after: 'nonsense' },
      { last: 0 },
      { last: 201 },
      { last: 1, before: 'nonsense' },
      { first: 1, last: 1 },
    ])
      expect(await on.codes(mine.session, LOG, { id, ...page })).toEqual(['VALIDATION_FAILED']);
    expect(await on.codes(mine.session, LOG, { id })).toEqual([]);
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
  for (let tries = 0; tries < 400; tries++) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error('Timed out waiting for the condition.');
}
