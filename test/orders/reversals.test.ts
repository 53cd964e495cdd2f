import { beforeAll, describe, expect, it } from 'vitest';
import type { OutcomeKind as ProviderAnswer } from '../../src/orders/states.js';
import { nextDoubtStep } from '../../src/orders/states.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { callBack, eventsOf, orderRow, RECHARGE_STATUS, statusCalls, transfersOf } from './order.fixture.js';

/** The provider reverses it a second after its success and sends a callback. */
const REVERSED = '9876540010';
const CARD = { card: '3008', mobile: REVERSED, opcode: 'HDFC' };

const test = useSharedApp();
let developer: TestDeveloper;
/** UAT has no callbacks and the reversal takes 5 s, so these payments start first. */
let inUat: { recharge: TestResponse; payment: TestResponse; balance: number };

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  const { uat } = developer.tokens;
  const bill = await test.rest('uat', 'POST', '/api/v1/bill-payment/credit-card/bill-fetch', uat, {
    ...CARD,
    orderid: 'fetch',
  });
  inUat = {
    balance: await test.balance(developer, 'uat'),
    recharge: await place(test, developer, { account_number: REVERSED, client_request_id: 'uat' }, 'uat'),
    payment: await test.rest('uat', 'POST', '/api/v1/bill-payment/credit-card/bill-pay', uat, {
      ...CARD,
      amount: 500,
      orderid: 'uat pay',
      fetch_id: bill.body.data.fetch_id,
    }),
  };
});

const recharge = (key: string, account = REVERSED) =>
  place(test, developer, { account_number: account, client_request_id: key });
const row = (key: string) => orderRow(test, developer, key);
const isReversed = (key: string) => async () => (await row(key)).reversed_at !== null;

const ORDER = `query($key: String) { order(kind: RECHARGE, clientRequestId: $key) {
  status refunded decline { reason retryable } settledAt reversedAt accountNumber providerTxnId
  timeline { kind detail } } }`;

describe('a success that the provider reverses', () => {
  it('adds one transfer and is shown in the statement, the timeline, the status and the replayed response', async () => {
    const balance = await test.balance(developer, 'production');
    const first = await recharge('taken back');
    expect([first.status, await test.balance(developer, 'production')]).toEqual([200, balance - 10]);
    await until('it is reversed', isReversed('taken back'));
    const { id } = await row('taken back');
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle', 'reversal']);
    expect(await test.balance(developer, 'production')).toBe(balance);

    const retry = await recharge('taken back');
    expect(retry.status).toBe(400);
    expect(retry.body).toMatchObject({
      status: 'failed',
      code: 'REVERSED',
      reason: 'REVERSED_BY_PROVIDER',
      api_request_id: first.body.data.api_request_id,
    });
    expect(retry.body.data).toBeUndefined();
    expect(retry.headers.get('idempotent-replayed')).toBe('true');

    const { body } = await test.graphql('production', developer.tokens.production, ORDER, { key: 'taken back' });
    const { order } = body.data;
    expect(order).toMatchObject({
      status: 'REVERSED',
      refunded: 10,
      decline: { reason: 'REVERSED_BY_PROVIDER', retryable: false },
      accountNumber: REVERSED,
    });
    expect(order.reversedAt > order.settledAt).toBe(true);
    const kinds = ['HOLD', 'SEND', 'RESPONSE', 'SETTLE', 'CALLBACK', 'STATUS_CHECK', 'REVERSAL'];
    expect(order.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    expect(order.timeline[4].detail).toMatch(/^10 rupees, status FAILED, transaction S/);
    expect(order.timeline[5].detail).toMatch(/^provider reported failure, HTTP 200, status 4, code 303, transaction S/);
    expect(order.timeline[6].detail).toBe('10 rupees');
    expect(order.timeline[5].detail).toContain(order.providerTxnId);

    const query = new URLSearchParams({ client_request_id: 'taken back' });
    const status = await test.rest('production', 'GET', `${RECHARGE_STATUS}?${query}`, developer.tokens.production);
    expect(status.status).toBe(200);
    expect(status.body).toMatchObject({
      status: 'failed',
      code: 'REVERSED',
      reason: 'REVERSED_BY_PROVIDER',
      data: { amount: 10, account_number: REVERSED },
    });

    const wallet = await test.graphql(
      'production',
      developer.tokens.production,
      '{ wallet { statement(first: 2) { edges { node { kind amount reference } } } } }',
    );
    expect(wallet.body.data.wallet.statement.edges.map(({ node }: { node: object }) => node)).toEqual([
      { kind: 'REVERSAL', amount: 10, reference: first.body.data.api_request_id },
      { kind: 'HOLD', amount: -10, reference: first.body.data.api_request_id },
    ]);
    const lines = (await test.simulator.book()).filter(({ reference }) => reference === first.body.data.api_request_id);
    expect(lines.map(({ outcome }) => outcome)).toEqual(['succeeded', 'reversed']);
  });

  it('is refunded once, however often it is announced', async () => {
    const { body } = await recharge('announced');
    await until('the provider has reversed it', async () =>
      (await test.simulator.book()).some(
        ({ reference, outcome }) => reference === body.data.api_request_id && outcome === 'reversed',
      ),
    );
    const fields = { status: 'FAILED', agentid: body.data.api_request_id };
    await Promise.all(Array.from({ length: 20 }, () => callBack(test, fields)));
    await until('it is reversed', isReversed('announced'));
    await Promise.all(Array.from({ length: 5 }, () => callBack(test, fields)));
    const { id, due_at } = await row('announced');
    expect(due_at).toBeNull();
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle', 'reversal']);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => test.app.ledger.reverse(developer.id, id, { reason: 'provider_failure' })),
    );
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'already'));
  });

  it('is found even if the provider was unavailable when the callback arrived', async () => {
    const { body } = await recharge('brownout');
    await test.simulator.outage('roundpay', true);
    await until('the callback is recorded', async () =>
      (await eventsOf(test, (await row('brownout')).id)).includes('callback'),
    );
    await until('a status check failed', async () => (await row('brownout')).statusChecks >= 1);
    expect(await row('brownout')).toMatchObject({ state: 'success', reversed_at: null });
    await test.simulator.outage('roundpay', false);
    await until('it is reversed', isReversed('brownout'));
    expect(await transfersOf(test, (await row('brownout')).id)).toEqual(['hold', 'settle', 'reversal']);
    expect(body.status).toBe('success');
  });

  it('can be weeks old', async () => {
    await test.simulator.clock(-40 * 86_400_000);
    const { body } = await recharge('old');
    const { id } = await row('old');
    await test.db.query(
      `update orders set created_at = created_at - interval '40 days', settled_at = settled_at - interval '40 days' where id = $1`,
      [id],
    );
    await until('it is reversed', isReversed('old'));
    await test.simulator.clock(0);
    expect((await recharge('old')).body).toMatchObject({ code: 'REVERSED', api_request_id: body.data.api_request_id });
  });

  it('is found without a callback in UAT, for recharges and card payments', async () => {
    const { uat } = developer.tokens;
    expect([inUat.recharge.status, inUat.payment.status]).toEqual([200, 200]);
    await until('both are reversed', async () => (await test.balance(developer, 'uat')) === inUat.balance);
    const retry = await place(test, developer, { account_number: REVERSED, client_request_id: 'uat' }, 'uat');
    expect([retry.status, retry.body.code]).toEqual([400, 'REVERSED']);
    const paid = await test.rest('uat', 'GET', '/api/v1/bill-payment/credit-card/status?orderid=uat%20pay', uat);
    expect(paid.body).toMatchObject({
      status: 'failed',
      code: 'REVERSED',
      reason: 'REVERSED_BY_PROVIDER',
      data: { amount: 500, card: 'xxxx3008' },
    });
    for (const key of ['uat', 'uat pay'])
      expect(await transfersOf(test, (await row(key)).id)).toEqual(['hold', 'settle', 'reversal']);
  });
});

describe('a callback that conflicts with a success', () => {
  it('changes nothing while the provider’s status check confirms the success, and triggers up to three checks', async () => {
    const { body } = await recharge('confirmed', '9876543210');
    const { id } = await row('confirmed');
    for (const status of ['FAILED', 'REFUNDED']) await callBack(test, { status, agentid: body.data.api_request_id });
    await until('the doubt has ended', async () => (await row('confirmed')).doubted_since === null);
    await new Promise((resume) => setTimeout(resume, 300));
    const checks = await statusCalls(test, id);
    expect(checks).toBeGreaterThanOrEqual(3);
    expect(checks).toBeLessThanOrEqual(4);
    expect((await row('confirmed')).state).toBe('success');
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle']);
    expect((await recharge('confirmed', '9876543210')).status).toBe(200);
  });

  it('triggers no status check if it reports success', async () => {
    const { body } = await recharge('agreed', '9876543210');
    await callBack(test, { status: 'SUCCESS', agentid: body.data.api_request_id });
    const { id, doubted_since } = await row('agreed');
    expect([doubted_since, await eventsOf(test, id)]).toEqual([null, ['response', 'callback']]);
  });
});

describe('proof of a reversal', () => {
  const policy = { scheduleMs: [5_000, 15_000, 30_000], visibilityDelayMs: 900_000, manualReviewAfterMs: 86_400_000 };
  const conflict = { canCheckStatus: true, namesTransaction: true, routine: false, statusChecks: 1, ageMs: 1_000 };
  it.each<[ProviderAnswer, Partial<typeof conflict>, object]>([
    ['declined', {}, { kind: 'reverse' }],
    ['declined', { ageMs: 90_000_000 }, { kind: 'reverse' }],
    ['declined', { namesTransaction: false }, { kind: 'wait', dueMs: 5_000 }],
    ['declined', { namesTransaction: false, ageMs: 86_400_000 }, { kind: 'over' }],
    ['not_found', { statusChecks: 2 }, { kind: 'wait', dueMs: 15_000 }],
    ['not_found', { ageMs: 86_400_000 }, { kind: 'over' }],
    ['unknown', { statusChecks: 40 }, { kind: 'wait', dueMs: 30_000 }],
    ['unknown', { canCheckStatus: false }, { kind: 'review' }],
    ['unknown', { canCheckStatus: false, ageMs: 86_400_000 }, { kind: 'review' }],
    ['unknown', { canCheckStatus: false, routine: true }, { kind: 'over' }],
    ['accepted', { statusChecks: 2 }, { kind: 'wait', dueMs: 15_000 }],
    ['accepted', { statusChecks: 3 }, { kind: 'over' }],
    ['accepted', { statusChecks: 0 }, { kind: 'wait', dueMs: 5_000 }],
    ['accepted', { routine: true }, { kind: 'over' }],
    ['unknown', { routine: true }, { kind: 'wait', dueMs: 5_000 }],
    ['not_found', { routine: true, ageMs: 86_400_000 }, { kind: 'over' }],
    ['declined', { routine: true }, { kind: 'reverse' }],
    ['declined', { routine: true, namesTransaction: false }, { kind: 'wait', dueMs: 5_000 }],
  ])('%s, %j → %j', (outcome, more, step) => {
    expect(nextDoubtStep(outcome, { ...conflict, ...more }, policy)).toEqual(step);
  });
});
