import { wholeSeconds } from '../../core/clock.js';
import { ordered } from '../answers.js';
import { graphql } from '../document.js';
import { type RestRoute, route } from '../route.js';

/** Recharges, and what became of one (interface.md 4.3 and 4.16). */
export const rechargeRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/recharge',
    document: graphql(`
      mutation Recharge($input: RechargeInput!) {
        result: recharge(input: $input) {
          status
          message
          amount
          createdAt
          operatorRef
          accountNumber
          apiRequestId
          providerTxnId
          clientRequestId
        }
      }
    `),
    keyField: 'client_request_id',
    mayHaveFailed: true,
    mayBePending: true,
    validationStatus: 400,
    fields: {
      account_number: { to: 'input.accountNumber', kind: 'text' },
      amount: { to: 'input.amount', kind: 'number' },
      operator_sp_key: { to: 'input.operatorSpKey', kind: 'number' },
      operator_type: { to: 'input.operatorType', kind: { mobile: 'MOBILE', dth: 'DTH' } },
      client_request_id: { to: 'input.clientRequestId', kind: 'text', optional: true },
      circle: { to: 'input.circle', kind: 'text', optional: true },
      geocode: { to: 'input.geocode', kind: 'text', optional: true },
      pincode: { to: 'input.pincode', kind: 'text', optional: true },
      customer_number: { to: 'input.customerNumber', kind: 'text', optional: true },
    },
    example: {
      account_number: '9876543210',
      amount: 199,
      operator_sp_key: 116,
      operator_type: 'mobile',
      client_request_id: '#Order28',
    },
    answer: (order) =>
      ordered(order, (missing) => ({
        amount: order.amount,
        created_at: wholeSeconds(order.createdAt),
        operator_ref: order.operatorRef ?? missing,
        account_number: order.accountNumber,
        api_request_id: order.apiRequestId,
        provider_txn_id: order.providerTxnId ?? missing,
        client_request_id: order.clientRequestId ?? missing,
      })),
  }),
  route({
    method: 'GET',
    path: '/api/v1/recharge/status',
    document: graphql(`
      query RechargeStatus($clientRequestId: String, $apiRequestId: String) {
        result: order(kind: RECHARGE, clientRequestId: $clientRequestId, apiRequestId: $apiRequestId) {
          status
          message
          code
          amount
          clientRequestId
          apiRequestId
          createdAt
          receipt { accountNumber operatorRef providerTxnId }
        }
      }
    `),
    fields: {
      client_request_id: { to: 'clientRequestId', kind: 'text', optional: true },
      api_request_id: { to: 'apiRequestId', kind: 'text', optional: true },
    },
    example: { client_request_id: '#Order28' },
    answer: (order) =>
      ordered(order, (missing) => ({
        amount: order.amount,
        created_at: wholeSeconds(order.createdAt),
        operator_ref: order.receipt.operatorRef ?? missing,
        account_number: order.receipt.accountNumber,
        api_request_id: order.apiRequestId,
        provider_txn_id: order.receipt.providerTxnId ?? missing,
        client_request_id: order.clientRequestId ?? missing,
      })),
  }),
];
