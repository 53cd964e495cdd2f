import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLBACK_SECRET, type TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { mismatches } from './schemas/common.js';
import { rechargeSuccess } from './schemas/recharge.schemas.js';

const RECHARGE = '/api/v1/recharge';
const RECHARGE_STATUS = '/api/v1/recharge/status';
const STATEMENT = '/api/v1/wallet/statement.csv?from=2026-01-01&to=2026-01-02';
const URL_ENCODED = 'application/x-www-form-urlencoded';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
});

/** All values are strings, as in a form. */
const recharge = (key: string, more: object = {}): Record<string, string> => ({
  account_number: '9876543210',
  amount: '10.50',
  operator_sp_key: '116',
  operator_type: 'mobile',
  client_request_id: key,
  ...more,
});
type Host = 'uat' | 'production' | 'console';
const send = async (
  path: string,
  body: string | Buffer | FormData | URLSearchParams,
  headers: Record<string, string> = {},
  host: Host = 'uat',
) => {
  const token = host === 'console' ? {} : { authorization: `Bearer ${developer.tokens[host]}` };
  const response = await fetch(`${test.urls[host]}${path}`, {
    method: 'POST',
    headers: { ...token, ...headers },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
  });
  const result = { status: response.status, headers: response.headers, body: (await response.json()) as any };
  if (host !== 'console') test.expectDescribed(host, 'POST', path, result);
  return result;
};
const form = (fields: Record<string, string>): FormData => {
  const formData = new FormData();
  for (const [name, value] of Object.entries(fields)) formData.append(name, value);
  return formData;
};
const keysOfOrders = async (): Promise<string[]> =>
  (await test.db.query<{ key: string }>('select client_key as key from orders where developer_id = $1', [developer.id]))
    .map(({ key }) => key)
    .toSorted();

describe('a path', () => {
  it.each([
    ['uat', '//api/v1/auth/me'],
    ['production', '/api/v1/auth/me/'],
    ['uat', '/api///v1/auth//me//?a=b'],
    ['uat', '/docs/'],
    ['uat', '//livez/'],
    ['console', '/verify/'],
  ] as const)('may contain extra slashes: %s %s', async (host, path) => {
    const headers = host === 'console' ? {} : { authorization: `Bearer ${developer.tokens[host]}` };
    const { status } = await fetch(`${test.urls[host]}${path}`, { headers });
    expect(status).toBe(200);
  });

  it('with extra slashes returns the errors of the intended path', async () => {
    const wrongMethod = await test.rest('uat', 'GET', '//api/v1/recharge/', developer.tokens.uat);
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
    const invalid = await test.rest('uat', 'POST', '//api/v1/recharge/', developer.tokens.uat, {});
    expect([invalid.status, Object.keys(invalid.body.errors)]).toEqual([400, expect.arrayContaining(['amount'])]);
    const graphql = await test.graphql('uat', developer.tokens.uat, '{ me { id } }');
    const doubled = await send('//graphql/', '{"query":"{ me { id } }"}', { 'content-type': 'application/json' });
    expect(doubled.body).toEqual(graphql.body);
    expect((await test.rest('uat', 'GET', '/api/v1/auth/me/x', developer.tokens.uat)).status).toBe(404);
  });

  it('with extra slashes keeps the slashes of its query', async () => {
    await test.rest('uat', 'POST', RECHARGE, developer.tokens.uat, recharge('a/b'));
    for (const [query, found] of [
      ['a//b/', 404],
      ['a/b', 200],
    ])
      expect(
        (await test.rest('uat', 'GET', `/${RECHARGE_STATUS}/?client_request_id=${query}`, developer.tokens.uat)).status,
      ).toBe(found);
  });
});

describe('HEAD', () => {
  const execute = async (host: Host, method: string, path: string, headers: Record<string, string> = {}) => {
    const token = host === 'console' ? {} : { authorization: `Bearer ${developer.tokens[host]}` };
    const response = await fetch(`${test.urls[host]}${path}`, { method, headers: { ...token, ...headers } });
    const { status } = response;
    const text = await response.text();
    // headers that differ between requests, and the length of the statement, which is unknown before it is written
    const { date: _, 'x-request-id': id, ...rest } = Object.fromEntries(response.headers);
    const names = [
      'connection',
      'content-encoding',
      'keep-alive',
      'transfer-encoding',
      'x-ratelimit-remaining',
      'ratelimit',
      'ratelimit-policy',
    ];
    for (const name of names) delete rest[name];
    return { status, text, id, rest };
  };

  it.each([
    ['uat', '/livez'],
    ['uat', '/readyz'],
    ['uat', '/docs/errors'],
    ['production', '/openapi.json'],
    ['production', '/api/v1/auth/me'],
    ['uat', `${RECHARGE_STATUS}?client_request_id=nobody-sent-it`],
    ['uat', STATEMENT],
    ['uat', STATEMENT.replace('2026-01-02', 'yesterday')],
    ['console', '/verify'],
  ] as const)('returns the status and headers of GET without a body: %s %s', async (host, path) => {
    const [get, head] = [await execute(host, 'GET', path), await execute(host, 'HEAD', path)];
    expect([head.status, head.rest]).toEqual([get.status, get.rest]);
    expect([head.text, get.text === '', head.id]).toEqual(['', false, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it('requires a token and is allowed only on paths that support GET', async () => {
    expect((await execute('uat', 'HEAD', '/api/v1/auth/me', { authorization: 'Bearer x' })).status).toBe(401);
    expect(await execute('uat', 'HEAD', RECHARGE)).toMatchObject({ status: 405, rest: { allow: 'POST' } });
    // callbacks are stored, so they do not support HEAD
    const callback = await execute('production', 'HEAD', '/callbacks/roundpay', {
      'x-callback-secret': CALLBACK_SECRET,
    });
    expect(callback).toMatchObject({ status: 405, rest: { allow: 'GET, POST' } });
  });
});

describe('a form', () => {
  it.each([
    ['urlencoded', (fields: Record<string, string>) => new URLSearchParams(fields)],
    ['multipart', form],
  ])('of type %s is equivalent to JSON with string fields and refers to the same order', async (kind, formOf) => {
    const fields = recharge(`#${kind} ₹ 50% & more`, { circle: '' });
    const { status, body } = await send(RECHARGE, formOf(fields));
    expect([status, mismatches(rechargeSuccess, body)]).toEqual([200, []]);
    expect(body.data).toMatchObject({ amount: 10.5, client_request_id: `#${kind} ₹ 50% & more` });
    const retry = await test.rest('uat', 'POST', RECHARGE, developer.tokens.uat, { ...fields, amount: 10.5 });
    expect([retry.headers.get('idempotent-replayed'), retry.body]).toEqual(['true', body]);
    const twice = await send(
      RECHARGE,
      formOf({ ...fields, client_request_id: `wrong ${kind}`, amount: '10,50', operator_type: 'x' }),
    );
    expect([twice.status, Object.keys(twice.body.errors ?? {}).toSorted()]).toEqual([400, ['amount', 'operator_type']]);
  });

  it('is accepted for a token exchange, and the last value of a repeated field is used', async () => {
    const { clientId: client_id, apiSecret: api_secret } = developer.keys.uat;
    const fields = new URLSearchParams({ client_id: 'another', environment: 'production' });
    for (const [name, value] of Object.entries({ client_id, api_secret, environment: 'uat' }))
      fields.append(name, value);
    const { status, body } = await send('/api/v1/auth/client-credentials', fields);
    expect([status, body.environment]).toEqual([200, 'uat']);
  });

  it('may contain both income fields for either occupation', async () => {
    const customer = {
      first_name: 'Asha',
      last_name: 'Verma',
      mobile_no: '9876543210',
      email: 'asha@example.com',
      dob: '1990-05-21',
      company: '101',
      monthly_salary: '50000',
      itr_amount: '400000',
      gender: 'female',
      pincode: '1001',
      address: '12 Lake Road\r\nPowai',
      category: 'Individual',
      category_id: '3',
      pan: 'abcde1234f',
    };
    for (const occupation of ['1', '2']) {
      const { status, body } = await send('/api/v1/leads/profile', form({ ...customer, occupation }));
      expect([status, body.status]).toEqual([200, 'success']);
    }
  });

  const multipart = (...parts: string[]): [string, string] => [
    `${parts.map((part) => `--cut\r\nContent-Disposition: form-data; name="client_request_id"${part}\r\n`).join('')}--cut--\r\n`,
    'multipart/form-data; boundary=cut',
  ];
  const encoded = (text: string): [string, string] => [text, URL_ENCODED];
  it.each([
    ['a byte that is not UTF-8', ['client_request_id=Caf\xe9', URL_ENCODED], 'The request body is not UTF-8.'],
    [
      'a percent-encoded byte that is not UTF-8',
      encoded('client_request_id=Caf%E9'),
      /"client_request_id" is not percent-encoded/,
    ],
    [
      'a percent-encoded byte that is not UTF-8 in an unknown field name',
      encoded('9182736455=%FF'),
      'The form is not percent-encoded UTF-8.',
    ],
    ['a surrogate', encoded('a=1&client_request_id=%ED%A0%80'), /"client_request_id" is not percent-encoded/],
    ['101 fields', encoded('a=1&'.repeat(100)), 'The form has more than 100 fields.'],
    ['101 parts', multipart(...Array<string>(101).fill('\r\n\r\nx')), 'The form has more than 100 fields.'],
    ['a part that is not UTF-8', multipart('\r\n\r\nCaf\xe9'), 'The request body is not UTF-8.'],
    [
      'a base64 part that is not UTF-8',
      multipart('\r\nContent-Transfer-Encoding: base64\r\n\r\nQ2Fm6Q=='),
      'The request body is not UTF-8.',
    ],
    [
      'a file',
      multipart('; filename="key.txt"\r\n\r\nkey\xe9'),
      'The form field "client_request_id" must be text, not a file.',
    ],
    ['no parts', ['client_request_id=1', 'multipart/form-data; boundary=cut'], 'The form could not be read.'],
    ['no boundary', ['--cut--', 'multipart/form-data'], 'The form could not be read.'],
    [
      'a truncated last part',
      [multipart('\r\n\r\nx')[0].slice(0, -8), 'multipart/form-data; boundary=cut'],
      'The form could not be read.',
    ],
  ] as [string, [string, string], string | RegExp][])('is rejected with %s', async (_name, [text, type], message) => {
    const keysBefore = await keysOfOrders();
    const response = await send(RECHARGE, Buffer.from(text, 'latin1'), { 'content-type': type });
    expect([response.status, response.body]).toMatchObject([
      400,
      { code: 'MALFORMED_REQUEST', message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
    expect(await keysOfOrders()).toEqual(keysBefore);
  });

  it('follows the validation rules of text fields and does not accept lists as text', async () => {
    for (const [fields, field] of [
      [{ client_request_id: 'a\0b' }, 'client_request_id'],
      [{ client_request_id: 'x'.repeat(101) }, 'client_request_id'],
      [{ 'amount[]': '10' }, 'amount'],
      [{ 'circle[0][x]': 'Delhi' }, 'circle'],
      [{ 'operator_type[a]': 'mobile' }, 'operator_type'],
      [{ amount: '1e3' }, 'amount'],
    ] as const)
      for (const body of [new URLSearchParams(recharge('bad', fields)), form(recharge('bad', fields))]) {
        const response = await send(RECHARGE, body);
        expect([response.status, Object.keys(response.body.errors)]).toEqual([400, [field]]);
      }
    const unknown = await send(
      RECHARGE,
      new URLSearchParams(recharge('unknown', { 'extra[]': '1', ['__proto__']: 'x' })),
    );
    expect(unknown.status).toBe(200);
  });

  it('has the same size limit as other bodies and is accepted only by REST', async () => {
    const large = await send(RECHARGE, new URLSearchParams(recharge('large', { note: 'x'.repeat(70_000) })));
    expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    for (const host of ['uat', 'production', 'console'] as const)
      for (const body of [new URLSearchParams({ query: '{ __typename }' }), form({ query: '{ __typename }' })]) {
        const response = await send('/graphql', body, {}, host);
        expect([response.status, response.body]).toMatchObject([
          415,
          { errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] },
        ]);
      }
  });
});

describe('a JSON body', () => {
  it.each(['text/json', 'application/vnd.shop+json; charset=utf-8', 'APPLICATION/JSON'])(
    'may have the content type %s',
    async (type) => {
      const body = JSON.stringify(recharge(type));
      expect((await send(RECHARGE, body, { 'content-type': type })).status).toBe(200);
      const latin = await send(RECHARGE, Buffer.from('{"circle":"\xe9"}', 'latin1'), { 'content-type': type });
      expect([latin.status, latin.body.message]).toEqual([400, 'The request body is not UTF-8.']);
    },
  );

  it('is rejected with an explanation if it is compressed', async () => {
    for (const [path, type] of [
      [RECHARGE, 'application/json'],
      [RECHARGE, URL_ENCODED],
      ['/graphql', 'application/json'],
    ] as const) {
      const response = await send(path, gzipSync(JSON.stringify(recharge('gzip'))), {
        'content-type': type,
        'content-encoding': 'gzip',
      });
      expect([response.status, JSON.stringify(response.body)]).toEqual([
        415,
        expect.stringContaining('Content-Encoding'),
      ]);
    }
    const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await send(RECHARGE, JSON.stringify(recharge('identity')), plain)).status).toBe(200);
  });
});

describe('an amount or text', () => {
  const place = (body: object) => test.rest('uat', 'POST', RECHARGE, developer.tokens.uat, body);

  it.each([
    [1179.9 * 3, 3539.7],
    ['3539.7000000000003', 3539.7],
    [0.1 + 0.2, 0.3],
    [199.99000000000001, 199.99],
    [9.9999999, 10],
  ])('is rounded to the intended paisa after floating-point arithmetic: %s', async (amount, expected) => {
    const balanceBefore = await test.balance(developer, 'uat');
    const { status, body } = await place({ ...recharge(`dust ${typeof amount} ${amount}`), amount });
    expect([status, body.data.amount]).toEqual([200, expected]);
    expect(Math.round((balanceBefore - (await test.balance(developer, 'uat'))) * 100)).toBe(Math.round(expected * 100));
  });

  it.each([10.005, 10.00001, '10.005', 1e-7])(
    'is rejected if it is not a whole number of paise: %s',
    async (amount) => {
      const { status, body } = await place({ ...recharge('no paisa'), amount });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['amount']]);
    },
  );

  it('is validated even if the operator type is invalid', async () => {
    const { body } = await place({ ...recharge('two wrong'), account_number: 'x y', operator_type: 'broadband' });
    expect(Object.keys(body.errors).toSorted()).toEqual(['account_number', 'operator_type']);
    const wrongField = await place({ ...recharge('one wrong'), account_number: '12345', operator_type: 'broadband' });
    expect(Object.keys(wrongField.body.errors)).toEqual(['operator_type']);
  });

  it('may have the maximum length of the previous system, but not more', async () => {
    const longest = { customer_number: '9'.repeat(50), circle: 'ॐ'.repeat(100) };
    expect((await place({ ...recharge('longest'), ...longest })).status).toBe(200);
    const { body } = await place({ ...recharge('longer'), customer_number: '9'.repeat(51), circle: 'x'.repeat(101) });
    expect(Object.keys(body.errors).toSorted()).toEqual(['circle', 'customer_number']);
    const { clientId: client_id, apiSecret: api_secret } = developer.keys.uat;
    const keys = { client_id, api_secret, environment: 'uat' };
    const exchange = (device_name: string) =>
      test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, { ...keys, device_name });
    expect((await exchange('d'.repeat(255))).status).toBe(200);
    expect(Object.keys((await exchange('d'.repeat(256))).body.errors)).toEqual(['device_name']);
  });

  it('of a time has whole seconds in REST, as PHP expects, and milliseconds in GraphQL', async () => {
    const order = await place(recharge('time'));
    const statusResponse = await test.rest(
      'uat',
      'GET',
      `${RECHARGE_STATUS}?client_request_id=time`,
      developer.tokens.uat,
    );
    expect(statusResponse.body.data.created_at).toBe(order.body.data.created_at);
    expect(order.body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/);
    const query = '{ order(kind: RECHARGE, clientRequestId: "time") { createdAt } }';
    const { createdAt } = (await test.graphql('uat', developer.tokens.uat, query)).body.data.order;
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/);
    expect(createdAt.slice(0, 19)).toBe(order.body.data.created_at.slice(0, 19));
  });
});
