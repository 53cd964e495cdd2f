import { beforeAll, describe, expect, it } from 'vitest';
import { useConsole } from '../console/console.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';

const service = useConsole();
const { test } = service;
let owner: TestDeveloper;
let outsider: TestDeveloper;
/** IDs of all objects of the owner in UAT, by type. */
const ids: Record<string, string> = {};

const DETAILS: Record<string, string> = {
  Order: 'status accountNumber',
  Wallet: 'balance version',
  StatementEntry: 'kind amount',
  Operator: 'name spKey',
  Lead: 'leadCode',
  Product: 'title productId',
  ProductCategory: 'categoryId products { id }',
  Account: 'email permissions',
};
/** Types that the console schema has. */
const ON_CONSOLE = ['Order', 'Wallet', 'StatementEntry', 'Operator', 'Lead', 'Product'];

const node = (token: string, id: string, host: 'uat' | 'production' | 'console' = 'uat') =>
  test.graphql(
    host,
    token,
    `query($id: ID!) { node(id: $id) { __typename id ${Object.entries(DETAILS)
      .filter(([type]) => host !== 'console' || ON_CONSOLE.includes(type))
      .map(([type, fields]) => `... on ${type} { ${fields} }`)
      .join(' ')} } }`,
    { id },
  );

beforeAll(async () => {
  [owner, outsider] = [await test.developer({ rateLimitPerMinute: 1_000 }), await test.developer()];
  const { body } = await test.graphql(
    'uat',
    owner.tokens.uat,
    `mutation {
      recharge(input: { accountNumber: "9876543210", amount: 11, operatorSpKey: 116, operatorType: MOBILE }) {
        order { id operator { id } wallet { id } }
        wallet { id statement(first: 1) { edges { node { id order { id } } } } }
      }
      createLead(input: { productId: "4001", customerId: "someone" }) { lead { id } }
    }`,
  );
  expect(body.errors).toBeUndefined();
  const { order, wallet } = body.data.recharge;
  const entry = wallet.statement.edges[0].node;
  expect([entry.order.id, order.wallet.id]).toEqual([order.id, wallet.id]);
  ids.Order = order.id;
  ids.Wallet = wallet.id;
  ids.StatementEntry = entry.id;
  ids.Operator = order.operator.id;
  ids.Lead = body.data.createLead.lead.id;
  const { body: listBody } = await test.graphql(
    'uat',
    owner.tokens.uat,
    '{ me { id } productCategories { categories { id products { id } } } }',
  );
  const [category] = listBody.data.productCategories.categories;
  ids.Product = category.products[0].id;
  ids.ProductCategory = category.id;
  ids.Account = listBody.data.me.id;
});

describe('a global ID', () => {
  it('contains its type, with a stable prefix', () => {
    expect(ids).toEqual({
      Order: expect.stringMatching(/^ord_[0-9a-f-]{36}$/),
      Wallet: `wal_uat_${owner.id}`,
      StatementEntry: expect.stringMatching(new RegExp(`^led_uat_${owner.id}_\\d+$`)),
      Operator: 'opr_jio',
      Lead: expect.stringMatching(/^lea_[0-9a-f-]{36}$/),
      Product: expect.stringMatching(/^prd_uat_\d+_\d+$/),
      ProductCategory: expect.stringMatching(/^cat_uat_\d+$/),
      Account: `acc_uat_${owner.id}`,
    });
  });

  it.each(Object.keys(DETAILS))('of a %s resolves to it with the same ID', async (type) => {
    const { body } = await node(owner.tokens.uat, ids[type]!);
    expect(body.errors).toBeUndefined();
    expect(body.data.node).toMatchObject({ __typename: type, id: ids[type] });
  });

  it.each(['Order', 'Wallet', 'StatementEntry', 'Lead', 'Account'])(
    'of a %s resolves to null for another account, and for its owner in Production',
    async (type) => {
      for (const response of [
        await node(outsider.tokens.uat, ids[type]!),
        await node(owner.tokens.production, ids[type]!, 'production'),
      ]) {
        expect(response.body.data).toEqual({ node: null });
        expect(response.body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
      }
    },
  );

  it.each(['Product', 'ProductCategory'])(
    'of a %s resolves for accounts with leads in its environment only',
    async (type) => {
      const id = ids[type]!;
      expect((await node(outsider.tokens.uat, id)).body.data.node).toMatchObject({ __typename: type, id });
      const otherHost = await node(owner.tokens.production, id, 'production');
      expect(otherHost.body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
      const without = await test.developer({ disabledServices: ['lead_generation'] });
      const rejection = await node(without.tokens.uat, id);
      expect([rejection.body.data.node, rejection.body.errors[0].extensions.code]).toEqual([null, 'ACCESS_DISABLED']);
    },
  );

  it('of a product resolves for a category that is not listed, too', async () => {
    const query = '{ products(categoryId: 4999) { products { id title } } }';
    const { body } = await test.graphql('uat', owner.tokens.uat, query);
    const [product] = body.data.products.products;
    expect((await node(owner.tokens.uat, product.id)).body.data.node).toMatchObject(product);
  });

  it.each([
    '',
    'ord_',
    'ord_1',
    `ord_${UNKNOWN_ID}`,
    `xyz_${UNKNOWN_ID}`,
    'wal_uat',
    `wal_moon_${UNKNOWN_ID}`,
    `led_uat_${UNKNOWN_ID}_x`,
    'opr_nobody',
    'prd_uat_4_',
    'prd_uat_4_none',
    'prd_uat_x_4101',
    'prd_moon_4_4101',
    'cat_uat_999999',
    'cat_uat_4_',
    `acc_uat_${UNKNOWN_ID}`,
    `dev_${UNKNOWN_ID}`,
    '__proto__',
    'ord_constructor',
  ])('that is unknown, %j, is rejected as unknown', async (id) => {
    const { body } = await node(owner.tokens.uat, id);
    expect(body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
  });
});

const NODES = '{ edges { node { __typename id } } nodes { __typename id } }';

it('the entries of a list can be read without cursors, too', async () => {
  const create = 'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { expiresAt } }';
  expect((await test.graphql('uat', owner.tokens.uat, create)).body.errors).toBeUndefined();
  const { body } = await test.graphql(
    'uat',
    owner.tokens.uat,
    `{ orders ${NODES} leads ${NODES} clientTokens ${NODES} wallet { statement ${NODES} } }`,
  );
  const staff = await service.call(service.staff.admin, `{ developers ${NODES} orders ${NODES} auditLog ${NODES} }`);
  expect([body.errors, staff.body.errors]).toEqual([undefined, undefined]);
  const { wallet, ...lists } = body.data;
  for (const { edges, nodes } of [
    wallet.statement,
    ...Object.values<any>(lists),
    ...Object.values<any>(staff.body.data),
  ]) {
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes).toEqual(edges.map(({ node: entry }: { node: object }) => entry));
  }
});

describe('on the console', () => {
  const consoleNode = (token: string, id: string, fields: string) =>
    service.call(token, `query($id: ID!) { node(id: $id) { __typename id ${fields} } }`, { id });

  it('staff read the objects of a developer with masked numbers, and its users their own', async () => {
    const user = await service.userOf(owner.id);
    const fields = '... on Order { accountNumber } ... on Wallet { balance }';
    const staff = await consoleNode(service.staff.support, ids.Order!, fields);
    expect(staff.body.data.node).toEqual({ __typename: 'Order', id: ids.Order, accountNumber: 'xxxxxx3210' });
    expect((await consoleNode(user, ids.Order!, fields)).body.data.node.accountNumber).toBe('9876543210');
    expect((await consoleNode(user, ids.Wallet!, fields)).body.data.node.balance).toBeGreaterThan(0);
  });

  it('a user of a developer reads nothing of another', async () => {
    const user = await service.userOf(outsider.id);
    for (const id of [...Object.values(ids).filter((candidate) => !/^(opr|prd)_/.test(candidate)), `dev_${owner.id}`]) {
      const { body } = await consoleNode(user, id, '');
      expect([id, body.errors?.[0].extensions.code]).toEqual([id, 'RECORD_NOT_FOUND']);
    }
  });

  it('a product resolves for signed-in users, without a call for a category that is not listed', async () => {
    const user = await service.userOf(outsider.id);
    for (const token of [user, service.staff.support]) {
      const { body } = await consoleNode(token, ids.Product!, '... on Product { title }');
      expect(body.data.node).toEqual({ __typename: 'Product', id: ids.Product, title: expect.any(String) });
    }
    const lead = await consoleNode(service.staff.support, ids.Lead!, '... on Lead { product { id title } }');
    const { product } = lead.body.data.node;
    const productNode = await consoleNode(service.staff.support, product.id, '... on Product { title }');
    expect(productNode.body.data.node).toEqual({ __typename: 'Product', ...product });
    const unlisted = await consoleNode(service.staff.support, 'prd_uat_4999_1101', '');
    expect(unlisted.body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
  });

  it('accounts, users and keys have IDs, too', async () => {
    const { body } = await service.call(
      service.staff.admin,
      'query($id: ID!) { viewer { user { id } } developer(id: $id) { id credentials { id clientId } } }',
      { id: owner.id },
    );
    const { viewer, developer } = body.data;
    const me = viewer.user.id;
    expect([developer.id, me]).toEqual([`dev_${owner.id}`, expect.stringMatching(/^usr_/)]);
    for (const id of [developer.id, me, developer.credentials[0].id])
      expect((await consoleNode(service.staff.admin, id, '')).body.data.node.id).toBe(id);
  });

  it('a user has one type and one ID on every path', async () => {
    const session = await service.userOf(owner.id);
    const colleague = await service.userOf(owner.id);
    const other = await service.userOf(outsider.id);
    const me = async (token: string) => (await service.call(token, '{ viewer { user { id } } }')).body.data.viewer.user;
    const { id } = await me(session);
    const fields = '... on User { name role developer { id } }';
    const user = { __typename: 'User', id, name: 'Someone', role: 'DEVELOPER', developer: { id: `dev_${owner.id}` } };
    for (const token of [session, colleague, service.staff.support])
      expect((await consoleNode(token, id, fields)).body.data.node).toEqual(user);
    const people = 'query($id: ID!) { developer(id: $id) { users { __typename id } } }';
    expect((await service.call(colleague, people, { id: owner.id })).body.data.developer.users).toContainEqual({
      __typename: 'User',
      id,
    });
    // Neither users of other accounts nor staff.
    const staff = (await me(service.staff.support)).id;
    for (const [token, hidden] of [
      [other, id],
      [session, staff],
    ] as const)
      expect((await consoleNode(token, hidden, '')).body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
    expect((await consoleNode(service.staff.second, staff, '... on User { developer { id } }')).body.data.node).toEqual(
      {
        __typename: 'User',
        id: staff,
        developer: null,
      },
    );
  });
});
