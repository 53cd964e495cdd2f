import { beforeAll, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../src/graphql/execution/format-error.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { place, rechargeInput } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

const send = (query: string, variables?: object): Promise<TestResponse> =>
  test.graphql('uat', developer.tokens.uat, query, variables);
const RECHARGE = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { status } } }';
const DECLINED_LOOKUP = '{dthNumber: "9876540001", opcode: TTV, clientRequestId: "failed"}';
const right = rechargeInput();

/** `fields` of the only error, by path, without the messages. */
async function rulesOf(query: string, variables?: object): Promise<Record<string, unknown>> {
  const { body } = await send(query, variables);
  expect(body.errors).toHaveLength(1);
  return Object.fromEntries(
    body.errors[0].extensions.fields.map(({ path, message, ...rule }: { path: string; message: string }) => {
      expect(message).toMatch(/^[A-Z].*\.$/);
      return [path, rule];
    }),
  );
}

describe('every error states whether the request can be retried, and the effect on the money', () => {
  it.each([
    ['an invalid document', '{', false, false],
    ['an unknown field', '{ nothing }', false, false],
    ['an unknown order', '{ order(kind: RECHARGE, clientRequestId: "nothing") { id } }', false, false],
    ['a refunded fee', `{ dthInfo(input: ${DECLINED_LOOKUP}) { fee } }`, true, false],
    ['an invalid recharge', RECHARGE, false, false, { input: { ...right, amount: 0 } }],
  ])('%s', async (_name, query, retryable, charged, variables?: object) => {
    const { body } = await send(query, variables);
    expect(body.errors[0].extensions).toMatchObject({ retryable, charged, requestId: expect.any(String) });
  });
});

it('a decline is not an error: the order has the reason, the refund, and whether a retry can succeed', async () => {
  const query = `mutation($input: RechargeInput!) { recharge(input: $input) {
    order { status refunded decline { reason message retryable } } replayed } }`;
  const { body } = await send(query, { input: { ...right, accountNumber: '9876540001' } });
  expect(body.errors).toBeUndefined();
  expect(body.data.recharge).toEqual({
    order: {
      status: 'FAILED',
      refunded: 10,
      decline: {
        reason: 'NUMBER_NOT_ON_OPERATOR',
        message: 'The number belongs to another operator.',
        retryable: false,
      },
    },
    replayed: false,
  });
});

it('an error names fields as in GraphQL, and as in REST over REST', async () => {
  const order = { ...right, clientRequestId: 'names' };
  expect((await send(RECHARGE, { input: order })).body.errors).toBeUndefined();
  const { body } = await send(RECHARGE, { input: { ...order, amount: 11 } });
  expect(body.errors[0].message).toBe('This clientRequestId was already used for a different request.');
  const rest = await place(test, developer, { amount: 11, client_request_id: 'names' }, 'uat');
  expect(rest.body.message).toBe('This client_request_id was already used for a different request.');
});

it('a connection lost during a request may have cost money, one that was never established has not', () => {
  const connectionError = appErrorOf(Object.assign(new Error('lost'), { code: '08006' }));
  const never = appErrorOf(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  expect([connectionError, never].map(({ code, charged }) => [code, charged])).toEqual([
    ['DEPENDENCY_DOWN', true],
    ['DEPENDENCY_DOWN', false],
  ]);
});

describe('an invalid field names the violated rule', () => {
  it('of its type', async () => {
    const input = { accountNumber: 1, amount: 1.005, operatorSpKey: 'x', operatorType: 'mobile', more: 1 };
    expect(await rulesOf(RECHARGE, { input })).toEqual({
      'input.more': { rule: 'UNKNOWN_FIELD' },
      'input.accountNumber': { rule: 'TYPE' },
      'input.amount': { rule: 'DECIMALS' },
      'input.operatorSpKey': { rule: 'TYPE' },
      'input.operatorType': { rule: 'ENUM', allowed: ['MOBILE', 'DTH'] },
    });
    expect(await rulesOf(RECHARGE, { input: {} })).toEqual({
      'input.accountNumber': { rule: 'REQUIRED' },
      'input.amount': { rule: 'REQUIRED' },
      'input.operatorSpKey': { rule: 'REQUIRED' },
      'input.operatorType': { rule: 'REQUIRED' },
    });
    const days = '{ wallet { days(from: "1.2.2026", to: "2026-02-01") { date } } }';
    expect(await rulesOf(days)).toEqual({ from: { rule: 'PATTERN' } });
    const optional = 'query($c: Boolean = false) { me { id @include(if: $c) } }';
    expect(await rulesOf(optional, { c: null })).toEqual({ c: { rule: 'NULL' } });
    const spare = Array.from({ length: 2_001 }, () => 1);
    expect(await rulesOf('{ me { id } }', { spare })).toEqual({ spare: { rule: 'ITEMS' } });
  });

  it.each([1e13, -1e13, 1e15, 9007199254740992])('of the range of amounts: %d', async (amount) => {
    const limit = 9_999_999_999_999.99;
    const { body } = await send(RECHARGE, { input: { ...right, amount } });
    expect(body.errors[0].extensions.fields).toEqual([
      {
        path: 'input.amount',
        rule: 'RANGE',
        min: -limit,
        max: limit,
        message: 'Must be between -9999999999999.99 and 9999999999999.99 rupees.',
      },
    ]);
    const rest = await place(test, developer, { amount }, 'uat');
    expect([rest.status, rest.body.message]).toEqual([
      400,
      'amount: Must be between -9999999999999.99 and 9999999999999.99 rupees.',
    ]);
  });

  it('of the field, with its limits', async () => {
    const input = { accountNumber: '1', amount: 0, operatorSpKey: 0, operatorType: 'MOBILE', geocode: '' };
    expect(await rulesOf(RECHARGE, { input })).toEqual({
      'input.accountNumber': { rule: 'PATTERN' },
      'input.amount': { rule: 'RANGE', min: 0.01 },
      'input.operatorSpKey': { rule: 'RANGE', min: 1 },
      'input.geocode': { rule: 'TEXT', min: 1, max: 50 },
    });
    expect(await rulesOf(RECHARGE, { input: { ...right, amount: 25_001 } })).toEqual({
      'input.amount': { rule: 'RANGE', max: 25_000 },
    });
    expect(await rulesOf('{ wallet { statement(first: 1000) { edges { cursor } } } }')).toEqual({
      first: { rule: 'RANGE', min: 1, max: 200 },
    });
    expect(await rulesOf('{ wallet { statement(first: 1, after: "none") { edges { cursor } } } }')).toEqual({
      after: { rule: 'REFERENCE' },
    });
    expect(await rulesOf('{ order(kind: RECHARGE) { id } }')).toEqual({ clientRequestId: { rule: 'COMBINATION' } });
  });

  it('once for each rule, each with a separate message', async () => {
    const pay = 'mutation($input: FetchCardBillInput!) { fetchCardBill(input: $input) { bill { fetchId } } }';
    const input = { card: '#4111 1111 1111 1111#', mobile: '9876543210', opcode: 'A', clientRequestId: 'card' };
    const { body } = await send(pay, { input });
    const { fields } = body.errors[0].extensions;
    expect(fields.map(({ path, rule }: Record<string, string>) => [path, rule])).toEqual([
      ['input.card', 'PATTERN'],
      ['input.card', 'PATTERN'],
    ]);
    expect(new Set(fields.map(({ message }: Record<string, string>) => message)).size).toBe(2);
  });
});

it('a rejected nested field does not affect its parent', async () => {
  const { body } = await send(
    '{ wallet { balance statement(first: 500) { edges { cursor } } days(from: "2026-01-02", to: "2026-01-01") { date } } }',
  );
  expect(body.data.wallet).toEqual({ balance: expect.any(Number), statement: null, days: null });
  expect(body.errors.map(({ path }: { path: string[] }) => path.at(-1)).toSorted()).toEqual(['days', 'statement']);
});

describe('the message for several invalid fields', () => {
  const messageOf = async (query: string, variables?: object): Promise<string> =>
    (await send(query, variables)).body.errors[0].message;

  it('names the first one and the number of others', async () => {
    const invalid = { accountNumber: '1', amount: 0 };
    const first = 'accountNumber: Must be a 10-digit mobile number or, for DTH, 4 to 20 letters, digits and hyphens.';
    expect(await messageOf(RECHARGE, { input: { ...right, ...invalid } })).toBe(`${first} 1 more field is invalid.`);
    const all = { ...right, ...invalid, operatorSpKey: 0 };
    expect(await messageOf(RECHARGE, { input: all })).toBe(`${first} 2 more fields are invalid.`);
    expect(await messageOf(RECHARGE, { input: { ...right, accountNumber: '1' } })).toBe(first);
  });

  it('counts a name in each place where it is invalid', async () => {
    expect(
      await messageOf(
        '{ a: order(kind: A, clientRequestId: "a") { id } b: order(kind: B, clientRequestId: "a") { id } }',
      ),
    ).toMatch(/ 1 more field is invalid\.$/);
  });

  it('counts a field with two violated rules once, and is the same over REST', async () => {
    const bill = { card: '#4111 1111 1111 1111#', mobile: '9876543210', opcode: 'A', orderid: 'two' };
    const pay = 'mutation($input: FetchCardBillInput!) { fetchCardBill(input: $input) { bill { fetchId } } }';
    const { orderid: clientRequestId, ...fields } = bill;
    expect(await messageOf(pay, { input: { ...fields, clientRequestId } })).not.toMatch(/more/);
    const rest = await place(test, developer, { account_number: '1', amount: 0 }, 'uat');
    expect(rest.body).toEqual({
      status: 'failed',
      message: 'account_number: Must be a 10-digit mobile number or, for DTH, 4 to 20 letters, digits and hyphens.',
      code: 'VALIDATION_FAILED',
      doc_url: `${test.urls.uat}/docs/errors#VALIDATION_FAILED`,
      request_id: expect.any(String),
      errors: {
        account_number: ['Must be a 10-digit mobile number or, for DTH, 4 to 20 letters, digits and hyphens.'],
        amount: ['Must be greater than 0.'],
      },
    });
  });
});
