import { beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import type { Environment } from '../../src/core/environment.js';
import { knownFetchId, owner, payBill } from '../card-bills/card-bills.fixture.js';
import { inReview } from '../orders/order.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { failure, mismatches } from './schemas/common.js';
import * as schemas from './schemas/lists.schemas.js';

const ORDERS = '/api/v1/orders';
const STATEMENT = '/api/v1/wallet/statement';

const test = useSharedApp();
let developer: TestDeveloper;
let otherAccount: TestDeveloper;

type Query = Readonly<Record<string, unknown>> | string;

const get = (
  path: string,
  query: Query = {},
  account = developer,
  environment: Environment = 'uat',
): Promise<TestResponse> => {
  const queryString = typeof query === 'string' ? query : String(new URLSearchParams(query as Record<string, string>));
  return test.rest(environment, 'GET', `${path}?${queryString}`, account.tokens[environment]);
};

const send = async (query: string, environment: Environment = 'uat') =>
  (await test.graphql(environment, developer.tokens[environment], query)).body.data;

const recharge = (client_request_id: string, more: object = {}, environment: Environment = 'uat') =>
  place(test, developer, { client_request_id, ...more }, environment);

beforeAll(async () => {
  [developer, otherAccount] = [await test.developer({ rateLimitPerMinute: 1_000 }), await test.developer()];
  await recharge('first', { amount: 11, account_number: '9812345678' });
  await recharge('second', { amount: 12.5 });
  await recharge('declined', { account_number: '9876540001' });
  await inReview(test, developer, { key: 'pending', environment: 'uat' });
  const fetch_id = await knownFetchId(test, developer, 'uat', owner.mobile);
  await payBill(test, developer, 'uat', { orderid: 'paid', fetch_id });
  await recharge('in production', {}, 'production');
});

/** Newest first. */
const ALL = ['paid', 'pending', 'declined', 'second', 'first'];
const keysOf = ({ body }: TestResponse): string[] =>
  body.data.map(({ client_request_id }: { client_request_id: string }) => client_request_id);
const found = async (query: Query): Promise<string[]> => keysOf(await get(ORDERS, query));
/** Validates the shape of a validation error and returns its fields. */
const problemsOf = ({ status, body }: TestResponse): Record<string, string[]> => {
  expect(mismatches(failure('error'), body)).toEqual([]);
  expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
  return body.errors;
};

describe('reference lists for a user interface', () => {
  it('contain every operator with the codes used by other calls', async () => {
    const { status, body } = await get('/api/v1/operators');
    expect(status).toBe(200);
    expect(mismatches(schemas.operators, body)).toEqual([]);
    const { operators } = await send('{ operators { name spKey opcode } }');
    expect(body.data.map((row: any) => [row.name, row.operator_sp_key, row.opcode])).toEqual(
      operators.map((row: any) => [row.name, row.spKey, row.opcode]),
    );
    const order = await Promise.all(
      body.data.map(({ operator_sp_key, operator_type }: any) =>
        recharge(`by ${operator_sp_key}`, {
          operator_sp_key,
          operator_type,
          account_number: operator_type === 'mobile' ? '9876543210' : '1234567890',
        }),
      ),
    );
    expect(order.map((response) => response.body.status)).toEqual(body.data.map(() => 'success'));
  });

  it('filter operators by type in any case, and report the valid types for an unknown one', async () => {
    for (const [word, count] of [
      ['mobile', 5],
      ['DTH', 5],
    ] as const) {
      const { body } = await get('/api/v1/operators', { operator_type: word });
      const types = new Set(body.data.map(({ operator_type }: { operator_type: string }) => operator_type));
      expect([...types, body.data.length]).toEqual([word.toLowerCase(), count]);
    }
    const rejection = await get('/api/v1/operators', { operator_type: 'landline' });
    expect(problemsOf(rejection)).toEqual({ operator_type: ['Must be one of mobile, dth.'] });
  });

  it('contain circles with their leading zero, and banks', async () => {
    const circles = await get('/api/v1/circles');
    expect(mismatches(schemas.circles, circles.body)).toEqual([]);
    expect(circles.body.data).toHaveLength(30);
    expect(circles.body.data).toContainEqual({ code: '06', name: 'Karnataka' });
    const banks = await get('/api/v1/banks');
    expect(mismatches(schemas.banks, banks.body)).toEqual([]);
    expect(banks.body.data).toEqual((await send('{ banks { opcode name } }')).banks);
  });
});

describe('the balance', () => {
  it('shows the available and held amounts of this environment', async () => {
    const { body } = await get('/api/v1/wallet/balance');
    expect(mismatches(schemas.balance, body)).toEqual([]);
    expect(body.data).toEqual({ balance: await test.balance(developer, 'uat'), held: 10, environment: 'uat' });
    const live = await get('/api/v1/wallet/balance', {}, developer, 'production');
    expect(live.body.data).toEqual({ balance: 9_990, held: 0, environment: 'production' });
  });
});

describe('orders', () => {
  const own = (keys: string[]): string[] => keys.filter((key) => ALL.includes(key));

  it('are listed newest first with their REST status and known details', async () => {
    const response = await get(ORDERS, { limit: 200 });
    expect(response.status).toBe(200);
    expect(mismatches(schemas.orders, response.body)).toEqual([]);
    expect(own(keysOf(response))).toEqual(ALL);
    const rowOf = (key: string) => response.body.data.find((row: any) => row.client_request_id === key);
    expect(rowOf('second')).toMatchObject({
      kind: 'recharge',
      status: 'success',
      code: null,
      reason: null,
      amount: 12.5,
      refunded: 0,
      account_number: '9876543210',
      operator: 'Jio',
      operator_sp_key: 116,
      operator_ref: expect.stringMatching(/^BR/),
      card: null,
      reversed_at: null,
    });
    expect(rowOf('declined')).toMatchObject({
      status: 'failed',
      code: 'PROVIDER_DECLINED',
      reason: 'NUMBER_NOT_ON_OPERATOR',
      refunded: 10,
    });
    expect(rowOf('pending')).toMatchObject({ status: 'pending', code: null, operator_ref: null, settled_at: null });
    expect(rowOf('paid')).toMatchObject({
      kind: 'card_payment',
      card: 'xxxx3008',
      account_number: null,
      operator: null,
    });
  });

  it('are paginated until next_cursor is missing, each listed once', async () => {
    const allKeys = keysOf(await get(ORDERS, { limit: 200 }));
    const read: string[] = [];
    let cursor: string | null | undefined;
    do {
      const response: TestResponse = await get(ORDERS, { limit: 4, ...(cursor && { cursor }) });
      read.push(...keysOf(response));
      cursor = response.body.next_cursor;
    } while (cursor !== null);
    expect(read).toEqual(allKeys);
    expect((await get(ORDERS)).body.data.length).toBe(Math.min(20, allKeys.length));
  });

  it.each<[string, Query, string[]]>([
    ['the idempotency key', { client_request_id: 'second' }, ['second']],
    ['the idempotency key of a bill payment', { client_request_id: 'paid' }, ['paid']],
    ['the account number', { account_number: '9812345678' }, ['first']],
    ['one status', { status: 'failed', from: today() }, ['declined']],
    ['two statuses separated by commas', { status: 'failed,Pending', from: today() }, ['pending', 'declined']],
    ['two statuses as repeated parameters', `status=failed&status=pending&from=${today()}`, ['pending', 'declined']],
    ['the kind of order', { kind: 'card_payment', from: today() }, ['paid']],
    ['the amount as a string', { amount: '12.50', from: today(), to: today() }, ['second']],
    ['the last four digits of a card', { card_last4: '3008' }, ['paid']],
    ['the last four digits of a different card', { card_last4: '3009' }, []],
    ['a range of amounts', { min_amount: 11, max_amount: '12.50', operator_sp_key: 116 }, ['second', 'first']],
    ['decline reasons in any case', { decline_reason: 'number_not_on_operator,LIMIT_REACHED' }, ['declined']],
    ['a reference that is an idempotency key', { reference: 'paid' }, ['paid']],
    ['a status without a date range', { status: 'failed' }, ['declined']],
    ['a reference without a match', { utr: 'none' }, []],
    ['an idempotency key of the other environment', { client_request_id: 'in production' }, []],
    ['an earlier date range', { to: '2026-01-31' }, []],
  ])('are found by %s', async (_name, query, keys) => {
    expect(await found(query)).toEqual(keys);
  });

  it('are found by each reference that a response contains', async () => {
    const { body } = await get(ORDERS, { client_request_id: 'second' });
    const [row] = body.data;
    for (const name of ['api_request_id', 'operator_ref', 'provider_txn_id'])
      for (const parameter of [name, 'reference'])
        expect([name, await found({ [parameter]: row[name] })]).toEqual([name, ['second']]);
    const [paid] = (await get(ORDERS, { client_request_id: 'paid' })).body.data;
    expect(await found({ utr: paid.utr })).toEqual(['paid']);
    expect(await found({ reference: paid.utr })).toEqual(['paid']);
  });

  it('return the start of the searched period if the request has none', async () => {
    const { body } = await get(ORDERS, { kind: 'recharge', to: '2026-01-31' });
    expect(mismatches(schemas.orders, body)).toEqual([]);
    expect(body).toMatchObject({ data: [], searched_from: '2025-11-01T00:00:00+05:30' });
    expect((await get(ORDERS, { kind: 'recharge', from: today() })).body.searched_from).toBeNull();
  });

  it('are filtered by timestamps, even with an unencoded "+"', async () => {
    const { orders } = await send(
      '{ orders(filter: { clientRequestId: "declined" }) { edges { node { createdAt } } } }',
    );
    const { createdAt } = orders.edges[0].node;
    expect(createdAt).toContain('+05:30');
    expect(own(await found(`limit=200&to=${createdAt}`))).toEqual(['second', 'first']);
    expect(own(await found({ limit: 200, from: createdAt }))).toEqual(['paid', 'pending', 'declined']);
  });

  it('are limited to this account and environment', async () => {
    expect(keysOf(await get(ORDERS, {}, otherAccount))).toEqual([]);
    const [{ api_request_id }] = (await get(ORDERS, { client_request_id: 'second' })).body.data;
    expect(keysOf(await get(ORDERS, { api_request_id }, otherAccount))).toEqual([]);
    expect(keysOf(await get(ORDERS, { api_request_id }, developer, 'production'))).toEqual([]);
    expect(keysOf(await get(ORDERS, { client_request_id: 'second' }, otherAccount))).toEqual([]);
    const { body } = await get(ORDERS, {}, developer, 'production');
    expect(mismatches(schemas.orders, body)).toEqual([]);
    expect(keysOf(await get(ORDERS, {}, developer, 'production'))).toEqual(['in production']);
    // a cursor of another account is valid, but shows only orders of the caller
    const { next_cursor } = (await get(ORDERS, { limit: 1 })).body;
    expect(keysOf(await get(ORDERS, { cursor: next_cursor }, otherAccount))).toEqual([]);
  });

  it.each<[string, Query, Record<string, unknown>]>([
    ['an unknown kind', { kind: 'lookup' }, { kind: ['Must be one of recharge, card_payment.'] }],
    [
      'an unknown status',
      { status: 'failed,lost', from: today() },
      { status: [expect.stringMatching(/^Must be one of success/)] },
    ],
    ['a repeated status', { status: 'failed,failed', from: today() }, { status: [expect.any(String)] }],
    ['a card filter for recharges', { kind: 'recharge', card_last4: '3008' }, { card_last4: [expect.any(String)] }],
    ['an incomplete request ID', { api_request_id: 'x' }, { api_request_id: [expect.any(String)] }],
    ['a range of a year', { kind: 'recharge', from: '2025-01-01' }, { from: [expect.stringMatching(/92 days/)] }],
    ['a reversed range', { from: '2026-02-01', to: '2026-01-01' }, { to: [expect.any(String)] }],
    ['a date that does not exist', { from: '2026-02-30' }, { from: [expect.stringMatching(/a date in the form/)] }],
    ['an unreadable date', { to: 'yesterday' }, { to: [expect.stringMatching(/a date in the form/)] }],
    ['a page size of zero', { limit: 0 }, { limit: ['Must be between 1 and 200.'] }],
    ['a page size over the limit', { limit: 201 }, { limit: ['Must be between 1 and 200.'] }],
    ['a fractional page size', { limit: '1.5' }, { limit: [expect.any(String)] }],
    ['an invalid cursor', { cursor: 'next' }, { cursor: ['Must be a cursor of this list.'] }],
    ['an amount of zero', { amount: 0, from: today() }, { amount: ['Must be greater than 0.'] }],
    [
      'several errors',
      { limit: 'x', status: 'x', from: today() },
      { limit: [expect.any(String)], status: [expect.any(String)] },
    ],
  ])('are rejected for %s', async (_name, query, errors) => {
    expect(problemsOf(await get(ORDERS, query))).toEqual(errors);
  });
});

it('a list shares its rate limit with the GraphQL field and returns the remaining requests', async () => {
  const busy = await test.developer({ rateLimitPerMinute: 2 });
  await test.graphql('uat', busy.tokens.uat, '{ orders { pageInfo { hasNextPage } } }');
  const { headers } = await get(ORDERS, {}, busy);
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
  const { status, body } = await get(ORDERS, {}, busy);
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect((await get(STATEMENT, {}, busy)).status).toBe(200);
});

/** Current date in India. */
function today(): string {
  return indianDay(new Date());
}
