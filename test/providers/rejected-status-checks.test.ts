import { describe, expect, it } from 'vitest';
import { judgeStatus as judgeInspay } from '../../src/providers/inspay/inspay.mapping.js';
import { judgeStatus as judgeRoundPay } from '../../src/providers/roundpay/roundpay.responses.js';
import { mobileOrder, statusCheckOf } from './fixtures/recharge-orders.js';

/** Order data echoed in a response: our reference, another one or none, an amount, with or without a transaction. */
interface Frame {
  reference?: 'ours' | 'other';
  transaction?: true;
  amount?: 'ours' | 'other';
}
const frames: readonly Frame[] = ([undefined, 'ours', 'other'] as const).flatMap((reference) =>
  ([undefined, true] as const).flatMap((transaction) =>
    ([undefined, 'ours', 'other'] as const).map((amount) => ({ reference, transaction, amount }) as Frame),
  ),
);
const httpStatuses = [200, 201, 400, 401, 403, 404, 429, 500, 503];
const cases = frames.flatMap((frame) => httpStatuses.map((httpStatus) => ({ frame, httpStatus })));

const ownOrders = { roundpay: statusCheckOf(mobileOrder), inspay: { ...mobileOrder, mobile: '9876543210' } };
const responseWith = (httpStatus: number, body: object) =>
  ({ kind: 'response', httpStatus, body, elapsedMs: 1 }) as const;
const isSuccess = (httpStatus: number) => httpStatus >= 200 && httpStatus < 300;

describe('RoundPay: response to a status check', () => {
  const finals = ['224', '302', '303', '501'];
  const failures = ['', '101', '102', '152', '401', '429', '404', '777', ...finals];
  it.each(['3', '4', 'FAILED'].flatMap((status) => failures.map((code) => ({ status, code }))))(
    'STATUS $status, ERRORCODE "$code" causes no refund if it may be about the status call itself',
    ({ status, code }) => {
      for (const { frame, httpStatus } of cases) {
        const { reference, transaction, amount } = frame;
        const body = {
          STATUS: status,
          ERRORCODE: code,
          ...(reference && { AGENTID: reference === 'ours' ? ownOrders.roundpay.reference : 'ANOTHERORDER' }),
          ...(transaction && { RPID: 'S23071219280506ABC2D' }),
          ...(amount && { AMOUNT: amount === 'ours' ? '100' : '7' }),
        };
        const { kind } = judgeRoundPay(responseWith(httpStatus, body), ownOrders.roundpay);
        expect(kind, JSON.stringify({ httpStatus, body })).toBe(expectedOf(code, frame, httpStatus));
      }
    },
  );

  function expectedOf(code: string, { reference, transaction, amount }: Frame, httpStatus: number): string {
    if (!isSuccess(httpStatus) || reference === 'other') return 'unknown';
    if (code === '404') return 'not_found';
    if (finals.includes(code)) return 'declined';
    return code === '' && reference === 'ours' && transaction && amount !== 'other' ? 'declined' : 'unknown';
  }

  it('that only echoes the request proves no transaction', () => {
    const RPID = 'S23071219280506ABC2D';
    const echoed = { STATUS: '3', MSG: 'Limit of status calls exceeded', AGENTID: ownOrders.roundpay.reference, RPID };
    const kindOf = (body: object) =>
      judgeRoundPay(responseWith(200, body), { ...ownOrders.roundpay, providerTxnId: RPID }).kind;
    expect([echoed, { ...echoed, AMOUNT: '100' }, { ...echoed, ACCOUNT: '9876543210' }].map(kindOf)).toEqual([
      'unknown',
      'declined',
      'declined',
    ]);
  });
});

describe('Inspay: response to a status check', () => {
  const codes = ['', 'ORDER_NOT_FOUND', 'INVALID_TOKEN', 'LIMIT_EXCEEDED', 'NOBODY_LISTED', '401', '429'];
  it.each(['Failure', 'Failed', 'FAILURE'].flatMap((status) => codes.map((code) => ({ status, code }))))(
    '"$status", "$code" causes no refund if it may be about the status call itself',
    ({ status, code }) => {
      for (const { frame, httpStatus } of cases) {
        const { reference, transaction, amount } = frame;
        const body = {
          status,
          ...(code && { error_code: code }),
          ...(reference && { orderid: reference === 'ours' ? ownOrders.inspay.reference : 'ANOTHERORDER' }),
          ...(transaction && { txid: 51749154 }),
          ...(amount && { amount: amount === 'ours' ? 100 : 7 }),
        };
        const { kind } = judgeInspay(responseWith(httpStatus, body), ownOrders.inspay);
        expect(kind, JSON.stringify({ httpStatus, body })).toBe(expectedOf(code, frame, httpStatus));
      }
    },
  );

  function expectedOf(code: string, { reference, transaction }: Frame, httpStatus: number): string {
    if (httpStatus >= 500 || reference === 'other') return 'unknown';
    // Inspay's "not found" never leads to a refund
    if (code === 'ORDER_NOT_FOUND') return 'not_found';
    return isSuccess(httpStatus) && code === '' && reference === 'ours' && transaction ? 'declined' : 'unknown';
  }
});
