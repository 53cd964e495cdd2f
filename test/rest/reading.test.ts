import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { routes } from '../../src/rest/routes.js';
import { seed, type TestDeveloper, type TestResponse } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { bodyOf, raw as rawRequest, statusOf } from './raw.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
const ORDERS = '/api/v1/orders';
const STATUS = '/api/v1/recharge/status';
/** Idempotency keys of this file's orders by status. */
const FAILED = 'failed of the filters';
const PAID = 'paid of the filters';

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  await recharged(PAID);
  await recharged(FAILED, '9876540001');
});

const recharged = (client_request_id: string, account_number = '9876543210') =>
  place(test, developer, { client_request_id, account_number, amount: 11 });

/** Sends an unmodified path. */
const get = (path: string): Promise<TestResponse> => test.rest('production', 'GET', path, developer.tokens.production);
const keysOf = ({ body }: TestResponse): string[] =>
  body.data.map((row: { client_request_id: string }) => row.client_request_id);

/** Sends a request as raw bytes and returns the response with its body. */
const raw = (host: Environment | 'console', lines: readonly string[], body = ''): Promise<string> =>
  rawRequest(test.urls[host], lines, body);

describe('a list in a query string', () => {
  it.each([
    ['repeated, as Python writes it', `status=failed&status=reversed`],
    ['with empty brackets, as axios writes it', `status[]=failed&status[]=reversed`],
    ['with encoded brackets', `status%5B%5D=failed&status%5B%5D=reversed`],
    ['with numbers, as PHP writes it', `status%5B0%5D=failed&status%5B1%5D=reversed`],
    ['with commas', `status=failed,reversed`],
    ['with a single value', `status[]=failed`],
  ])('is accepted %s', async (_name, query) => {
    expect(keysOf(await get(`${ORDERS}?${query}`))).toEqual([FAILED]);
  });

  it.each([
    'amount=11&amount=11',
    'amount=11&amount=12',
    'amount[]=11',
    'limit[0]=5',
    'client_request_id=a&client_request_id[]=b',
  ])('is rejected for a parameter that is not a list: %s', async (query) => {
    const { status, body } = await get(`${ORDERS}?${query}`);
    const [name] = /^[a-z_]+/.exec(query)!;
    expect([status, body.errors]).toEqual([422, { [name]: ['Must be sent only once.'] }]);
  });
});

describe('an unknown query parameter', () => {
  it.each([
    [`${ORDERS}?state=failed`, 'state', 'Did you mean status?'],
    [`${ORDERS}?Status=failed`, 'Status', 'Did you mean status?'],
    [`${ORDERS}?from_date=2020-01-01`, 'from_date', 'Valid parameters: kind, status, from, to, '],
    [`${ORDERS}?filter[status]=failed`, 'filter[status]', 'Valid parameters: kind'],
    [`${ORDERS}?page=2`, 'page', 'Valid parameters: kind'],
    [`${STATUS}?client_request_id=a&id=1`, 'id', 'Valid parameters: client_request_id, api_request_id.'],
    ['/api/v1/wallet/balance?currency=INR', 'currency', 'This path has no parameters.'],
    ['/api/v1/operators?type=dth', 'type', 'Unknown parameter.'],
    ['/api/v1/webhooks?limit=1', 'limit', 'This path has no parameters.'],
    ['/api/v1/webhooks/whe_none/deliveries?id=1', 'id', 'Valid parameters: cursor, limit.'],
    ['/api/v1/orders.csv?from=2026-01-01&to=2026-01-02&state=failed', 'state', 'Did you mean status?'],
    [
      '/api/v1/wallet/statement.csv?from=2026-01-01&to=2026-01-02&x=',
      'x',
      'Valid parameters: from, to, kinds, reference, raw, bom.',
    ],
    ['/api/v1/leads.csv?from=2026-01-01&to=2026-01-02&form=1', 'form', 'Did you mean from?'],
  ])('is rejected by name: %s', async (path, name, words) => {
    const { status, body } = await get(path);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'VALIDATION_FAILED', [name]]);
    expect(body.errors[name][0]).toContain(words);
  });

  it.each(['4111%201111%201111%201111=null&a=1', '4111-1111-1111-1111', 'sk_uat_7f3a-secret=1', 'x4=1'])(
    'is not quoted if its name may contain a value: %s',
    async (query) => {
      const { status, body } = await get(`/api/v1/circles?${query.replace('&a=1', '')}`);
      expect([status, body.errors]).toEqual([
        422,
        { query: ['Contains an unknown parameter. This path has no parameters.'] },
      ]);
    },
  );

  it('is reported together with other errors', async () => {
    const { body } = await get(`${ORDERS}?state=failed&limit=0&status=lost`);
    expect(Object.keys(body.errors).toSorted()).toEqual(['limit', 'state', 'status']);
  });

  it.each(['_=1764400000', 'utm_source=mail&utm_medium=x', '', '&&'])(
    'is ignored if caches or email campaigns add it: %s',
    async (query) => {
      expect(keysOf(await get(`${ORDERS}?client_request_id=${encodeURIComponent(PAID)}&${query}`))).toEqual([PAID]);
    },
  );

  it('is ignored on a path of the contract', async () => {
    expect((await get('/api/v1/auth/me?state=1&x[]=2')).status).toBe(200);
    expect((await get('/api/v1/products/categories?sort=asc')).status).toBe(200);
  });
});

it.each([
  `${ORDERS}?client_request_id=`,
  `${ORDERS}?client_request_id`,
  `${ORDERS}?status[]=`,
  `${ORDERS}?status=%20`,
  `${STATUS}?client_request_id=`,
])('an empty parameter is rejected instead of listing everything: %s', async (path) => {
  const { status, body } = await get(path);
  expect([status, Object.values(body.errors)]).toEqual([
    422,
    [['Must not be empty. Set a value or omit the parameter.']],
  ]);
});

describe('an unencoded + in a query string', () => {
  it.each([STATUS, ORDERS])('matches a key with + or a key with a space: %s', async (path) => {
    const keyIn =
      path === STATUS
        ? ({ body }: TestResponse) => body.data.client_request_id
        : (response: TestResponse) => keysOf(response)[0];
    const plus = `AB+CD/EF== of ${path}`;
    const blank = `AB CD of ${path}`;
    await recharged(plus);
    await recharged(blank);
    const encoded = (key: string) => encodeURIComponent(key).replaceAll('%2B', '+').replaceAll('%20', '+');
    expect(keyIn(await get(`${path}?client_request_id=${encoded(plus).replaceAll('+of+', '%20of%20')}`))).toBe(plus);
    expect(keyIn(await get(`${path}?client_request_id=${encoded(blank)}`))).toBe(blank);
  });

  it('is ambiguous and shows no order if both keys have one', async () => {
    await recharged('A 1');
    await recharged('A+1');
    for (const path of [STATUS, ORDERS]) {
      const { status, body } = await get(`${path}?client_request_id=A+1`);
      expect([status, body.errors]).toEqual([
        422,
        {
          client_request_id: [
            'This key matches an order with a space and an order with +. Send %20 for a space and %2B for +.',
          ],
        },
      ]);
    }
    expect((await get(`${STATUS}?client_request_id=A%2B1`)).body.data.client_request_id).toBe('A+1');
    expect((await get(`${STATUS}?client_request_id=A%201`)).body.data.client_request_id).toBe('A 1');
  });

  it('returns no order if neither key has one', async () => {
    expect((await get(`${STATUS}?client_request_id=no+such+key`)).status).toBe(404);
    expect(keysOf(await get(`${ORDERS}?client_request_id=no+such+key`))).toEqual([]);
  });

  it('is resolved for card payments too', async () => {
    const path = '/api/v1/bill-payment/credit-card/status';
    expect((await get(`${path}?orderid=PAY+1`)).status).toBe(404);
  });
});

describe('a repeated header', () => {
  const recharge = (headers: readonly string[], environment: Environment = 'production', amount = 11) => {
    const body = JSON.stringify({
      account_number: '9876543210',
      amount,
      operator_sp_key: 116,
      operator_type: 'mobile',
    });
    return raw(
      environment,
      [
        'POST /api/v1/recharge HTTP/1.1',
        `host: ${new URL(test.urls[environment]).host}`,
        `authorization: Bearer ${developer.tokens[environment]}`,
        'content-type: application/json',
        ...headers,
      ],
      body,
    );
  };

  it.each([
    ['twice with the same value', ['Idempotency-Key: twice', 'idempotency-key: twice'], 'twice'],
    ['three times', ['Idempotency-Key: thrice', 'Idempotency-Key:  thrice ', 'Idempotency-Key: thrice'], 'thrice'],
    ['joined by a proxy', ['Idempotency-Key: joined, joined'], 'joined'],
    ['in the quotes of the standard', ['Idempotency-Key: "quoted"'], 'quoted'],
    ['with and without the quotes', ['Idempotency-Key: "both"', 'Idempotency-Key: both'], 'both'],
    ['repeated by a proxy in quotes', ['Idempotency-Key: "q j", "q j"'], 'q j'],
    ['with escaped characters in quotes', [String.raw`Idempotency-Key: "a \"b\" \\ c"`], String.raw`a "b" \ c`],
    ['with a comma in the value', ['Idempotency-Key: order 1, second'], 'order 1, second'],
    ['with a comma in the value, twice', ['Idempotency-Key: o, p', 'Idempotency-Key: o, p'], 'o, p'],
    ['with a comma in quotes', ['Idempotency-Key: "x, x"'], 'x, x'],
  ])('is one idempotency key if the value is the same: %s', async (_name, headers, key) => {
    const first = bodyOf(
      await recharge([`Idempotency-Key: ${key.includes('"') || key === 'x, x' ? headers[0]!.slice(17) : key}`]),
    );
    expect(first).toMatchObject({ status: 'success', data: { client_request_id: key } });
    const retry = bodyOf(await recharge(headers));
    expect(retry.data).toEqual(first.data);
  });

  it('is rejected with two idempotency keys before anything else, and moves no money', async () => {
    const balanceBefore = await test.balance(developer, 'production');
    for (const environment of ['production', 'uat'] as const) {
      const response = await recharge(['Idempotency-Key: one', 'Idempotency-Key: other'], environment);
      expect([statusOf(response), bodyOf(response)]).toMatchObject([
        400,
        {
          status: 'error',
          code: 'MALFORMED_REQUEST',
          message: 'The header Idempotency-Key was sent more than once with different values.',
        },
      ]);
    }
    expect(await test.balance(developer, 'production')).toBe(balanceBefore);
  });

  it.each([
    ['authorization', 'authorization: Bearer other'],
    ['content-type', 'Content-Type: text/plain'],
    ['host', 'Host: other.example'],
  ])('is rejected with a different value: %s', async (name, header) => {
    const response = await recharge([header]);
    expect([statusOf(response), bodyOf(response).message.toLowerCase()]).toEqual([
      400,
      `the header ${name} was sent more than once with different values.`,
    ]);
  });

  it('is rejected by GraphQL on each host', async () => {
    for (const host of ['uat', 'production', 'console'] as const) {
      const response = await raw(
        host,
        [
          'POST /graphql HTTP/1.1',
          `host: ${new URL(test.urls[host]).host}`,
          'content-type: application/json',
          'authorization: Bearer a',
          'authorization: Bearer b',
        ],
        '{"query":"{__typename}"}',
      );
      expect([statusOf(response), bodyOf(response).errors[0].extensions.code]).toEqual([400, 'MALFORMED_REQUEST']);
    }
  });

  it('is used once if the value is the same: authorization, content-type, host', async () => {
    const { host } = new URL(test.urls.uat);
    const { uat } = developer.tokens;
    const response = await recharge(
      [`authorization: Bearer ${uat}`, 'content-type: application/json', `host: ${host}`],
      'uat',
    );
    expect(statusOf(response)).toBe(200);
  });
});

describe('a request target', () => {
  const me = (target: string, host: string, more: readonly string[] = []) =>
    raw('uat', [`GET ${target} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${developer.tokens.uat}`, ...more]);

  it('may include the host if it matches the Host header', async () => {
    const { host } = new URL(test.urls.uat);
    expect(statusOf(await me(`http://${host}/api/v1/auth/me`, host))).toBe(200);
    const other = await me('http://other.example/api/v1/auth/me', host);
    expect([statusOf(other), bodyOf(other).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('gets a response with a body and a request ID even for invalid HTTP', async () => {
    const { host } = new URL(test.urls.uat);
    const invalidHttp = await raw('uat', ['GET /api/v1/auth/me HTTP/1.1']);
    const unmet = await me('/api/v1/auth/me', host, ['expect: the unexpected']);
    expect(statusOf(invalidHttp)).toBe(400);
    expect(bodyOf(invalidHttp).code).toBe('MALFORMED_REQUEST');
    expect(invalidHttp.toLowerCase()).toContain('x-request-id: ');
    // a server may ignore unknown expectations
    expect(statusOf(unmet)).toBe(200);
  });
});

describe('spaces and hidden characters', () => {
  const post = (path: string, body: object) => test.rest('production', 'POST', path, developer.tokens.production, body);
  const profile = {
    type: 'Individual',
    name: 'Asha Verma',
    mobile_no: '9876543210',
    email: 'asha@shop.example',
    pan: 'ABCPV1234D',
    pincode: '560001',
    occupation: 'Salaried',
  };

  it.each([' ', '\t', '\r\n', '\u00a0', '\ufeff'])('are removed around a date: %j', async (blank) => {
    const { body } = await post('/api/v1/leads/profile', { ...profile, dob: `${blank}1990-01-31${blank}` });
    expect(body.code).not.toBe('INVALID_DOCUMENT');
    expect(body.errors?.dob).toBeUndefined();
    const { body: days } = await get(
      `/api/v1/wallet/statement.csv?from=${encodeURIComponent(`${blank}2026-11-28${blank}`)}&to=2026-11-29`,
    );
    expect(days.errors).toBeUndefined();
    const variables = { f: `${blank}2026-11-27T00:00:00Z${blank}` };
    const document = 'query($f: DateTime) { orders(filter: { from: $f }) { edges { cursor } } }';
    const response = await test.graphql('production', developer.tokens.production, document, variables);
    expect([response.status, response.body.errors]).toEqual([200, undefined]);
  });

  it.each(['\u200e', '\u202a', '\u2066', '\u00ad'])('are reported inside a value: %j', async (sign) => {
    const recharge = { account_number: `${sign}9876543210`, amount: 11, operator_sp_key: 116, operator_type: 'mobile' };
    const { status, body } = await post('/api/v1/recharge', recharge);
    expect([status, body.errors]).toEqual([
      400,
      { account_number: ['Contains a hidden character. Type the value instead of pasting it.'] },
    ]);
  });

  it('are part of an API secret and a password', async () => {
    const { keys } = developer;
    const exchange = (api_secret: string) =>
      test.rest('production', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id: keys.production.clientId,
        api_secret,
        environment: 'production',
      });
    expect((await exchange(keys.production.apiSecret)).status).toBe(200);
    expect((await exchange(` ${keys.production.apiSecret}`)).body.code).toBe('INVALID_CREDENTIALS');
    const email = `blank-${Date.now()}@test.example`;
    const signIn = (password: string) =>
      test.graphql('console', undefined, 'mutation($i: SignInInput!) { signIn(input: $i) { expiresAt } }', {
        i: { email, password },
      });
    const password = ' with blanks around it ';
    await test.app.users.create({ email, name: 'B', password, role: 'admin' }, seed);
    expect((await signIn(password)).body.errors).toBeUndefined();
    expect((await signIn(password.trim())).body.errors[0].extensions.code).toBe('INVALID_CREDENTIALS');
  });
});

it('only GET paths outside the contract reject unknown parameters', () => {
  const contract = ['/api/v1/auth/me', '/api/v1/leads/status', '/api/v1/products', '/api/v1/products/categories'];
  const lenient = routes.filter(({ method, isStrict }) => method === 'GET' && !isStrict).map(({ path }) => path);
  expect(lenient.toSorted()).toEqual(contract);
  expect(routes.filter(({ method, isStrict }) => method !== 'GET' && isStrict)).toEqual([]);
});

it('lists in a form have the same formats as in a query', async () => {
  const url = 'https://hooks.example.com/';
  const typesOf = async (form: string) => {
    const response = await fetch(`${test.urls.uat}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${developer.tokens.uat}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: `url=${encodeURIComponent(url)}&${form}`,
    });
    return ((await response.json()) as TestResponse['body']).data.types;
  };
  const types = ['recharge.succeeded', 'recharge.failed'];
  const [first, other] = types;
  for (const form of [
    `types=${first}&types=${other}`,
    `types[]=${first}&types[]=${other}`,
    `types[0]=${first}&types[1]=${other}`,
    `types=${first},${other}`,
  ])
    expect([form, await typesOf(form)]).toEqual([form, types]);
});

describe('a JSON number in a text field of digits', () => {
  const post = (path: string, json: string) =>
    test.rest('uat', 'POST', path, developer.tokens.uat, json, { 'content-type': 'application/json' });
  const RECHARGE = '/api/v1/recharge';
  const recharge = (more: string): string =>
    `{"account_number":"9876543210","amount":12,"operator_sp_key":116,"operator_type":"mobile",${more}}`;

  it.each([
    ['client_request_id', RECHARGE, recharge('"client_request_id":471100'), '471100'],
    [
      'account_number',
      RECHARGE,
      '{"x":{"account_number":1},"account_number":9876543211,"amount":12,"operator_sp_key":116,"operator_type":"Mobile","client_request_id":"n1"}',
      '9876543211',
    ],
    [
      'orderid',
      '/api/v1/plan/operator-fetch',
      '{"mobile":"9468455123","orderid":9007199254740991}',
      '9007199254740991',
    ],
    ['mobile', '/api/v1/plan/operator-fetch', '{"mobile":9468455123,"orderid":"n2"}', undefined],
  ])('is converted to its digits: %s', async (name, path, json, echoed) => {
    const { status, body } = await post(path, json);
    expect([name, status, body.status]).toEqual([name, 200, 'success']);
    if (echoed !== undefined) expect(body.data[name]).toBe(echoed);
  });

  it('is the same idempotency key as the string', async () => {
    const first = await post(RECHARGE, recharge('"client_request_id":471200'));
    const retry = await post(RECHARGE, recharge('"client_request_id":"471200"'));
    expect(retry.body.data.api_request_id).toBe(first.body.data.api_request_id);
  });

  it.each([
    ['client_request_id', '4.711e5'],
    ['client_request_id', '471300.0'],
    ['client_request_id', '0'],
    ['client_request_id', '-5'],
    ['client_request_id', '9007199254740993'],
    ['client_request_id', '1.5'],
    ['client_request_id', 'true'],
    ['client_request_id', '[1]'],
  ])('is rejected if its digits differ from its text: %s %s', async (name, value) => {
    const { status, body } = await post(RECHARGE, recharge(`"${name}":${value}`));
    expect([status, body.errors]).toEqual([400, { [name]: ['Must be text.'] }]);
  });

  it.each(['{"toString":1}', 'null', '[]', '7'])(
    'is rejected together with an invalid operator_type: %s',
    async (type) => {
      const { status, body } = await post(
        RECHARGE,
        `{"account_number":9876543210,"amount":12,"operator_sp_key":116,"operator_type":${type}}`,
      );
      expect([status, body.code, body.errors.account_number]).toEqual([400, 'VALIDATION_FAILED', ['Must be text.']]);
    },
  );

  it('is rejected if leading zeros are significant', async () => {
    const dth =
      '{"account_number":1000234567,"amount":12,"operator_sp_key":55,"operator_type":"dth","client_request_id":"n3"}';
    expect((await post(RECHARGE, dth)).body.errors).toEqual({ account_number: ['Must be text.'] });
    const info = await post('/api/v1/plan/dth-info', '{"dth_number":7210298754,"opcode":"STV","orderid":"n4"}');
    expect(info.body.errors).toEqual({ dth_number: ['Must be text.'] });
  });
});

it('error messages refer to other fields by their REST names', async () => {
  const { body } = await get(`${ORDERS}?min_amount=20&max_amount=10`);
  expect(body.errors).toEqual({ max_amount: ['Must be greater than or equal to `min_amount`.'] });
  expect((await get(STATUS)).body.errors).toEqual({ client_request_id: ['Set exactly one identifier of the order.'] });
});
