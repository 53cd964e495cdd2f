import { charged, ordered } from '../answers.js';
import { graphql } from '../document.js';
import { type RestRoute, route } from '../route.js';

/** "2024-12-28" → "28/12/2024", as a bill writes dates (interface.md 2.5). */
const slashedDate = (isoDate: string): string => isoDate.split('-').toReversed().join('/');

const exampleCard = { card: '3008', mobile: '9876543210', opcode: 'ICIC' };

/** Fetching and paying card bills, and what became of a payment (interface.md 4.4, 4.5 and 4.17). */
export const cardBillRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/bill-payment/credit-card/bill-fetch',
    document: graphql(`
      mutation FetchCardBill($input: FetchCardBillInput!) {
        result: fetchCardBill(input: $input) {
          message
          fee
          walletBalance
          orderId
          fetchId
          billDate
          billAmount
          minimumDue
          billDueDate
          customerName
        }
      }
    `),
    fields: {
      card: { to: 'input.card', kind: 'text' },
      mobile: { to: 'input.mobile', kind: 'text' },
      opcode: { to: 'input.opcode', kind: 'text' },
      orderid: { to: 'input.orderId', kind: 'text' },
    },
    example: { ...exampleCard, orderid: 'BILL-1001' },
    answer: (bill) =>
      charged(bill, {
        orderid: bill.orderId,
        fetch_id: bill.fetchId,
        bill_date: slashedDate(bill.billDate),
        bill_amount: bill.billAmount,
        minimum_due: bill.minimumDue,
        bill_due_date: slashedDate(bill.billDueDate),
        customer_name: bill.customerName,
      }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/bill-payment/credit-card/bill-pay',
    document: graphql(`
      mutation PayCardBill($input: PayCardBillInput!) {
        result: payCardBill(input: $input) {
          status
          message
          utr
          card
          txid
          amount
          mobile
          orderId
          walletBalance
        }
      }
    `),
    mayBePending: true,
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
    answer: (payment) =>
      ordered(payment, (missing) => ({
        utr: payment.utr ?? missing,
        card: payment.card,
        txid: payment.txid,
        amount: payment.amount,
        mobile: payment.mobile,
        orderid: payment.orderId,
        wallet_balance: payment.walletBalance,
      })),
  }),
  route({
    method: 'GET',
    path: '/api/v1/bill-payment/credit-card/status',
    document: graphql(`
      query CardPaymentStatus($clientRequestId: String, $apiRequestId: String) {
        result: order(kind: CARD_PAYMENT, clientRequestId: $clientRequestId, apiRequestId: $apiRequestId) {
          status
          message
          code
          amount
          clientRequestId
          walletBalance
          receipt { mobile card utr txid }
        }
      }
    `),
    fields: {
      orderid: { to: 'clientRequestId', kind: 'text', optional: true },
      api_request_id: { to: 'apiRequestId', kind: 'text', optional: true },
    },
    example: { orderid: 'PAY-1001' },
    answer: (order) =>
      ordered(order, (missing) => ({
        utr: order.receipt.utr ?? missing,
        card: order.receipt.card,
        txid: order.receipt.txid,
        amount: order.amount,
        mobile: order.receipt.mobile,
        orderid: order.clientRequestId,
        wallet_balance: order.walletBalance,
      })),
  }),
];
