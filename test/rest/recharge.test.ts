import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { place, RECHARGE, rechargeBody, rechargeInput } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { failure, mismatches } from './schemas/common.js';
import { rechargePending, rechargeSuccess } from './schemas/recharge.schemas.js';

const MUTATION = `mutation($input: RechargeInput!) {
  recharge(input: $input) {
    order {
      status amount createdAt operatorRef accountNumber apiRequestId providerTxnId clientRequestId
      decline { reason } refunded
    }
    wallet { balance }
    replayed
  }
}`;
const valid = rechargeBody({ amount: 199 });
const validInput = rechargeInput({ amount: 199 });

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
});

const recharge = (environment: 'uat' | 'production', body: unknown, headers?: Record<string, string>) =>
  test.rest(environment, 'POST', RECHARGE, developer.tokens[environment], body, headers);
const ordersSoFar = async () => (await test.db.query<{ n: number }>('select count(*)::int as n from orders'))[0]!.n;

const codesOf = (warnings?: { code: string }[]): string[] | undefined => warnings?.map(({ code }) => code);

describe('documented bodies', () => {
  it.each(['uat', 'production'] as const)('success in %s', async (environment) => {
    const { status, body, headers } = await recharge(environment, { ...valid, client_request_id: '#Order28' });
    expect(status).toBe(200);
    expect(mismatches(rechargeSuccess, body)).toEqual([]);
    expect(body.data).toMatchObject({ amount: 199, account_number: '9876543210', client_request_id: '#Order28' });
    expect(headers.get('idempotent-replayed')).toBeNull();
    for (const name of ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
      expect(headers.get(name)).not.toBeNull();
  });

  it.each(['uat', 'production'] as const)('DTH success in %s, without a client_request_id', async (environment) => {
    const response = await recharge(environment, {
      account_number: '1000234567',
      amount: '350.50',
      operator_sp_key: '55',
      operator_type: 'DTH',
      circle: '',
    });
    const { status } = response;
    const { warnings, ...body } = response.body;
    expect(status).toBe(200);
    expect(codesOf(warnings)).toEqual(environment === 'uat' ? ['MISSING_KEY'] : undefined);
    expect(mismatches(rechargeSuccess, body)).toEqual([]);
    expect(body.data.client_request_id).toBe('');
    expect(body.data.amount).toBe(350.5);
  });

  it.each(['uat', 'production'] as const)('declined in %s', async (environment) => {
    const balanceBefore = await test.balance(developer, environment);
    const { status, body } = await recharge(environment, { ...valid, account_number: '9876540001' });
    expect(status).toBe(400);
    expect(mismatches(failure('failed'), body)).toEqual([]);
    expect(body.code).toBe('PROVIDER_DECLINED');
    expect(await test.balance(developer, environment)).toBe(balanceBefore);
  });

  it.each(['uat', 'production'] as const)('pending in %s', async (environment) => {
    const response = await recharge(environment, { ...valid, account_number: '9876540007' });
    const { status } = response;
    const { warnings, ...body } = response.body;
    expect(codesOf(warnings)).toEqual(environment === 'uat' ? ['MISSING_KEY'] : undefined);
    expect(status).toBe(200);
    expect(mismatches(rechargePending, body)).toEqual([]);
    expect(body.message).toMatch(/do not create a new order/i);
    // without an idempotency key, a second request would be a new recharge
    expect(body.message).toContain(`GET /api/v1/recharge/status?api_request_id=${body.data.api_request_id} `);
    expect(body.message).not.toMatch(/retry/i);
    const keyed = await recharge(environment, { ...valid, account_number: '9876540007', client_request_id: 'pending' });
    expect(keyed.body.message).toMatch(/retry this request with the same client_request_id/i);
  });

  it('insufficient balance', async () => {
    const poor = await test.developer({ liveRupees: 5 });
    const { status, body } = await place(test, poor, valid);
    expect(status).toBe(400);
    expect(mismatches(failure('failed'), body)).toEqual([]);
    expect(body.code).toBe('INSUFFICIENT_BALANCE');
  });

  it('returns the same error over GraphQL', async () => {
    const rest = await recharge('production', { ...valid, client_request_id: 'twin' });
    const { status, body } = await test.graphql('production', developer.tokens.production, MUTATION, {
      input: { ...validInput, clientRequestId: 'twin' },
    });
    expect(status).toBe(200);
    expect(body.extensions).toEqual({ replayed: true });
    expect(body.data.recharge).toEqual({
      order: {
        status: 'SUCCESS',
        amount: 199,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/),
        operatorRef: rest.body.data.operator_ref,
        accountNumber: '9876543210',
        apiRequestId: rest.body.data.api_request_id,
        providerTxnId: rest.body.data.provider_txn_id,
        clientRequestId: 'twin',
        decline: null,
        refunded: 0,
      },
      wallet: { balance: await test.balance(developer, 'production') },
      replayed: true,
    });
  });
});

describe('idempotency', () => {
  it('rejects a key that was used with a different body, in the documented envelope', async () => {
    const first = await recharge('production', { ...valid, client_request_id: 'once' });
    const balanceBefore = await test.balance(developer, 'production');
    for (const change of [
      { amount: 200 },
      { account_number: '9876543211' },
      { operator_sp_key: 3 },
      { operator_sp_key: 55, operator_type: 'dth' },
    ]) {
      const { status, body } = await recharge('production', { ...valid, client_request_id: 'once', ...change });
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect([status, body.code, body.api_request_id]).toEqual([
        409,
        'IDEMPOTENCY_KEY_REUSED',
        first.body.data.api_request_id,
      ]);
    }
    expect(await test.balance(developer, 'production')).toBe(balanceBefore);
  });

  it('compares the validated input and ignores spelling, unknown fields and decimal text', async () => {
    const first = await recharge('production', { ...valid, client_request_id: 'same-thing' });
    const retry = await recharge('production', {
      ...valid,
      client_request_id: ' same-thing ',
      amount: '199.00',
      operator_type: 'Mobile',
      note: 'hello',
      circle: null,
    });
    expect(retry.body).toEqual(first.body);
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
  });

  it('separates keys by environment and developer', async () => {
    const other = await test.developer();
    const responses = await Promise.all([
      recharge('production', { ...valid, client_request_id: 'mine' }),
      recharge('uat', { ...valid, client_request_id: 'mine' }),
      place(test, other, { ...valid, client_request_id: 'mine' }),
    ]);
    expect(new Set(responses.map(({ body }) => body.data.api_request_id)).size).toBe(3);
  });

  it('does not consume the key of a request that was rejected before money moved', async () => {
    const poor = await test.developer({ liveRupees: 5 });
    const send = () => place(test, poor, { ...valid, client_request_id: 'later' });
    expect((await send()).body.code).toBe('INSUFFICIENT_BALANCE');
    await creditWallet(
      test.app,
      { developerId: poor.id, environment: 'production', amountPaise: 50_000n as never, reference: 'more' },
      { actor: 'system:test', requestId: 'test' },
    );
    const { status, headers } = await send();
    expect(status).toBe(200);
    expect(headers.get('idempotent-replayed')).toBeNull();
  });

  it('returns REVERSED for a success that was reversed', async () => {
    const first = await recharge('production', { ...valid, client_request_id: 'taken-back' });
    const order = await test.db.query<{ id: string }>(
      `select id from orders where client_key = 'taken-back' and developer_id = $1`,
      [developer.id],
    );
    expect(await test.app.ledger.reverse(developer.id, order[0]!.id, {})).toBe('reversed');
    expect(await test.app.ledger.reverse(developer.id, order[0]!.id, {})).toBe('already');
    const { status, body } = await recharge('production', { ...valid, client_request_id: 'taken-back' });
    expect([status, body.status, body.code, body.api_request_id]).toEqual([
      400,
      'failed',
      'REVERSED',
      first.body.data.api_request_id,
    ]);
  });
});

describe('the header Idempotency-Key', () => {
  const keyed = (key: string, more: object = {}) =>
    recharge('production', { ...valid, ...more }, { 'idempotency-key': Buffer.from(key).toString('latin1') });

  it('is the client_request_id if the body has none, also in non-Latin scripts', async () => {
    const first = await keyed('क़ीमत 1');
    expect([first.status, first.body.data.client_request_id]).toEqual([200, 'क़ीमत 1']);
    for (const blank of [undefined, null, '', ' ']) {
      const retry = await keyed('क़ीमत 1', { client_request_id: blank });
      expect([retry.headers.get('idempotent-replayed'), retry.body]).toEqual(['true', first.body]);
    }
    const { headers } = await recharge('production', { ...valid, client_request_id: 'क़ीमत 1' });
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect((await keyed('क़ीमत 1', { amount: 5 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is ignored if it is blank or the body has a client_request_id', async () => {
    const { body } = await keyed('not me', { client_request_id: 'me' });
    expect(body.data.client_request_id).toBe('me');
    expect((await keyed(' ')).body.data.client_request_id).toBe('');
  });

  it.each([
    ['too long', 'x'.repeat(101)],
    ['with a direction mark', 'a\u202eb'],
  ])('is rejected by name: %s', async (_name, key) => {
    const ordersBefore = await ordersSoFar();
    const { status, body } = await keyed(key);
    expect([status, body.status, body.code]).toEqual([400, 'failed', 'VALIDATION_FAILED']);
    expect(Object.keys(body.errors)).toEqual(['Idempotency-Key']);
    expect(body.message).toMatch(/^Idempotency-Key: /);
    expect(await ordersSoFar()).toBe(ordersBefore);
  });

  it('is rejected if it is not UTF-8, because two such keys could become equal', async () => {
    const { body } = await recharge('production', valid, { 'idempotency-key': 'caf\u00e9' });
    expect([body.code, Object.keys(body.errors)]).toEqual(['VALIDATION_FAILED', ['Idempotency-Key']]);
  });
});

describe('bad input', () => {
  const cases: [string, object, string][] = [
    ['no account number', { account_number: undefined }, 'account_number'],
    ['nine digits', { account_number: '987654321' }, 'account_number'],
    ['eleven digits', { account_number: '98765432101' }, 'account_number'],
    ['a number instead of text', { account_number: 1.5 }, 'account_number'],
    ['letters in a mobile number', { account_number: '98765abcde' }, 'account_number'],
    ['non-ASCII digits', { account_number: '९८७६५४३२१०' }, 'account_number'],
    [
      'a subscriber number of three characters',
      { operator_type: 'dth', operator_sp_key: 55, account_number: '123' },
      'account_number',
    ],
    ['no amount', { amount: undefined }, 'amount'],
    ['amount null', { amount: null }, 'amount'],
    ['amount zero', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -10 }, 'amount'],
    ['three decimal places', { amount: 10.005 }, 'amount'],
    ['an amount as words', { amount: 'ten' }, 'amount'],
    ['an exponent as a string', { amount: '1e3' }, 'amount'],
    ['an empty amount', { amount: '' }, 'amount'],
    ['an amount over the limit', { amount: 25_000.01 }, 'amount'],
    ['an amount in a list', { amount: [10] }, 'amount'],
    ['an amount with a currency', { amount: '₹199' }, 'amount'],
    ['a very large amount', { amount: 1e21 }, 'amount'],
    ['no operator', { operator_sp_key: undefined }, 'operator_sp_key'],
    ['an operator with decimals', { operator_sp_key: 116.5 }, 'operator_sp_key'],
    ['operator zero', { operator_sp_key: 0 }, 'operator_sp_key'],
    ['an operator of a different type', { operator_sp_key: 55 }, 'operator_sp_key'],
    ['an unknown operator type', { operator_type: 'broadband' }, 'operator_type'],
    ['a key of 101 characters', { client_request_id: 'x'.repeat(101) }, 'client_request_id'],
    ['a key with a line break', { client_request_id: 'a\nb' }, 'client_request_id'],
    ['a key that is a decimal number', { client_request_id: 28.5 }, 'client_request_id'],
  ];
  it.each(cases)('rejects %s by name and moves no money', async (_name, change, field) => {
    const stateBefore = [await test.balance(developer, 'production'), await ordersSoFar()];
    const { status, body } = await recharge('production', { ...valid, client_request_id: 'bad-input', ...change });
    expect(status).toBe(400);
    expect(mismatches(failure('failed'), body)).toEqual([]);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(Object.keys(body.errors)).toEqual([field]);
    expect([await test.balance(developer, 'production'), await ordersSoFar()]).toEqual(stateBefore);
  });

  it('consumes no idempotency key', async () => {
    const { status, headers } = await recharge('production', { ...valid, client_request_id: 'bad-input' });
    expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('reports all invalid fields at once', async () => {
    const { body } = await recharge('production', { amount: -1, operator_type: 'x' });
    expect(Object.keys(body.errors).toSorted()).toEqual([
      'account_number',
      'amount',
      'operator_sp_key',
      'operator_type',
    ]);
  });

  it.each([
    [
      'literals',
      `mutation {
        recharge(input: { accountNumber: "98765", amount: "secret-text", operatorSpKey: 1.5, operatorType: MOB, colour: 1 }) {
          order { status }
        }
      }`,
      undefined,
    ],
    [
      'variables',
      MUTATION,
      { input: { accountNumber: '98765', amount: 'secret-text', operatorSpKey: 1.5, operatorType: 'MOB', colour: 1 } },
    ],
  ])('is rejected with its path in GraphQL %s, without quoting a value', async (_name, query, variables) => {
    const { status, body } = await test.graphql('production', developer.tokens.production, query, variables);
    expect(status).toBe(400);
    expect(body.data).toBeUndefined();
    expect(body.errors).toHaveLength(1);
    const { code, fields, requestId } = body.errors[0].extensions;
    expect(code).toBe('VALIDATION_FAILED');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(fields.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'input.amount',
      'input.colour',
      'input.operatorSpKey',
      'input.operatorType',
    ]);
    expect(JSON.stringify(body)).not.toContain('secret-text');
  });

  it.each([
    ['broken JSON', '{"account_number": "98765', 'application/json', 400, 'MALFORMED_REQUEST'],
    ['a JSON list', '[1]', 'application/json', 400, 'MALFORMED_REQUEST'],
    ['a JSON string', '"hello"', 'application/json', 400, 'MALFORMED_REQUEST'],
    ['an empty body', '', 'application/json', 400, 'MALFORMED_REQUEST'],
    [
      'JSON after two byte order marks',
      `\ufeff\ufeff${JSON.stringify({ ...valid, account_number: 9876543210 })}`,
      'application/json',
      400,
      'MALFORMED_REQUEST',
    ],
    ['plain text', '{}', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['100 KB', JSON.stringify({ ...valid, note: 'x'.repeat(100_000) }), 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
    ['a prototype', '{"__proto__": {"amount": 1}}', 'application/json', 400, 'MALFORMED_REQUEST'],
  ])('%s returns its own status and the envelope', async (_name, body, type, status, code) => {
    const ordersBefore = await ordersSoFar();
    const response = await recharge('production', body, { 'content-type': type });
    expect([response.status, response.body.code]).toEqual([status, code]);
    expect(mismatches(failure('error'), response.body)).toEqual([]);
    expect(await ordersSoFar()).toBe(ordersBefore);
  });

  it.each([
    ['a token of the other environment', () => developer.tokens.uat, 'WRONG_HOST'],
    ['a missing token', () => undefined, 'UNAUTHENTICATED'],
    ['a forged token', () => `at_live_${'x'.repeat(43)}`, 'UNAUTHENTICATED'],
  ])('rejects %s before reading the body', async (_name, token, code) => {
    const response = await test.rest('production', 'POST', RECHARGE, token(), '{"broken');
    expect([response.status, response.body.code, response.body.status]).toEqual([401, code, 'error']);
  });

  it('returns 405 with Allow for the wrong method and 404 for unknown paths', async () => {
    const rejection = await test.rest('production', 'GET', RECHARGE, developer.tokens.production);
    expect([rejection.status, rejection.body.code, rejection.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'POST',
    ]);
    const unknown = await test.rest('production', 'GET', '/api/v1/nothing');
    expect([unknown.status, unknown.body]).toEqual([
      404,
      {
        status: 'error',
        message: 'Path not found.',
        code: 'NOT_FOUND',
        doc_url: `${test.urls.production}/docs/errors#NOT_FOUND`,
        request_id: expect.any(String),
      },
    ]);
  });
});

describe('environments', () => {
  it('never calls a provider for a UAT token', async () => {
    await test.simulator.reset();
    for (const account of ['9876543210', '9876540001', '9876540007'])
      await recharge('uat', { ...valid, account_number: account });
    await test.graphql('uat', developer.tokens.uat, MUTATION, { input: validInput });
    const sends = (await test.simulator.calls()).filter(({ path }) => !path.endsWith('StatusCheck'));
    expect(sends).toEqual([]);
  });
});

describe('warnings of a successful recharge', () => {
  const sent = async (environment: 'uat' | 'production', more: object, headers?: Record<string, string>) => {
    const { status, body } = await recharge(environment, { ...valid, amount: 10 + ++counter / 100, ...more }, headers);
    expect([status, body.status]).toEqual([200, 'success']);
    return body;
  };
  let counter = 0;

  it.each([
    'clientRequestId',
    'Client_Request_Id',
    'client_requestid',
    'request_id',
    'idempotency_key',
    'idempotencyKey',
    'orderid',
    'merchant_order_id',
    'client_reqest_id',
  ])('name a field that looks like an idempotency key: %s', async (name) => {
    for (const environment of ['uat', 'production'] as const) {
      const { warnings, data } = await sent(environment, { [name]: 'order-1', note: 'x', customer_number: '1' });
      expect(data.client_request_id).toBe('');
      expect(warnings).toEqual([
        {
          code: 'UNREAD_KEY',
          message: `${name} is ignored. Send the idempotency key as client_request_id or in the Idempotency-Key header.`,
          api_request_id: null,
        },
      ]);
    }
  });

  it('never quote a name that may contain a value', async () => {
    for (const name of ['order4111111111111111id', 'sk_uat_7f3a_request_id', 'order id'])
      expect(await sent('production', { [name]: '1' })).not.toHaveProperty('warnings');
  });

  it('name an ignored header that looks like an idempotency key', async () => {
    const first = await sent('production', { amount: 11 }, { 'x-idempotency-key': 'a' });
    expect([first.data.client_request_id, codesOf(first.warnings)]).toEqual(['', ['UNREAD_KEY']]);
    const document = 'mutation($i: RechargeInput!) { recharge(input: $i) { warnings { code message } } }';
    const response = await fetch(`${test.urls.production}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${developer.tokens.production}`,
        'content-type': 'application/json',
        'x-idempotency-key': 'a',
      },
      body: JSON.stringify({
        query: document,
        variables: { i: { accountNumber: '9876543210', amount: 12, operatorSpKey: 37, operatorType: 'MOBILE' } },
      }),
    });
    const { data } = (await response.json()) as { data: { recharge: { warnings: { code: string }[] } } };
    expect(codesOf(data.recharge.warnings)).toEqual(['UNREAD_KEY']);
  });

  it('are omitted if the request has an idempotency key', async () => {
    for (const environment of ['uat', 'production'] as const) {
      const key = `with a key ${environment}`;
      expect(await sent(environment, { client_request_id: key, orderid: '1' })).not.toHaveProperty('warnings');
      const header = { 'idempotency-key': `header ${key}`, 'x-idempotency-key': '1' };
      expect(await sent(environment, {}, header)).not.toHaveProperty('warnings');
    }
  });

  it('report a missing idempotency key and an unknown operator in UAT', async () => {
    expect(codesOf((await sent('uat', {})).warnings)).toEqual(['MISSING_KEY']);
    expect(await sent('uat', { allow_duplicate: true })).not.toHaveProperty('warnings');
    const { warnings } = await sent('uat', { operator_sp_key: 999_999, client_request_id: 'unknown operator' });
    expect(warnings).toEqual([
      {
        code: 'UNKNOWN_OPERATOR',
        message: 'Unknown operator_sp_key 999999. See GET /api/v1/operators for valid values.',
        api_request_id: null,
      },
    ]);
    expect(await sent('production', {})).not.toHaveProperty('warnings');
  });

  it('start with the likely duplicate', async () => {
    await sent('uat', { amount: 77 });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(codesOf((await sent('uat', { amount: 77 })).warnings)).toEqual(['LIKELY_DUPLICATE', 'MISSING_KEY']);
  });
});

it('every error response contains the request ID of its header', async () => {
  for (const [path, token] of [
    ['/api/v1/recharge', undefined],
    ['/api/v1/recharge', developer.tokens.uat],
    ['/api/v1/recharge', developer.tokens.production],
    ['/api/v1/nothing', undefined],
  ] as const) {
    const { body, headers } = await test.rest('production', 'POST', path, token, {});
    expect(body.request_id).toBe(headers.get('x-request-id'));
  }
});
