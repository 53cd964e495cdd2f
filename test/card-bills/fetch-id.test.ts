import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { rupees } from '../../src/core/money.js';
import { OrderStore } from '../../src/orders/order.store.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { ageLookups, putInReview } from '../support/orders.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import {
  callsTo,
  environments,
  fetchBill,
  fetchIdOf,
  knownFetchId,
  owner,
  PAY_MUTATION,
  payBill,
} from './card-bills.fixture.js';

const FETCHED_AGO = `update card_bill set fetched_at = now() - $1::interval`;

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({
    liveRupees: 1_00_000,
    feesPaise: { credit_card_fetch: 150 },
    rateLimitPerMinute: 10_000,
  });
});

const expectUnknown = ({ status, body }: TestResponse, message = /unknown/i) => {
  expect([status, body.code, Object.keys(body.errors ?? {})]).toEqual([422, 'VALIDATION_FAILED', ['fetch_id']]);
  expect(body.errors.fetch_id[0]).toMatch(message);
};
const stateOf = async (environment: Environment, orderid: string) =>
  (
    await test.db.query<{ state: string }>(
      'select state from orders where developer_id = $1 and environment = $2 and operation = $3 and client_key = $4',
      [developer.id, environment, 'card_payment', orderid],
    )
  )[0]?.state;

describe.each(environments)('a fetch_id in %s', (environment) => {
  it.each([
    ['card', { card: '3009' }],
    ['mobile', { mobile: '9876543211' }],
    ['opcode', { opcode: 'HDFC' }],
    ['opcode in a different case', { opcode: 'icic' }],
  ])('is unknown with a different %s', async (_name, change) => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    expectUnknown(await payBill(test, developer, environment, { orderid: 'foreign', fetch_id, ...change }));
    expect((await payBill(test, developer, environment, { orderid: `own-${fetch_id}`, fetch_id })).status).toBe(200);
  });

  it('is unknown to other developers and in the other environment', async () => {
    const other = await test.developer();
    const fetch_id = await fetchIdOf(test, developer, environment);
    expectUnknown(await payBill(test, other, environment, { orderid: 'foreign', fetch_id }));
    const otherEnvironment = environment === 'uat' ? 'production' : 'uat';
    expectUnknown(await payBill(test, developer, otherEnvironment, { orderid: 'foreign', fetch_id }));
    const graphql = await test.graphql(environment, other.tokens[environment], PAY_MUTATION, {
      input: { ...owner, amount: 10, clientRequestId: 'foreign', fetchId: fetch_id },
    });
    expect(graphql.body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: [{ path: 'input.fetchId' }],
    });
  });

  it('expires after 24 hours', async () => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    await test.db.query(FETCHED_AGO, ['24 hours 1 second']);
    expectUnknown(
      await payBill(test, developer, environment, { orderid: `late-${environment}`, fetch_id }),
      /expired/i,
    );
    await test.db.query(FETCHED_AGO, ['23 hours 59 minutes']);
    expect((await payBill(test, developer, environment, { orderid: `late-${environment}`, fetch_id })).status).toBe(
      200,
    );
  });

  it('can pay one bill', async () => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    expect((await payBill(test, developer, environment, { orderid: `once-${environment}`, fetch_id })).status).toBe(
      200,
    );
    const balanceBefore = await test.balance(developer, environment);
    expectUnknown(await payBill(test, developer, environment, { orderid: 'again', fetch_id }), /already been used/i);
    // the error stays "already used" after the fetch_id has expired
    await test.db.query(FETCHED_AGO, ['25 hours']);
    expectUnknown(await payBill(test, developer, environment, { orderid: 'again', fetch_id }), /already been used/i);
    expect(await test.balance(developer, environment)).toBe(balanceBefore);
  });

  it('cannot be used again after a reversal because the provider has consumed it', async () => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    const orderid = `reversed-${environment}`;
    await payBill(test, developer, environment, { orderid, fetch_id });
    const [order] = await test.db.query<{ id: string }>('select id from orders where client_key = $1', [orderid]);
    expect(await test.app.ledger.reverse(developer.id, order!.id, {})).toBe('reversed');
    expectUnknown(await payBill(test, developer, environment, { orderid: 'again', fetch_id }), /already been used/i);
  });

  it('can be used again after its payment failed immediately', async () => {
    const mobile = '9876540001';
    const fetch_id = await knownFetchId(test, developer, environment, mobile);
    const pay = (orderid: string) => payBill(test, developer, environment, { orderid, fetch_id, mobile });
    expect((await pay(`declined-1-${environment}`)).body.code).toBe('PROVIDER_DECLINED');
    expect((await pay(`declined-2-${environment}`)).body.code).toBe('PROVIDER_DECLINED');
  });

  it('is locked while a payment is pending and can be used again if that payment fails', async () => {
    const mobile = '9876540006';
    const fetch_id = await fetchIdOf(test, developer, environment, { mobile });
    const pay = (orderid: string) => payBill(test, developer, environment, { orderid, fetch_id, mobile });
    expect((await pay(`pends-${environment}`)).body.status).toBe('pending');
    const busy = await pay('meanwhile');
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).toEqual([
      409,
      'BILL_PAYMENT_IN_PROGRESS',
      '5',
    ]);
    expect(busy.body.data).toBeUndefined();
    await until('the payment fails', async () => (await stateOf(environment, `pends-${environment}`)) === 'failed');
    expect((await pay(`after-${environment}`)).body.status).toBe('pending');
  });

  it('stays locked while its order needs review', async () => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    const id = newId();
    await test.app.ledger.hold(holdOf(environment, id, fetch_id, 'left-to-a-person', 600_000));
    await putInReview(test.db, id);
    const busy = await payBill(test, developer, environment, { orderid: 'meanwhile', fetch_id });
    expect(busy.body.code).toBe('BILL_PAYMENT_IN_PROGRESS');
    await resolveAs(id, false);
    expect((await payBill(test, developer, environment, { orderid: `p-${environment}`, fetch_id })).status).toBe(200);
  });

  it('is reserved by the order of a process that crashed before sending', async () => {
    const fetch_id = await fetchIdOf(test, developer, environment);
    const id = newId();
    await test.app.ledger.hold(holdOf(environment, id, fetch_id, `dead-${environment}`, 600_000));
    const busy = await payBill(test, developer, environment, { orderid: 'heir', fetch_id });
    expect(busy.body.code).toBe('BILL_PAYMENT_IN_PROGRESS');
    const duplicate = await payBill(test, developer, environment, { orderid: `dead-${environment}`, fetch_id });
    expect([duplicate.body.code, duplicate.headers.get('x-order-status')]).toEqual(['DUPLICATE_ORDER', 'pending']);
    await resolveAs(id, false);
    expect((await payBill(test, developer, environment, { orderid: `heir-${environment}`, fetch_id })).status).toBe(
      200,
    );
  });
});

const holdOf = (environment: Environment, id: string, fetchId: string, clientKey: string, leaseMs: number) => ({
  developerId: developer.id,
  environment,
  operation: 'card_payment' as const,
  id,
  reference: referenceOf(id),
  clientKey,
  fingerprint: test.app.orders.fingerprintOf({ fetchId }),
  amountPaise: rupees(10),
  provider: environment === 'uat' ? 'SANDBOX' : 'INSPAY',
  request: new OrderStore(test.app.pool, new FieldEncryption(test.app.config.encryptionKeys)).encrypt(id, {
    ...owner,
    fetchId,
  }),
  accountHash: Buffer.alloc(32),
  leaseMs,
});
const resolveAs = (id: string, success: boolean) =>
  test.app.ledger.resolve({
    developerId: developer.id,
    id,
    success,
    result: Buffer.from('never read'),
    providerTxnId: '',
    recheckAfterMs: null,
    event: 'resolution',
    detail: {},
  });

describe('the order of validation errors on bill-pay', () => {
  it('is field format and PAN, duplicate, fetch_id, balance', async () => {
    const poor = await test.developer({ liveRupees: 5 });
    const fetch_id = await fetchIdOf(test, poor, 'production');
    expect((await payBill(test, poor, 'production', { orderid: 'used', fetch_id, amount: 5 })).status).toBe(200);
    const errorOf = async (change: object) => {
      const { body } = await payBill(test, poor, 'production', {
        orderid: 'used',
        fetch_id: 'none',
        amount: 60_000,
        pan: 'ABCDE1234F',
        ...change,
      });
      return [body.code, ...Object.keys(body.errors ?? {})];
    };
    expect(await errorOf({ pan: undefined })).toEqual(['VALIDATION_FAILED', 'pan']);
    expect(await errorOf({})).toEqual(['DUPLICATE_ORDER']);
    expect(await errorOf({ orderid: 'fresh' })).toEqual(['VALIDATION_FAILED', 'fetch_id']);
    const unpaid = await fetchIdOf(test, poor, 'production');
    expect(await errorOf({ orderid: 'fresh', fetch_id: unpaid })).toEqual(['INSUFFICIENT_BALANCE']);
  });
});

describe('the fee of bill-fetch', () => {
  it('is charged once for the same orderid and body within 10 minutes', async () => {
    await test.simulator.reset();
    const balanceBefore = await test.balance(developer, 'production');
    const first = await fetchBill(test, developer, 'production', { orderid: 'replayed' });
    const retry = await fetchBill(test, developer, 'production', { orderid: ' replayed ', note: 'ignored' });
    expect([first.body.fee, retry.body.fee]).toEqual([1.5, 0]);
    expect(retry.body.data).toEqual(first.body.data);
    expect(retry.body.wallet_balance).toBe(balanceBefore - 1.5);
    expect(await callsTo(test, '/bill_fetch')).toBe(1);
    const other = await fetchBill(test, developer, 'production', { orderid: 'replayed', card: '4444' });
    expect([other.body.fee, other.body.data.fetch_id === first.body.data.fetch_id]).toEqual([1.5, false]);
    await ageLookups(test.db, developer.id, 11);
    const third = await fetchBill(test, developer, 'production', { orderid: 'replayed' });
    expect([third.body.fee, third.body.data.fetch_id === first.body.data.fetch_id]).toEqual([1.5, false]);
  });

  it('is charged once for 20 simultaneous requests', async () => {
    await test.simulator.reset();
    const balanceBefore = await test.balance(developer, 'production');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fetchBill(test, developer, 'production', { orderid: 'at once' })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ body }) => body.data.fetch_id)).size).toBe(1);
    expect(await callsTo(test, '/bill_fetch')).toBe(1);
    expect(await test.balance(developer, 'production')).toBe(balanceBefore - 1.5);
  });

  it('is not charged and nothing is sent if the wallet is empty', async () => {
    await test.simulator.reset();
    const poor = await test.developer({ liveRupees: 1, feesPaise: { credit_card_fetch: 150 } });
    const { status, body } = await fetchBill(test, poor, 'production');
    expect([status, body.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(await callsTo(test, '/bill_fetch')).toBe(0);
  });

  it('is refunded when the process crashed before the provider responded', async () => {
    const balanceBefore = await test.balance(developer, 'production');
    const id = newId();
    await test.app.ledger.hold({
      ...holdOf('production', id, 'none', 'dead fetch', 1),
      operation: 'card_bill',
    });
    expect(await test.balance(developer, 'production')).toBe(balanceBefore - 10);
    await until('the fee is refunded', async () => (await test.balance(developer, 'production')) === balanceBefore);
  });

  it('is not charged while the circuit breaker is open', async () => {
    await test.simulator.outage('inspay', true);
    const balanceBefore = await test.balance(developer, 'production');
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, n) => fetchBill(test, developer, 'production', { orderid: `outage-${n}` })),
    );
    await test.simulator.outage('inspay', false);
    for (const { body } of responses) expect(body.code).toMatch(/^PROVIDER_(FAILED|UNAVAILABLE)$/);
    const rejection = await fetchBill(test, developer, 'production', { orderid: 'breaker' });
    expect([rejection.status, rejection.body.code, rejection.headers.get('retry-after')]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      '5',
    ]);
    const pay = await payBill(test, developer, 'production', {
      orderid: 'breaker',
      fetch_id: await knownFetchId(test, developer, 'production', owner.mobile),
    });
    expect([pay.status, pay.body.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(await test.balance(developer, 'production')).toBe(balanceBefore);
  });
});
