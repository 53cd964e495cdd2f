import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { paise } from '../../src/core/money.js';
import { declineReasons } from '../../src/providers/decline-reasons.js';
import { leadRejections } from '../../src/providers/lead-rejections.js';
import { knownFetchId, payBill } from '../card-bills/card-bills.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { place, RECHARGE, rechargeInput } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { failure, leadRejection, mismatches, reason } from './schemas/common.js';

const FIND = '/api/v1/plan/operator-fetch';
const DECLINED = '9876540001';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

const recharge = (environment: Environment, account_number: string, client_request_id: string, amount = 10) =>
  place(test, developer, { account_number, amount, client_request_id }, environment);

const get = (environment: Environment, path: string, query: Record<string, string>) =>
  test.rest(environment, 'GET', `${path}?${new URLSearchParams(query)}`, developer.tokens[environment]);

async function declineOf(environment: Environment, clientRequestId: string): Promise<unknown> {
  const query = 'query($key: String) { order(kind: RECHARGE, clientRequestId: $key) { decline { reason } } }';
  const variables = { key: clientRequestId };
  const { body } = await test.graphql(environment, developer.tokens[environment], query, variables);
  return body.data.order.decline.reason;
}

describe('decline reasons', () => {
  it('form a closed list that is the same in interface.md and the code', () => {
    expect(Object.keys(declineReasons).toSorted()).toEqual(reason.enum.toSorted());
    expect(Object.keys(leadRejections)).toEqual(leadRejection.enum);
  });

  it.each([
    ['uat', 'NUMBER_NOT_ON_OPERATOR'],
    // the provider's code covers any failure
    ['production', 'UNSPECIFIED'],
  ] as const)(
    'are returned in %s (%s) with the code, in a replay, in the status and over GraphQL',
    async (environment, cause) => {
      const key = `declined-${environment}`;
      const first = await recharge(environment, DECLINED, key);
      expect(mismatches(failure('failed'), first.body)).toEqual([]);
      expect(first.body).toMatchObject({ code: 'PROVIDER_DECLINED', reason: cause });
      expect(await declineOf(environment, key)).toBe(cause);
      const retry = await recharge(environment, DECLINED, key);
      expect(retry.body).toEqual({ ...first.body, request_id: retry.body.request_id });
      const status = await get(environment, `${RECHARGE}/status`, { client_request_id: key });
      expect(status.body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED', reason: cause });
    },
  );

  it("are UNSPECIFIED for card payments because the provider's code has no reason", async () => {
    const paid = { mobile: DECLINED, orderid: 'declined card' };
    const fetch_id = await knownFetchId(test, developer, 'uat', DECLINED);
    const { body } = await payBill(test, developer, 'uat', { ...paid, fetch_id });
    expect(mismatches(failure('error'), body)).toEqual([]);
    expect(body).toMatchObject({ code: 'PROVIDER_DECLINED', reason: 'UNSPECIFIED' });
    const status = await get('uat', '/api/v1/bill-payment/credit-card/status', { orderid: paid.orderid });
    expect(status.body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED', reason: 'UNSPECIFIED' });
  });
});

describe('an insufficient balance error contains the required and the available amount', () => {
  const poorRupees = 5.5;
  const shortage = { code: 'INSUFFICIENT_BALANCE', required: 199.99, available: poorRupees };
  let poor: TestDeveloper;
  beforeAll(async () => {
    poor = await test.developer({ liveRupees: 0, feesPaise: { operator_fetch: 601 } });
    await creditWallet(
      test.app,
      { developerId: poor.id, environment: 'production', amountPaise: paise(550), reference: 'a little' },
      seed,
    );
  });

  const order = { account_number: '9876543210', operator_sp_key: 116, operator_type: 'mobile' };
  const send = (path: string, body: object) => test.rest('production', 'POST', path, poor.tokens.production, body);

  it('over REST, for recharges, bill payments and lookups with a fee', async () => {
    const recharged = await send(RECHARGE, { ...order, amount: 199.99 });
    expect(mismatches(failure('failed'), recharged.body)).toEqual([]);
    expect(recharged.body).toMatchObject(shortage);
    const fetch_id = await knownFetchId(test, poor, 'production', '9876543210');
    const paid = await payBill(test, poor, 'production', { orderid: 'poor', fetch_id, amount: 199.99 });
    expect(mismatches(failure('error'), paid.body)).toEqual([]);
    expect(paid.body).toMatchObject(shortage);
    const found = await send(FIND, { mobile: '9468455123', orderid: 'poor' });
    expect(mismatches(failure('error'), found.body)).toEqual([]);
    expect(found.body).toMatchObject({ ...shortage, required: 6.01 });
    expect(await test.balance(poor, 'production')).toBe(poorRupees);
  });

  it('over GraphQL, in the extensions', async () => {
    const input = rechargeInput({ amount: 199.99 });
    const query = 'mutation($input: RechargeInput!) { recharge(input: $input) { replayed } }';
    const { body } = await test.graphql('production', poor.tokens.production, query, { input });
    expect(body.errors[0].extensions).toMatchObject(shortage);
  });

  it('after the deduction of concurrent calls', async () => {
    const amounts = [3, 3, 3];
    const responses = await Promise.all(
      amounts.map((amount) => send(RECHARGE, { ...order, amount, allow_duplicate: true })),
    );
    const rejections = responses.filter(({ status }) => status === 400);
    expect(rejections).toHaveLength(2);
    for (const { body } of rejections) expect(body).toMatchObject({ ...shortage, required: 3, available: 2.5 });
  });

  it('except for a client token, which cannot read the wallet', async () => {
    const query = 'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token } }';
    const created = await test.graphql('production', poor.tokens.production, query);
    const { body } = await test.graphql(
      'production',
      created.body.data.createClientToken.token,
      '{ operatorFind(input: { mobile: "9468455123", clientRequestId: "client" }) { fee } }',
    );
    const { extensions } = body.errors[0];
    expect(extensions.code).toBe('INSUFFICIENT_BALANCE');
    expect(Object.keys(extensions)).not.toContain('required');
    expect(Object.keys(extensions)).not.toContain('available');
  });
});

it('the error catalogue lists the codes with extra fields', () => {
  const withExtras = Object.entries(errorCatalogue).flatMap(([code, entry]) =>
    'extras' in entry ? [[code, entry.extras]] : [],
  );
  expect(withExtras).toEqual([
    ['INSUFFICIENT_BALANCE', ['required', 'available']],
    ['PROVIDER_DECLINED', ['reason']],
    ['LEAD_REFUSED', ['reason']],
    ['REVERSED', ['reason']],
  ]);
});
