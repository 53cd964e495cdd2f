import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { orderRow, RECHARGE_STATUS } from './order.fixture.js';

const CARD_STATUS = '/api/v1/bill-payment/credit-card/status';
const KEY = '#Order 28/ä?';

const test = useSharedApp();
let developer: TestDeveloper;
let otherAccount: TestDeveloper;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  otherAccount = await test.developer();
});

const recharge = (key: string | undefined, account = '9876543210', environment: 'uat' | 'production' = 'production') =>
  place(test, developer, { account_number: account, client_request_id: key }, environment);
const status = (
  query: Record<string, string>,
  path = RECHARGE_STATUS,
  token = developer.tokens.production,
  environment: 'uat' | 'production' = 'production',
) => test.rest(environment, 'GET', `${path}?${new URLSearchParams(query)}`, token);

describe('GET recharge/status', () => {
  it('returns a success like the original call, by either ID', async () => {
    const { body: first } = await recharge(KEY);
    const ids: Record<string, string>[] = [{ client_request_id: KEY }, { api_request_id: first.data.api_request_id }];
    for (const query of ids) {
      const response = await status(query);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ status: 'success', message: expect.any(String), data: first.data });
    }
    expect((await recharge(KEY)).body).toEqual(first);
  });

  it('finds a recharge without a key by api_request_id, with an empty client_request_id', async () => {
    const { body } = await recharge(undefined);
    const response = await status({ api_request_id: body.data.api_request_id });
    expect(response.body).toMatchObject({ status: 'success', data: { client_request_id: '' } });
  });

  it('returns pending with a retry time and then the final status, and sends nothing', async () => {
    const { body: first } = await recharge('pending', '9876540005');
    // provider references are present from the first response
    expect(first.data).toMatchObject({ operator_ref: null, provider_txn_id: expect.stringMatching(/^S/) });
    const pending = await status({ client_request_id: 'pending' });
    expect(pending.body.data).toEqual(first.data);
    expect([pending.status, pending.headers.get('retry-after')]).toEqual([200, '5']);
    expect(pending.body).toMatchObject({
      status: 'pending',
      data: { amount: 10, operator_ref: null, account_number: '9876540005', api_request_id: first.data.api_request_id },
    });
    await until(
      'the order is final',
      async () => (await status({ client_request_id: 'pending' })).body.status === 'success',
    );
    const settled = await status({ client_request_id: 'pending' });
    expect(settled.headers.get('retry-after')).toBeNull();
    expect(settled.body.data).toMatchObject({
      operator_ref: expect.stringMatching(/^BR/),
      provider_txn_id: expect.stringMatching(/^S/),
    });
    const sent = (await test.simulator.book()).filter(({ reference }) => reference === first.data.api_request_id);
    expect(sent).toHaveLength(1);
  });

  it('returns failed with the reason after the refund', async () => {
    await recharge('declined', '9876540001');
    const { status: httpStatus, body } = await status({ client_request_id: 'declined' });
    expect(httpStatus).toBe(200);
    expect(body).toMatchObject({
      status: 'failed',
      code: 'PROVIDER_DECLINED',
      data: { operator_ref: '', provider_txn_id: '', client_request_id: 'declined' },
    });
  });

  it.each([
    [
      'another developer',
      async () => status({ client_request_id: 'mine' }, RECHARGE_STATUS, otherAccount.tokens.production),
    ],
    [
      'another developer, by ID',
      async (id: string) => status({ api_request_id: id }, RECHARGE_STATUS, otherAccount.tokens.production),
    ],
    [
      'the other environment',
      async () => status({ client_request_id: 'mine' }, RECHARGE_STATUS, developer.tokens.uat, 'uat'),
    ],
    [
      'the other environment, by ID',
      async (id: string) => status({ api_request_id: id }, RECHARGE_STATUS, developer.tokens.uat, 'uat'),
    ],
    ['card payments', async () => status({ orderid: 'mine' }, CARD_STATUS)],
    ['card payments, by ID', async (id: string) => status({ api_request_id: id }, CARD_STATUS)],
  ])('is not found for %s', async (_name, request) => {
    const { body: first } = await recharge('mine');
    const { status: httpStatus, body } = await request(first.data.api_request_id);
    expect(httpStatus).toBe(404);
    expect(body).toEqual({
      status: 'error',
      message: 'Unknown order.',
      code: 'RECORD_NOT_FOUND',
      doc_url: expect.stringMatching(/\/docs\/errors#RECORD_NOT_FOUND$/),
      request_id: expect.any(String),
    });
  });

  it.each([
    ['neither ID', {}],
    ['both IDs', { client_request_id: 'a', api_request_id: 'b' }],
    ['an empty ID', { client_request_id: '' }],
    ['a key of 101 characters', { client_request_id: 'x'.repeat(101) }],
    ['a control character', { client_request_id: 'a\u0000b' }],
  ])('rejects %s with REST field names', async (_case, query) => {
    const { status: httpStatus, body } = await status(query);
    expect([httpStatus, body.code, Object.keys(body.errors)]).toEqual([
      422,
      'VALIDATION_FAILED',
      ['client_request_id'],
    ]);
  });

  it.each(['nonsense', 'Z'.repeat(25), '0'.repeat(25), "' or 1=1 --"])('does not find the ID %j', async (id) => {
    expect((await status({ api_request_id: id })).status).toBe(404);
  });

  it('requires a token and shares its rate limit with the other path and GraphQL', async () => {
    expect((await test.rest('production', 'GET', `${RECHARGE_STATUS}?client_request_id=a`)).status).toBe(401);
    const { production } = otherAccount.tokens;
    const remaining = async (response: Promise<{ headers: Headers }>) =>
      Number((await response).headers.get('x-ratelimit-remaining'));
    const first = await remaining(status({ client_request_id: 'a' }, RECHARGE_STATUS, production));
    expect(await remaining(status({ orderid: 'a' }, CARD_STATUS, production))).toBe(first - 1);
    const graphqlCall = test.graphql(
      'production',
      production,
      '{ order(kind: RECHARGE, clientRequestId: "a") { id } }',
    );
    expect(await remaining(graphqlCall)).toBe(first - 2);
  });
});

describe('GET bill-payment/credit-card/status', () => {
  it('returns the documented keys of the payment', async () => {
    const { uat } = developer.tokens;
    const card = { card: '3008', mobile: '9876543210', opcode: 'HDFC' };
    const bill = await test.rest('uat', 'POST', '/api/v1/bill-payment/credit-card/bill-fetch', uat, {
      ...card,
      orderid: 'f',
    });
    const pay = { ...card, amount: 250.5, orderid: 'P-1', fetch_id: bill.body.data.fetch_id };
    const paid = await test.rest('uat', 'POST', '/api/v1/bill-payment/credit-card/bill-pay', uat, pay);
    expect(paid.status).toBe(200);
    const { status: httpStatus, body } = await status({ orderid: 'P-1' }, CARD_STATUS, uat, 'uat');
    expect(httpStatus).toBe(200);
    expect(body).toEqual({ status: 'success', message: expect.any(String), data: paid.body.data });
    expect(Number.isInteger(body.data.txid)).toBe(true);
  });
});

describe('order in GraphQL', () => {
  const TIMELINE =
    'query($key: String!) { order(kind: RECHARGE, clientRequestId: $key) { status timeline { at kind summary detail } } }';
  const timeline = async (
    key: string,
    { tokens } = developer,
  ): Promise<{ at: string; kind: string; summary: string; detail: string }[]> =>
    (await test.graphql('production', tokens.production, TIMELINE, { key })).body.data.order.timeline;

  it('returns the full timeline of a pending recharge in order', async () => {
    await recharge('life', '9876540006');
    await until('the order is final', async () => (await orderRow(test, developer, 'life')).state === 'failed');
    const events = await timeline('life');
    expect(events.map(({ kind }) => kind)).toEqual([
      'HOLD',
      'SEND',
      'RESPONSE',
      'STATUS_CHECK',
      'STATUS_CHECK',
      'STATUS_CHECK',
      'REFUND',
    ]);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
    expect(events.map(({ summary }) => summary)).toEqual([
      'Amount held',
      'Sent to the provider',
      'Provider response: pending',
      'Status check: still unknown',
      'Status check: still unknown',
      'Status check: failed',
      'Refunded',
    ]);
    expect(events[0]!.detail).toBe('10 rupees');
    expect(events[2]!.detail).toMatch(
      /^provider reported pending, HTTP 200, status 1, code 100, transaction S\w+, after \d+ ms$/,
    );
    expect(events[5]!.detail).toMatch(/^provider reported failure, HTTP 200, status 3, code 302/);
  });

  it('has a summary for each missing response and each response without a final status', async () => {
    // in review immediately, without a status check
    const mokshiq = await test.developer({ provider: 'MOKSHIQ' });
    await place(test, mokshiq, { account_number: '9876540007', client_request_id: 'evidence' });
    const { id } = await orderRow(test, mokshiq, 'evidence');
    await test.db.query('delete from order_event where order_id = $1', [id]);
    const add = (kind: string, detail: object) =>
      test.db.query('insert into order_event (developer_id, order_id, kind, detail) values ($1, $2, $3, $4)', [
        mokshiq.id,
        id,
        kind,
        JSON.stringify(detail),
      ]);
    const lines = [
      ['response', { reason: 'timeout', elapsedMs: 24_000 }, 'No response within 24 s'],
      [
        'status_check',
        { reason: 'provider_not_found', httpStatus: 200, elapsedMs: 40 },
        'Status check: still unknown, not found at the provider',
      ],
      [
        'status_check',
        { reason: 'timeout', elapsedMs: 9_870 },
        'Status check: still unknown, no response within 9.9 s',
      ],
      [
        'status_check',
        { reason: 'http_error', httpStatus: 502, elapsedMs: 12 },
        'Status check: still unknown, provider error (HTTP 502)',
      ],
      ['status_check', { reason: 'never_sent', elapsedMs: 1 }, 'Status check: still unknown, provider not reachable'],
      ['status_check', { reason: 'provider_pending', httpStatus: 200, elapsedMs: 12 }, 'Status check: still unknown'],
      ['review', {}, 'Manual review started'],
      ['status_check', { reason: 'provider_success', httpStatus: 200, elapsedMs: 12 }, 'Status check: success'],
    ] as const;
    for (const [kind, detail] of lines) await add(kind, detail);
    const events = await timeline('evidence', mokshiq);
    const visibleEvents = events.filter(({ kind }) => ['RESPONSE', 'STATUS_CHECK', 'REVIEW'].includes(kind));
    expect(visibleEvents.map(({ summary }) => summary)).toEqual(lines.map(([, , summary]) => summary));
  });

  it('returns the time when manual review begins while the order is pending and its status is still checked', async () => {
    const REVIEW =
      'query($key: String!) { order(kind: RECHARGE, clientRequestId: $key) { status createdAt nextCheckAt reviewAt } }';
    const read = async (key: string, of = developer) =>
      (await test.graphql('production', of.tokens.production, REVIEW, { key })).body.data.order;
    await recharge('asked', '9876540004');
    const { status: state, createdAt, reviewAt } = await read('asked');
    expect(state).toBe('PENDING');
    // the ID contains the time of the process, the row that of the database
    const afterMs = Date.parse(reviewAt) - Date.parse(createdAt);
    expect(Math.abs(afterMs - test.app.config.manualReviewAfterMs)).toBeLessThan(60_000);
    // the status check that begins manual review can be due later
    const { id } = await orderRow(test, developer, 'asked');
    await test.db.query(`update order_due set due_at = now() + interval '3 days' where order_id = $1`, [id]);
    const second = await read('asked');
    expect(second.reviewAt).toBe(second.nextCheckAt);
    // in review: the time at which the review began
    const mokshiq = await test.developer({ provider: 'MOKSHIQ', rateLimitPerMinute: 1_000 });
    await place(test, mokshiq, { account_number: '9876540007', client_request_id: 'in review' });
    const [queued] = await test.db.query<{ since: Date }>('select since from order_review where developer_id = $1', [
      mokshiq.id,
    ]);
    const inReview = await read('in review', mokshiq);
    expect(Date.parse(inReview.reviewAt)).toBe(Math.floor(+new Date(queued!.since)));
    await recharge('done');
    expect((await read('done')).reviewAt).toBeNull();
  });

  it('shows no send event if it is unknown whether the request was sent', async () => {
    await recharge('no answer', '9876543210');
    const { id } = await orderRow(test, developer, 'no answer');
    await test.db.query(`delete from order_event where order_id = $1`, [id]);
    expect((await timeline('no answer')).map(({ kind }) => kind)).toEqual(['HOLD', 'SETTLE']);
  });

  it('contains no subscriber number', async () => {
    expect(JSON.stringify(await timeline('life'))).not.toContain('9876540006');
  });
});
