import type { FetchCardBillMutation, PayCardBillMutation } from '../generated/graphql.js';
import { PENDING_RETRY_S, type RestRoute, type Result } from '../route.js';

/** "2024-12-28" → "28/12/2024", as a bill writes dates (interface.md 2.5). */
const slashedDate = (isoDate: string): string => isoDate.split('-').toReversed().join('/');

const exampleCard = { card: '3008', mobile: '9876543210', opcode: 'ICIC' };

/** Fetching and paying card bills (interface.md 4.4 and 4.5). */
export const cardBillRoutes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/api/v1/bill-payment/credit-card/bill-fetch',
    operation: 'FetchCardBill',
    validationStatus: 422,
    fields: {
      card: { to: 'input.card', kind: 'text' },
      mobile: { to: 'input.mobile', kind: 'text' },
      opcode: { to: 'input.opcode', kind: 'text' },
      orderid: { to: 'input.orderId', kind: 'text' },
    },
    example: { ...exampleCard, orderid: 'BILL-1001' },
    answer: (bill: Result<FetchCardBillMutation>) => ({
      body: {
        fee: bill.fee,
        data: {
          orderid: bill.orderId,
          fetch_id: bill.fetchId,
          bill_date: slashedDate(bill.billDate),
          bill_amount: bill.billAmount,
          minimum_due: bill.minimumDue,
          bill_due_date: slashedDate(bill.billDueDate),
          customer_name: bill.customerName,
        },
        status: 'success',
        message: bill.message,
        wallet_balance: bill.walletBalance,
      },
    }),
  },
  {
    method: 'POST',
    path: '/api/v1/bill-payment/credit-card/bill-pay',
    operation: 'PayCardBill',
    validationStatus: 422,
    fields: {
      card: { to: 'input.card', kind: 'text' },
      amount: { to: 'input.amount', kind: 'number' },
      mobile: { to: 'input.mobile', kind: 'text' },
      opcode: { to: 'input.opcode', kind: 'text' },
      orderid: { to: 'input.orderId', kind: 'text' },
      fetch_id: { to: 'input.fetchId', kind: 'text' },
      pan: { to: 'input.pan', kind: 'text', optional: true },
    },
    // with the fetch_id of the bill fetched before
    example: { ...exampleCard, amount: 7475.12, orderid: 'PAY-1001', fetch_id: 'FB03H9WUIF88YK47TSCAGJQ719D' },
    mayBePending: true,
    answer: ({
      status,
      message,
      utr,
      card,
      txid,
      amount,
      mobile,
      orderId,
      walletBalance,
    }: Result<PayCardBillMutation>) => {
      const pending = status === 'PENDING';
      return {
        ...(pending ? { retryAfterS: PENDING_RETRY_S } : {}),
        body: {
          status: status.toLowerCase(),
          message,
          data: {
            // while nobody knows the outcome, unknown keys are null; a success holds every key with its type
            utr: utr ?? (pending ? null : ''),
            card,
            txid,
            amount,
            mobile,
            orderid: orderId,
            wallet_balance: walletBalance,
          },
        },
      };
    },
  },
];
