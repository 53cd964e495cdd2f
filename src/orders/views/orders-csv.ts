import { maskedKey, withMaskedCards } from '../../core/card-number.js';
import { indianTime, startOfIndianDay } from '../../core/clock.js';
import { csvRecord } from '../../core/csv.js';
import type { Environment } from '../../core/environment.js';
import { decimalText } from '../../core/money.js';
import type { DeveloperId } from '../../core/principal.js';
import { pagesFromTheEnd } from '../../graphql-toolkit/connection.js';
import { orderNodeId } from '../../graphql-toolkit/node.js';
import type { OrderStore } from '../order.store.js';
import type { Order } from './order.types.js';
import { orderView, readable } from './order.view.js';
import type { OrderList } from './order-list.js';

export const orderColumns = (
  'created_at id api_request_id client_request_id kind status amount refunded account_number operator card mobile ' +
  'operator_ref provider_txn_id utr settled_at reversed_at decline_reason environment'
).split(' ');

export interface OrdersOf {
  /** Of this developer; of all where it is undefined. */
  developerId: DeveloperId | undefined;
  environment: Environment | undefined;
  /** For people who see no whole number. */
  masked: boolean;
}

/** Payments that were accepted on these Indian days as CSV text in pieces, oldest first. Nothing is held but one page. */
export async function* ordersCsv(
  { history, store }: { history: OrderList; store: OrderStore },
  { masked, ...scope }: OrdersOf,
  from: string,
  to: string,
): AsyncGenerator<string> {
  yield csvRecord(orderColumns);
  const filter = { from: startOfIndianDay(from), to: startOfIndianDay(to, 1) };
  for await (const orders of pagesFromTheEnd((page) => history.page(scope, filter, page)))
    yield orders
      .map((order) => recordOf(orderView(order, store, { masked }), masked ? maskedKey : withMaskedCards))
      .join('');
}

/** @param shownKey what is shown of a client's key: files are kept and sent on, so that no card number may be in them */
const recordOf = (order: Order, shownKey: (key: string) => string): string =>
  csvRecord([
    indianTime(order.createdAt),
    orderNodeId(order.id),
    order.apiRequestId,
    shownKey(readable(order.clientRequestId) ?? ''),
    order.kind,
    order.status,
    decimalText(order.amount),
    decimalText(order.refunded),
    readable(order.accountNumber) ?? '',
    readable(order.operator)?.name ?? '',
    readable(order.card) ?? '',
    readable(order.mobile) ?? '',
    readable(order.operatorRef) ?? '',
    readable(order.providerTxnId) ?? '',
    readable(order.utr) ?? '',
    order.settledAt ? indianTime(order.settledAt) : '',
    order.reversedAt ? indianTime(order.reversedAt) : '',
    order.decline?.reason ?? '',
    order.environment,
  ]);
