import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fetchIdOf, payBill } from '../card-bills/card-bills.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';
import { startReceiver } from '../webhooks/receiver.fixture.js';
import { RECHARGE_STATUS, signedIn } from './order.fixture.js';

const CARD = '4539578763621486';
const DEVANAGARI = '४५३९५७८७६३६२१४८६';
const CARD_STATUS = '/api/v1/bill-payment/credit-card/status';

const test = useOwnApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000, provider: 'MOKSHIQ' });
});
afterEach(async () => {
  expect(await plaintextWith(CARD)).toEqual([]);
  expect(await plaintextWith(DEVANAGARI)).toEqual([]);
});

/** Rows of every table that contain a text. */
async function plaintextWith(text: string): Promise<string[]> {
  const tables = await test.db.query<{ name: string }>(`select format('%I.%I', table_schema, table_name) as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const rows: string[] = [];
  for (const { name } of tables)
    for (const { row } of await test.db.query<{ row: string }>(
      `select t::text as row from ${name} t where t::text like $1`,
      [`%${text}%`],
    ))
      rows.push(`${name}: ${row}`);
  return rows;
}

const recharge = (key: string, more: object = {}, environment: 'uat' | 'production' = 'uat') =>
  place(test, developer, { client_request_id: key, ...more }, environment);
const send = (path: string, query: Record<string, string>, environment: 'uat' | 'production' = 'uat') =>
  test.rest(environment, 'GET', `${path}?${new URLSearchParams(query)}`, developer.tokens[environment]);
const ORDER =
  'query($key: String!, $kind: OrderKind!) { order(kind: $kind, clientRequestId: $key) { apiRequestId clientRequestId status } }';

describe('an idempotency key that contains a card number', () => {
  it.each([CARD, `ORD-${CARD}-7`, `क्रम ${DEVANAGARI}`, `h:${'x'.repeat(43)}`])(
    'is accepted: "%s" is processed, replayed and found like any other',
    async (key) => {
      const first = await recharge(key);
      expect([first.status, first.body.data.client_request_id]).toEqual([200, key]);
      const retry = await recharge(key);
      expect(retry.body).toEqual(first.body);
      expect(retry.headers.get('idempotent-replayed')).toBe('true');
      expect((await recharge(key, { amount: 11 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
      const queries: Record<string, string>[] = [
        { client_request_id: key },
        { api_request_id: first.body.data.api_request_id },
      ];
      for (const query of queries) expect((await send(RECHARGE_STATUS, query)).body.data).toEqual(first.body.data);
      const { body } = await test.graphql('uat', developer.tokens.uat, ORDER, { key, kind: 'RECHARGE' });
      expect(body.data.order).toEqual({
        apiRequestId: first.body.data.api_request_id,
        clientRequestId: key,
        status: 'SUCCESS',
      });
    },
  );

  it('cannot be looked up by its hash', async () => {
    const [{ client_key }] = (await test.db.query(
      `select client_key from orders where developer_id = $1 and client_key like 'h:%'`,
      [developer.id],
    )) as [{ client_key: string }];
    expect((await send(RECHARGE_STATUS, { client_request_id: client_key })).status).toBe(404);
    const { body } = await recharge(client_key, { account_number: '9876543219' });
    expect(body.data.client_request_id).toBe(client_key);
  });

  it('creates one payment, however often it is sent', async () => {
    const fetch_id = await fetchIdOf(test, developer, 'uat');
    const pay = () => payBill(test, developer, 'uat', { fetch_id, orderid: CARD });
    expect((await pay()).status).toBe(200);
    const duplicate = await pay();
    expect(duplicate.body.code).toBe('DUPLICATE_ORDER');
    expect(JSON.stringify(duplicate.body)).toContain(CARD);
    const found = await send(CARD_STATUS, { orderid: CARD });
    expect(found.body).toMatchObject({ data: { orderid: CARD } });
    const other = await payBill(test, developer, 'uat', { fetch_id, orderid: 'another' });
    expect(other.body.errors.fetch_id).toBeDefined();
  });

  it('creates one payment for simultaneous requests', async () => {
    const fetch_id = await fetchIdOf(test, developer, 'uat');
    const responses = await Promise.all(
      [1, 2, 3].map(() => payBill(test, developer, 'uat', { fetch_id, orderid: `P${CARD}` })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'DUPLICATE_ORDER')).toHaveLength(2);
  });

  it('is unmodified in the webhook and not stored in any column', async ({ onTestFinished }) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await test.app.webhooks.endpoints.create(
      { developerId: developer.id, environment: 'uat' },
      { url: receiver.url },
      {
        by: seed,
        clientId: null,
      },
    );
    await recharge(`W ${CARD}`);
    const [message] = await receiver.has(1);
    expect(message!.body.data.client_request_id).toBe(`W ${CARD}`);
    const [delivery] = await test.db.query<{ client_key: string }>('select client_key from webhook_delivery');
    expect(delivery!.client_key).toMatch(/^h:/);
  });

  it('is shown to administrators who resolve the order', async () => {
    const pending = await recharge(
      `R ${CARD}`,
      { account_number: '9876540007', operator_sp_key: 37, circle: '10' },
      'production',
    );
    expect([pending.status, pending.body.status]).toEqual([200, 'pending']);
    const admin = await signedIn(test, 'admin');
    const { body } = await test.graphql(
      'console',
      admin,
      '{ reviewOrders(first: 10) { edges { node { order { clientRequestId } } } } }',
    );
    expect(body.data.reviewOrders.edges).toEqual([{ node: { order: { clientRequestId: `R ${CARD}` } } }]);
  });

  it('never appears in the statement', async () => {
    const { body } = await test.graphql(
      'uat',
      developer.tokens.uat,
      '{ wallet { statement(first: 200) { edges { node { reference } } } } }',
    );
    const { edges } = body.data.wallet.statement;
    expect(edges.length).toBeGreaterThan(3);
    expect(JSON.stringify(edges)).not.toContain(CARD);
  });

  it.each([CARD, DEVANAGARI])('is not sent to the provider of a lookup: "L%s"', async (number) => {
    const { status, body } = await test.rest(
      'production',
      'POST',
      '/api/v1/plan/operator-fetch',
      developer.tokens.production,
      {
        mobile: '9468455123',
        orderid: `L${number}`,
      },
    );
    expect([status, body.data.orderid]).toEqual([200, `L${number}`]);
    const calls = await test.simulator.calls();
    expect(calls.filter(({ path }) => path.endsWith('operator_fetch'))).not.toEqual([]);
    expect(JSON.stringify(calls)).not.toContain(number);
  });

  it('is also hidden if it was sent in a header', async () => {
    const key = `H ${DEVANAGARI}`;
    const first = await place(test, developer, {}, 'uat', {
      'idempotency-key': Buffer.from(key).toString('latin1'),
    });
    expect([first.status, first.body.data.client_request_id]).toEqual([200, key]);
  });
});
