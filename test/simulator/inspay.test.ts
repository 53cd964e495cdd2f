import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/simulator/credentials.js';
import { freshSimulator, newReference, postJson, query, rowsOf, send, silenceOf } from './simulator.fixture.js';

let simulator: Awaited<ReturnType<typeof freshSimulator>>;
beforeAll(async () => {
  simulator = await freshSimulator();
});
afterAll(() => simulator.close());

const card = { card: '3008', opcode: 'HSBC' };
const post = (path: string, fields: object) =>
  [
    `${simulator.url}/inspay/v4/credit_card/${path}`,
    postJson({ ...demoCredentials.inspay, ...card, orderid: newReference(), ...fields }),
  ] as const;
const fetchBill = (fields: object) => send(...post('bill_fetch', fields));
const statusOf = (orderid: string, fields: object = {}) =>
  send(`${simulator.url}/inspay/v3/recharge/status?${query({ ...demoCredentials.inspay, orderid, ...fields })}`);
const booked = async (reference: string) =>
  (await rowsOf(`${simulator.url}/_/book`)).filter((row) => row.reference === reference);

/** A payment for a newly fetched bill, not sent yet. */
async function payment(mobile: string, fields: object = {}) {
  const orderid = newReference();
  const fetchId = (await fetchBill({ mobile })).body.fetch_id;
  return { orderid, request: post('bill_pay', { mobile, orderid, amount: 7475.12, fetch_id: fetchId, ...fields }) };
}

describe.concurrent('Inspay', () => {
  it('fetches a bill with amounts as strings and dates in day-first format', async () => {
    const { body } = await fetchBill({ mobile: '9876541401' });
    expect(body).toEqual({
      status: 'Success',
      fetch_id: expect.stringMatching(/^TSB[0-9a-f]{20}$/),
      customerName: expect.stringMatching(/^XXXX [A-Z]+ [A-Z]+$/),
      billDate: expect.stringMatching(/^\d{2}\/\d{2}\/\d{4}$/),
      billDueDate: expect.stringMatching(/^\d{2}\/\d{2}\/\d{4}$/),
      billAmount: expect.stringMatching(/^\d+\.\d\d$/),
      minimum_due: expect.stringMatching(/^\d+$/),
      message: 'Bill fetched Successfully',
    });
    const again = (await fetchBill({ mobile: '9876541401' })).body;
    expect(again).toEqual({ ...body, fetch_id: expect.any(String) });
    expect(again.fetch_id).not.toBe(body.fetch_id);
  });

  it('shows a credit balance for a card that ends in 0000', async () => {
    const { body } = await fetchBill({ mobile: '9876541402', card: '0000' });
    expect(body).toMatchObject({ billAmount: '-250.00', minimum_due: '0' });
  });

  it('pays once per orderid and returns the same transaction in a status check', async () => {
    const { orderid, request } = await payment('9876541403');
    const [first, second] = await Promise.all([send(...request), send(...request)]);
    expect(first.body).toEqual({
      txid: expect.any(Number),
      status: 'Success',
      utr: expect.stringMatching(/^TJ\d{6}[0-9A-Z]+$/),
      mobile: '9876541403',
      card: 'xxxx3008',
      dr_amount: 7475.12,
      message: 'Bill paid Successfully',
      orderid,
    });
    expect(second.body).toEqual(first.body);
    expect((await statusOf(orderid)).body).toEqual({
      txid: first.body.txid,
      status: 'Success',
      opid: first.body.utr,
      number: '9876541403',
      amount: 7475.12,
      orderid,
    });
    const line = { provider: 'inspay', reference: orderid, account: '9876541403', amount: 747_512 };
    expect(await booked(orderid)).toEqual([{ ...line, outcome: 'succeeded', time: expect.any(String) }]);
  });

  it('accepts a fetch ID only for its card, mobile number and bank', async () => {
    for (const wrong of [{ card: '3009' }, { opcode: 'ICIC' }, { fetch_id: 'TSB974ca' }, { mobile: '9876541405' }]) {
      const { orderid, request } = await payment('9876541404', wrong);
      expect((await send(...request)).body).toMatchObject({ status: 'Failure', error_code: 'INVALID_FETCH_ID' });
      expect((await statusOf(orderid)).body.error_code).toBe('ORDER_NOT_FOUND');
    }
  });

  it('requires a PAN from 50,000.00', async () => {
    const under = await payment('9876541406', { amount: '49999.99' });
    expect((await send(...under.request)).body.status).toBe('Success');
    const without = await payment('9876541406', { amount: '50000' });
    expect((await send(...without.request)).body).toMatchObject({ status: 'Failure', error_code: 'INVALID_PARAMETER' });
    const withPan = await payment('9876541406', { amount: 50000, pan: 'ABCDE1234F' });
    expect((await send(...withPan.request)).body.status).toBe('Success');
  });

  it('distinguishes a missing order, a failed order and a failed status call', async () => {
    expect((await statusOf('NEVERSENT')).body).toEqual({
      status: 'Failure',
      message: 'Order not found',
      error_code: 'ORDER_NOT_FOUND',
      orderid: 'NEVERSENT',
    });
    expect((await statusOf('NEVERSENT', { token: 'x' })).body.error_code).toBe('INVALID_CREDENTIALS');
    const { orderid, request } = await payment('9123540006');
    await send(...request);
    for (let statusCheck = 0; statusCheck < 2; statusCheck++)
      expect((await statusOf(orderid)).body.status).toBe('Pending');
    const failed = (await statusOf(orderid)).body;
    expect(failed).toMatchObject({ status: 'Failed', txid: expect.any(Number), orderid });
    expect(failed).not.toHaveProperty('error_code');
  });

  it('rejects wrong credentials and incomplete requests', async () => {
    const mobile = '9876541407';
    expect((await fetchBill({ mobile, token: 'x' })).body.error_code).toBe('INVALID_CREDENTIALS');
    expect((await fetchBill({ mobile, card: '' })).body.error_code).toBe('INVALID_PARAMETER');
    expect((await fetchBill({ mobile: '98765' })).body.error_code).toBe('INVALID_PARAMETER');
    const { request } = await payment(mobile, { amount: 0 });
    expect((await send(...request)).body.error_code).toBe('INVALID_PARAMETER');
  });

  it('applies the magic numbers of both columns', async () => {
    expect((await fetchBill({ mobile: '9123540001' })).body.status).toBe('Failure');
    expect(await silenceOf(...post('bill_fetch', { mobile: '9123540003' }))).toBe('held');
    const odd = (await fetchBill({ mobile: '9123540013' })).body;
    expect(odd).toMatchObject({ status: 'SUCCESS', customername: expect.any(String), billamount: expect.any(Number) });

    const other = await payment('9123540011');
    expect((await send(...other.request)).body.dr_amount).toBe(7476.12);
    expect((await statusOf(other.orderid)).body.amount).toBe(7475.12);
    expect((await booked(other.orderid))[0]?.amount).toBe(747_512);

    const oddly = await payment('9123540013');
    expect((await send(...oddly.request)).body).toMatchObject({
      status: 'SUCCESS',
      txid: expect.stringMatching(/^\d+$/),
      dr_amount: '7475.12',
    });
  });

  it.for([
    ['7001', 'declined', 'answered', 'Failed', []],
    ['7002', 'silent_performed', 'held', 'Success', ['succeeded']],
    ['7003', 'silent_not_performed', 'held', 'Failed', []],
    ['7004', 'silent_never_found', 'held', undefined, []],
    ['7012', 'reset_performed', 'reset', 'Success', ['succeeded']],
  ] as const)('pays %s with the override %s', async ([suffix, outcome, end, status, lines]) => {
    await send(`${simulator.url}/_/outcome`, postJson({ suffix, outcome }));
    const { orderid, request } = await payment(`912354${suffix}`);
    if (end === 'answered') expect((await send(...request)).body).toMatchObject({ status, utr: '', orderid });
    else expect(await silenceOf(...request)).toBe(end);
    expect((await booked(orderid)).map((row) => row.outcome)).toEqual(lines);
    const body = (await statusOf(orderid)).body;
    expect(body).toMatchObject(status ? { status } : { error_code: 'ORDER_NOT_FOUND' });
  });
});
