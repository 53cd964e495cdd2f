import { describe, expect, test } from 'vitest';
import type { FuzzCase, FuzzResponse } from './case.js';
import { canaries, leakSearch } from './oracle/canaries.js';
import { chargesOf } from './oracle/charges.js';
import { CreditOracle } from './oracle/credits.js';
import { MoneyOracle } from './oracle/money.js';
import { ResponseOracle } from './oracle/responses.js';
import type { Account } from './support/accounts.js';

const REQUEST_ID = 'request-1';
const openApi = {
  paths: {
    '/api/v1/auth/me': {
      get: {
        responses: { 200: { content: { 'application/json': { schema: { type: 'object', required: ['id'] } } } } },
      },
    },
  },
};
const oracle = new ResponseOracle(leakSearch(['the pepper of the stage']), openApi);

const rest: FuzzCase = { kind: 'REST', host: 'uat', method: 'GET', path: '/api/v1/auth/me', headers: {} };
const graphql: FuzzCase = { kind: 'GraphQL', host: 'uat', method: 'POST', path: '/graphql', headers: {}, body: '{}' };

function response(status: number, body: unknown, headers: Record<string, string> = {}): FuzzResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: { 'x-request-id': REQUEST_ID, 'content-type': 'application/json', ...headers },
    text,
    elapsedMs: 1,
  };
}
const pageOf = (code: string): string => `https://uat.example/docs/errors#${code}`;
const errorOf = (code: string): object => ({ status: 'error', message: 'No.', code, doc_url: pageOf(code) });
const errorResponse = errorOf('NOT_FOUND');
const graphqlError = (extensions: Record<string, string> & { code: string }, message = 'No.'): object => ({
  data: null,
  errors: [{ message, extensions: { docUrl: pageOf(extensions.code), ...extensions } }],
});

describe('the response oracle', () => {
  test.each<[string, FuzzCase, FuzzResponse]>([
    ['a success', rest, response(200, { id: 1 })],
    ['an error response', rest, response(404, errorResponse)],
    ['a 503 with Retry-After', rest, response(503, errorOf('OVERLOADED'), { 'retry-after': '1' })],
    ['a GraphQL error', graphql, response(200, graphqlError({ code: 'NOT_FOUND', requestId: REQUEST_ID }))],
    ['the order ID of a duplicate', rest, response(409, { ...errorResponse, order_id: canaries.cardNumbers[0] })],
    [
      'the key of a duplicate over GraphQL',
      graphql,
      response(
        200,
        graphqlError({ code: 'DUPLICATE_ORDER', requestId: REQUEST_ID, clientRequestId: canaries.cardNumbers[0] }),
      ),
    ],
  ])('accepts %s', (_name, fuzzCase, actual) => {
    expect(oracle.problems(fuzzCase, actual)).toEqual([]);
  });

  test.each<[string, FuzzCase, FuzzResponse, string]>([
    ['status 500', rest, response(500, errorResponse), 'status 500'],
    ['a 503 without Retry-After', rest, response(503, errorResponse), 'status 503 without Retry-After'],
    ['a 429 without Retry-After', rest, response(429, errorResponse), 'status 429 without Retry-After'],
    ['a missing request ID', rest, { ...response(404, errorResponse), headers: {} }, 'no X-Request-Id'],
    [
      'an error response without a code',
      rest,
      response(404, { status: 'error', message: 'No.' }),
      'an error response without a known code',
    ],
    [
      'an error response with a link to another code',
      rest,
      response(404, { ...errorResponse, doc_url: pageOf('CONFLICT') }),
      'an error response without the page of its code',
    ],
    [
      'a GraphQL error without a link',
      graphql,
      response(200, graphqlError({ code: 'NOT_FOUND', docUrl: '', requestId: REQUEST_ID })),
      'a GraphQL error without the page of its code',
    ],
    ['an error response with data', rest, response(404, { ...errorResponse, data: {} }), 'an error response with data'],
    [
      'an HTML page instead of the envelope',
      rest,
      response(400, '<html>'),
      'an error response that is not a JSON object',
    ],
    [
      'a success with a different shape',
      rest,
      response(200, { name: 'x' }),
      "success of another shape:  must have required property 'id'",
    ],
    [
      'code INTERNAL in a partial response',
      graphql,
      response(200, graphqlError({ code: 'INTERNAL', requestId: REQUEST_ID })),
      'code INTERNAL',
    ],
    [
      'a GraphQL error with a different request ID',
      graphql,
      response(200, graphqlError({ code: 'NOT_FOUND', requestId: 'x' })),
      'a GraphQL error without the request ID',
    ],
    [
      'an echoed card number',
      rest,
      response(422, { ...errorResponse, message: '4111 1111 1111 1111' }),
      'an error response contains 4111 1111 1111 1111',
    ],
    [
      'an echoed email address',
      graphql,
      response(400, graphqlError({ code: 'NOT_FOUND', requestId: REQUEST_ID }, canaries.email('7'))),
      'an error response contains cnry7f3a',
    ],
    [
      'a secret of the service',
      rest,
      response(404, { ...errorResponse, message: 'the pepper of the stage' }),
      'an error response contains the pepper of the stage',
    ],
    [
      'a secret of the service in a success',
      rest,
      response(200, { id: 'the pepper of the stage' }),
      'a response contains the pepper of the stage',
    ],
    [
      'a stack trace',
      rest,
      response(400, { ...errorResponse, message: 'at Object.run (/x/y.js:3:1)' }),
      'an error response contains at Object.run (',
    ],
    ['no response', rest, { status: 0, headers: {}, text: 'reset', elapsedMs: 1 }, 'no response: reset'],
  ])('reports %s', (_name, fuzzCase, actual, problem) => {
    expect(oracle.problems(fuzzCase, actual)).toContain(problem);
  });

  test('a secret in a log line is found', () => {
    const { inLog } = leakSearch(['tok_1234567890']);
    expect(inLog('{"msg":"request","token":"tok_1234567890"}')).toBe('tok_1234567890');
    expect(inLog(`{"msg":"for ${canaries.mobile('07')}"}`)).toBe('9182736407');
    expect(inLog('{"msg":"request"}')).toBeUndefined();
  });
});

describe('the money oracle', () => {
  const account = { name: 'owner', developerId: 7, values: new Map() } as unknown as Account;
  const call: FuzzCase = {
    kind: 'REST',
    host: 'production',
    method: 'POST',
    path: '/api/v1/recharge',
    headers: { authorization: 'Bearer {{token.owner-production}}' },
  };
  const success = response(200, { status: 'success', message: 'Done.', data: { amount: 199, api_request_id: 'A' } });
  const books = (rows: object[]) => ({
    query: async <Row>(sql: string): Promise<Row[]> =>
      (sql.startsWith('select now()') ? [{ now: '2026-01-01' }] : rows) as Row[],
  });
  const order = { wallet: '7:production', id: 'x', key: 'r-1', paise: '19900', state: 'success' };
  const rejectAll = () => Promise.reject(new Error('nothing is sent again'));
  const findingsOf = async (
    rows: object[],
    fuzzCase: FuzzCase,
    replies: FuzzResponse[],
    send: (fuzzCase: FuzzCase) => Promise<FuzzResponse>,
  ) => {
    const money = new MoneyOracle(books(rows) as never, [account], { send, settleMs: 0 });
    await money.start();
    for (const actual of replies) money.record(fuzzCase, actual);
    return money.problems();
  };
  const problemsOf = async (rows: object[], ...replies: FuzzResponse[]): Promise<string[]> =>
    (await findingsOf(rows, call, replies, rejectAll)).map(({ problem }) => problem);

  test('accepts books that match the charges in accepted responses', async () => {
    expect(await problemsOf([order], success)).toEqual([]);
    expect(await problemsOf([{ ...order, state: 'failed' }], response(400, errorResponse))).toEqual([]);
  });

  test('reports money that was moved by a rejected call', async () => {
    expect(await problemsOf([order], response(400, errorResponse))).toEqual([
      'wallet 7:production: the books debited 19900 paise, the responses state 0',
    ]);
  });

  test('reports a success that is missing from the books', async () => {
    expect(await problemsOf([], success)).toEqual([
      'wallet 7:production: the books debited 0 paise, the responses state 19900',
    ]);
  });

  test('distinguishes a replay, a pending payment and a fee', () => {
    expect(chargesOf(JSON.parse(success.text), true)).toEqual([]);
    expect(chargesOf({ status: 'pending', data: { amount: 1.5, api_request_id: 'A' } }, false)).toEqual([
      { paise: 150, key: 'A', pending: true },
    ]);
    expect(chargesOf({ data: { a: { __typename: 'PlansResult', fee: 1.5 }, b: null } }, false)).toEqual([
      { paise: 150 },
    ]);
  });

  test('counts a GraphQL payment by its status, and its replay as nothing', () => {
    const paid = { __typename: 'Order', status: 'SUCCESS', amount: 1.5, apiRequestId: 'A' };
    const chargesIn = (change: object, replayed = false, type = 'RechargePayload') =>
      chargesOf({ data: { a: { __typename: type, replayed, order: { ...paid, ...change } } } }, false);
    expect(chargesIn({})).toEqual([{ paise: 150, key: 'A' }]);
    expect(chargesIn({}, false, 'PayCardBillPayload')).toEqual([{ paise: 150, key: 'A' }]);
    expect(chargesIn({ status: 'PENDING' })).toEqual([{ paise: 150, key: 'A', pending: true }]);
    for (const status of ['FAILED', 'REVERSED']) expect(chargesIn({ status })).toEqual([]);
    expect(chargesIn({}, true)).toEqual([]);
    expect(chargesOf({ data: { order: paid } }, false)).toEqual([]);
  });

  const lookup = {
    ...call,
    path: '/graphql',
    body: '{"query":"{ a: mobilePlans(input: {clientRequestId: \\"l-1\\"}) { fee } }"}',
  };
  const fee = {
    wallet: '7:production',
    reference: 'L',
    key: 'x',
    operation: 'lookup',
    paise: '150',
    state: 'success',
    ms: 0,
  };
  const plans = (data: object | null, charged?: boolean) =>
    response(200, { data: { a: data }, ...(charged === undefined ? {} : { errors: [{ extensions: { charged } }] }) });

  test('reports a fee of a call whose response states that nothing was kept, with its request', async () => {
    const debitedProblem = 'wallet 7:production: the books debited 150 paise, the responses state 0';
    const withoutCharge = response(503, { ...errorResponse, message: 'Nothing was charged.' });
    for (const denial of [plans(null, false), withoutCharge, response(200, '')])
      expect(await findingsOf([fee], lookup, [denial], rejectAll)).toEqual([
        { problem: debitedProblem, unnamed: expect.stringContaining(denial.text.slice(2, 6)), given: lookup },
      ]);
    expect(await findingsOf([{ ...fee, state: 'failed' }], lookup, [plans(null, false)], rejectAll)).toEqual([]);
  });

  test('sends the request again if money may have been kept, and reports it if the data is not delivered', async () => {
    const sent: FuzzCase[] = [];
    const resendWith = (outcome: FuzzResponse) => async (fuzzCase: FuzzCase) => {
      sent.push(fuzzCase);
      return outcome;
    };
    const delivered = plans({ __typename: 'PlansResult', fee: 0 });
    for (const ambiguous of [
      plans(null, true),
      { ...delivered, status: 0, text: 'reset' },
      response(503, errorResponse),
    ])
      expect(await findingsOf([fee], lookup, [ambiguous], resendWith(delivered))).toEqual([]);
    expect(sent).toEqual([lookup, lookup, lookup]);
    expect(await findingsOf([fee], lookup, [plans(null, true)], resendWith(plans(null, true)))).toHaveLength(1);
    expect(await findingsOf([fee, fee], lookup, [plans(null, true)], resendWith(delivered))).toHaveLength(1);
  });

  test('identifies a payment without a response by its replay', async () => {
    const replayed = { ...success, headers: { ...success.headers, 'idempotent-replayed': 'true' } };
    expect(
      await findingsOf([{ ...order, reference: 'A' }], call, [response(503, errorResponse)], async () => replayed),
    ).toEqual([]);
  });

  test('reads the charges of a response despite other errors in it', async () => {
    const partial = response(200, {
      data: { a: { __typename: 'PlansResult', fee: 1.5 }, b: null },
      errors: [{ extensions: { charged: false } }],
    });
    expect(await findingsOf([fee], lookup, [partial], rejectAll)).toEqual([]);
  });

  test('reports a credit without an accepted call', async () => {
    let posted = 0;
    const credits = new CreditOracle({ query: async () => [{ count: String(posted) }] as never });
    await credits.start();
    posted = 1;
    expect(await credits.problems()).toEqual(['1 credits were posted, 0 accepted']);
    const refill = { ...call, host: 'uat' as const, path: '/api/v1/sandbox/refill' };
    credits.record(refill, response(429, errorResponse));
    expect(await credits.problems()).toEqual(['1 credits were posted, 0 accepted']);
    credits.record(refill, response(200, { status: 'success', data: { amount: 5, reference: 'Refill' } }));
    expect(await credits.problems()).toEqual([]);
    expect(chargesOf({ status: 'success', data: { amount: 5, reference: 'Refill' } }, false)).toEqual([]);
  });
});
