import { beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { fetchIdOf, payBill } from '../card-bills/card-bills.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place, RECHARGE } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';
import { publicId, signedIn } from './order.fixture.js';

const CARD = '4539578763621486';
/** Documents are compiled from the third use. */
const TIMES = 4;

const FIELDS = `id kind status amount createdAt clientRequestId accountNumber operator { name } card mobile operatorRef
  providerTxnId utr txid`;
const LIST = `{ orders(first: 10) { edges { node { ${FIELDS} } } } }`;

const test = useOwnApp();
let developer: TestDeveloper;
let admin: string;
/** Order IDs by their damaged part. */
const ids: Record<string, string> = {};

/** Simulates a corrupted row, for example after a disk error or a manual change by the database owner. */
async function damage(key: string, column: 'request' | 'answer'): Promise<void> {
  await test.db.query(
    `update orders set ${column} = set_byte(${column}, length(${column}) - 1, get_byte(${column}, length(${column}) - 1) # 1)
     where id = $1`,
    [ids[key]],
  );
}

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  admin = await signedIn(test, 'admin');
  const rememberOrder = async (name: string): Promise<void> => {
    const [row] = await test.db.query<{ id: string }>(
      `select id from orders where developer_id = $1 and operation in ('recharge', 'card_payment') order by id desc limit 1`,
      [developer.id],
    );
    ids[name] = row!.id;
  };
  for (const name of ['whole', 'request', 'answer', 'hidden key']) {
    const key = name === 'hidden key' ? CARD : name;
    await place(test, developer, { client_request_id: key }, 'uat');
    await rememberOrder(name);
  }
  await payBill(test, developer, 'uat', { fetch_id: await fetchIdOf(test, developer, 'uat'), orderid: 'bill' });
  await rememberOrder('bill');
  // compiled after these calls; documents with errors are not kept
  for (let time = 0; time < TIMES; time++) await test.graphql('uat', developer.tokens.uat, LIST);
  for (const key of ['request', 'hidden key', 'bill']) await damage(key, 'request');
  for (const key of ['answer', 'bill']) await damage(key, 'answer');
});

const UNREADABLE_ERROR = { code: 'INTERNAL', message: 'This part of the order can no longer be read.' };

interface Failed {
  message: string;
  path: (string | number)[];
  extensions: { code: string; charged: boolean };
}

/** Names of the failed fields by order. */
function lostIn(errors: Failed[], orderAt: (path: Failed['path']) => { id: string }): Record<string, string[]> {
  const unreadable: Record<string, string[]> = {};
  for (const { message, path, extensions } of errors) {
    expect({ code: extensions.code, message, charged: extensions.charged }).toEqual({
      ...UNREADABLE_ERROR,
      charged: false,
    });
    const { id } = orderAt(path);
    const name = Object.keys(ids).find((key) => publicId(ids[key]!) === id)!;
    (unreadable[name] ??= []).push(String(path.at(-1)));
  }
  for (const names of Object.values(unreadable)) names.sort();
  return unreadable;
}

const ALL_LOST = {
  request: ['accountNumber', 'operator'],
  answer: ['operatorRef'],
  'hidden key': ['accountNumber', 'clientRequestId', 'operator'],
  bill: ['card', 'mobile', 'txid', 'utr'],
};

const at = (data: unknown, path: readonly (string | number)[]): any =>
  path.reduce<any>((value, step) => value[step], data);

describe('an order with an unreadable part', () => {
  it('is listed with its other fields, and with an error at each affected field, by both engines', async () => {
    for (const document of [LIST, `query Interpreted { ${LIST.slice(1)}`]) {
      const { status, body } = await test.graphql('uat', developer.tokens.uat, document);
      expect([status, body.data.orders.edges]).toEqual([200, expect.objectContaining({ length: 5 })]);
      expect(lostIn(body.errors, (path) => at(body.data, path.slice(0, -1)))).toEqual(ALL_LOST);
      const nodes = body.data.orders.edges.map(({ node }: { node: object }) => node);
      for (const node of nodes)
        expect(node).toMatchObject({ status: 'SUCCESS', amount: 10, createdAt: expect.anything() });
      const intact = nodes.find(({ id }: { id: string }) => id === publicId(ids.whole!));
      expect(intact).toMatchObject({ accountNumber: '9876543210', operator: { name: expect.anything() } });
    }
  });

  it.each([
    ['uat', 'order', (id: string) => `{ found: order(id: "${id}") { ${FIELDS} } }`],
    ['uat', 'node', (id: string) => `{ found: node(id: "${id}") { ... on Order { ${FIELDS} } } }`],
    ['console', 'order', (id: string) => `{ found: order(id: "${id}") { ${FIELDS} } }`],
  ] as const)('is found by %s %s', async (host, _name, documentOf) => {
    const { body } = await test.graphql(
      host,
      host === 'uat' ? developer.tokens.uat : admin,
      documentOf(publicId(ids.request!)),
    );
    expect(lostIn(body.errors, () => body.data.found)).toEqual({ request: ALL_LOST.request });
    expect(body.data.found).toMatchObject({ status: 'SUCCESS', accountNumber: null, clientRequestId: 'request' });
  });

  it('is shown in the console list and through statement entries', async () => {
    const staff = await test.graphql('console', admin, LIST);
    expect(lostIn(staff.body.errors, (path) => at(staff.body.data, path.slice(0, -1)))).toEqual(ALL_LOST);
    const lines = await test.graphql(
      'uat',
      developer.tokens.uat,
      `{ wallet { statement(first: 50) { edges { node { amount order { ${FIELDS} } } } } } }`,
    );
    const { edges } = lines.body.data.wallet.statement;
    expect(edges.filter(({ node }: { node: { order: unknown } }) => node.order).length).toBeGreaterThanOrEqual(5);
    const unreadable = lostIn(lines.body.errors, (path) => at(lines.body.data, path.slice(0, -1)));
    expect(Object.keys(unreadable).toSorted()).toEqual(Object.keys(ALL_LOST).toSorted());
  });

  it('is in the review queue with the known fields', async () => {
    await test.db.query(
      `insert into order_review (order_id, developer_id, reason) select id, developer_id, 'review' from orders where id = $1`,
      [ids.request],
    );
    const { body } = await test.graphql(
      'console',
      admin,
      `{ reviewOrders(first: 5) { edges { node { provider order { ${FIELDS} } } } } }`,
    );
    await test.db.query('delete from order_review where order_id = $1', [ids.request]);
    const [{ node }] = body.data.reviewOrders.edges;
    expect(node.order).toMatchObject({ id: publicId(ids.request!), amount: 10, accountNumber: null });
    expect(lostIn(body.errors, () => node.order)).toEqual({ request: ALL_LOST.request });
  });

  it('is listed over REST, in exports and by its status with null for the unreadable part', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { status, body } = await test.rest('uat', 'GET', '/api/v1/orders?limit=10', developer.tokens.uat);
      expect([status, body.data.length]).toEqual([200, 5]);
      const found = body.data.find((entry: any) => entry.client_request_id === 'request');
      expect(found).toMatchObject({ status: 'success', amount: 10, account_number: null, operator: null });
    }
    const statusResponse = await test.rest(
      'uat',
      'GET',
      `${RECHARGE}/status?client_request_id=answer`,
      developer.tokens.uat,
    );
    expect([statusResponse.status, statusResponse.body.status, statusResponse.body.data]).toEqual([
      200,
      'success',
      expect.objectContaining({ amount: 10, account_number: '9876543210', operator_ref: '' }),
    ]);
    const today = indianDay(new Date());
    const file = await fetch(`${test.urls.uat}/api/v1/orders.csv?from=${today}&to=${today}`, {
      headers: { authorization: `Bearer ${developer.tokens.uat}` },
    });
    expect([file.status, (await file.text()).trim().split('\n').length]).toEqual([200, 6]);
  });

  it('is counted once, however often it is requested', async () => {
    const text = await (await fetch(`${test.urls.uat}/metrics`)).text();
    expect(text).toContain('gateway_orders_unreadable_total{part="request"} 3');
    expect(text).toContain('gateway_orders_unreadable_total{part="answer"} 2');
  });
});
