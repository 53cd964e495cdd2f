import { describe, expect, it, test } from 'vitest';
import { paise } from '../../src/core/money.js';
import { Secret } from '../../src/core/secret.js';
import type { ProviderResponse } from '../../src/providers/http-client.js';
import { createInspayAdapter } from '../../src/providers/inspay/inspay.adapter.js';
import type { CardPaymentOrder } from '../../src/providers/ports/card-bills.port.js';
import { alienBodies, breakerOpen, doubts, neverSent, responseOf, ScriptedClient } from './scripted-client.js';

const query = { reference: '03CZSQ1RG8KXJ5T2W7Y9A4B6D', card: '3008', mobile: '9876543210', opcode: 'ICIC' };
const order: CardPaymentOrder = { ...query, amountPaise: paise(747512), fetchId: 'TSB974ca' };
const statusCheck = {
  ...order,
  placedAt: new Date('2026-03-01T04:30:00Z'),
  checkedAt: new Date('2026-03-01T04:31:00Z'),
  attempt: 1,
};

function adapterOn(...responses: ProviderResponse[]) {
  const client = new ScriptedClient(...responses);
  const credentials = { username: 'shop', token: new Secret('token-1') };
  return { client, adapter: createInspayAdapter({ client, credentials }) };
}

const fetchBill = (response: ProviderResponse) => adapterOn(response).adapter.fetchBill(query);
const pay = (response: ProviderResponse) => adapterOn(response).adapter.pay(order);
const checkStatus = (response: ProviderResponse) => adapterOn(response).adapter.checkStatus(statusCheck);

const bill = {
  status: 'Success',
  fetch_id: 'TSB974ca',
  customerName: 'XXXX KUMAR AGARWAL',
  billDate: '08/12/2024',
  billDueDate: '28/12/2024',
  billAmount: '7475.12',
  minimum_due: '2344',
  message: 'Transaction Successful',
};
const paid = {
  txid: 51749154,
  status: 'Success',
  utr: 'TJ014363062020A6D7C1',
  mobile: '9876543210',
  card: 'xxxx3008',
  dr_amount: 7475.12,
  message: 'Transaction Successful',
  orderid: query.reference,
};
const found = {
  txid: 51749154,
  status: 'Success',
  opid: 'TJ014363062020A6D7C1',
  number: '3008',
  amount: '7475.12',
  orderid: query.reference,
};
const receipt = { utr: 'TJ014363062020A6D7C1', txid: 51749154 };
const evidenceOf = (reason: string, providerStatus: string) => ({
  reason,
  httpStatus: 200,
  elapsedMs: 12,
  providerStatus,
  providerTxnId: '51749154',
});

describe('the request', () => {
  const failure = responseOf({ status: 'Failure' });

  it('fetches a bill', async () => {
    const { client, adapter } = adapterOn(failure);
    await adapter.fetchBill(query);
    expect(client.requests).toEqual([
      {
        method: 'POST',
        path: '/v4/credit_card/bill_fetch',
        body: {
          json: {
            username: 'shop',
            token: 'token-1',
            mobile: '9876543210',
            card: '3008',
            opcode: 'ICIC',
            orderid: query.reference,
          },
        },
        number: '9876543210',
      },
    ]);
  });

  test.each([
    [10000, 100, '"amount":100,'],
    [747512, 7475.12, '"amount":7475.12,'],
    [1, 0.01, '"amount":0.01,'],
    [1005, 10.05, '"amount":10.05,'],
    [100_000_000, 1_000_000, '"amount":1000000,'],
  ])('pays %i paise as the JSON number %d', async (amountPaise, amount, wireAmount) => {
    const { client, adapter } = adapterOn(failure);
    await adapter.pay({ ...order, amountPaise: paise(amountPaise) });
    const json = {
      username: 'shop',
      token: 'token-1',
      mobile: '9876543210',
      card: '3008',
      opcode: 'ICIC',
      orderid: query.reference,
      amount,
      fetch_id: 'TSB974ca',
    };
    const path = '/v4/credit_card/bill_pay';
    const expectedRequest = { method: 'POST', path, body: { json }, number: '9876543210', permit: undefined };
    expect(client.requests).toStrictEqual([expectedRequest]);
    expect(JSON.stringify(client.requests[0]?.body)).toContain(wireAmount);
  });

  it('sends the PAN only if it is present', async () => {
    const { client, adapter } = adapterOn(failure);
    await adapter.pay({ ...order, pan: 'ABCDE1234F' });
    expect(client.requests[0]?.body).toMatchObject({ json: { pan: 'ABCDE1234F' } });
  });

  it('checks the status by our reference', async () => {
    const { client, adapter } = adapterOn(failure);
    await adapter.checkStatus(statusCheck);
    expect(client.requests).toEqual([
      {
        method: 'GET',
        path: '/v3/recharge/status',
        query: { username: 'shop', token: 'token-1', orderid: query.reference, format: 'json' },
      },
    ]);
  });

  it('can check the status, but "not found" proves nothing', () => {
    const { client, adapter } = adapterOn();
    expect(adapter).toMatchObject({
      provider: 'INSPAY',
      canCheckStatus: true,
      notFoundIsFinal: false,
      available: true,
    });
    client.available = false;
    expect(adapter.available).toBe(false);
  });
});

describe('bill fetch', () => {
  const value = {
    fetchId: 'TSB974ca',
    customerName: 'XXXX KUMAR AGARWAL',
    billDate: '2024-12-08',
    billDueDate: '2024-12-28',
    billAmountPaise: 747512n,
    minimumDuePaise: 234400n,
  };

  it('accepts the documented response', async () => {
    expect(await fetchBill(responseOf(bill))).toEqual({
      kind: 'accepted',
      value,
      evidence: { reason: 'provider_success', httpStatus: 200, elapsedMs: 12, providerStatus: 'success' },
    });
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['lower-case keys', Object.fromEntries(Object.entries(bill).map(([key, field]) => [key.toLowerCase(), field])), {}],
    ['a boolean status', { ...bill, status: true }, {}],
    ['amounts as numbers', { ...bill, billAmount: 7475.12, minimum_due: 2344 }, {}],
    [
      'a credit balance on the card',
      { ...bill, billAmount: '-12.40', minimum_due: '0' },
      { billAmountPaise: -1240n, minimumDuePaise: 0n },
    ],
    ['ISO dates', { ...bill, billDate: '2024-12-08', billDueDate: '2024-12-28' }, {}],
    ['dates without leading zeros', { ...bill, billDate: '8/12/2024' }, {}],
    ['29 February', { ...bill, billDate: '29/02/2024' }, { billDate: '2024-02-29' }],
    ['no customer name', { ...bill, customerName: null }, { customerName: '' }],
    ['a numeric fetch ID', { ...bill, fetch_id: 12345 }, { fetchId: '12345' }],
  ])('accepts %s', async (_name, body, differences) => {
    expect(await fetchBill(responseOf(body))).toMatchObject({ kind: 'accepted', value: { ...value, ...differences } });
  });

  test.each<[string, Record<string, unknown>]>([
    ['no fetch ID', { ...bill, fetch_id: '' }],
    ['no amount', { ...bill, billAmount: undefined }],
    ['no minimum', { ...bill, minimum_due: null }],
    ['an amount with thousands separators', { ...bill, billAmount: '7,475.12' }],
    ['an amount with three decimal places', { ...bill, billAmount: 7475.125 }],
    ['an amount in words', { ...bill, billAmount: 'NA' }],
    ['30 February', { ...bill, billDate: '30/02/2024' }],
    ['an American date', { ...bill, billDueDate: '12/28/2024' }],
    ['a date in words', { ...bill, billDueDate: '28 DEC 2024' }],
    ['a year of two digits', { ...bill, billDueDate: '28/12/24' }],
    ['no date', { ...bill, billDate: undefined }],
  ])('rejects %s', async (_name, body) => {
    expect(await fetchBill(responseOf(body))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer', providerStatus: 'success' },
    });
  });

  it('is unknown while the bill is pending', async () => {
    expect(await fetchBill(responseOf({ status: 'Pending' }))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'provider_pending' },
    });
  });
});

describe.each([
  { name: 'payment', judge: pay, success: paid as Record<string, unknown>, amountKey: 'dr_amount', utrKey: 'utr' },
  {
    name: 'status_check',
    judge: checkStatus,
    success: found as Record<string, unknown>,
    amountKey: 'amount',
    utrKey: 'opid',
  },
])('$name', ({ judge, success, amountKey, utrKey }) => {
  it('accepts the documented response', async () => {
    expect(await judge(responseOf(success))).toEqual({
      kind: 'accepted',
      value: receipt,
      evidence: evidenceOf('provider_success', 'success'),
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['upper-case keys', Object.fromEntries(Object.entries(success).map(([key, field]) => [key.toUpperCase(), field]))],
    ['the amount as a string', { ...success, [amountKey]: '7475.12' }],
    ['the amount as a number', { ...success, [amountKey]: 7475.12 }],
    ['no amount', { ...success, [amountKey]: undefined }],
    ['a null amount', { ...success, [amountKey]: null }],
    ['the transaction ID as a string', { ...success, txid: '51749154' }],
    ['a boolean status', { ...success, status: true }],
    ['spaces around the status', { ...success, status: ' SUCCESS ' }],
  ])('accepts %s', async (_name, body) => {
    expect(await judge(responseOf(body))).toMatchObject({ kind: 'accepted', value: receipt });
  });

  it('accepts a success without a bank reference', async () => {
    expect(await judge(responseOf({ ...success, [utrKey]: null }))).toMatchObject({
      kind: 'accepted',
      value: { txid: 51749154, utr: '' },
    });
  });

  it.each([7475.13, '7475', 747512, 0, '-7475.12'])('rejects the amount %j', async (amount) => {
    expect(await judge(responseOf({ ...success, [amountKey]: amount }))).toEqual({
      kind: 'unknown',
      evidence: evidenceOf('amount_mismatch', 'success'),
    });
  });

  it.each(['Success', 'Failure', 'Pending'])('rejects a %s with a different reference', async (status) => {
    const orderid = '03CZSQ1RG8KXJ5T2W7Y9A4B6E';
    expect(await judge(responseOf({ ...success, status, orderid }))).toEqual({
      kind: 'unknown',
      evidence: evidenceOf('reference_mismatch', status.toLowerCase()),
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['no transaction ID', { ...success, txid: undefined }],
    ['a transaction ID that is not an integer', { ...success, txid: 'TX-1' }],
    ['a fractional transaction ID', { ...success, txid: 1.5 }],
    ['a transaction ID outside the safe integer range', { ...success, txid: '9999999999999999' }],
    ['an unreadable amount', { ...success, [amountKey]: '₹7475.12' }],
    ['an amount with three decimal places', { ...success, [amountKey]: 7475.121 }],
    ['an object as the reference', { ...success, orderid: { id: query.reference } }],
  ])('rejects %s', async (_name, body) => {
    expect(await judge(responseOf(body))).toMatchObject({ kind: 'unknown', evidence: { reason: 'unexpected_answer' } });
  });

  it('rejects a success with an HTTP error', async () => {
    expect(await judge(responseOf(success, 409))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'http_error' },
    });
  });

  it('is unknown while the provider returns pending', async () => {
    expect(await judge(responseOf({ ...success, status: 'Pending' }))).toEqual({
      kind: 'unknown',
      evidence: evidenceOf('provider_pending', 'pending'),
    });
  });

  it.each(['Failure', 'Failed', 'FAILED'])(
    'declines on %s for our reference, regardless of the amount',
    async (status) => {
      expect(await judge(responseOf({ ...success, status, [amountKey]: 'none' }))).toEqual({
        kind: 'declined',
        evidence: evidenceOf('provider_failure', status.toLowerCase()),
      });
    },
  );

  it.each(['Refunded', 'Reversed', 'Processing', 'Success!', 'Unsuccessful', false, 0])(
    'is unknown for the unlisted status %j',
    async (status) => {
      expect(await judge(responseOf({ ...success, status }))).toMatchObject({
        kind: 'unknown',
        evidence: { reason: 'unexpected_answer', providerTxnId: '51749154' },
      });
    },
  );
});

describe('payment only', () => {
  it('accepts a success that does not repeat our reference', async () => {
    expect(await pay(responseOf({ ...paid, orderid: undefined }))).toMatchObject({ kind: 'accepted', value: receipt });
  });

  it('declines a failure without details', async () => {
    expect(await pay(responseOf({ status: 'Failure', message: 'Insufficient balance' }))).toEqual({
      kind: 'declined',
      evidence: { reason: 'provider_failure', httpStatus: 200, elapsedMs: 12, providerStatus: 'failure' },
    });
  });

  it.each([{ message: 'Duplicate orderid' }, { error_code: 'DUPLICATE_ORDER' }, { message: 'Already in process' }])(
    'does not treat an already used reference as a failure of the payment: %j',
    async (words) => {
      for (const echo of [{}, { orderid: query.reference }, paid])
        expect(await pay(responseOf({ ...echo, status: 'Failure', ...words }))).toMatchObject({
          kind: 'unknown',
          evidence: { reason: 'unexpected_answer' },
        });
    },
  );

  it('declines a failure with HTTP 400 and keeps its code', async () => {
    expect(await pay(responseOf({ status: 'Failed', error_code: 'IR_12' }, 400))).toMatchObject({
      kind: 'declined',
      evidence: { httpStatus: 400, providerCode: 'ir_12' },
    });
  });

  it.each([neverSent, breakerOpen])('declines a request that was never sent: $evidence.reason', async (response) => {
    expect(await pay(response)).toEqual({ kind: 'declined', evidence: response.evidence });
  });
});

describe('status check only', () => {
  it.each([200, 404])('returns not_found with HTTP %i', async (httpStatus) => {
    expect(await checkStatus(responseOf({ status: 'Failure', error_code: 'ORDER_NOT_FOUND' }, httpStatus))).toEqual({
      kind: 'not_found',
      evidence: {
        reason: 'provider_not_found',
        httpStatus,
        elapsedMs: 12,
        providerStatus: 'failure',
        providerCode: 'order_not_found',
      },
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a failure of the status check itself', { status: 'Failure', message: 'Invalid token' }],
    ['a failure with a different code', { status: 'Failure', error_code: 'INVALID_TOKEN' }],
    ['a message about a missing order', { status: 'Failure', message: 'Order not found' }],
    ['a failure with a code for our transaction', { ...found, status: 'Failed', error_code: 'NOBODY_LISTED' }],
    ['a failure without our reference', { ...found, status: 'Failed', orderid: '' }],
    ['a success without our reference', { ...found, orderid: undefined }],
    ['"not found" without a failure', { status: 'Success', error_code: 'ORDER_NOT_FOUND' }],
  ])('treats %s as unknown', async (_name, body) => {
    expect(await checkStatus(responseOf(body))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer' },
    });
  });

  it.each([neverSent, breakerOpen])(
    'is unknown if the status check was never sent: $evidence.reason',
    async (response) => {
      expect(await checkStatus(response)).toEqual({ kind: 'unknown', evidence: response.evidence });
    },
  );
});

describe.each(Object.entries({ fetchBill, pay, checkStatus }))('%s', (name, call) => {
  it.each(Object.entries(alienBodies))('reports %s as unexpected', async (_body, body) => {
    expect(await call(responseOf(body))).toMatchObject({ kind: 'unknown', evidence: { reason: 'unexpected_answer' } });
  });

  it.each([
    [500, { status: 'Failure', orderid: query.reference }],
    [502, { ...bill, ...paid, ...found }],
    [503, { status: 'Failure', error_code: 'ORDER_NOT_FOUND' }],
  ])('is unknown with HTTP %i regardless of the body', async (httpStatus, body) => {
    expect(await call(responseOf(body, httpStatus))).toEqual({
      kind: 'unknown',
      evidence: { reason: 'http_error', httpStatus, elapsedMs: 12 },
    });
  });

  it.each(Object.entries(doubts))('passes %s on as unknown', async (_title, evidence) => {
    expect(await call({ kind: 'unknown', evidence })).toEqual({ kind: 'unknown', evidence });
  });

  it.each([
    { status: 'Failure', message: 'PAN ABCDE1234F is not that of 9876543210', error_code: '9876543210' },
    { status: 'Failure', error_code: 'ABCDE1234F', orderid: query.reference },
    { status: 'ABCDE1234F', error_code: 'card 3008', txid: 'xxxx3008' },
    { status: 'Pending', txid: 9876543210, orderid: query.reference },
    { status: '9876543210', mobile: '9876543210', card: '3008' },
    { ...bill, ...paid, ...found, status: 'Success' },
  ])('keeps PAN, mobile and card out of the evidence of %j', async (body) => {
    const { evidence } = await call(responseOf(body));
    expect(JSON.stringify(evidence)).not.toMatch(/ABCDE|9876543210|3008|AGARWAL|token-1/);
  });

  it('sends a single request', async () => {
    const { client, adapter } = adapterOn({ kind: 'unknown', evidence: { reason: 'timeout' } });
    const calls = {
      fetchBill: () => adapter.fetchBill(query),
      pay: () => adapter.pay(order),
      checkStatus: () => adapter.checkStatus(statusCheck),
    };
    await calls[name as keyof typeof calls]();
    expect(client.requests).toHaveLength(1);
  });
});
