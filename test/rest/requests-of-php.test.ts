import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { fetchIdOf } from '../card-bills/card-bills.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
});

/** Sends a request exactly as PHP writes it to the socket. `%TOKEN%` and `%LENGTH%` are placeholders for values that differ. */
async function sent(head: string, body: string): Promise<{ status: number; body: any; interim: string }> {
  const socket = connect(Number(new URL(test.urls.uat).port), '127.0.0.1');
  const received = text(socket);
  const bytes = Buffer.from(body.replaceAll('\n', head.includes('multipart') ? '\r\n' : '\n'));
  const lines = head
    .trim()
    .replace('%TOKEN%', developer.tokens.uat)
    .replace('%LENGTH%', String(bytes.length))
    .replaceAll('\n', '\r\n');
  socket.write(`${lines}\r\nHost: 127.0.0.1\r\n${/^Connection:/m.test(lines) ? '' : 'Connection: close\r\n'}\r\n`);
  // libcurl waits up to one second for this response
  if (/^Expect:/m.test(lines)) await new Promise((go) => socket.once('data', go));
  socket.write(bytes);
  const rawResponse = await received;
  const [before, ...rest] = rawResponse.split(/(?=HTTP\/1\.[01] [2-5]\d\d)/);
  const [top, content] = (rest[0] ?? before!).split('\r\n\r\n');
  const json = /\{[\s\S]*\}/.exec(content!)![0];
  return { status: Number(top!.split(' ')[1]), body: JSON.parse(json), interim: rest.length > 0 ? before! : '' };
}

const JSON_HEAD = `
POST /api/v1/recharge HTTP/1.1
Accept: */*
Authorization: Bearer %TOKEN%
Content-Type: application/json
Content-Length: %LENGTH%`;
const FORM_HEAD = `
POST /api/v1/recharge HTTP/1.1
Authorization: Bearer %TOKEN%
Accept: application/json
Content-Length: %LENGTH%
Content-Type: application/x-www-form-urlencoded`;
const FORM = 'account_number=9876543210&amount=10.5&operator_sp_key=116&operator_type=mobile';
const BOUNDARY = '------------------------0cf35847adeda4a3';
const part = (name: string, value: string): string =>
  `--${BOUNDARY}\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`;

describe('a recharge sent by PHP is accepted', () => {
  it.each([
    [
      'CURLOPT_POSTFIELDS => array, on a path with extra slashes',
      `
POST //api/v1/recharge/ HTTP/1.1
Authorization: Bearer %TOKEN%
Accept: application/json
Content-Length: %LENGTH%
Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      `${part('account_number', '9876543210')}${part('amount', '10.5')}${part('operator_sp_key', '116')}${part('operator_type', 'mobile')}${part('client_request_id', '#Php 1 ₹ & more')}${part('circle', '')}${part('geocode', '1')}--${BOUNDARY}--\n`,
      '#Php 1 ₹ & more',
    ],
    ['http_build_query', FORM_HEAD, `${FORM}&client_request_id=%23Php+2+%E2%82%B9+%26+more`, '#Php 2 ₹ & more'],
    [
      'http_build_query with PHP_QUERY_RFC3986',
      FORM_HEAD,
      `${FORM}&client_request_id=%23Php%203%20%E2%82%B9%20%26%20more`,
      '#Php 3 ₹ & more',
    ],
    [
      'http_build_query of arrays, booleans and a float without decimals',
      FORM_HEAD,
      'a%5Bb%5D%5B0%5D=1&a%5Bb%5D%5B1%5D=2&x=0&account_number=9876543210&operator_sp_key=116&operator_type=mobile&client_request_id=php-4&amount=10',
      'php-4',
    ],
    [
      'file_get_contents with a stream context',
      `
POST /api/v1/recharge HTTP/1.1
Connection: close
Content-Length: %LENGTH%
Authorization: Bearer %TOKEN%
Content-Type: application/x-www-form-urlencoded`,
      `${FORM}&client_request_id=php-5`,
      'php-5',
    ],
    [
      'file_get_contents of older versions',
      FORM_HEAD.replace('HTTP/1.1', 'HTTP/1.0'),
      `${FORM}&client_request_id=php-6`,
      'php-6',
    ],
    [
      'json_encode',
      JSON_HEAD,
      '{"account_number":"9876543210","amount":10.5,"operator_sp_key":116,"operator_type":"mobile","client_request_id":"#Php 7 \\u20b9 & more","circle":null,"pincode":"110001"}',
      '#Php 7 ₹ & more',
    ],
    [
      'json_encode with a charset in the header, which is ignored',
      JSON_HEAD.replace('application/json', 'application/json; charset=ISO-8859-1'),
      '{"account_number":"9876543210","amount":10.5,"operator_sp_key":116,"operator_type":"mobile","client_request_id":"php ₹"}',
      'php ₹',
    ],
    [
      'json_encode with serialize_precision 17 and all kinds of numbers in unknown fields',
      JSON_HEAD,
      '{\n    "amount": 59.699999999999996,\n    "b": 1.0e+20,\n    "n": 9223372036854775807,\n    "account_number": "9876543210",\n    "operator_sp_key": "116",\n    "operator_type": "mobile",\n    "client_request_id": "php-8"\n}',
      'php-8',
    ],
    [
      'a body over 1,024 bytes from an older libcurl, which waits for "100 Continue"',
      `${JSON_HEAD}\nExpect: 100-continue`,
      `{"account_number":"9876543210","amount":10.5,"operator_sp_key":116,"operator_type":"mobile","client_request_id":"php-9","note":"${'x'.repeat(1_200)}"}`,
      'php-9',
    ],
  ])('%s', async (_name, head, body, key) => {
    const response = await sent(head, body);
    expect([response.status, response.body]).toMatchObject([
      200,
      { status: 'success', data: { client_request_id: key } },
    ]);
    expect(response.interim.startsWith('HTTP/1.1 100 Continue')).toBe(head.includes('Expect'));
    const rows = await test.db.query('select 1 from orders where developer_id = $1 and client_key = $2', [
      developer.id,
      key,
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    [
      'json_encode with JSON_NUMERIC_CHECK of a DTH subscriber',
      JSON_HEAD,
      '{"account_number":1000234567,"amount":10.5,"operator_sp_key":55,"operator_type":"dth"}',
      ['account_number'],
    ],
    [
      'nothing, because CURLOPT_POST was set after the fields',
      FORM_HEAD.replace('Content-Length: %LENGTH%', 'Transfer-Encoding: chunked\nExpect: 100-continue'),
      '0\r\n\r\n',
      ['account_number', 'amount', 'operator_sp_key', 'operator_type'],
    ],
  ])('%s: is rejected with the names of its fields, and no order is created', async (_name, head, body, fields) => {
    const balanceBefore = await test.balance(developer, 'uat');
    const response = await sent(head, body);
    expect([response.status, response.body]).toMatchObject([400, { status: 'failed', code: 'VALIDATION_FAILED' }]);
    expect(Object.keys(response.body.errors).toSorted()).toEqual(fields);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
  });

  it.each([
    '{"account_number":"9876543210","amount":10.5,"operator_sp_key":116,"operator_type":"mobile"}',
    ' \r\n{"account_number":"9876543210","note":"100% of it & a=b"}',
    '[{"account_number":"9876543210"}]',
    '%7B%22account_number%22%3A%229876543210%22%7D=',
  ])('JSON with the form content type that curl sets by default is rejected with an explanation: %j', async (body) => {
    const balanceBefore = await test.balance(developer, 'uat');
    const response = await sent(FORM_HEAD, body);
    expect([response.status, response.body]).toMatchObject([
      415,
      {
        status: 'error',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'The body appears to be JSON. Send Content-Type: application/json.',
      },
    ]);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
  });
});

/** Numbers in a JSON text, without digits inside strings. */
const numbersIn = (json: string): string[] =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];

/** Whether PHP reads a number as the same value on every machine: a safe integer, or a float with at most two decimal places. */
const isSafe = (number: string): boolean =>
  /^-?\d+(\.\d{1,2})?$/.test(number) && Math.abs(Number(number)) <= Number.MAX_SAFE_INTEGER;

const timesIn = (value: unknown): string[] => {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name.endsWith('_at') && typeof inner === 'string' ? [inner] : timesIn(inner),
  );
};

/** Format of DateTime::ATOM, which DateTime::createFromFormat parses strictly. */
const ATOM = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}[+-]\d\d:\d\d$/;

describe('PHP can read the response of', () => {
  const paths = routes.filter(({ path }) => !/[:{]/.test(path));

  it.each(paths.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_name, route) => {
    const { card, mobile, opcode } = route.example as Record<string, string>;
    const example: Record<string, unknown> = {
      ...route.example,
      ...('fetch_id' in route.example
        ? { fetch_id: await fetchIdOf(test, developer, 'uat', { card, mobile, opcode }) }
        : {}),
      ...('client_id' in route.example
        ? { client_id: developer.keys.uat.clientId, api_secret: developer.keys.uat.apiSecret }
        : {}),
    };
    const query = new URLSearchParams(Object.entries(example).map(([name, value]) => [name, String(value)]));
    const responses = await Promise.all(
      [example, { ...example, amount: 'x', orderid: '' }].map(async (fields, index) => {
        const response = await fetch(
          `${test.urls.uat}${route.path}${route.method === 'GET' && index === 0 ? `?${query}` : ''}`,
          {
            method: route.method,
            headers: {
              authorization: `Bearer ${developer.tokens.uat}`,
              ...(route.method === 'POST' ? { 'content-type': 'application/json' } : {}),
            },
            ...(route.method === 'POST' ? { body: JSON.stringify(fields) } : {}),
          },
        );
        return response.text();
      }),
    );
    for (const json of responses) {
      const body = JSON.parse(json);
      expect(body).toBeTypeOf('object');
      expect(numbersIn(json).filter((number) => !isSafe(number))).toEqual([]);
      expect(timesIn(body).filter((time) => !ATOM.test(time))).toEqual([]);
    }
    if (/recharge$|client-credentials/.test(route.path)) expect(timesIn(JSON.parse(responses[0]!))).toHaveLength(1);
  });
});
