import { beforeAll, describe, expect, it } from 'vitest';
import { billFetched, billPaid, billPaymentPending, duplicateOrder } from '../rest/schemas/card-bills.schemas.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import {
  environments,
  FETCH,
  FETCH_MUTATION,
  fetchBill,
  fetchIdOf,
  knownFetchId,
  owner,
  PAY,
  PAY_MUTATION,
  payBill,
  validFetch,
} from './card-bills.fixture.js';

const iso = (slashedDate: string) => slashedDate.split('/').toReversed().join('-');
const GENERIC = /check credentials, wallet balance or validation errors/i;

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({
    liveRupees: 100_000,
    feesPaise: { credit_card_fetch: 150 },
    rateLimitPerMinute: 10_000,
  });
});

describe.each(environments)('bill-fetch in %s', (environment) => {
  it('returns the documented body', async () => {
    const { status, body } = await fetchBill(test, developer, environment, { orderid: 'golden' });
    expect(status).toBe(200);
    expect(mismatches(billFetched, body)).toEqual([]);
    expect(body.fee).toBe(environment === 'uat' ? 0 : 1.5);
    expect(body.wallet_balance).toBe(await test.balance(developer, environment));
    expect(body.data.orderid).toBe('golden');
  });

  it('returns the same data over GraphQL, with ISO dates', async () => {
    const rest = await fetchBill(test, developer, environment, { orderid: 'twin' });
    const input = { ...owner, clientRequestId: 'twin' };
    const { status, body } = await test.graphql(environment, developer.tokens[environment], FETCH_MUTATION, { input });
    expect(status).toBe(200);
    const { bill, ...charged } = body.data.fetchCardBill;
    expect(charged).toEqual({
      clientRequestId: 'twin',
      fee: 0,
      // the sandbox stores nothing because its bill fetch is free
      replayed: environment === 'production',
      wallet: { balance: rest.body.wallet_balance },
    });
    const { fetchId, billDate, billDueDate, ...fields } = bill;
    expect(fields).toEqual({
      billAmount: rest.body.data.bill_amount,
      minimumDue: rest.body.data.minimum_due,
      customerName: rest.body.data.customer_name,
    });
    expect([billDate, billDueDate]).toEqual([iso(rest.body.data.bill_date), iso(rest.body.data.bill_due_date)]);
    // Production replays the stored response; the free sandbox fetches the bill again
    expect(fetchId === rest.body.data.fetch_id).toBe(environment === 'production');
  });

  it.each([
    ['0001', 'a failure'],
    ['0002', 'no response'],
    ['0007', 'an error page'],
    ['0008', 'a truncated response'],
    ['0012', 'a dropped connection'],
  ])('54%s: returns an error and refunds the fee after %s from the provider', async (suffix) => {
    const balanceBefore = await test.balance(developer, environment);
    const { status, body } = await fetchBill(test, developer, environment, { mobile: `987654${suffix}` });
    expect([status, body.code]).toEqual([400, 'PROVIDER_FAILED']);
    expect(mismatches(failure('error'), body)).toEqual([]);
    expect(body.message).toMatch(GENERIC);
    expect(await test.balance(developer, environment)).toBe(balanceBefore);
  });

  it('accepts an unusual but valid provider response', async () => {
    const { status, body } = await fetchBill(test, developer, environment, { mobile: '9876540013' });
    expect(status).toBe(200);
    expect(mismatches(billFetched, body)).toEqual([]);
  });

  it('is rejected without the access flag, over REST and GraphQL', async () => {
    const closed = await test.developer({ disabledServices: ['credit_card_fetch'] });
    const rest = await fetchBill(test, closed, environment);
    expect([rest.status, rest.body.code]).toEqual([403, 'ACCESS_DISABLED']);
    expect(mismatches(failure('error'), rest.body)).toEqual([]);
    const input = { ...owner, clientRequestId: 'x' };
    const graphql = await test.graphql(environment, closed.tokens[environment], FETCH_MUTATION, { input });
    expect(graphql.body.errors[0].extensions.code).toBe('ACCESS_DISABLED');
  });
});

describe('bill-fetch of a card with a credit balance', () => {
  it('shows a negative amount for a card with a credit balance', async () => {
    const { status, body } = await fetchBill(test, developer, 'production', { card: '0000', orderid: 'credit' });
    expect(status).toBe(200);
    expect(mismatches(billFetched, body)).toEqual([]);
    expect([body.data.bill_amount, body.data.minimum_due]).toEqual([-250, 0]);
  });
});

describe.each(environments)('bill-pay in %s', (environment) => {
  const settledBody = async (orderid: string, mobile: string) => {
    const fetch_id = await knownFetchId(test, developer, environment, mobile);
    return payBill(test, developer, environment, { orderid, fetch_id, mobile });
  };

  it('returns the documented body', async () => {
    const balanceBefore = await test.balance(developer, environment);
    const fetch_id = await fetchIdOf(test, developer, environment);
    const fee = environment === 'uat' ? 0 : 1.5;
    const { status, body, headers } = await payBill(test, developer, environment, {
      orderid: 'PAY-golden',
      fetch_id,
      amount: 7475.12,
    });
    expect(status).toBe(200);
    expect(mismatches(billPaid, body)).toEqual([]);
    expect(body.data).toMatchObject({ card: 'xxxx3008', amount: 7475.12, mobile: owner.mobile, orderid: 'PAY-golden' });
    expect(body.data.utr).not.toBe('');
    expect(body.data.wallet_balance).toBe(Math.round((balanceBefore - fee - 7475.12) * 100) / 100);
    expect(body.data.wallet_balance).toBe(await test.balance(developer, environment));
    expect(headers.get('x-ratelimit-limit')).toBe('10000');
  });

  it('shows only the last four characters of an identifier', async () => {
    const card = 'XXXX XXXX XXXX 4321';
    const fetch_id = await fetchIdOf(test, developer, environment, { card });
    const { body } = await payBill(test, developer, environment, { orderid: 'PAY-identifier', fetch_id, card });
    expect(body.data.card).toBe('xxxx4321');
  });

  it('returns an error and refunds the amount when the provider declines', async () => {
    const balanceBefore = await test.balance(developer, environment);
    const { status, body } = await settledBody('PAY-declined', '9876540001');
    expect([status, body.code]).toEqual([400, 'PROVIDER_DECLINED']);
    expect(mismatches(failure('error'), body)).toEqual([]);
    expect(body.message).toMatch(GENERIC);
    expect(await test.balance(developer, environment)).toBe(balanceBefore);
  });

  it('returns pending with the documented keys while the outcome is unknown', async () => {
    const { status, body, headers } = await settledBody('PAY-pending', '9876540007');
    expect(status).toBe(200);
    expect(mismatches(billPaymentPending, body)).toEqual([]);
    expect(body.data).toMatchObject({ utr: null, txid: null, card: 'xxxx3008', orderid: 'PAY-pending', amount: 10 });
    expect(headers.get('retry-after')).toBe('5');
    expect(body.message).toMatch(/do not pay again/i);
  });

  it('returns the duplicate error with the status of the first order for a repeated orderid, whatever the body', async () => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    expect((await payBill(test, developer, environment, { orderid: 'PAY-twice', fetch_id })).status).toBe(200);
    const balanceBefore = await test.balance(developer, environment);
    for (const more of [{}, { amount: 11 }, { fetch_id: 'never-heard-of' }, { card: '9999', mobile: '9876500000' }]) {
      const { status, body, headers } = await payBill(test, developer, environment, {
        orderid: 'PAY-twice',
        fetch_id,
        ...more,
      });
      expect(status).toBe(409);
      expect(mismatches(duplicateOrder, body)).toEqual([]);
      expect([body.order_id, body.order_status, headers.get('x-order-status')]).toEqual([
        'PAY-twice',
        'success',
        'success',
      ]);
    }
    const input = { ...owner, amount: 10, clientRequestId: 'PAY-twice', fetchId: fetch_id };
    const graphql = await test.graphql(environment, developer.tokens[environment], PAY_MUTATION, { input });
    expect(graphql.status).toBe(200);
    expect(graphql.body.extensions).toEqual({ replayed: true });
    expect(graphql.body.data.payCardBill.order).toMatchObject({ clientRequestId: 'PAY-twice', status: 'SUCCESS' });
    const other = { input: { ...input, amount: 11 } };
    const rejection = await test.graphql(environment, developer.tokens[environment], PAY_MUTATION, other);
    expect(rejection.body.data).toEqual({ payCardBill: null });
    expect(rejection.body.errors[0].extensions).toMatchObject({
      code: 'DUPLICATE_ORDER',
      clientRequestId: 'PAY-twice',
      orderStatus: 'success',
    });
    expect(await test.balance(developer, environment)).toBe(balanceBefore);
  });

  it('reports the status of every first order', async () => {
    const states: Record<string, string | null> = {};
    const fetch_id = await fetchIdOf(test, developer, environment);
    for (const [orderid, mobile] of [
      ['PAY-state-failed', '9876540001'],
      ['PAY-state-pending', '9876540004'],
      ['PAY-state-reversed', owner.mobile],
    ] as const) {
      await settledBody(orderid, mobile);
      if (orderid === 'PAY-state-reversed') {
        const [order] = await test.db.query<{ id: string }>(
          'select id from orders where client_key = $1 and environment = $2',
          [orderid, environment],
        );
        expect(await test.app.ledger.reverse(developer.id, order!.id, {})).toBe('reversed');
      }
      const { headers } = await payBill(test, developer, environment, { orderid, fetch_id });
      states[orderid] = headers.get('x-order-status');
    }
    expect(states).toEqual({
      'PAY-state-failed': 'failed',
      'PAY-state-pending': 'pending',
      'PAY-state-reversed': 'reversed',
    });
  });

  it('returns the same data over GraphQL', async () => {
    const fetchId = await fetchIdOf(test, developer, environment);
    const input = { ...owner, amount: 20.5, clientRequestId: 'PAY-graphql', fetchId, pan: 'abcde1234f' };
    const { status, body } = await test.graphql(environment, developer.tokens[environment], PAY_MUTATION, { input });
    expect(status).toBe(200);
    expect(body.data.payCardBill).toEqual({
      order: {
        kind: 'CARD_PAYMENT',
        status: 'SUCCESS',
        utr: expect.stringMatching(/./),
        card: 'xxxx3008',
        txid: expect.any(Number),
        amount: 20.5,
        mobile: owner.mobile,
        clientRequestId: 'PAY-graphql',
        decline: null,
        refunded: 0,
      },
      wallet: { balance: await test.balance(developer, environment) },
    });
    const query = `{ order(kind: CARD_PAYMENT, clientRequestId: "PAY-graphql") { kind status amount } }`;
    const found = await test.graphql(environment, developer.tokens[environment], query);
    expect(found.body.data.order).toEqual({ kind: 'CARD_PAYMENT', status: 'SUCCESS', amount: 20.5 });
  });

  it('works without the access flag', async () => {
    const closed = await test.developer({ disabledServices: ['credit_card_fetch'] });
    const fetch_id = await knownFetchId(test, closed, environment, owner.mobile);
    expect((await payBill(test, closed, environment, { orderid: 'PAY-flagless', fetch_id })).status).toBe(200);
  });

  it('rejects an amount above the wallet balance without consuming the orderid', async () => {
    const poor = await test.developer({ liveRupees: 5 });
    const fetch_id = await fetchIdOf(test, poor, environment);
    const pan = 'ABCDE1234F';
    const first = await payBill(test, poor, environment, { orderid: 'PAY-poor', fetch_id, amount: 9_00_000, pan });
    expect([first.status, first.body.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(mismatches(failure('error'), first.body)).toEqual([]);
    expect((await payBill(test, poor, environment, { orderid: 'PAY-poor', fetch_id, amount: 5 })).status).toBe(200);
  });
});

describe('bill-fetch and bill-pay', () => {
  it.each([FETCH, PAY])('%s returns 401 without a token, with a forged token and on the wrong host', async (path) => {
    const forged = `at_live_${'x'.repeat(43)}`;
    const responses = await Promise.all([
      test.rest('production', 'POST', path, undefined, validFetch),
      test.rest('production', 'POST', path, forged, validFetch),
      test.rest('production', 'POST', path, developer.tokens.uat, validFetch),
      test.rest('uat', 'POST', path, developer.tokens.production, validFetch),
    ]);
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'UNAUTHENTICATED'],
      [401, 'UNAUTHENTICATED'],
      [401, 'WRONG_HOST'],
      [401, 'WRONG_HOST'],
    ]);
    for (const { body } of responses) expect(mismatches(failure('error'), body)).toEqual([]);
  });

  it('never call a provider for a UAT token', async () => {
    await test.simulator.reset();
    const fetch_id = await fetchIdOf(test, developer, 'uat');
    await payBill(test, developer, 'uat', { orderid: 'PAY-sandbox', fetch_id });
    await fetchBill(test, developer, 'uat', { mobile: '9876540001' });
    const sent = (await test.simulator.calls()).filter(({ path }) => !path.endsWith('/status'));
    expect(sent).toEqual([]);
    // the sweeper checks Production orders only; UAT orders have no provider that supports status checks
    const providers = await test.db.query(`select distinct provider from orders where environment = 'uat'`);
    expect(providers).toEqual([{ provider: 'SANDBOX' }]);
  });

  it('share a rate limit between REST and GraphQL, but not with each other', async () => {
    const slow = await test.developer({ rateLimitPerMinute: 2 });
    const pay = () => payBill(test, slow, 'uat', { orderid: 'x', fetch_id: 'y' });
    expect((await pay()).status).toBe(422);
    const input = { ...owner, amount: 1, clientRequestId: 'x', fetchId: 'y' };
    await test.graphql('uat', slow.tokens.uat, PAY_MUTATION, { input });
    const third = await pay();
    expect([third.status, third.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect((await fetchBill(test, slow, 'uat')).status).toBe(200);
  });
});
