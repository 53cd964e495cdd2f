import { maskedKey, withMaskedCards } from '../../core/card-number.js';
import type { Environment } from '../../core/environment.js';
import type { DeveloperId } from '../../core/principal.js';
import type { Cell, Columns, Pages } from '../../core/table.js';
import { pagesFromTheEnd } from '../../graphql-toolkit/connection.js';
import { orderNodeId } from '../../graphql-toolkit/node.js';
import type { OrderStore } from '../order.store.js';
import type { Order } from './order.types.js';
import { orderView, readable } from './order.view.js';
import type { OrderList, OrderSelection } from './order-list.js';

export const orderColumns = {
  created_at: 'time',
  id: 'text',
  api_request_id: 'text',
  client_request_id: 'text',
  kind: 'text',
  status: 'text',
  amount: 'amount',
  refunded: 'amount',
  account_number: 'text',
  operator: 'text',
  card: 'text',
  mobile: 'text',
  operator_ref: 'text',
  provider_txn_id: 'text',
  utr: 'text',
  settled_at: 'time',
  reversed_at: 'time',
  decline_reason: 'text',
  environment: 'text',
} as const satisfies Columns;

export interface OrderScope {
  /** Developer whose orders are included. Undefined for all developers. */
  developerId: DeveloperId | undefined;
  environment: Environment | undefined;
  /** Whether to mask numbers, for readers who may not see them in full. */
  masked: boolean;
}

/** Yields the rows of the recharges and card bill payments that match a filter, oldest first. Only one page is kept in memory. */
export async function* orderRows(
  { history, store }: { history: OrderList; store: OrderStore },
  { masked, ...scope }: OrderScope,
  filter: OrderSelection,
): Pages {
  for await (const orders of pagesFromTheEnd((page) => history.page(scope, filter, page)))
    yield orders.map((order) => rowOf(orderView(order, store, { masked }), masked ? maskedKey : withMaskedCards));
}

/** @param formatKey masks the idempotency key, because exported files are kept and forwarded, and must not contain card numbers */
const rowOf = (order: Order, formatKey: (key: string) => string): Cell[] => [
  order.createdAt,
  orderNodeId(order.id),
  order.apiRequestId,
  formatKey(readable(order.clientRequestId) ?? ''),
  order.kind,
  order.status,
  order.amount,
  order.refunded,
  readable(order.accountNumber) ?? null,
  readable(order.operator)?.name ?? null,
  readable(order.card) ?? null,
  readable(order.mobile) ?? null,
  readable(order.operatorRef) ?? null,
  readable(order.providerTxnId) ?? null,
  readable(order.utr) ?? null,
  order.settledAt,
  order.reversedAt,
  order.decline?.reason ?? null,
  order.environment,
];
