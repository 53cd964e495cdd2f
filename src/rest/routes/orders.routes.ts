import { wholeSeconds } from '../../core/clock.js';
import { type DeclineReason, declineReasons } from '../../providers/decline-reasons.js';
import type { OrdersQuery } from '../generated/documents.js';
import { codeOf, listResponse, secondsOrNull } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { pageFields } from './pages.js';

type Order = NonNullable<OrdersQuery['result']>['edges'][number]['node'];

/** Decline reasons, which REST spells like GraphQL. */
const declineWords = Object.fromEntries(Object.keys(declineReasons).map((reason) => [reason, reason])) as Readonly<
  Record<DeclineReason, DeclineReason>
>;

/** Converts an order to a list entry. Fields that do not apply to this kind of order or are unknown are null. */
const entryOf = (order: Order): object => ({
  api_request_id: order.apiRequestId,
  client_request_id: order.clientRequestId,
  kind: order.kind.toLowerCase(),
  status: order.status.toLowerCase(),
  code: order.status === 'FAILED' || order.status === 'REVERSED' ? codeOf(order.status) : null,
  reason: order.decline?.reason ?? null,
  amount: order.amount,
  refunded: order.refunded,
  account_number: order.accountNumber,
  operator: order.operator?.name ?? null,
  operator_sp_key: order.operator?.spKey ?? null,
  operator_ref: order.operatorRef,
  card: order.card,
  mobile: order.mobile,
  utr: order.utr,
  txid: order.txid,
  provider_txn_id: order.providerTxnId,
  created_at: wholeSeconds(order.createdAt),
  settled_at: secondsOrNull(order.settledAt),
  reversed_at: secondsOrNull(order.reversedAt),
});

/** Routes that list and search recharges and bill payments (interface.md 4.21). */
export const orderRoutes: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/api/v1/orders',
    isStrict: true,
    document: graphql(`
      query Orders($filter: OrderFilter, $first: Int, $after: String) {
        result: orders(filter: $filter, first: $first, after: $after) {
          edges {
            node {
              apiRequestId clientRequestId kind status decline { reason } amount refunded
              accountNumber operator { name spKey } operatorRef card mobile utr txid providerTxnId
              createdAt settledAt reversedAt
            }
          }
          pageInfo { hasNextPage endCursor }
          searchedFrom
        }
      }
    `),
    fields: {
      kind: { to: 'filter.kind', kind: { recharge: 'RECHARGE', card_payment: 'CARD_PAYMENT' }, optional: true },
      status: {
        to: 'filter.status',
        kind: { success: 'SUCCESS', pending: 'PENDING', failed: 'FAILED', reversed: 'REVERSED' },
        list: true,
        optional: true,
      },
      from: {
        to: 'filter.from',
        kind: 'from',
        optional: true,
        description:
          'Start of the range: a day (IST) or a time, inclusive. With only filters by kind, status, amount, operator or decline reason, it is at most 92 days before to; that is also the default, which searched_from returns.',
      },
      to: {
        to: 'filter.to',
        kind: 'to',
        optional: true,
        description: 'End of the range: a day (IST), inclusive, or a time, exclusive.',
      },
      amount: { to: 'filter.amount', kind: 'number', optional: true },
      min_amount: { to: 'filter.minAmount', kind: 'number', optional: true },
      max_amount: {
        to: 'filter.maxAmount',
        kind: 'number',
        optional: true,
        description: 'Only orders with at most this amount, in rupees. Must not be less than min_amount.',
      },
      operator_sp_key: { to: 'filter.operatorSpKey', kind: 'number', optional: true },
      decline_reason: { to: 'filter.declineReason', kind: declineWords, list: true, optional: true },
      reference: {
        to: 'filter.reference',
        kind: 'text',
        isKey: true,
        optional: true,
        description:
          'Only orders with this reference. Matches account_number, api_request_id, client_request_id or orderid, operator_ref, utr, provider_txn_id, card_last4, or the ID of the order.',
      },
      account_number: { to: 'filter.accountNumber', kind: 'text', optional: true },
      card_last4: { to: 'filter.cardLast4', kind: 'text', optional: true },
      client_request_id: {
        to: 'filter.clientRequestId',
        kind: 'text',
        isKey: true,
        optional: true,
        description: 'Only orders with this idempotency key: client_request_id or orderid.',
      },
      api_request_id: { to: 'filter.apiRequestId', kind: 'text', optional: true },
      operator_ref: { to: 'filter.operatorRef', kind: 'text', optional: true },
      utr: { to: 'filter.utr', kind: 'text', optional: true },
      provider_txn_id: { to: 'filter.providerTxnId', kind: 'text', optional: true },
      ...pageFields,
    },
    example: { account_number: '9876543210', limit: 2 },
    toResponse: (orders) =>
      listResponse('Orders listed.', orders, entryOf, { searched_from: secondsOrNull(orders.searchedFrom) }),
  }),
];
