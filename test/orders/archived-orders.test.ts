import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchIdOf, payBill } from '../card-bills/card-bills.fixture.js';
import { codesOf, useConsole } from '../console/console.fixture.js';
import { archiveOf, type TestArchive } from '../ledger/archive.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { orderRow, publicId, RECHARGE_STATUS, sentReference } from './order.fixture.js';

const CARD_STATUS = '/api/v1/bill-payment/credit-card/status';
const ENDED = { success: '9876543210', failed: '9876540001', reversed: '9876543210', payment: '' } as const;
type Key = keyof typeof ENDED;
const STATUS = { success: 'success', failed: 'failed', reversed: 'reversed', payment: 'success' } as const;
const recharges = ['success', 'failed', 'reversed'] as const;

const console = useConsole();
let archive: TestArchive;
let owner: TestDeveloper;
let otherAccount: TestDeveloper;
let fetchId: string;
const orders = {} as Record<Key, { id: string; reference: string }>;

const recharge = (key: Key, more: object = {}) =>
  place(console.test, owner, { account_number: ENDED[key], client_request_id: key, ...more });

/** Creates real orders and archives them after their transfers have been dated back by 20 months. */
beforeAll(async () => {
  const { test } = console;
  archive = archiveOf({ db: test.db, ledger: test.app.ledger });
  owner = await test.developer({ liveRupees: 1_000, rateLimitPerMinute: 1_000 });
  otherAccount = await test.developer({ rateLimitPerMinute: 1_000 });
  for (const key of recharges) await recharge(key);
  fetchId = await fetchIdOf(test, owner, 'production');
  await payBill(test, owner, 'production', { orderid: 'payment', fetch_id: fetchId });
  for (const key of Object.keys(ENDED) as Key[]) {
    const { id } = await orderRow(test, owner, key);
    orders[key] = { id, reference: await sentReference(test, id) };
  }
  await test.app.ledger.reverse(owner.id, orders.reversed.id, { reason: 'provider_reversed' });
  await test.db.query('delete from order_due where developer_id = $1', [owner.id]);
  await test.db.query(`update transfer set created_at = created_at - interval '20 months' where developer_id = $1`, [
    owner.id,
  ]);
  // earlier ledger totals assigned these transfers to other days
  await test.db.query(
    'delete from ledger_total; update ledger_checkpoint set system_identifier = 1, snapshot = $$1500000:1500000:$$',
  );
  const remaining = await archive.run(temporaryDirectory());
  expect(remaining.map((month) => month.orders)).toEqual([4]);
  expect(await test.db.query('select from orders where developer_id = $1', [owner.id])).toEqual([]);
});
afterAll(() => archive.close());

const status = (query: Record<string, string>, path = RECHARGE_STATUS, by = owner.tokens.production) =>
  console.test.rest('production', 'GET', `${path}?${new URLSearchParams(query)}`, by);
const api = (query: string, variables: object, by = owner.tokens.production) =>
  console.test.graphql('production', by, query, variables);
const errorsIn = ({ body }: TestResponse): object[] =>
  body.errors.map(({ extensions: { code, apiRequestId, orderStatus, charged } }: any) => ({
    code,
    apiRequestId,
    orderStatus,
    charged,
  }));
const archived = (key: Key) => [
  { code: 'ORDER_ARCHIVED', apiRequestId: orders[key].reference, orderStatus: STATUS[key], charged: false },
];

describe('the status of an archived payment', () => {
  it.each(recharges)('is ORDER_ARCHIVED, with the final status %s', async (key) => {
    const names: Record<string, string>[] = [{ client_request_id: key }, { api_request_id: orders[key].reference }];
    for (const query of names) {
      const response = await status(query);
      expect([response.status, response.headers.get('x-order-status')]).toEqual([410, key]);
      expect(response.body).toEqual({
        status: 'error',
        message: expect.stringMatching(/^This order is archived\. The order /),
        code: 'ORDER_ARCHIVED',
        doc_url: expect.stringMatching(/#ORDER_ARCHIVED$/),
        request_id: expect.any(String),
        api_request_id: orders[key].reference,
        order_status: key,
      });
    }
  });

  it('is also reported for a card payment', async () => {
    const names: Record<string, string>[] = [{ orderid: 'payment' }, { api_request_id: orders.payment.reference }];
    for (const query of names)
      expect((await status(query, CARD_STATUS)).body).toMatchObject({
        code: 'ORDER_ARCHIVED',
        order_status: 'success',
        api_request_id: orders.payment.reference,
      });
  });

  it.each([
    [
      'another developer, by idempotency key',
      () => status({ client_request_id: 'success' }, RECHARGE_STATUS, otherAccount.tokens.production),
    ],
    [
      'another developer, by ID',
      () => status({ api_request_id: orders.success.reference }, RECHARGE_STATUS, otherAccount.tokens.production),
    ],
    [
      'the other environment',
      () =>
        console.test.rest(
          'uat',
          'GET',
          `${RECHARGE_STATUS}?api_request_id=${orders.success.reference}`,
          owner.tokens.uat,
        ),
    ],
    ['card payments', () => status({ api_request_id: orders.success.reference }, CARD_STATUS)],
    ['recharges', () => status({ api_request_id: orders.payment.reference })],
  ])('is RECORD_NOT_FOUND for %s', async (_name, request) => {
    const { status: httpStatus, body } = await request();
    expect([httpStatus, body.code]).toEqual([404, 'RECORD_NOT_FOUND']);
  });
});

describe('an archived payment over GraphQL', () => {
  it.each([
    ['order(id)', '{ order(id: $id) { id } }'],
    ['order(apiRequestId)', '{ order(apiRequestId: $reference) { id } }'],
    ['order(clientRequestId)', '{ order(kind: RECHARGE, clientRequestId: $key) { id } }'],
    ['node', '{ node(id: $id) { id } }'],
  ])('is reported by %s to its owner only', async (_name, selection) => {
    const declared = { id: 'ID!', reference: 'String!', key: 'String!' };
    const used = Object.entries(declared).filter(([name]) => selection.includes(`$${name}`));
    const query = `query(${used.map(([name, type]) => `$${name}: ${type}`).join()}) ${selection}`;
    for (const key of ['success', 'reversed'] as const) {
      const values: Record<string, string> = { id: publicId(orders[key].id), reference: orders[key].reference, key };
      const variables = Object.fromEntries(used.map(([name]) => [name, values[name]]));
      expect(errorsIn(await api(query, variables))).toEqual(archived(key));
      expect(codesOf(await api(query, variables, otherAccount.tokens.production))).toEqual(['RECORD_NOT_FOUND']);
    }
  });

  it('is reported in a list of orders by idempotency key', async () => {
    const query = '{ ordersByKey(kind: RECHARGE, clientRequestIds: ["unknown", "failed"]) { id } }';
    const response = await api(query, {});
    expect(response.body.data).toEqual({ ordersByKey: [null, null] });
    expect(response.body.errors.map(({ path }: { path: unknown }) => path)).toEqual([['ordersByKey', 1]]);
    expect(errorsIn(response)).toEqual(archived('failed'));
  });

  it('allows no client token and no subscription', async () => {
    const id = publicId(orders.success.id);
    const token = 'mutation($id: ID!) { createClientToken(input: { scopes: [ORDER], orderId: $id }) { token } }';
    expect(errorsIn(await api(token, { id }))).toEqual(archived('success'));
    const changes = await fetch(`${console.test.urls.production}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${owner.tokens.production}`,
      },
      body: JSON.stringify({ query: 'subscription($id: ID!) { orderChanged(id: $id) { id } }', variables: { id } }),
    });
    expect(await changes.text()).toContain('ORDER_ARCHIVED');
  });
});

describe('an archived payment in the console', () => {
  const callConsole = (token: string, query: string, variables: object) => console.call(token, query, variables);

  it('is reported as archived to staff and its developer, and not found for other developers', async () => {
    const { id, reference } = orders.reversed;
    const [user, other] = [await console.userOf(owner.id), await console.userOf(otherAccount.id)];
    for (const [query, variables] of [
      ['query($id: ID!) { order(id: $id) { id } }', { id: publicId(id) }],
      ['query($reference: String!) { order(apiRequestId: $reference) { id } }', { reference }],
      ['query($id: ID!) { node(id: $id) { id } }', { id: publicId(id) }],
    ] as const) {
      for (const token of [console.staff.support, user])
        expect(errorsIn(await callConsole(token, query, variables))).toEqual(archived('reversed'));
      expect(codesOf(await callConsole(other, query, variables))).toEqual(['RECORD_NOT_FOUND']);
    }
  });

  it.each([
    ['resolveOrder', 'outcome: FAILED, reason: "old"'],
    ['reverseOrder', 'reason: "old"'],
    ['reverseRefund', 'reason: "old"'],
    ['checkOrderStatus', ''],
  ])('is reported as archived by %s', async (field, more) => {
    const query = `mutation($id: ID!) { ${field}(input: { orderId: $id, ${more} }) { __typename } }`;
    expect(errorsIn(await callConsole(console.staff.admin, query, { id: publicId(orders.failed.id) }))).toEqual(
      archived('failed'),
    );
  });

  it('is reported as archived in a list', async () => {
    const query = `mutation($ids: [ID!]!) {
      resolveOrders(input: { orderIds: $ids, outcome: FAILED, reason: "old" }) { results { result code } } }`;
    const { body } = await callConsole(console.staff.admin, query, { ids: [publicId(orders.failed.id)] });
    expect(body.data.resolveOrders.results).toEqual([{ result: 'REJECTED', code: 'ORDER_ARCHIVED' }]);
  });
});

describe('the idempotency key of an archived payment', () => {
  it.each([
    ['the same recharge', {}],
    ['a recharge with invalid fields, which would be "failed" with any other key', { amount: -1 }],
    ['an operator that does not exist', { operator_sp_key: 99_999 }],
    ['an amount above the wallet balance', { amount: 9_000 }],
  ])('is rejected as archived for %s', async (_name, more) => {
    const { status: httpStatus, body } = await recharge('success', more);
    expect([httpStatus, body.status, body.code]).toEqual([409, 'error', 'IDEMPOTENCY_KEY_REUSED']);
    expect(body).toMatchObject({
      message: expect.stringContaining('archived'),
      api_request_id: orders.success.reference,
    });
  });

  it('is a duplicate for a bill payment, regardless of the bill', async () => {
    for (const fetch_id of [fetchId, 'unknown']) {
      const response = await payBill(console.test, owner, 'production', { orderid: 'payment', fetch_id });
      expect([response.status, response.headers.get('x-order-status')]).toEqual([409, 'success']);
      expect(response.body).toMatchObject({
        code: 'DUPLICATE_ORDER',
        message: expect.stringContaining('archived'),
        order_id: 'payment',
        order_status: 'success',
      });
    }
  });

  it('charges nothing and creates no order', async () => {
    expect(await console.test.db.query('select from orders where developer_id = $1', [owner.id])).toEqual([]);
    expect(await console.test.balance(owner, 'production')).toBe(1_000 - 20);
  });
});
