import { AppError } from '../../core/errors.js';
import type { CardPaymentStatusQuery } from '../generated/documents.js';
import { chargedResponse, placementResponse, statusResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { CHARGED_CALL, ORDER_CALL, ORDER_LOOKUP } from '../service-codes.js';

/** Converts "2024-12-28" to "28/12/2024", the date format of bills (interface.md 2.5). */
const slashedDate = (isoDate: string): string => isoDate.split('-').toReversed().join('/');

const PAYMENT_MESSAGES = {
  SUCCESS: 'Bill paid successfully.',
  PENDING:
    'The outcome is not known yet. Do not pay again with a new orderid. Retry this request: the duplicate error contains the status of this order.',
};

/** Returns `data` of both payment responses. */
const dataOf =
  (order: Omit<NonNullable<CardPaymentStatusQuery['result']>, 'wallet'>, wallet: { balance: number } | null) =>
  (missing: null | ''): object => ({
    utr: order.utr ?? missing,
    card: order.card ?? '',
    // txid must be a number even if the provider returned none
    txid: order.txid ?? (missing === null ? null : 0),
    amount: order.amount,
    mobile: order.mobile ?? '',
    orderid: order.clientRequestId ?? '',
    wallet_balance: wallet!.balance,
  });

const exampleCard = { card: '3008', mobile: '9876543210', opcode: 'ICIC' };

/** Routes that fetch and pay card bills and return the status of payments (interface.md 4.4, 4.5 and 4.17). */
export const cardBillRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/bill-payment/credit-card/bill-fetch',
    replays: true,
    document: graphql(`
      mutation FetchCardBill($input: FetchCardBillInput!) {
        result: fetchCardBill(input: $input) {
          fee
          wallet { balance }
          clientRequestId
          bill { fetchId billDate billAmount minimumDue billDueDate customerName }
        }
      }
    `),
    codes: CHARGED_CALL,
    fields: {
      card: { to: 'input.card', kind: 'text' },
      mobile: { to: 'input.mobile', kind: 'text', alsoNumber: true },
      opcode: { to: 'input.opcode', kind: 'text' },
      orderid: { to: 'input.clientRequestId', kind: 'text', alsoNumber: true },
    },
    example: { ...exampleCard, orderid: 'BILL-1001' },
    toResponse: (fetched) =>
      chargedResponse('Bill fetched successfully.', fetched, {
        orderid: fetched.clientRequestId,
        fetch_id: fetched.bill.fetchId,
        bill_date: slashedDate(fetched.bill.billDate),
        bill_amount: fetched.bill.billAmount,
        minimum_due: fetched.bill.minimumDue,
        bill_due_date: slashedDate(fetched.bill.billDueDate),
        customer_name: fetched.bill.customerName,
      }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/bill-payment/credit-card/bill-pay',
    document: graphql(`
      mutation PayCardBill($input: PayCardBillInput!) {
        result: payCardBill(input: $input) {
          order { status apiRequestId amount clientRequestId mobile card utr txid decline { reason } }
          wallet { balance }
        }
      }
    `),
    mayBePending: true,
    codes: [...ORDER_CALL, 'DUPLICATE_ORDER', 'BILL_PAYMENT_IN_PROGRESS'],
    fields: {
      card: { to: 'input.card', kind: 'text' },
      amount: { to: 'input.amount', kind: 'number', atMost: 'maxBillPaymentPaise' },
      mobile: { to: 'input.mobile', kind: 'text', alsoNumber: true },
      opcode: { to: 'input.opcode', kind: 'text' },
      orderid: { to: 'input.clientRequestId', kind: 'text', alsoNumber: true },
      fetch_id: { to: 'input.fetchId', kind: 'text' },
      pan: { to: 'input.pan', kind: 'text', optional: true },
    },
    // `fetch_id` of a bill that was fetched earlier
    example: { ...exampleCard, amount: 7475.12, orderid: 'PAY-1001', fetch_id: 'FB03H9WUIF88YK47TSCAGJQ719D' },
    toResponse({ order, wallet }, { replayed }) {
      // the contract requires an error for every duplicate, with the status of the first order
      if (replayed)
        throw new AppError('DUPLICATE_ORDER', {
          orderId: order.clientRequestId ?? undefined,
          orderStatus: order.status.toLowerCase(),
        });
      return placementResponse(order, { message: PAYMENT_MESSAGES }, dataOf(order, wallet));
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/bill-payment/credit-card/status',
    isStrict: true,
    document: graphql(`
      query CardPaymentStatus($clientRequestId: String, $apiRequestId: String) {
        result: order(kind: CARD_PAYMENT, clientRequestId: $clientRequestId, apiRequestId: $apiRequestId) {
          status
          amount
          clientRequestId
          mobile
          card
          utr
          txid
          decline { reason }
          wallet { balance }
        }
      }
    `),
    codes: ORDER_LOOKUP,
    fields: {
      orderid: { to: 'clientRequestId', kind: 'text', isKey: true, optional: true },
      api_request_id: { to: 'apiRequestId', kind: 'text', optional: true },
    },
    example: { orderid: 'PAY-1001' },
    toResponse: (order) => statusResponse(order, dataOf(order, order.wallet)),
  }),
];
