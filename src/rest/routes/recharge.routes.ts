import { wholeSeconds } from '../../core/clock.js';
import type { RechargeStatusQuery } from '../generated/documents.js';
import { placementResponse, statusResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { ORDER_CALL, ORDER_LOOKUP } from '../service-codes.js';

/** Warns that without an idempotency key, a retry after a few minutes would place a second recharge. */
const pendingMessage = (apiRequestId: string, clientRequestId: string | null): string =>
  `The outcome is not known yet. Do not create a new order. ${
    clientRequestId === null
      ? `Send GET /api/v1/recharge/status?api_request_id=${apiRequestId} to check the status of the order.`
      : 'Retry this request with the same client_request_id.'
  }`;

/** Returns `data` of both recharge responses. */
const dataOf =
  (order: NonNullable<RechargeStatusQuery['result']>) =>
  (missing: null | ''): object => ({
    amount: order.amount,
    created_at: wholeSeconds(order.createdAt),
    operator_ref: order.operatorRef ?? missing,
    account_number: order.accountNumber ?? '',
    api_request_id: order.apiRequestId,
    provider_txn_id: order.providerTxnId ?? missing,
    client_request_id: order.clientRequestId ?? missing,
  });

/** Routes of recharges and their status (interface.md 4.3 and 4.16). */
export const rechargeRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/recharge',
    document: graphql(`
      mutation Recharge($input: RechargeInput!) {
        result: recharge(input: $input) {
          order {
            status amount createdAt operatorRef accountNumber apiRequestId providerTxnId clientRequestId
            decline { reason }
          }
          replayed
          warnings { code message apiRequestId }
        }
      }
    `),
    keyField: 'client_request_id',
    mayHaveFailed: true,
    mayBePending: true,
    replays: true,
    validationStatus: 400,
    codes: [...ORDER_CALL, 'IDEMPOTENCY_KEY_REUSED', 'LIKELY_DUPLICATE'],
    fields: {
      account_number: {
        to: 'input.accountNumber',
        kind: 'text',
        alsoNumber: { where: 'operator_type', is: 'mobile' },
      },
      amount: { to: 'input.amount', kind: 'number', atMost: 'maxRechargePaise' },
      operator_sp_key: { to: 'input.operatorSpKey', kind: 'number' },
      operator_type: { to: 'input.operatorType', kind: { mobile: 'MOBILE', dth: 'DTH' } },
      client_request_id: { to: 'input.clientRequestId', kind: 'text', alsoNumber: true, optional: true },
      circle: { to: 'input.circle', kind: 'text', optional: true },
      geocode: { to: 'input.geocode', kind: 'text', optional: true },
      pincode: { to: 'input.pincode', kind: 'text', optional: true },
      customer_number: { to: 'input.customerNumber', kind: 'text', optional: true },
      allow_duplicate: { to: 'input.allowDuplicate', kind: 'boolean', optional: true },
    },
    example: {
      account_number: '9876543210',
      amount: 199,
      operator_sp_key: 116,
      operator_type: 'mobile',
      client_request_id: '#Order28',
    },
    toResponse: ({ order, replayed, warnings }) =>
      placementResponse(
        order,
        {
          message: {
            SUCCESS: 'Recharge successful.',
            PENDING: pendingMessage(order.apiRequestId, order.clientRequestId),
          },
          replayed,
          warnings: warnings.map(({ code, message, apiRequestId }) => ({
            code,
            message,
            api_request_id: apiRequestId,
          })),
        },
        dataOf(order),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/recharge/status',
    isStrict: true,
    document: graphql(`
      query RechargeStatus($clientRequestId: String, $apiRequestId: String) {
        result: order(kind: RECHARGE, clientRequestId: $clientRequestId, apiRequestId: $apiRequestId) {
          status
          amount
          createdAt
          operatorRef
          accountNumber
          apiRequestId
          providerTxnId
          clientRequestId
          decline { reason }
        }
      }
    `),
    codes: ORDER_LOOKUP,
    fields: {
      client_request_id: { to: 'clientRequestId', kind: 'text', isKey: true, optional: true },
      api_request_id: { to: 'apiRequestId', kind: 'text', optional: true },
    },
    example: { client_request_id: '#Order28' },
    toResponse: (order) => statusResponse(order, dataOf(order)),
  }),
];
