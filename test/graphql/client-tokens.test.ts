import { createClient } from 'graphql-sse';
import { beforeAll, describe, expect, it } from 'vitest';
import { paise } from '../../src/core/money.js';
import type { ClientScope, DeveloperPrincipal } from '../../src/core/principal.js';
import { forbidden } from '../../src/graphql/schema/access.js';
import { policies } from '../../src/graphql/schema/policy.js';
import { deleteExpired } from '../../src/retention/expired-rows.js';
import { publicId } from '../orders/order.fixture.js';
import { lookupNames, lookups } from '../plans/lookups.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { accessTokenHash, rowKeys, validateAccessTokens } from '../support/row-keys.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp({ RATE_LIMIT_PER_MINUTE: '' });
let developer: TestDeveloper;
let own: string;
let other: string;

type Host = 'uat' | 'production';
const CREATE = `mutation($input: CreateClientTokenInput!) {
  createClientToken(input: $input) { token expiresAt scopes }
}`;
const create = (input: object, host: Host = 'uat', by = developer) =>
  test.graphql(host, by.tokens[host], CREATE, { input });
async function tokenOf(input: object, host: Host = 'uat', by = developer): Promise<string> {
  const { body } = await create(input, host, by);
  return body.data.createClientToken.token;
}
const send = (token: string, query: string, variables?: object, host: Host = 'uat') =>
  test.graphql(host, token, query, variables);
const codes = async (response: ReturnType<typeof send>): Promise<string[]> =>
  ((await response).body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);

/** ID of an order as shown to a client token. */
const idForClients = (id: string): string => id.replace(/^ord_/, 'oct_');
const hashOf = (token: string) => rowKeys.lookup('client_token', token);
const repeat = (code: string, count: number): string[] => Array.from({ length: count }, () => code);

async function recharge(key: string, more: object = {}): Promise<string> {
  await place(test, developer, { client_request_id: key, ...more }, 'uat');
  const query = 'query($key: String) { order(kind: RECHARGE, clientRequestId: $key) { id } }';
  return (await send(developer.tokens.uat, query, { key })).body.data.order.id;
}

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  [own, other] = [await recharge('own'), await recharge('other')];
});

describe('a client token', () => {
  it('is valid in its environment for the requested time', async () => {
    const { body } = await create({ scopes: ['LOOKUPS', 'PRODUCTS'], expiresInSeconds: 60 });
    const { token, expiresAt, scopes } = body.data.createClientToken;
    expect(token).toMatch(/^ct_uat_/);
    expect(scopes).toEqual(['LOOKUPS', 'PRODUCTS']);
    const lifetimeS = (Date.parse(expiresAt) - Date.now()) / 1_000;
    expect(lifetimeS).toBeGreaterThan(30);
    expect(lifetimeS).toBeLessThanOrEqual(60);
    expect((await send(token, '{ circles { name } }', {}, 'production')).body.errors[0].extensions.code).toBe(
      'WRONG_HOST',
    );
    expect((await test.graphql('console', token, '{ viewer { user { id } } }')).status).toBe(401);
  });

  it.each([
    ['scopes', { scopes: [] }, 'input.scopes'],
    ['a scope twice', { scopes: ['LOOKUPS', 'LOOKUPS'] }, 'input.scopes'],
    ['no order', { scopes: ['ORDER'] }, 'input.orderId'],
    ['an order without its scope', { scopes: ['LOOKUPS'], orderId: publicId(UNKNOWN_ID) }, 'input.orderId'],
    [
      'an order with two IDs',
      { scopes: ['ORDER'], orderId: publicId(UNKNOWN_ID), order: { id: publicId(UNKNOWN_ID) } },
      'input.order',
    ],
    [
      'an order with two names',
      { scopes: ['ORDER'], order: { id: publicId(UNKNOWN_ID), apiRequestId: 'x' } },
      'input.order.id',
    ],
    ['an order without a name', { scopes: ['ORDER'], order: {} }, 'input.order.id'],
    ['an idempotency key without a kind', { scopes: ['ORDER'], order: { clientRequestId: 'own' } }, 'input.order.kind'],
    ['a lifetime of 59 seconds', { scopes: ['LOOKUPS'], expiresInSeconds: 59 }, 'input.expiresInSeconds'],
    ['a lifetime of 3,601 seconds', { scopes: ['LOOKUPS'], expiresInSeconds: 3_601 }, 'input.expiresInSeconds'],
    ['a negative spending limit', { scopes: ['LOOKUPS'], maxSpend: -1 }, 'input.maxSpend'],
    ['a spending limit over 1,000 rupees', { scopes: ['LOOKUPS'], maxSpend: 1_000.01 }, 'input.maxSpend'],
  ])('is not created for %s', async (_name, input, path) => {
    const { body } = await create(input);
    expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', fields: [{ path }] });
  });

  it('is created for an order by any of its IDs, also in the document that places the order', async () => {
    const { body } = await send(
      developer.tokens.uat,
      `mutation {
        recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE,
          clientRequestId: "and token" }) { order { id apiRequestId } }
        createClientToken(input: { scopes: [ORDER], order: { kind: RECHARGE, clientRequestId: "and token" } }) { token }
      }`,
    );
    const { id, apiRequestId } = body.data.recharge.order;
    const tokens = [
      body.data.createClientToken.token,
      ...(await Promise.all([{ id }, { apiRequestId }].map((order) => tokenOf({ scopes: ['ORDER'], order })))),
    ];
    for (const token of tokens) {
      const response = await send(token, 'query($id: ID!) { order(id: $id) { id } }', { id });
      expect(response.body.data.order).toEqual({ id: idForClients(id) });
    }
  });

  it('is not created for an order of another developer or of the other environment', async () => {
    const outsider = await test.developer();
    for (const response of [
      create({ scopes: ['ORDER'], orderId: publicId(UNKNOWN_ID) }),
      create({ scopes: ['ORDER'], orderId: own }, 'uat', outsider),
      create({ scopes: ['ORDER'], orderId: own }, 'production'),
      create({ scopes: ['ORDER'], order: { kind: 'RECHARGE', clientRequestId: 'nobody’s' } }),
      create({ scopes: ['ORDER'], order: { kind: 'CARD_PAYMENT', clientRequestId: 'own' } }),
    ])
      expect(await codes(response)).toEqual(['RECORD_NOT_FOUND']);
  });

  it.each([
    ['omitted', 'scopes: [LOOKUPS]'],
    ['null', 'scopes: [LOOKUPS], expiresInSeconds: null, maxSpend: null'],
  ])('is valid for 15 minutes and can spend 10 rupees by default, with both arguments %s', async (_name, fields) => {
    const { body } = await send(developer.tokens.uat, `mutation { createClientToken(input: { ${fields} }) { token } }`);
    const rows = await test.db.query(
      `select max_spend_paise::int as cap, expires_at <= now() + interval '900 seconds' as ends
        from client_token where token_hash = $1`,
      [hashOf(body.data.createClientToken.token)],
    );
    expect(rows).toEqual([{ cap: 1_000, ends: true }]);
  });

  it('treats a null variable like an omitted argument', async () => {
    const lifetimeMs = async (input: object): Promise<number> =>
      Date.parse((await create(input)).body.data.createClientToken.expiresAt) - Date.now();
    expect(await lifetimeMs({ scopes: ['LOOKUPS'], expiresInSeconds: null, maxSpend: null })).toBeLessThanOrEqual(
      900_000,
    );
  });

  it('cannot create another one', async () => {
    const token = await tokenOf({ scopes: ['LOOKUPS'] });
    expect(await codes(send(token, CREATE, { input: { scopes: ['LOOKUPS'] } }))).toEqual(['FORBIDDEN']);
  });

  it('expires at its time, and with the token that created it', async () => {
    const query = '{ circles { name } }';
    const [expired, orphan] = [await tokenOf({ scopes: ['LOOKUPS'] }), await tokenOf({ scopes: ['LOOKUPS'] })];
    await test.db.query(`update client_token set expires_at = now() where token_hash = $1`, [hashOf(expired)]);
    expect((await send(expired, query)).status).toBe(401);
    expect((await send(orphan, query)).status).toBe(200);
    const parent = accessTokenHash(developer.tokens.uat);
    await test.db.query('update access_token set revoked_at = now() where token_hash = $1', [parent]);
    expect((await send(orphan, query)).status).toBe(401);
    await validateAccessTokens(test.db, 'token_hash = $1', [parent]);
    while ((await deleteExpired(test.app.pool, test.app.config.kycKept)).hasMore);
    const remaining = await test.db.query('select token_hash from client_token where token_hash = any($1)', [
      [hashOf(expired), hashOf(orphan)],
    ]);
    expect(remaining).toEqual([{ token_hash: hashOf(orphan) }]);
  });
});

describe('the client tokens of an account', () => {
  const TOKEN_FIELDS = 'id scopes clientId createdAt expiresAt revokedAt maxSpend spent order { id accountNumber }';
  const list = async (token: string, args = '', host: Host = 'uat') => {
    const { body } = await send(
      token,
      `{ clientTokens${args} { totalCount nodes { ${TOKEN_FIELDS} } pageInfo { hasNextPage endCursor } } }`,
      {},
      host,
    );
    const { totalCount, pageInfo } = body.data.clientTokens;
    const nodes: Record<string, any>[] = body.data.clientTokens.nodes;
    return { nodes, totalCount, hasNextPage: pageInfo.hasNextPage, endCursor: pageInfo.endCursor };
  };
  const REVOKE = `mutation($id: ID!) {
    revokeClientToken(input: { clientTokenId: $id }) { clientToken { id revokedAt } }
  }`;
  const idOf = async (token: string): Promise<string> => {
    const [row] = await test.db.query<{ id: string }>('select id from client_token where token_hash = $1', [
      hashOf(token),
    ]);
    return `ctk_${row!.id}`;
  };
  let account: TestDeveloper;
  beforeAll(async () => {
    account = await test.developer({ rateLimitPerMinute: 1_000 });
  });

  it('are listed newest first and page by page, without their secrets', async () => {
    await place(test, account, { client_request_id: 'listed' }, 'uat');
    const { body } = await send(account.tokens.uat, '{ order(kind: RECHARGE, clientRequestId: "listed") { id } }');
    const { id } = body.data.order;
    const created = [
      await tokenOf({ scopes: ['PRODUCTS'] }, 'uat', account),
      await tokenOf({ scopes: ['LOOKUPS', 'ORDER'], orderId: id, maxSpend: 3.5 }, 'uat', account),
    ];
    const live = await tokenOf({ scopes: ['LOOKUPS'] }, 'production', account);
    await test.app.clientTokens.reserve(hashOf(created[1]!), paise(125));
    const first = await list(account.tokens.uat, '(first: 1)');
    const clientId = account.keys.uat.clientId;
    const order = { id, accountNumber: '9876543210' };
    const newest = { scopes: ['LOOKUPS', 'ORDER'], clientId, maxSpend: 3.5, spent: 1.25, revokedAt: null, order };
    expect(first).toMatchObject({
      totalCount: 2,
      hasNextPage: true,
      nodes: [{ id: await idOf(created[1]!), ...newest }],
    });
    const [{ createdAt, expiresAt }] = first.nodes as [Record<string, any>];
    // The service computes the expiry time, and the database sets the creation time.
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeLessThanOrEqual(900_000);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeGreaterThan(895_000);
    const second = await list(account.tokens.uat, `(first: 1, after: "${first.endCursor}")`);
    expect(second).toMatchObject({
      totalCount: 2,
      hasNextPage: false,
      nodes: [{ scopes: ['PRODUCTS'], order: null, spent: 0 }],
    });
    expect((await list(account.tokens.uat, '(last: 1)')).nodes).toEqual(second.nodes);
    const listText = JSON.stringify([first, second]);
    for (const token of [...created, ...created.map((secret) => hashOf(secret).toString('base64'))])
      expect(listText).not.toContain(token);
    expect((await list(account.tokens.production, '', 'production')).nodes.map((node) => node.id)).toEqual([
      await idOf(live),
    ]);
    expect((await list((await test.developer()).tokens.uat)).nodes).toEqual([]);
    expect(await codes(send(account.tokens.uat, '{ clientTokens(first: 0) { edges { cursor } } }'))).toEqual([
      'VALIDATION_FAILED',
    ]);
    expect(await codes(send(account.tokens.uat, '{ clientTokens(after: "x") { edges { cursor } } }'))).toEqual([
      'VALIDATION_FAILED',
    ]);
  });

  it('are revoked one by one, effective immediately, and are no longer listed', async () => {
    const [ended, active] = [
      await tokenOf({ scopes: ['LOOKUPS'] }, 'uat', account),
      await tokenOf({ scopes: ['LOOKUPS'] }, 'uat', account),
    ];
    const id = await idOf(ended);
    expect((await send(ended, '{ circles { name } }')).status).toBe(200);
    const { body } = await send(account.tokens.uat, REVOKE, { id });
    const { clientToken } = body.data.revokeClientToken;
    expect(clientToken).toEqual({ id, revokedAt: expect.any(String) });
    const rejection = await send(ended, '{ circles { name } }');
    expect([rejection.status, rejection.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await send(active, '{ circles { name } }')).status).toBe(200);
    const ids = (await list(account.tokens.uat)).nodes.map((node) => node.id);
    expect([ids.includes(id), ids.includes(await idOf(active))]).toEqual([false, true]);
    // A second call returns the same, and the ID still resolves.
    expect((await send(account.tokens.uat, REVOKE, { id })).body.data.revokeClientToken).toEqual({ clientToken });
    const node = 'query($id: ID!) { node(id: $id) { ... on ClientToken { id revokedAt } } }';
    expect((await send(account.tokens.uat, node, { id })).body.data.node).toEqual(clientToken);
  });

  it('cannot be listed or revoked by another account, in another environment or with a client token', async () => {
    const token = await tokenOf({ scopes: ['LOOKUPS', 'PRODUCTS'] }, 'uat', account);
    const id = await idOf(token);
    const outsider = await test.developer();
    for (const response of [
      send(outsider.tokens.uat, REVOKE, { id }),
      send(account.tokens.production, REVOKE, { id }, 'production'),
      send(account.tokens.uat, REVOKE, { id: publicId(UNKNOWN_ID).replace('ord', 'ctk') }),
      send(account.tokens.uat, REVOKE, { id: token }),
      send(outsider.tokens.uat, 'query($id: ID!) { node(id: $id) { id } }', { id }),
    ])
      expect(await codes(response)).toEqual(['RECORD_NOT_FOUND']);
    expect(await codes(send(token, REVOKE, { id }))).toEqual(['FORBIDDEN']);
    expect(await codes(send(token, '{ clientTokens { edges { cursor } } }'))).toEqual(['FORBIDDEN']);
    expect(await codes(send(token, 'query($id: ID!) { node(id: $id) { id } }', { id }))).toEqual(['RECORD_NOT_FOUND']);
    expect((await send(token, '{ circles { name } }')).status).toBe(200);
  });

  it('are limited to ten times the rate limit, also for simultaneous requests, and are counted by key and day', async () => {
    const busy = await test.developer({ rateLimitPerMinute: 12 });
    const { clientId } = busy.keys.uat;
    await test.db.query(
      `insert into client_token (token_hash, parent_hash, developer_id, environment, scopes, max_spend_paise, expires_at, mac)
        select sha256(convert_to($2 || n, 'utf8')), $1, $3, 'uat', '{lookups}', 0, now() + n * interval '1 minute', sha256('none')
        from generate_series(1, 118) n`,
      [accessTokenHash(busy.tokens.uat), busy.id, busy.id],
    );
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ scopes: ['LOOKUPS'] }, 'uat', busy)));
    const rejections = responses.filter(({ body }) => body.errors);
    expect(responses.length - rejections.length).toBe(2);
    for (const { body, headers } of rejections) {
      expect(body.errors[0]).toMatchObject({
        message:
          'This account has 120 active client tokens in uat, which is the maximum. Revoke some with `revokeClientToken`, or wait until they expire.',
        extensions: { code: 'RATE_LIMITED', retryable: true },
      });
      // The first one expires within a minute.
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    // The other environment has a separate limit; revoked and expired tokens are not counted.
    await tokenOf({ scopes: ['LOOKUPS'] }, 'production', busy);
    await send(busy.tokens.uat, REVOKE, { id: (await list(busy.tokens.uat, '(first: 1)')).nodes[0]!.id });
    expect(await tokenOf({ scopes: ['LOOKUPS'] }, 'uat', busy)).toMatch(/^ct_uat_/);
    expect(await codes(create({ scopes: ['LOOKUPS'] }, 'uat', busy))).toEqual(['RATE_LIMITED']);
    const counts = await test.db.query(
      `select made, day = (now() at time zone 'Asia/Kolkata')::date as today from client_token_count where client_id = $1`,
      [clientId],
    );
    expect(counts).toEqual([{ made: 3, today: true }]);
  });
});

describe('the permissions of a client token', () => {
  const reached = (scopes: ClientScope[]): string[] => {
    const principal = {
      kind: 'developer',
      environment: 'uat',
      onboardingStatus: 'approved',
      services: { get: () => ({ enabled: true }) },
      client: { scopes: new Set(scopes), orderId: UNKNOWN_ID },
    } as unknown as DeveloperPrincipal;
    return Object.entries(policies.api).flatMap(([type, rows]) =>
      Object.entries(rows).flatMap(([field, row]) =>
        row.access.kind === 'public' || forbidden(row, { principal } as never) ? [] : [`${type}.${field}`],
      ),
    );
  };
  const always = ['Operator.available', 'Operator.maxAmount', 'Query.rateLimit'];

  it.each([
    [
      'lookups',
      [
        'Query.node',
        'Query.services',
        'Query.operators',
        'Query.circles',
        'Query.banks',
        ...lookupNames.map((name) => `Query.${lookups[name].field}`),
        'OperatorFindResult.plans',
        'PlansResult.groups',
      ],
    ],
    [
      'products',
      [
        'Query.node',
        'Query.productCategories',
        'Query.products',
        'Query.productDetails',
        'ProductCategory.products',
        'Product.details',
      ],
    ],
    ['order', ['Query.node', 'Query.order', 'Subscription.orderChanged', 'Order.nextCheckAt', 'Order.reviewAt']],
  ] as const)('with the scope %s are exactly these', (scope, fields) => {
    expect(reached([scope]).toSorted()).toEqual([...fields, ...always].toSorted());
  });

  it('for lookups include fees and operators by ID, and no other node', async () => {
    const token = await tokenOf({ scopes: ['LOOKUPS'] });
    const { body } = await send(
      token,
      '{ services { service fee } node(id: "opr_vi") { id ... on Operator { name } } }',
    );
    expect(body.data.services).toContainEqual({ service: 'OPERATOR_FETCH', fee: 0 });
    expect(body.data.node).toMatchObject({ id: 'opr_vi' });
    for (const id of [own, `wal_uat_${developer.id}`])
      expect(await codes(send(token, 'query($id: ID!) { node(id: $id) { id } }', { id }))).toEqual([
        'RECORD_NOT_FOUND',
      ]);
  });

  it('for products include products and categories by ID, and no other node', async () => {
    const token = await tokenOf({ scopes: ['PRODUCTS'] });
    const { body } = await send(token, '{ productCategories { categories { id products { id } } } }');
    const [category] = body.data.productCategories.categories;
    for (const id of [category.id, category.products[0].id])
      expect((await send(token, 'query($id: ID!) { node(id: $id) { id } }', { id })).body.data.node).toEqual({ id });
    for (const id of [own, 'opr_vi', `acc_uat_${developer.id}`])
      expect(await codes(send(token, 'query($id: ID!) { node(id: $id) { id } }', { id }))).toEqual([
        'RECORD_NOT_FOUND',
      ]);
  });

  it('include no REST path and no file', async () => {
    const token = await tokenOf({ scopes: ['LOOKUPS', 'ORDER'], orderId: own });
    for (const path of ['/api/v1/auth/me', '/api/v1/recharge/status?client_request_id=own', '/api/v1/orders.csv']) {
      const { status, body } = await test.rest('uat', 'GET', path, token);
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('include no recharge, and not the replay of one', async () => {
    const token = await tokenOf({ scopes: ['ORDER'], orderId: own });
    const mutation = `mutation { recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116,
      operatorType: MOBILE, clientRequestId: "own" }) { replayed order { id } wallet { balance } } }`;
    const { body } = await send(token, mutation);
    expect(body.data).toEqual({ recharge: null });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

describe('a client token for an order', () => {
  const ORDER = 'query($id: ID!) { order(id: $id) { id status accountNumber amount nextCheckAt } }';
  let token: string;
  beforeAll(async () => {
    token = await tokenOf({ scopes: ['ORDER'], orderId: own });
  });

  it('reads its status with masked numbers, by its ID, its idempotency key and as a node', async () => {
    const maskedOrder = { id: idForClients(own), status: 'SUCCESS', accountNumber: 'xxxxxx3210' };
    expect((await send(token, ORDER, { id: own })).body.data.order).toMatchObject(maskedOrder);
    const byKey = '{ order(kind: RECHARGE, clientRequestId: "own") { id status accountNumber } }';
    expect((await send(token, byKey)).body.data.order).toEqual(maskedOrder);
    const node = 'query($id: ID!) { node(id: $id) { id ... on Order { status accountNumber } } }';
    expect((await send(token, node, { id: own })).body.data.node).toEqual(maskedOrder);
    const unmasked = { id: own, accountNumber: '9876543210' };
    expect((await send(developer.tokens.uat, ORDER, { id: own })).body.data.order).toMatchObject(unmasked);
  });

  it('sees a separate ID for the order, which other callers cannot use', async () => {
    const id = idForClients(own);
    const node = 'query($id: ID!) { node(id: $id) { id ... on Order { accountNumber } } }';
    const changes = 'subscription($id: ID!) { orderChanged(id: $id) { id accountNumber } }';
    const masked = { id, accountNumber: 'xxxxxx3210' };
    expect((await send(token, ORDER, { id })).body.data.order).toMatchObject(masked);
    expect((await send(token, node, { id })).body.data.node).toEqual(masked);
    const server = developer.tokens.uat;
    const firstEventOf = (by: string, orderId: string) =>
      createClient({ url: `${test.urls.uat}/graphql`, headers: { authorization: `Bearer ${by}` }, retryAttempts: 0 })
        .iterate<any>({ query: changes, variables: { id: orderId } })
        .next();
    for (const orderId of [own, id])
      expect((await firstEventOf(token, orderId)).value!.data.orderChanged).toEqual(masked);
    await expect(firstEventOf(server, id)).rejects.toThrow();
    expect(await codes(send(token, ORDER, { id: idForClients(other) }))).toEqual(['RECORD_NOT_FOUND']);
    expect(await codes(send(token, node, { id: idForClients(other) }))).toEqual(['RECORD_NOT_FOUND']);
    const withoutOrder = await tokenOf({ scopes: ['LOOKUPS'] });
    expect(await codes(send(withoutOrder, node, { id }))).toEqual(['RECORD_NOT_FOUND']);
    const rejection = {
      message: 'IDs that begin with oct_ are only for client tokens. Use the ID that begins with ord_.',
      extensions: { code: 'RECORD_NOT_FOUND' },
    };
    for (const { body } of [
      await send(server, ORDER, { id }),
      await send(server, node, { id }),
      await create({ scopes: ['ORDER'], orderId: id }),
      await create({ scopes: ['ORDER'], order: { id } }),
    ])
      expect(body.errors).toMatchObject([rejection]);
    // A developer looks up the ID that a page reported.
    const found = await send(server, `{ orders(filter: { reference: "${id}" }) { edges { node { id } } } }`);
    expect(found.body.data.orders.edges).toEqual([{ node: { id: own } }]);
  });

  it('reads no other order and no other node', async () => {
    expect(await codes(send(token, ORDER, { id: other }))).toEqual(['RECORD_NOT_FOUND']);
    expect(await codes(send(token, '{ order(kind: RECHARGE, clientRequestId: "other") { id } }'))).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    const { body } = await send(developer.tokens.uat, '{ wallet { id } operators { id } }');
    for (const id of [other, body.data.wallet.id, body.data.operators[0].id])
      expect(await codes(send(token, 'query($id: ID!) { node(id: $id) { id } }', { id }))).toEqual([
        'RECORD_NOT_FOUND',
      ]);
  });

  it('cannot read the wallet or the timeline', async () => {
    const { body } = await send(
      token,
      'query($id: ID!) { order(id: $id) { status wallet { balance } timeline { kind } } }',
      {
        id: own,
      },
    );
    expect(body.data.order).toEqual({ status: 'SUCCESS', wallet: null, timeline: null });
    expect(body.errors.map((error: any) => [error.path.join('.'), error.extensions.code]).toSorted()).toEqual([
      ['order.timeline', 'FORBIDDEN'],
      ['order.wallet', 'FORBIDDEN'],
    ]);
    for (const query of ['{ wallet { balance } }', '{ orders { edges { node { id } } } }', '{ me { email } }'])
      expect(await codes(send(token, query))).toEqual(['FORBIDDEN']);
  });

  it('receives the changes of its order, and of no other', async () => {
    const pending = await recharge('watched', { account_number: '9876540005' });
    const watching = await tokenOf({ scopes: ['ORDER'], orderId: pending });
    const client = createClient({
      url: `${test.urls.uat}/graphql`,
      headers: { authorization: `Bearer ${watching}` },
      retryAttempts: 0,
    });
    const query = 'subscription($id: ID!) { orderChanged(id: $id) { status accountNumber } }';
    const events: any[] = [];
    for await (const { data } of client.iterate<any>({ query, variables: { id: pending } }))
      events.push(data.orderChanged);
    expect(events).toEqual([
      { status: 'PENDING', accountNumber: 'xxxxxx0005' },
      { status: 'SUCCESS', accountNumber: 'xxxxxx0005' },
    ]);
    await expect(client.iterate({ query, variables: { id: own } }).next()).rejects.toThrow();
  });

  it('keeps only the newest stream of its order, for any client token, and does not use the limit of servers', async () => {
    const query = 'query($id: ID!) { order(id: $id, waitMs: 25000) { status } }';
    // The order stays pending until the simulated outage of the provider ends.
    await test.simulator.blind('roundpay', true);
    await place(test, developer, { client_request_id: 'reloaded', account_number: '9876540005' });
    const find = '{ order(kind: RECHARGE, clientRequestId: "reloaded") { id } }';
    const found = await send(developer.tokens.production, find, {}, 'production');
    const watched = found.body.data.order.id;
    const anotherToken = () => tokenOf({ scopes: ['ORDER'], orderId: watched }, 'production');
    const watching = async (n: number) => {
      const authorization = `Bearer ${await anotherToken()}`;
      const client = createClient({
        url: `${test.urls.production}/graphql`,
        headers: { authorization },
        retryAttempts: 0,
      });
      const events = client.iterate<any>({
        query: 'subscription($id: ID!) { orderChanged(id: $id) { status } }',
        variables: { id: watched },
      });
      expect((await events.next()).value!.data).toEqual({ orderChanged: { status: 'PENDING' } });
      await until('the stream is open', () => test.app.waiters.count === n);
      return events;
    };
    const expectReplaced = async (events: Awaited<ReturnType<typeof watching>>) => {
      const { value } = await events.next();
      expect(value).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'STREAM_REPLACED', retryable: false, charged: false } }],
      });
      expect(await events.next()).toEqual({ done: true, value: undefined });
    };
    const wait = (by: string) => send(by, query, { id: watched }, 'production');
    const server = wait(developer.tokens.production);
    await until('the stream of the server is open', () => test.app.waiters.count === 1);
    const earlierStreams = await watching(2);
    const reloaded = await watching(2);
    await expectReplaced(earlierStreams);
    const pendingStream = wait(await anotherToken());
    await expectReplaced(reloaded);
    const newest = await watching(2);
    // With the current status.
    expect((await pendingStream).body).toMatchObject({ data: { order: { status: 'PENDING' } } });
    await test.simulator.blind('roundpay', false);
    expect((await newest.next()).value!.data).toEqual({ orderChanged: { status: 'SUCCESS' } });
    expect((await server).body.data.order.status).toBe('SUCCESS');
  });
});

describe('the rate limits of a client token', () => {
  const circles = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, n) => `a${n}: circles { name }`).join(' ')} }`;

  it('are separate from those of the account, and ten times as high in total, whatever the number of tokens', async () => {
    const busy = await test.developer({ rateLimitPerMinute: 7 });
    const [first, second, third] = [
      await tokenOf({ scopes: ['LOOKUPS'] }, 'uat', busy),
      await tokenOf({ scopes: ['LOOKUPS'] }, 'uat', busy),
      await tokenOf({ scopes: ['LOOKUPS'] }, 'uat', busy),
    ];
    for (let n = 0; n < 6; n++) expect(await codes(send(first, circles(10)))).toEqual([]);
    // Requests over the limit of one token do not use the shared limit.
    expect(await codes(send(first, circles(3)))).toEqual(repeat('RATE_LIMITED', 3));
    const last = await send(second, circles(10));
    expect(last.body.errors).toBeUndefined();
    expect(last.headers.get('ratelimit-policy')).toBe('"circles";q=70;w=60');
    for (const token of [second, third]) {
      const { status, headers, body } = await send(token, '{ circles { name } }');
      expect([status, body.errors[0].extensions.code]).toEqual([200, 'RATE_LIMITED']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Other endpoints, the calls of the account and the other environment have separate counters.
    expect(await codes(send(second, '{ banks { name } }'))).toEqual([]);
    expect(await codes(send(busy.tokens.uat, circles(7)))).toEqual([]);
    const live = await tokenOf({ scopes: ['LOOKUPS'] }, 'production', busy);
    expect(await codes(send(live, '{ circles { name } }', {}, 'production'))).toEqual([]);
  });

  it('cap the fees of its lookups, without refunds and free replays', async () => {
    const payer = await test.developer({ feesPaise: { operator_fetch: 400 }, rateLimitPerMinute: 100 });
    const token = await tokenOf({ scopes: ['LOOKUPS'] }, 'production', payer);
    const find = async (key: string, mobile = '9468455123') => {
      const query = 'query($in: OperatorFindInput!) { operatorFind(input: $in) { operatorName fee replayed } }';
      const { body } = await send(token, query, { in: { mobile, clientRequestId: key } }, 'production');
      const [error] = body.errors ?? [];
      return error ? `${error.extensions.code}: ${error.message}` : body.data.operatorFind.fee;
    };
    expect(await find('1')).toBe(4);
    expect(await find('1')).toBe(0);
    expect(await find('failing', '9468540001')).toMatch(/^PROVIDER_FAILED/);
    expect(await find('2')).toBe(4);
    expect(await find('3')).toBe(
      'SPENDING_CAP_REACHED: The fee of this lookup is 4.00 rupees. Of the spending limit of 10.00 rupees, 2.00 rupees are left.',
    );
    expect(await test.balance(payer, 'production')).toBe(10_000 - 8);
    const spent = await test.db.query('select spent_paise::int as spent from client_token where token_hash = $1', [
      hashOf(token),
    ]);
    expect(spent).toEqual([{ spent: 800 }]);
    // A server token has no cap.
    const { body } = await send(
      payer.tokens.production,
      '{ operatorFind(input: { mobile: "9468455123", clientRequestId: "4" }) { fee wallet { balance } } }',
      {},
      'production',
    );
    expect(body.data.operatorFind).toEqual({ fee: 4, wallet: { balance: 10_000 - 12 } });
  });

  it('are exact for simultaneous requests', async () => {
    const payer = await test.developer({ feesPaise: { operator_fetch: 100 }, rateLimitPerMinute: 100 });
    const token = await tokenOf({ scopes: ['LOOKUPS'], maxSpend: 3 }, 'production', payer);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(
          token,
          `{ operatorFind(input: { mobile: "9468455123", clientRequestId: "c${n}" }) { fee } }`,
          {},
          'production',
        ),
      ),
    );
    expect(responses.filter(({ body }) => !body.errors)).toHaveLength(3);
    expect(await test.balance(payer, 'production')).toBe(10_000 - 3);
  });
});
