import { describe, expect, it } from 'vitest';
import { knownFetchId } from '../card-bills/card-bills.fixture.js';
import { useSharedApp } from '../support/use-app.js';
import type { Fault } from './gate.fixture.js';
import { libraries } from './libraries.fixture.js';
import { FAR_DEADLINES, mobileNumber, useShops } from './shop.fixture.js';

const test = useSharedApp(FAR_DEADLINES);
const PAY = '/bill-pay';
let counter = 0;

describe.concurrent.each(libraries)('bills and lookups with the client library for %s', (...args) => {
  const itHere = it.runIf(args[2]);
  const { developer, open, books: booksOf } = useShops(test, args);
  /** A payment of a fetched bill with a new orderid. */
  const payment = async (mobile = mobileNumber()) => ({
    orderid: `#Pay-${++counter}`,
    card: '3008',
    mobile,
    opcode: 'ICIC',
    amount: 12,
    fetch_id: await knownFetchId(test, developer, 'production', mobile),
  });
  const books = ({ orderid, mobile }: Awaited<ReturnType<typeof payment>>) => booksOf(orderid, mobile);
  const SUCCEEDED = { orders: 1, state: 'success', taken: 12, performed: 1 };
  const FAILED = { orders: 1, state: 'failed', taken: 0, performed: 0 };

  itHere('fetches a bill and pays it', async () => {
    const { gate, library: run } = await open();
    const card = { card: '3008', mobile: mobileNumber(), opcode: 'ICIC' };
    const { returned: bill } = await run.call('fetchBill', { ...card, orderid: `#Bill-${++counter}` });
    expect(bill).toMatchObject({ fee: 0, data: { bill_amount: expect.any(Number), fetch_id: expect.any(String) } });
    const { fetch_id } = bill.data;
    const paid = { ...card, orderid: `#Pay-${++counter}`, amount: 12, fetch_id };
    expect(await run.outcome('payBill', paid)).toMatchObject({
      status: 'success',
      error: null,
      data: { utr: expect.any(String), txid: expect.any(Number), orderid: paid.orderid },
    });
    expect(await books(paid)).toEqual(SUCCEEDED);
    const statusResult = await run.call('billPaymentStatus', { orderid: paid.orderid });
    expect(statusResult.returned).toMatchObject({ status: 'success', data: { orderid: paid.orderid } });
    expect(gate.count(PAY)).toBe(1);
  });

  itHere.each([
    ['0001', 'failed', 'PROVIDER_DECLINED', FAILED],
    ['0005', 'success', null, SUCCEEDED],
    ['0006', 'failed', 'PROVIDER_DECLINED', FAILED],
    ['0008', 'success', null, SUCCEEDED],
  ] as const)('checks the status until it is final: %s is %s', async (suffix, status, code, expectedBooks) => {
    const { gate, library: run } = await open();
    const paid = await payment(mobileNumber(suffix));
    expect(await run.outcome('payBill', paid)).toMatchObject({ status, code, error: null });
    expect(await books(paid)).toEqual(expectedBooks);
    expect(Math.min(...run.pauses, 5)).toBe(5);
    if (suffix !== '0001') expect(gate.count('/status')).toBe(run.pauses.length);
  });

  itHere('returns the outcome of the first payment for a repeated one', async () => {
    const { library: run } = await open();
    const paid = await payment();
    const first = await run.outcome('payBill', paid);
    expect(await run.outcome('payBill', paid)).toMatchObject({ status: 'success', data: { utr: first.data.utr } });
    const declined = await payment(mobileNumber('0001'));
    for (const _ of [1, 2])
      expect(await run.outcome('payBill', declined)).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
    expect([await books(paid), await books(declined)]).toEqual([SUCCEEDED, FAILED]);
  });

  itHere.each<[Fault, ...Fault[]]>([['reset before'], ['reset after'], ['no response', 'cut', 'page after']])(
    'pays once despite faults: %s',
    async (...faults) => {
      const hasResponses = !faults.includes('no response');
      const { gate, library: run } = await open(hasResponses ? {} : { timeoutS: 1 });
      const paid = await payment();
      gate.faults(PAY, ...faults);
      expect(await run.outcome('payBill', paid)).toMatchObject({ status: 'success', error: null });
      expect(await books(paid)).toEqual(SUCCEEDED);
      // on a busy machine additional requests can time out
      if (hasResponses) expect(gate.count(PAY)).toBe(faults.length + 1);
    },
  );

  itHere('does not treat an error as final after a lost request for the same payment', async () => {
    const { gate, library: run } = await open();
    const paid = await payment();
    gate.faults(PAY, 'reset after', { body: { ...paid, mobile: '1' } });
    expect(await run.outcome('payBill', paid)).toMatchObject({ status: 'success' });
    expect(await books(paid)).toEqual(SUCCEEDED);
    const never = await payment();
    gate.faults(PAY, 'reset before', { body: { ...never, mobile: '1' } });
    expect(await run.outcome('payBill', never)).toMatchObject({ status: 'success', error: null });
    expect(await books(never)).toEqual(SUCCEEDED);
    // rejected while a request of an earlier call may still arrive and succeed
    const timedOut = await payment();
    gate.faults(PAY, { body: { ...timedOut, mobile: '1' } });
    expect(await run.outcome('payBill', timedOut, 0, true)).toMatchObject({
      status: 'pending',
      error: { code: 'VALIDATION_FAILED' },
    });
    expect(await run.outcome('payBill', timedOut)).toMatchObject({ status: 'success', error: null });
    expect(await books(timedOut)).toEqual(SUCCEEDED);
  });

  itHere('waits while another payment holds the bill, and reports failed after it was paid', async () => {
    const { library: run } = await open();
    const first = await payment(mobileNumber('0005'));
    expect(await run.outcome('payBill', first, 0)).toMatchObject({ status: 'pending', error: null });
    const second = { ...first, orderid: `#Pay-${++counter}` };
    expect(await run.outcome('payBill', second)).toMatchObject({ status: 'failed', code: 'VALIDATION_FAILED' });
    expect([await books(first), await booksOf(second.orderid, 'nobody')]).toEqual([
      SUCCEEDED,
      { orders: 0, state: undefined, taken: 0, performed: 0 },
    ]);
  });

  itHere('looks up operators, plans and customers', async () => {
    const { library: run } = await open();
    const orderid = `#Look-${++counter}`;
    const found = await run.call('findOperator', { mobile: '9468455123', orderid });
    const { circle_code: circle } = found.returned.data;
    const plans = await run.call('mobilePlans', { mobile: '9468455123', opcode: 'BT', circle, orderid });
    const dth = { dth_number: '07210298754', opcode: 'STV', orderid };
    const [packs, info] = [await run.call('dthPlans', dth), await run.call('dthInfo', dth)];
    expect(Object.keys(plans.returned.data.plans)).toContain('TOPUP');
    expect(Object.keys(packs.returned.data.plans)).toContain('Combo');
    expect(info.returned.data.customer).toEqual([expect.objectContaining({ Name: expect.any(String) })]);
  });

  itHere('pays the fee of a lookup once despite faults', async () => {
    const charged = await test.developer({ feesPaise: { operator_fetch: 150 } });
    const { gate, library: run } = await open({ developer: charged });
    gate.faults('/operator-fetch', 'reset after', 'cut');
    const { returned } = await run.call('findOperator', { mobile: '9468455123', orderid: 'once' });
    expect([returned.fee, returned.wallet_balance, gate.count('/operator-fetch')]).toEqual([0, 9_998.5, 3]);
  });

  itHere('throws errors with the code of the rejection', async () => {
    const barred = await test.developer({ disabledServices: ['operator_fetch'] });
    const { gate, library: run } = await open({ developer: barred });
    const find = (more: object) => run.call('findOperator', { mobile: '9468455123', orderid: 'x', ...more });
    const type = (name: string) => expect.stringMatching(new RegExp(`^(Gateway)?${name}(Error|Exception)$`));
    expect((await find({})).thrown).toMatchObject({
      type: type('Access'),
      code: 'ACCESS_DISABLED',
      httpStatus: 403,
      retryable: false,
    });
    const rejection = await run.call('dthInfo', { dth_number: '1', opcode: 'XX', orderid: 'x' });
    expect(rejection.thrown).toMatchObject({ type: type('Validation'), code: 'VALIDATION_FAILED', httpStatus: 422 });
    expect(Object.keys(rejection.thrown!.body.errors)).toContain('opcode');
    const failing = await run.call('dthInfo', { dth_number: '9876540001', opcode: 'STV', orderid: 'y' });
    expect(failing.thrown).toMatchObject({ code: 'PROVIDER_FAILED', httpStatus: 400, retryable: true });
    expect((await find({ orderid: '' })).thrown?.code).toBeUndefined();
    expect([gate.count('/operator-fetch'), gate.count('/dth-info'), run.pauses]).toEqual([1, 2, []]);
  });

  itHere('does not repeat a non-retryable call with an unknown outcome', async () => {
    const { gate, library: run } = await open();
    const lead = { product_id: '1', customer_id: 'nobody' };
    gate.faults('/leads', 'reset before');
    const withoutRetry = await run.call('request', 'POST', '/api/v1/leads', lead);
    expect([withoutRetry.thrown?.code, gate.count('/leads')]).toEqual(['NO_ANSWER', 1]);
    gate.faults('/me', 'reset before', 'page before');
    expect((await run.call('request', 'GET', '/api/v1/auth/me')).returned.roles).toEqual(['developer']);
    gate.faults('/leads', 'reset before');
    const retried = await run.call('request', 'POST', '/api/v1/leads', lead, true);
    expect([retried.thrown?.code, gate.count('/leads')]).toEqual(['VALIDATION_FAILED', 3]);
  });
});
