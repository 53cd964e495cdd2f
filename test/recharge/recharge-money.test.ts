import { describe, expect, it } from 'vitest';
import { place, rechargeInput } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

/** A pending order that already has a provider transaction ID. */
const NAMED_AT_ONCE: readonly string[] = ['0005', '0006', '0011'];

const test = useSharedApp();

describe('recharge money', () => {
  it('pays 20 of 50 parallel recharges from a wallet that can pay 20', async () => {
    const developer = await test.developer({ liveRupees: 200 });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => place(test, developer, { client_request_id: `p${n}` })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    const rejections = responses.filter(({ status }) => status === 400);
    expect(rejections).toHaveLength(30);
    for (const { body: rejection } of rejections)
      expect(rejection).toMatchObject({ status: 'failed', code: 'INSUFFICIENT_BALANCE' });
    expect(await test.balance(developer, 'production')).toBe(0);
    const book = await test.simulator.book();
    const orders = await test.db.query<{ n: number }>(
      `select count(*)::int as n from orders where developer_id = $1 and state = 'success'`,
      [developer.id],
    );
    expect(orders[0]!.n).toBe(20);
    expect(book.filter(({ provider, outcome }) => provider === 'roundpay' && outcome === 'succeeded')).toHaveLength(20);
  });

  it('sends one recharge for 40 simultaneous requests with one idempotency key, half REST and half GraphQL', async () => {
    const developer = await test.developer();
    await test.simulator.reset();
    await test.simulator.latency('roundpay', 300);
    const mutation = `mutation($input: RechargeInput!) {
      recharge(input: $input) { order { status apiRequestId providerTxnId amount } replayed }
    }`;
    const input = rechargeInput({ clientRequestId: 'same' });
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2
          ? place(test, developer, { client_request_id: 'same' })
          : test.graphql('production', developer.tokens.production, mutation, { input }),
      ),
    );
    await test.simulator.latency('roundpay', 0);
    const ids = responses.map(
      ({ body: responseBody }) => responseBody.data?.api_request_id ?? responseBody.data?.recharge?.order.apiRequestId,
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9A-Z]{25}$/);
    expect(await test.simulator.book()).toHaveLength(1);
    expect((await test.simulator.calls()).filter(({ path }) => path.endsWith('TransactionAPI'))).toHaveLength(1);
    expect(await test.balance(developer, 'production')).toBe(9_990);
    const replayed = responses.filter(
      ({ headers, body: responseBody }) =>
        headers.get('idempotent-replayed') === 'true' || responseBody.extensions?.replayed === true,
    );
    expect(replayed).toHaveLength(39);
    for (const { body: responseBody } of responses)
      if (responseBody.data.recharge)
        expect(responseBody.data.recharge.replayed).toBe(responseBody.extensions?.replayed ?? false);
  });

  it.each([
    // suffix, first response, final status, completed by the provider
    ['0001', 'failed', 'failed', false],
    ['0002', 'pending', 'success', true],
    ['0003', 'pending', 'failed', false],
    ['0005', 'pending', 'success', true],
    ['0006', 'pending', 'failed', false],
    ['0007', 'pending', 'success', true],
    ['0008', 'pending', 'success', true],
    ['0011', 'pending', 'success', true],
    ['0012', 'pending', 'success', true],
    ['0013', 'success', 'success', true],
  ] as const)('magic number %s first returns %s and ends as %s', async (suffix, word, outcome, isCompleted) => {
    const developer = await test.developer({ liveRupees: 100 });
    await test.simulator.reset();
    const request = { account_number: `987654${suffix}`, client_request_id: `m-${suffix}` };
    const first = await place(test, developer, request);
    expect([first.status, first.body.status]).toEqual([word === 'failed' ? 400 : 200, word]);
    if (word === 'pending') {
      expect(first.body).toMatchObject({
        status: 'pending',
        data: {
          provider_txn_id: NAMED_AT_ONCE.includes(suffix) ? expect.stringMatching(/^S\d/) : null,
          account_number: request.account_number,
        },
      });
      expect(first.headers.get('retry-after')).toBe('5');
    }
    const state = async () =>
      (await test.db.query<{ state: string }>('select state from orders where developer_id = $1', [developer.id]))[0]!
        .state;
    await until(`the order becomes ${outcome}`, async () => (await state()) === outcome);
    expect(await test.balance(developer, 'production')).toBe(outcome === 'success' ? 90 : 100);
    const completedLines = (await test.simulator.book()).filter((line) => line.outcome === 'succeeded');
    expect(completedLines).toHaveLength(isCompleted ? 1 : 0);
    if (isCompleted)
      expect(completedLines[0]).toMatchObject({ provider: 'roundpay', account: request.account_number, amount: 1000 });
    // a retry with the same key returns the final status and sends nothing
    const retry = await place(test, developer, request);
    expect(retry.status).toBe(outcome === 'success' ? 200 : 400);
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect((await test.simulator.calls()).filter(({ path }) => path.endsWith('TransactionAPI'))).toHaveLength(1);
    const refunds = await test.db.query(`select 1 from transfer where developer_id = $1 and kind = 'refund'`, [
      developer.id,
    ]);
    expect(refunds).toHaveLength(outcome === 'failed' ? 1 : 0);
  });
});
