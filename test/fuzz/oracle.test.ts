import { describe, expect, test } from 'vitest';
import type { Answer, FuzzCase } from './case.js';
import { AnswerOracle } from './oracle/answers.js';
import { canaries, leakSearch } from './oracle/canaries.js';
import { chargesOf } from './oracle/charges.js';
import { CreditOracle } from './oracle/credits.js';
import { MoneyOracle } from './oracle/money.js';
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
const oracle = new AnswerOracle(leakSearch(['the pepper of the stage']), openApi);

const rest: FuzzCase = { kind: 'REST', host: 'uat', method: 'GET', path: '/api/v1/auth/me', headers: {} };
const graphql: FuzzCase = { kind: 'GraphQL', host: 'uat', method: 'POST', path: '/graphql', headers: {}, body: '{}' };

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: { 'x-request-id': REQUEST_ID, 'content-type': 'application/json', ...headers },
    text,
    elapsedMs: 1,
  };
}
const pageOf = (code: string): string => `https://uat.example/docs/errors#${code}`;
const refusalOf = (code: string): object => ({ status: 'error', message: 'No.', code, doc_url: pageOf(code) });
const refusal = refusalOf('NOT_FOUND');
const graphqlError = (extensions: Record<string, string> & { code: string }, message = 'No.'): object => ({
  data: null,
  errors: [{ message, extensions: { docUrl: pageOf(extensions.code), ...extensions } }],
});

describe('the response oracle', () => {
  test.each<[string, FuzzCase, Answer]>([
    ['a success', rest, answer(200, { id: 1 })],
    ['an error response', rest, answer(404, refusal)],
    ['a 503 with Retry-After', rest, answer(503, refusalOf('OVERLOADED'), { 'retry-after': '1' })],
    ['a GraphQL error', graphql, answer(200, graphqlError({ code: 'NOT_FOUND', requestId: REQUEST_ID }))],
    ['the order ID of a duplicate', rest, answer(409, { ...refusal, order_id: canaries.cardNumbers[0] })],
    [
      'the key of a duplicate over GraphQL',
      graphql,
      answer(
        200,
        graphqlError({ code: 'DUPLICATE_ORDER', requestId: REQUEST_ID, clientRequestId: canaries.cardNumbers[0] }),
      ),
    ],
  ])('accepts %s', (_name, given, said) => {
    expect(oracle.problems(given, said)).toEqual([]);
  });

  test.each<[string, FuzzCase, Answer, string]>([
    ['status 500', rest, answer(500, refusal), 'status 500'],
    ['a 503 without Retry-After', rest, answer(503, refusal), 'status 503 without Retry-After'],
    ['a 429 without Retry-After', rest, answer(429, refusal), 'status 429 without Retry-After'],
    ['a missing request ID', rest, { ...answer(404, refusal), headers: {} }, 'no X-Request-Id'],
    [
      'an error response without a code',
      rest,
      answer(404, { status: 'error', message: 'No.' }),
      'a refusal without a code of the catalogue',
    ],
    [
      'an error response with a link to another code',
      rest,
      answer(404, { ...refusal, doc_url: pageOf('CONFLICT') }),
      'a refusal without the page about its code',
    ],
    [
      'a GraphQL error without a link',
      graphql,
      answer(200, graphqlError({ code: 'NOT_FOUND', docUrl: '', requestId: REQUEST_ID })),
      'a GraphQL error without the page about its code',
    ],
    ['an error response with data', rest, answer(404, { ...refusal, data: {} }), 'a refusal with data'],
    ['an HTML page instead of the envelope', rest, answer(400, '<html>'), 'a refusal that is no JSON object'],
    [
      'a success with a different shape',
      rest,
      answer(200, { name: 'x' }),
      "success of another shape:  must have required property 'id'",
    ],
    [
      'code INTERNAL in a partial response',
      graphql,
      answer(200, graphqlError({ code: 'INTERNAL', requestId: REQUEST_ID })),
      'code INTERNAL',
    ],
    [
      'a GraphQL error with a different request ID',
      graphql,
      answer(200, graphqlError({ code: 'NOT_FOUND', requestId: 'x' })),
      'a GraphQL error without the request id',
    ],
    [
      'an echoed card number',
      rest,
      answer(422, { ...refusal, message: '4111 1111 1111 1111' }),
      'a refusal holds 4111 1111 1111 1111',
    ],
    [
      'an echoed email address',
      graphql,
      answer(400, graphqlError({ code: 'NOT_FOUND', requestId: REQUEST_ID }, canaries.email('7'))),
      'a refusal holds cnry7f3a',
    ],
    [
      'a secret of the service',
      rest,
      answer(404, { ...refusal, message: 'the pepper of the stage' }),
      'a refusal holds the pepper of the stage',
    ],
    [
      'a secret of the service in a success',
      rest,
      answer(200, { id: 'the pepper of the stage' }),
      'an answer holds the pepper of the stage',
    ],
    [
      'a stack trace',
      rest,
      answer(400, { ...refusal, message: 'at Object.run (/x/y.js:3:1)' }),
      'a refusal holds at Object.run (',
    ],
    ['no response', rest, { status: 0, headers: {}, text: 'reset', elapsedMs: 1 }, 'no answer: reset'],
  ])('reports %s', (_name, given, said, problem) => {
    expect(oracle.problems(given, said)).toContain(problem);
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
  const success = answer(200, { status: 'success', message: 'Done.', data: { amount: 199, api_request_id: 'A' } });
  const books = (rows: object[]) => ({
    query: async <Row>(sql: string): Promise<Row[]> =>
      (sql.startsWith('select now()') ? [{ now: '2026-01-01' }] : rows) as Row[],
  });
  const order = { wallet: '7:production', id: 'x', key: 'r-1', paise: '19900', state: 'success' };
  const nobody = () => Promise.reject(new Error('nothing is sent once more'));
  const judge = async (
    rows: object[],
    given: FuzzCase,
    answers: Answer[],
    send: (given: FuzzCase) => Promise<Answer>,
  ) => {
    const money = new MoneyOracle(books(rows) as never, [account], { send, settleMs: 0 });
    await money.begin();
    for (const said of answers) money.hear(given, said);
    return money.problems();
  };
  const judged = async (rows: object[], ...answers: Answer[]): Promise<string[]> =>
    (await judge(rows, call, answers, nobody)).map(({ problem }) => problem);

  test('accepts books that match the charges in accepted responses', async () => {
    expect(await judged([order], success)).toEqual([]);
    expect(await judged([{ ...order, state: 'failed' }], answer(400, refusal))).toEqual([]);
  });

  test('reports money that was moved by a rejected call', async () => {
    expect(await judged([order], answer(400, refusal))).toEqual([
      'wallet 7:production: the books took 19900 paise, the answers say 0',
    ]);
  });

  test('reports a success that is missing from the books', async () => {
    expect(await judged([], success)).toEqual(['wallet 7:production: the books took 0 paise, the answers say 19900']);
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
    const said = (change: object, replayed = false, type = 'RechargePayload') =>
      chargesOf({ data: { a: { __typename: type, replayed, order: { ...paid, ...change } } } }, false);
    expect(said({})).toEqual([{ paise: 150, key: 'A' }]);
    expect(said({}, false, 'PayCardBillPayload')).toEqual([{ paise: 150, key: 'A' }]);
    expect(said({ status: 'PENDING' })).toEqual([{ paise: 150, key: 'A', pending: true }]);
    for (const status of ['FAILED', 'REVERSED']) expect(said({ status })).toEqual([]);
    expect(said({}, true)).toEqual([]);
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
    answer(200, { data: { a: data }, ...(charged === undefined ? {} : { errors: [{ extensions: { charged } }] }) });

  test('reports a fee of a call whose response states that nothing was kept, with its request', async () => {
    const took = 'wallet 7:production: the books took 150 paise, the answers say 0';
    const without = answer(503, { ...refusal, message: 'Nothing was charged.' });
    for (const denial of [plans(null, false), without, answer(200, '')])
      expect(await judge([fee], lookup, [denial], nobody)).toEqual([
        { problem: took, unnamed: expect.stringContaining(denial.text.slice(2, 6)), given: lookup },
      ]);
    expect(await judge([{ ...fee, state: 'failed' }], lookup, [plans(null, false)], nobody)).toEqual([]);
  });

  test('sends the request again if money may have been kept, and reports it if the data is not delivered', async () => {
    const sent: FuzzCase[] = [];
    const answering = (said: Answer) => async (given: FuzzCase) => {
      sent.push(given);
      return said;
    };
    const delivered = plans({ __typename: 'PlansResult', fee: 0 });
    for (const doubt of [plans(null, true), { ...delivered, status: 0, text: 'reset' }, answer(503, refusal)])
      expect(await judge([fee], lookup, [doubt], answering(delivered))).toEqual([]);
    expect(sent).toEqual([lookup, lookup, lookup]);
    expect(await judge([fee], lookup, [plans(null, true)], answering(plans(null, true)))).toHaveLength(1);
    expect(await judge([fee, fee], lookup, [plans(null, true)], answering(delivered))).toHaveLength(1);
  });

  test('identifies a payment without a response by its replay', async () => {
    const replayed = { ...success, headers: { ...success.headers, 'idempotent-replayed': 'true' } };
    expect(await judge([{ ...order, reference: 'A' }], call, [answer(503, refusal)], async () => replayed)).toEqual([]);
  });

  test('reads the charges of a response despite other errors in it', async () => {
    const beside = answer(200, {
      data: { a: { __typename: 'PlansResult', fee: 1.5 }, b: null },
      errors: [{ extensions: { charged: false } }],
    });
    expect(await judge([fee], lookup, [beside], nobody)).toEqual([]);
  });

  test('reports a credit without an accepted call', async () => {
    let posted = 0;
    const credits = new CreditOracle({ query: async () => [{ count: String(posted) }] as never });
    await credits.begin();
    posted = 1;
    expect(await credits.problems()).toEqual(['1 credits were posted, 0 accepted']);
    const refill = { ...call, host: 'uat' as const, path: '/api/v1/sandbox/refill' };
    credits.hear(refill, answer(429, refusal));
    expect(await credits.problems()).toEqual(['1 credits were posted, 0 accepted']);
    credits.hear(refill, answer(200, { status: 'success', data: { amount: 5, reference: 'Refill' } }));
    expect(await credits.problems()).toEqual([]);
    expect(chargesOf({ status: 'success', data: { amount: 5, reference: 'Refill' } }, false)).toEqual([]);
  });
});
