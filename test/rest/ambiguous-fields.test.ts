import { beforeAll, describe, expect, it } from 'vitest';
import { ambiguousNames } from '../../src/http/requests/bodies.js';
import { fetchIdOf, owner, PAY } from '../card-bills/card-bills.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const RECHARGE = '/api/v1/recharge';
const MESSAGE = 'Must not be sent more than once with different values.';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

type Fields = readonly (readonly [name: string, value: string])[];

/** Encodes the same fields as each body type that payment calls accept. JSON values are used verbatim. */
const bodies: Record<string, (fields: Fields) => [body: string, type: string]> = {
  json: (fields) => [`{${fields.map(([name, value]) => `"${name}": ${value}`).join(',\n')}}`, 'application/json'],
  urlencoded: (fields) => [
    new URLSearchParams(fields.map(([name, value]) => [name, textOf(value)])).toString(),
    'application/x-www-form-urlencoded',
  ],
  multipart: (fields) => [
    `${fields
      .map(([name, value]) => `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${textOf(value)}\r\n`)
      .join('')}--cut--\r\n`,
    'multipart/form-data; boundary=cut',
  ],
};
const textOf = (value: string): string => value.replaceAll('"', '');
const kinds = Object.keys(bodies);

const send = (path: string, kind: string, fields: Fields) => {
  const [body, type] = bodies[kind]!(fields);
  return test.rest('uat', 'POST', path, developer.tokens.uat, body, { 'content-type': type });
};
const recharge = (key: string): Fields => [
  ['account_number', '"9876543210"'],
  ['amount', '10'],
  ['operator_sp_key', '116'],
  ['operator_type', '"mobile"'],
  ['client_request_id', `"${key}"`],
];
const ordersOf = async (key: string): Promise<number[]> =>
  (
    await test.db.query<{ paise: string }>(
      'select amount_paise as paise from orders where developer_id = $1 and client_key = $2',
      [developer.id, key],
    )
  ).map(({ paise }) => Number(paise) / 100);

describe('a field sent twice in a payment call', () => {
  it.each(kinds)('is rejected by name if the values differ, and nothing is charged: %s', async (kind) => {
    const { status, body } = await send(RECHARGE, kind, [['amount', '1'], ...recharge(`twice ${kind}`)]);
    expect([status, body.code, body.errors]).toEqual([400, 'VALIDATION_FAILED', { amount: [MESSAGE] }]);
    expect(await ordersOf(`twice ${kind}`)).toEqual([]);
  });

  it.each(kinds)('is reported together with other errors, except if the field is unknown: %s', async (kind) => {
    const { body } = await send(RECHARGE, kind, [
      ['operator_sp_key', '37'],
      ['note', '"a"'],
      ['note', '"b"'],
      ...recharge(`more ${kind}`).filter(([name]) => name !== 'amount'),
      ['amount', '-1'],
    ]);
    expect(body.errors).toEqual({ operator_sp_key: [MESSAGE], amount: ['Must be greater than 0.'] });
  });

  it.each(kinds)('is accepted if the values are equal: %s', async (kind) => {
    const { status } = await send(RECHARGE, kind, [...recharge(`equal ${kind}`), ['amount', '10']]);
    expect([status, await ordersOf(`equal ${kind}`)]).toEqual([200, [10]]);
  });

  it.each(kinds)('returns IDEMPOTENCY_KEY_REUSED for a used key, and rejects two different keys: %s', async (kind) => {
    const key = `known ${kind}`;
    await send(RECHARGE, kind, recharge(key));
    const retry = await send(RECHARGE, kind, [['amount', '1'], ...recharge(key)]);
    expect([retry.status, retry.body.status, retry.body.code]).toEqual([409, 'error', 'IDEMPOTENCY_KEY_REUSED']);
    const other = await send(RECHARGE, kind, [['client_request_id', '"another"'], ...recharge(key)]);
    expect([other.status, other.body.errors]).toEqual([400, { client_request_id: [MESSAGE] }]);
    expect([await ordersOf(key), await ordersOf('another')]).toEqual([[10], []]);
  });

  it('is detected when sent as a list and as text', async () => {
    const { body } = await send(RECHARGE, 'urlencoded', [['amount[]', '10'], ...recharge('a list')]);
    expect(body.errors).toEqual({ amount: [MESSAGE] });
  });

  it.each(kinds)('is rejected in a bill payment: %s', async (kind) => {
    const fetch_id = await fetchIdOf(test, developer, 'uat');
    const balanceBefore = await test.balance(developer, 'uat');
    const fields = Object.entries({ ...owner, fetch_id, amount: 10, orderid: `bill ${kind}` });
    const { status, body } = await send(PAY, kind, [
      ['amount', '1'],
      ...fields.map(([name, value]) => [name, JSON.stringify(value)] as const),
    ]);
    expect([status, body.code, body.errors]).toEqual([422, 'VALIDATION_FAILED', { amount: [MESSAGE] }]);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
  });

  it('is rejected in a query string', async () => {
    const path = `${RECHARGE}/status?client_request_id=a&client_request_id=b`;
    const { status, body } = await test.rest('uat', 'GET', path, developer.tokens.uat);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['client_request_id']]);
  });

  it('is not reported without a valid token', async () => {
    const [body] = bodies.json!([['amount', '1'], ...recharge('nobody')]);
    expect((await test.rest('uat', 'POST', RECHARGE, 'at_uat_nobody', body)).status).toBe(401);
  });
});

describe('JSON names with different values', () => {
  it.each([
    ['{"amount": 10, "amo\\u0075nt": 1}', ['amount']],
    ['{"a":{"b":1,"b":2},"b":1,"c":[{"d":1},{"d":2}]}', []],
    ['{"a":{"b":1},"a":{"b":2}}', ['a']],
    ['{"a":"}","a":"{","b":"\\"","b":"\\\\"}', ['a', 'b']],
    ['{"a":"x\\",\\"a\\":\\"y"}', []],
    ['{"a": 1.0, "a":1 ,"a": 1e0}', []],
    ['{"a":null,"a":""}', ['a']],
    ['{"":1,"":2}', ['']],
    [' {\n}\t', []],
    ['[{"a":1,"a":2}]', []],
    ['"a"', []],
    ['\uFEFF{"a":true,"a":false}', ['a']],
  ])('%s', (text, names) => expect(ambiguousNames(text)).toEqual(names));

  it('are found in a single pass, even in a body of the maximum size', () => {
    const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)},"b":"${'\\"'.repeat(20_000)}","b":1}`;
    expect(ambiguousNames(deep)).toEqual(['b']);
  });
});

describe('an amount', () => {
  // interface.md 8.2: tolerates a deviation of less than 0.000001 rupees from floating-point arithmetic in the client
  it.each([
    ['10.999999999999999999', 11],
    ['10.9999999', 11],
    ['10.999', undefined],
    ['10.001', undefined],
  ])('of %s is rounded to the intended paisa or rejected', async (amount, charged) => {
    const fields = recharge(`amount to ${amount.length} signs`).map(
      ([name, value]) => [name, name === 'amount' ? amount : value] as const,
    );
    const { body } = await send(RECHARGE, 'json', fields);
    expect([body.data?.amount, body.errors && Object.keys(body.errors)]).toEqual(
      charged === undefined ? [undefined, ['amount']] : [charged, undefined],
    );
    expect(await ordersOf(`amount to ${amount.length} signs`)).toEqual(charged === undefined ? [] : [charged]);
  });
});
