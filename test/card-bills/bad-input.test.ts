import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, mismatches } from '../rest/schemas/common.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import {
  FETCH,
  FETCH_MUTATION,
  fetchIdOf,
  owner,
  PAY,
  PAY_MUTATION,
  payBill,
  validFetch,
} from './card-bills.fixture.js';

const VISA = '4111111111111111';

const test = useSharedApp();
let developer: TestDeveloper;
let fetchId: string;
beforeAll(async () => {
  developer = await test.developer({ liveRupees: 20_00_000, rateLimitPerMinute: 100_000 });
  fetchId = await fetchIdOf(test, developer, 'production');
});
afterAll(async () => {
  // rejected requests create no orders
  const orders = await test.db.query(
    `select 1 from orders where developer_id = $1 and operation = 'card_payment' and state <> 'success'`,
    [developer.id],
  );
  expect(orders).toEqual([]);
});

type Case = [name: string, change: object];

/** Invalid values for any required text field. */
const wrongText = (field: string, tooLong: string): Case[] => [
  ['missing', { [field]: undefined }],
  ['null', { [field]: null }],
  ['a number', { [field]: 1234.5 }],
  ['a list', { [field]: ['1234'] }],
  ['an object', { [field]: { value: '1234' } }],
  ['true', { [field]: true }],
  ['empty', { [field]: '' }],
  ['only spaces', { [field]: '   ' }],
  ['a line break inside', { [field]: '12\n34' }],
  ['too long', { [field]: tooLong }],
];

const wrongCards: Case[] = [
  ...wrongText('card', 'x'.repeat(20)),
  ['fewer than four digits', { card: '123' }],
  ['non-ASCII digits', { card: '१२३४' }],
  ['an emoji', { card: '💳💳💳💳' }],
  ['a full card number', { card: VISA }],
  ['a full card number in groups', { card: '4111 1111 1111 1111' }],
  ['a full card number with dashes and surrounding spaces', { card: ' 4111-1111-1111-1111 ' }],
  ['a full card number after letters', { card: `CC${VISA}` }],
  ['a full 15-digit card number', { card: '378282246310005' }],
  ['a full 12-digit card number', { card: '676770000005' }],
  ['a full 19-digit card number', { card: '6304000000000000000' }],
  ['a full card number as a JSON number', { card: Number(VISA) }],
];
const wrongMobiles: Case[] = [
  ...wrongText('mobile', '98765432100'),
  ['nine digits', { mobile: '987654321' }],
  ['a country code', { mobile: '+919876543210' }],
  ['spaces inside', { mobile: '98765 43210' }],
  ['letters', { mobile: '98765abcde' }],
  ['non-ASCII digits', { mobile: '९८७६५४३२१०' }],
  ['a number with a decimal', { mobile: 9876543210.5 }],
];
const wrongOpcodes = wrongText('opcode', 'O'.repeat(33));
const wrongOrderids: Case[] = [
  ...wrongText('orderid', 'x'.repeat(101)),
  ['256 characters', { orderid: 'x'.repeat(256) }],
];

const cases = (field: string, invalid: Case[]) =>
  invalid.map(([name, change]): [string, string, object] => [field, name, change]);
const shared = [
  ...cases('card', wrongCards),
  ...cases('mobile', wrongMobiles),
  ...cases('opcode', wrongOpcodes),
  ...cases('orderid', wrongOrderids),
];

const wrongAmounts: Case[] = [
  ['missing', { amount: undefined }],
  ['null', { amount: null }],
  ['empty', { amount: '' }],
  ['only spaces', { amount: '  ' }],
  ['zero', { amount: 0 }],
  ['zero as a string', { amount: '0.00' }],
  ['negative', { amount: -1 }],
  ['negative as a string', { amount: '-1.00' }],
  ['three decimal places', { amount: 10.005 }],
  ['three decimal places as a string', { amount: '10.005' }],
  ['an exponent', { amount: '1e3' }],
  ['a comma', { amount: '1,000' }],
  ['a currency', { amount: '₹100' }],
  ['words', { amount: 'ten' }],
  ['non-ASCII digits', { amount: '१००' }],
  ['a list', { amount: [10] }],
  ['true', { amount: true }],
  ['very large', { amount: 1e21, pan: 'ABCDE1234F' }],
  ['one paisa over the limit', { amount: 10_00_000.01, pan: 'ABCDE1234F' }],
];
const wrongFetchIds: Case[] = [
  ...wrongText('fetch_id', 'x'.repeat(65)),
  ['unknown', { fetch_id: 'TSB974ca' }],
  ['well-formed but unknown', { fetch_id: `FB${'0'.repeat(25)}` }],
  ['too large for an ID', { fetch_id: `FB${'Z'.repeat(25)}` }],
  ['unicode', { fetch_id: 'ｆｅｔｃｈ' }],
];
const wrongPans: Case[] = [
  ['too short', { pan: 'ABCDE1234' }],
  ['too long', { pan: 'ABCDE1234FG' }],
  ['51 characters', { pan: 'A'.repeat(51) }],
  ['digits before letters', { pan: '12345ABCDE' }],
  ['spaces inside', { pan: 'ABCDE 1234F' }],
  ['unicode', { pan: 'ÀBCDE1234F' }],
  ['non-ASCII digits', { pan: 'ABCDE१२३४F' }],
  ['a number', { pan: 1234567890 }],
  ['a list', { pan: ['ABCDE1234F'] }],
  ['missing at 50,000.00', { amount: 50_000 }],
  ['missing at 50,000.00 as a string', { amount: '50000.00' }],
  ['null at 50,000.00', { amount: 50_000, pan: null }],
  ['blank at 50,000.00', { amount: 50_000, pan: '  ' }],
  ['malformed at 50,000.00', { amount: 50_000, pan: 'ABCD12345F' }],
];

/** Response text without the request ID and documentation URL, which can contain the tested digits by chance. */
const textOf = (body: object): string =>
  JSON.stringify(body, (name, value) => (/^(request_?id|doc_?url)$/i.test(name) ? undefined : value));

const expectRejected = async (path: string, body: object, field: string) => {
  const { status, body: responseBody } = await test.rest('production', 'POST', path, developer.tokens.production, body);
  expect(mismatches(failure('error'), responseBody)).toEqual([]);
  expect([status, responseBody.code, Object.keys(responseBody.errors)]).toEqual([422, 'VALIDATION_FAILED', [field]]);
  const text = textOf(responseBody);
  expect(text).not.toContain('4111');
  expect(text).not.toContain('ABCD');
};

const validPayment = () => ({ ...owner, orderid: 'bad-input', fetch_id: fetchId, amount: 10 });
const send = (query: string, input: object) =>
  test.graphql('production', developer.tokens.production, query, { input });
const OWNER = 'card: "3008", mobile: "9876543210", opcode: "ICIC"';
const paymentLiteral = (key: string) =>
  `payCardBill(input: { ${OWNER}, clientRequestId: "${key}", fetchId: "${fetchId}", amount: 1 }) { order { status } }`;

describe('bill-fetch', () => {
  it.each(shared)('rejects %s %s and names the field', (field, _name, change) =>
    expectRejected(FETCH, { ...validFetch, ...change }, field),
  );

  it('reports all invalid fields at once', async () => {
    const { body } = await test.rest('uat', 'POST', FETCH, developer.tokens.uat, {});
    expect(Object.keys(body.errors).toSorted()).toEqual(['card', 'mobile', 'opcode', 'orderid']);
  });

  it('accepts surrounding spaces, unknown fields and texts of the maximum length', async () => {
    const { status, body } = await test.rest('production', 'POST', FETCH, developer.tokens.production, {
      card: ' ISSUER-ID-19-CHARS. '.slice(0, 20),
      mobile: ' 9876543210 ',
      opcode: 'O'.repeat(32),
      orderid: '#é'.repeat(50),
      colour: 'blue',
    });
    expect(status).toBe(200);
    expect(body.data.orderid).toBe('#é'.repeat(50));
  });

  it.each([
    ['digits that fail the check digit', '4111111111111112'],
    ['eleven digits', '41111111111'],
  ])('accepts an identifier of %s', async (_name, card) => {
    const { status } = await test.rest('uat', 'POST', FETCH, developer.tokens.uat, { ...validFetch, card });
    expect(status).toBe(200);
  });
});

describe('bill-pay', () => {
  it.each([
    ...shared,
    ...cases('amount', wrongAmounts),
    ...cases('fetch_id', wrongFetchIds),
    ...cases('pan', wrongPans),
  ])('rejects %s %s and names the field', (field, _name, change) =>
    expectRejected(PAY, { ...validPayment(), ...change }, field),
  );

  it('reports all invalid fields at once', async () => {
    const { body } = await test.rest('uat', 'POST', PAY, developer.tokens.uat, { amount: 60_000 });
    expect(Object.keys(body.errors).toSorted()).toEqual(['card', 'fetch_id', 'mobile', 'opcode', 'orderid', 'pan']);
  });

  it('does not consume the orderid or the fetch_id of rejected requests', async () => {
    const { status } = await test.rest('production', 'POST', PAY, developer.tokens.production, validPayment());
    expect(status).toBe(200);
  });

  it.each([
    ['49,999.99 without a PAN', { amount: 49_999.99 }],
    ['49,999.99 as a string with an empty PAN', { amount: '49999.99', pan: '' }],
    ['49,999.99 with a PAN', { amount: 49_999.99, pan: 'ABCDE1234F' }],
    ['50,000.00 with a PAN', { amount: 50_000, pan: 'ABCDE1234F' }],
    ['50,000.00 as a string with a lowercase PAN', { amount: '50000.00', pan: ' abcde1234f ' }],
    ['10,00,000.00 with a PAN', { amount: 10_00_000, pan: 'ABCDE1234F' }],
    ['one paisa', { amount: 0.01 }],
    ['an integer as a string', { amount: '116' }],
    ['one decimal place as a string', { amount: '199.5' }],
  ])('pays %s', async (name, change) => {
    // the provider validates the PAN, so success also shows that it was sent in uppercase
    const fetch_id = await fetchIdOf(test, developer, 'production');
    const { status, body } = await payBill(test, developer, 'production', { orderid: name, fetch_id, ...change });
    expect([status, body.data?.amount]).toEqual([200, Number(change.amount)]);
  });
});

describe('GraphQL', () => {
  it.each([
    ['fetch', FETCH_MUTATION, { ...owner, clientRequestId: 'g', card: VISA }, ['input.card']],
    [
      'fetch',
      FETCH_MUTATION,
      { card: 3008, mobile: 98, opcode: ' ', clientRequestId: '' },
      ['input.card', 'input.clientRequestId', 'input.mobile', 'input.opcode'],
    ],
    ['pay', PAY_MUTATION, { ...owner, clientRequestId: 'g', fetchId: 'f', card: VISA, amount: 1 }, ['input.card']],
    ['pay', PAY_MUTATION, { ...owner, clientRequestId: 'g', fetchId: 'f', amount: 50_000 }, ['input.pan']],
    ['pay', PAY_MUTATION, { ...owner, clientRequestId: 'g', fetchId: 'f', amount: '10' }, ['input.amount']],
    [
      'pay',
      PAY_MUTATION,
      { ...owner, clientRequestId: 'g', fetchId: 'f', amount: 10, colour: 'blue' },
      ['input.colour'],
    ],
    ['pay', PAY_MUTATION, { ...owner, clientRequestId: 'g', fetchId: 'f', amount: 10 }, ['input.fetchId']],
    [
      'pay',
      PAY_MUTATION,
      { ...owner, clientRequestId: 'g', fetchId: 'f', amount: 10_00_001, pan: 'ABCDE1234F' },
      ['input.amount'],
    ],
  ])('%s: %# is rejected with its path, without quoting a value', async (_name, query, input, paths) => {
    const { body } = await send(query, input);
    expect(body.errors).toHaveLength(1);
    const { code, fields } = body.errors[0].extensions;
    expect(code).toBe('VALIDATION_FAILED');
    expect(fields.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths);
    expect(textOf(body)).not.toContain('4111');
  });

  it('rejects a full card number in a literal without quoting it', async () => {
    const input = `{ card: "${VISA}", mobile: "9876543210", opcode: "ICIC", clientRequestId: "g" }`;
    const query = `mutation { fetchCardBill(input: ${input}) { bill { fetchId } } }`;
    const { body } = await test.graphql('production', developer.tokens.production, query);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    expect(textOf(body)).not.toContain('4111');
  });

  it('allows only one payment per operation', async () => {
    const query = `mutation { a: ${paymentLiteral('a')} b: ${paymentLiteral('b')} }`;
    const { status, body } = await test.graphql('production', developer.tokens.production, query);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_DOCUMENT']);
  });
});
