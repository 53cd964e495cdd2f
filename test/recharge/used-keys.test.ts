import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { type TestDeveloper, type TestResponse, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { nextStep } from './php-sample.js';

const MUTATION = `mutation($input: RechargeInput!) {
  answer: recharge(input: $input) {
    order {
      status amount accountNumber operatorRef apiRequestId providerTxnId clientRequestId decline { reason } refunded
    }
    wallet { balance }
    replayed
  }
}`;
const SLOW = '9876540009';

type Body = Record<string, unknown>;
const body = (more: Body = {}): Body => rechargeBody({ amount: 199, ...more });

/** GraphQL names of the REST fields. */
const GRAPHQL_NAMES: Record<string, string> = {
  account_number: 'accountNumber',
  operator_sp_key: 'operatorSpKey',
  operator_type: 'operatorType',
  client_request_id: 'clientRequestId',
  customer_number: 'customerNumber',
};
const inputOf = (request: Body): Body =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [
      GRAPHQL_NAMES[name] ?? name,
      name === 'operator_type' ? String(value).toUpperCase() : value,
    ]),
  );
/** The value in GraphQL literal syntax. */
const literal = (value: unknown): string =>
  value !== null && typeof value === 'object'
    ? `{${Object.entries(value).map(([name, inner]) => `${name}: ${name === 'operatorType' ? inner : literal(inner)}`)}}`
    : JSON.stringify(value);

const test = useSharedApp();
/** A second process on the same database with a lower recharge limit and a capacity of one concurrent call. */
let laterApp: Awaited<ReturnType<typeof createApp>>;
beforeAll(async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  laterApp = await createApp(
    loadConfig({
      ...testEnvironment(test.db.url, test.simulator.url, ports),
      MAX_RECHARGE_RUPEES: '100',
      MAX_IN_FLIGHT: '1',
    }),
    createLogger('silent'),
  );
  await laterApp.listen();
});
afterAll(() => laterApp?.close());

const laterResponse = async (
  environment: Environment,
  path: string,
  token: string,
  sent: object,
): Promise<TestResponse> => {
  const response = await fetch(`${laterApp.config.publicUrls[environment]}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

type Way = (developer: TestDeveloper, request: Body, environment?: Environment) => Promise<TestResponse>;
const rest: Way = (developer, request, environment = 'production') =>
  test.rest(environment, 'POST', RECHARGE, developer.tokens[environment], request);
const variables: Way = (developer, request, environment = 'production') =>
  test.graphql(environment, developer.tokens[environment], MUTATION, { input: inputOf(request) });
const literals: Way = (developer, request, environment = 'production') =>
  test.graphql(
    environment,
    developer.tokens[environment],
    MUTATION.replace('($input: RechargeInput!)', '').replace('$input', literal(inputOf(request))),
  );
const restLater: Way = (developer, request, environment = 'production') =>
  laterResponse(environment, RECHARGE, developer.tokens[environment], request);
const variablesLater: Way = (developer, request, environment = 'production') =>
  laterResponse(environment, '/graphql', developer.tokens[environment], {
    query: MUTATION,
    variables: { input: inputOf(request) },
  });

/** REST status or error code for each order status. */
const REST_WORDS: Record<string, string> = {
  SUCCESS: 'success',
  PENDING: 'pending',
  FAILED: 'PROVIDER_DECLINED',
  REVERSED: 'REVERSED',
};

/** Summary of a REST or GraphQL response in one common form. */
function summaryOf({ status, headers, body: responseBody }: TestResponse) {
  if (responseBody.data?.answer || responseBody.errors) {
    const { code, apiRequestId, orderStatus } = responseBody.errors?.[0]?.extensions ?? {};
    const order = responseBody.data?.answer?.order;
    return {
      httpStatus: status,
      status: order ? REST_WORDS[order.status] : code,
      apiRequestId: order?.apiRequestId ?? apiRequestId,
      orderStatus,
      replayed: responseBody.extensions?.replayed === true,
    };
  }
  return {
    httpStatus: status,
    status: responseBody.data ? responseBody.status : responseBody.code,
    apiRequestId: responseBody.data?.api_request_id ?? responseBody.api_request_id,
    orderStatus: responseBody.order_status,
    replayed: headers.get('idempotent-replayed') === 'true',
  };
}

/** Completes a recharge successfully and returns it with its request. */
async function recharged(developer: TestDeveloper, more: Body = {}, environment: Environment = 'production') {
  const request = body({ client_request_id: 'known', ...more });
  const first = await rest(developer, request, environment);
  expect(first.body.status).toBe('success');
  return { request, first, id: first.body.data.api_request_id as string };
}

/** Expects the stored success response from each of the protocols, and a single order. */
async function expectStoredResponse(
  ways: readonly Way[],
  developer: TestDeveloper,
  request: Body,
  first: TestResponse,
  environment: Environment = 'production',
): Promise<void> {
  const { api_request_id, amount, account_number, operator_ref, provider_txn_id, client_request_id } = first.body.data;
  for (const way of ways) {
    const retry = await way(developer, request, environment);
    expect(summaryOf(retry)).toEqual({
      httpStatus: 200,
      status: 'success',
      apiRequestId: api_request_id,
      orderStatus: undefined,
      replayed: true,
    });
    if (retry.body.status) expect(retry.body).toEqual(first.body);
    else
      expect(retry.body.data.answer).toMatchObject({
        order: {
          amount,
          accountNumber: account_number,
          operatorRef: operator_ref,
          providerTxnId: provider_txn_id,
          clientRequestId: client_request_id,
          decline: null,
          refunded: 0,
        },
        wallet: { balance: await test.balance(developer, environment) },
        replayed: true,
      });
  }
  const rows = await test.db.query('select 1 from orders where developer_id = $1 and environment = $2', [
    developer.id,
    environment,
  ]);
  expect(rows).toHaveLength(1);
}

const useUp = (developer: TestDeveloper) =>
  test.db.query('update developer set rate_limit_per_minute = 1 where id = $1', [developer.id]);

describe('a retry with a used idempotency key returns the stored response', () => {
  it('over the rate limit', async () => {
    const developer = await test.developer();
    const { request, first } = await recharged(developer);
    await useUp(developer);
    await expectStoredResponse([rest, variables, literals], developer, request, first);
    const unknown = await rest(developer, { ...request, client_request_id: 'never seen' });
    expect([unknown.status, unknown.body.status, unknown.body.code]).toEqual([429, 'error', 'RATE_LIMITED']);
  });

  it('over the rate limit, from pending until the order is final', async () => {
    const developer = await test.developer();
    const request = body({ account_number: '9876540005', client_request_id: 'polled' });
    const first = await rest(developer, request);
    expect(first.body.status).toBe('pending');
    await useUp(developer);
    const polled = await rest(developer, request);
    expect(['pending', 'success']).toContain(polled.body.status);
    await until('the order succeeds', async () => (await rest(developer, request)).body.status === 'success');
    expect(summaryOf(await variables(developer, request))).toMatchObject({
      status: 'success',
      apiRequestId: first.body.data.api_request_id,
    });
  });

  it('with a new token, while an expired token reveals nothing about the order', async () => {
    const developer = await test.developer();
    const { request, first } = await recharged(developer);
    await test.db.query(
      `update access_token set expires_at = now() - interval '1 minute', created_at = now() - interval '2 minutes' where developer_id = $1`,
      [developer.id],
    );
    const rejection = await rest(developer, request);
    expect([rejection.status, rejection.body]).toEqual([
      401,
      {
        status: 'error',
        code: 'UNAUTHENTICATED',
        doc_url: `${test.urls.production}/docs/errors#UNAUTHENTICATED`,
        request_id: expect.any(String),
        message: expect.any(String),
      },
    ]);
    expect(summaryOf(await variables(developer, request))).toMatchObject({
      httpStatus: 401,
      status: 'UNAUTHENTICATED',
    });
    const { clientId: client_id, apiSecret: api_secret } = developer.keys.production;
    const exchange = await test.rest('production', 'POST', '/api/v1/auth/client-credentials', undefined, {
      client_id,
      api_secret,
      environment: 'production',
    });
    developer.tokens.production = exchange.body.token;
    await expectStoredResponse([rest, variables], developer, request, first);
  });

  it.each([
    ['with a different location', { geocode: '19.0760,72.8777', pincode: '400001' }],
    ['with a different contact number', { customer_number: '9812345670' }],
    ['with a circle that was added later', { circle: 'Mumbai' }],
    ['with an unreadable location', { geocode: { lat: 19 }, customer_number: 9812345670 }],
    ['with a pincode that is too long', { pincode: '4'.repeat(60) }],
  ])('%s', async (_name, change) => {
    const developer = await test.developer();
    const { request, first } = await recharged(developer, { geocode: '28.6139,77.2090', pincode: '110001' });
    await expectStoredResponse([rest, variables, literals], developer, { ...request, ...change }, first);
  });

  it('while the process is at capacity', async () => {
    const developer = await test.developer();
    const { request, first } = await recharged(developer, { amount: 99 }, 'uat');
    await test.simulator.latency('roundpay', 1_800);
    const slow = restLater(developer, body({ account_number: SLOW, amount: 10 }));
    await until('the process is at capacity', () => laterApp.orders.inFlight === 1);
    await expectStoredResponse([restLater, variablesLater], developer, request, first, 'uat');
    const unknown = await restLater(developer, { ...request, client_request_id: 'new' }, 'uat');
    expect([unknown.status, unknown.body.status, unknown.body.code]).toEqual([503, 'error', 'OVERLOADED']);
    await test.simulator.latency('roundpay', 0);
    await slow;
    await laterApp.orders.drain();
  });

  it('while the developer is suspended or without Production access', async () => {
    const developer = await test.developer();
    const { request, first } = await recharged(developer);
    await test.db.query('update developer set suspended_at = now() where id = $1', [developer.id]);
    await expectStoredResponse([rest, variables], developer, request, first);
    const unknown = await rest(developer, { ...request, client_request_id: 'new' });
    expect([unknown.status, unknown.body.status, unknown.body.code]).toEqual([403, 'error', 'SUSPENDED']);
    await test.db.query('update developer set suspended_at = null, production_unlocked = false where id = $1', [
      developer.id,
    ]);
    await expectStoredResponse([rest, variables], developer, request, first);
  });

  it('after the maximum recharge amount was lowered', async () => {
    const developer = await test.developer();
    const { request, first } = await recharged(developer, { amount: 199 });
    await expectStoredResponse([restLater, variablesLater], developer, request, first);
    expect((await restLater(developer, { ...request, amount: 198 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const unknown = await restLater(developer, { ...request, client_request_id: 'new' });
    expect([unknown.status, unknown.body.status, unknown.body.code]).toEqual([400, 'failed', 'VALIDATION_FAILED']);
  });

  it('with the decline of an order that failed', async () => {
    const developer = await test.developer();
    const request = body({ account_number: '9876540001', client_request_id: 'declined' });
    const first = await rest(developer, request);
    expect(first.body.code).toBe('PROVIDER_DECLINED');
    await useUp(developer);
    for (const way of [rest, variables]) {
      expect(summaryOf(await way(developer, request))).toMatchObject({
        status: 'PROVIDER_DECLINED',
        apiRequestId: first.body.api_request_id,
        replayed: true,
      });
    }
    expect((await rest(developer, request)).body.status).toBe('failed');
    const { body: responseBody } = await variables(developer, request);
    expect(responseBody.errors).toBeUndefined();
    expect(responseBody.data.answer).toMatchObject({
      order: { status: 'FAILED', decline: { reason: 'UNSPECIFIED' }, refunded: 199 },
      wallet: { balance: 10_000 },
      replayed: true,
    });
  });
});

describe('a retry that describes a different recharge', () => {
  it.each([
    ['a different amount', { amount: 200 }],
    ['a different number', { account_number: '9876543211' }],
    ['a different operator', { operator_sp_key: 3 }],
    ['a different type', { operator_type: 'dth' }],
    ['an amount that is not a number', { amount: 'ten' }],
    ['no amount', { amount: undefined }],
    ['a negative amount', { amount: -1 }],
    ['an invalid number', { account_number: 9876543210.5 }],
    ['an invalid operator', { operator_sp_key: '116x' }],
  ])('is rejected as an error, not a failure, with the ID of the earlier order: %s', async (_name, change) => {
    const developer = await test.developer();
    const { request, id } = await recharged(developer);
    const restResponse = await rest(developer, { ...request, ...change });
    expect([restResponse.status, restResponse.body.status]).toEqual([409, 'error']);
    for (const response of [restResponse, await variables(developer, { ...request, ...change })]) {
      expect(summaryOf(response)).toMatchObject({
        status: 'IDEMPOTENCY_KEY_REUSED',
        apiRequestId: id,
        replayed: false,
      });
      expect(response.body.data?.answer ?? undefined).toBeUndefined();
    }
    expect(await test.balance(developer, 'production')).toBe(10_000 - 199);
  });

  it('is a new request if the key was used in the other environment or by another developer', async () => {
    const developer = await test.developer();
    const otherAccount = await test.developer();
    const { request } = await recharged(developer, {}, 'uat');
    for (const response of [
      await rest(developer, { ...request, amount: 'ten' }),
      await rest(otherAccount, { ...request, amount: 'ten' }, 'uat'),
    ])
      expect([response.status, response.body.status, response.body.code]).toEqual([400, 'failed', 'VALIDATION_FAILED']);
  });

  it('returns the order of its own environment when the key is used in both', async () => {
    const developer = await test.developer();
    const uat = await recharged(developer, { account_number: '9876543211', amount: 11 }, 'uat');
    const production = await recharged(developer, { account_number: '9876543212', amount: 12 });
    for (const [environment, { request, first }] of [
      ['uat', uat],
      ['production', production],
    ] as const)
      await expectStoredResponse([rest, variables], developer, request, first, environment);
  });
});

describe('the rate limit for replayed responses', () => {
  it('is 60 per minute for one key; errors beyond it include the order status', async () => {
    const developer = await test.developer();
    const { request, id } = await recharged(developer);
    await useUp(developer);
    const responses = await Promise.all(Array.from({ length: 60 }, () => rest(developer, request)));
    expect(responses.filter((response) => summaryOf(response).replayed)).toHaveLength(60);
    const rejection = await rest(developer, request);
    expect([rejection.status, rejection.body]).toEqual([
      429,
      {
        status: 'error',
        code: 'RATE_LIMITED',
        doc_url: `${test.urls.production}/docs/errors#RATE_LIMITED`,
        request_id: expect.any(String),
        message: expect.any(String),
        api_request_id: id,
        order_status: 'success',
      },
    ]);
    expect(Number(rejection.headers.get('retry-after'))).toBeGreaterThan(0);
    const { body: responseBody } = await variables(developer, request);
    expect(responseBody.errors[0].extensions).toMatchObject({
      code: 'RATE_LIMITED',
      apiRequestId: id,
      orderStatus: 'success',
      retryAfterMs: expect.any(Number),
    });
  });
});

describe('GraphQL', () => {
  it('returns a separate result for each alias when values are invalid', async () => {
    const developer = await test.developer();
    const { request, id } = await recharged(developer);
    const { status, body: responseBody } = await test.graphql(
      'production',
      developer.tokens.production,
      `mutation($input: RechargeInput!, $lead: CreateLeadInput!, $yes: Boolean!) {
        lead: createLead(input: $lead) { campaignUrl }
        mine: recharge(input: $input) { ...R order { status @skip(if: $yes) } }
      }
      fragment R on RechargePayload { order { id: apiRequestId amount @include(if: $yes) } }`,
      { input: inputOf({ ...request, geocode: 5 }), lead: 7, yes: true },
    );
    expect([status, responseBody.data]).toEqual([200, { lead: null, mine: { order: { id, amount: 199 } } }]);
    expect(responseBody.errors).toEqual([
      expect.objectContaining({ path: ['lead'], extensions: expect.objectContaining({ code: 'VALIDATION_FAILED' }) }),
    ]);
  });

  it('replays nothing for an invalid document', async () => {
    const developer = await test.developer();
    const { request } = await recharged(developer);
    const input = literal(inputOf({ ...request, geocode: 5 }));
    const document = `mutation { recharge(input: ${input}) { order { status } nonsense } }`;
    const { body: responseBody } = await test.graphql('production', developer.tokens.production, document);
    expect(responseBody.data).toBeUndefined();
  });
});

it('a stream of a single result also replays the stored response and marks it as replayed', async () => {
  const developer = await test.developer();
  const { request } = await recharged(developer);
  const input = inputOf({ ...request, geocode: 5 });
  const query = `mutation { recharge(input: ${literal(input)}) { order { clientRequestId status } replayed } }`;
  const response = await fetch(`${test.urls.production}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${developer.tokens.production}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query }),
  });
  const order = { clientRequestId: request.client_request_id, status: 'SUCCESS' };
  const expected = { data: { recharge: { order, replayed: true } }, extensions: { replayed: true } };
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining(`data: ${JSON.stringify(expected)}\n`),
  ]);
});

describe('the PHP sample', () => {
  it('never refunds an order that may still succeed', async () => {
    const developer = await test.developer();
    const { request } = await recharged(developer);
    const declined = body({ account_number: '9876540001', client_request_id: 'declined' });
    const pending = body({ account_number: '9876540007', client_request_id: 'pending' });
    const token = { ...developer, tokens: { uat: '', production: developer.tokens.uat } };
    const steps: [string, TestResponse, string][] = [
      ['a success', await rest(developer, request), 'deliver'],
      ['a decline', await rest(developer, declined), 'refund'],
      ['an invalid first request', await rest(developer, body({ amount: -1 })), 'refund'],
      ['a pending order', await rest(developer, pending), 'retry'],
      ['the token of the other environment', await rest(token, request), 'retry'],
      ['a different recharge with the same key', await rest(developer, { ...request, amount: 5 }), 'retry'],
      ['an invalid body', await test.rest('production', 'POST', RECHARGE, developer.tokens.production, '{'), 'retry'],
    ];
    await useUp(developer);
    steps.push(['the rate limit', await rest(developer, { ...request, client_request_id: 'new' }), 'retry']);
    steps.push(['a retry over the rate limit', await rest(developer, request), 'deliver']);
    const actions = await nextStep(steps.map(([, { status, body: responseBody }]) => [status, responseBody]));
    expect(steps.map(([name], index) => [name, actions[index]])).toEqual(steps.map(([what, , step]) => [what, step]));
  });
});
