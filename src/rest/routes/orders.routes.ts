import { wholeSeconds } from '../../core/clock.js';
import type { CardPaymentStatusQuery, RechargeStatusQuery } from '../generated/graphql.js';
import { PENDING_RETRY_S, type RestAnswer, type RestField, type RestRoute, type Result } from '../route.js';

const apiRequestId: RestField = { to: 'apiRequestId', kind: 'text', optional: true };
const clientKey: RestField = { to: 'clientKey', kind: 'text', optional: true };

type Known = Pick<Result<RechargeStatusQuery>, 'status' | 'message' | 'code'>;

/**
 * The question succeeded, so it is 200 whatever became of the order: `status` tells, and `code` why it failed. `data` always holds
 * the documented keys of the call; while nobody knows the outcome the unknown ones are null, later they are "".
 */
const known = ({ status, message, code }: Known, data: object): RestAnswer => ({
  ...(status === 'PENDING' ? { retryAfterS: PENDING_RETRY_S } : {}),
  body: { status: status.toLowerCase(), message, ...(status === 'FAILED' ? { code } : {}), data },
});

/** What became of a recharge or card payment (interface.md 4.16 and 4.17). Nothing is sent or charged. */
export const orderRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/api/v1/recharge/status',
    operation: 'RechargeStatus',
    validationStatus: 422,
    fields: { client_request_id: clientKey, api_request_id: apiRequestId },
    example: { client_request_id: '#Order28' },
    answer: (order: Result<RechargeStatusQuery>) => {
      const unknown = order.status === 'PENDING' ? null : '';
      return known(order, {
        amount: order.amount,
        created_at: wholeSeconds(order.createdAt),
        operator_ref: order.receipt.operatorRef ?? unknown,
        account_number: order.receipt.accountNumber,
        api_request_id: order.apiRequestId,
        provider_txn_id: order.receipt.providerTxnId ?? unknown,
        client_request_id: order.clientKey ?? unknown,
      });
    },
  },
  {
    method: 'GET',
    path: '/api/v1/bill-payment/credit-card/status',
    operation: 'CardPaymentStatus',
    validationStatus: 422,
    fields: { orderid: clientKey, api_request_id: apiRequestId },
    example: { orderid: 'PAY-1001' },
    answer: (order: Result<CardPaymentStatusQuery>) =>
      known(order, {
        utr: order.receipt.utr ?? (order.status === 'PENDING' ? null : ''),
        card: order.receipt.card,
        txid: order.receipt.txid,
        amount: order.amount,
        mobile: order.receipt.mobile,
        orderid: order.clientKey,
        wallet_balance: order.walletBalance,
      }),
  },
];
