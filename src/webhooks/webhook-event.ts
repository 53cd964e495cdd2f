import { indianTime, wholeSeconds } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { rupeesNumber } from '../core/money.js';
import type { Order } from '../orders/views/order.types.js';
import { readable } from '../orders/views/order.view.js';

export const orderEventKinds = ['succeeded', 'failed', 'reversed'] as const;
export type OrderEventKind = (typeof orderEventKinds)[number];
export type WebhookEventKind = OrderEventKind | 'sent';
export const orderOperations = ['recharge', 'card_payment'] as const;
export type OrderOperation = (typeof orderOperations)[number];

/** The type that receivers switch on, such as `recharge.succeeded`. */
export type OrderEventType = `${OrderOperation}.${OrderEventKind}`;
export type WebhookEventType = OrderEventType | 'test.sent';

export const orderEventTypes: readonly OrderEventType[] = orderOperations.flatMap((operation) =>
  orderEventKinds.map((event): OrderEventType => `${operation}.${event}`),
);

/** A final outcome or a reversal of a recharge or card payment, as it was when it became true; or a test, which is none. */
export interface WebhookEvent {
  orderId: string;
  /** Our api_request_id; of a test, what names it. */
  reference: string;
  operation: OrderOperation | 'test';
  /** `sent` of a test alone. */
  event: WebhookEventKind;
  /** Step of the transfer that caused the event: 2 is the resolution, later steps are reversals. Each step from 2 on is one event. */
  step: number;
  environment: Environment;
  occurredAt: Date;
  /** The order as it was then, its numbers masked; null of a test. */
  order: Order | null;
}

/** The words that a repetition of the request would answer with. */
const OUTCOME: Record<OrderEventKind, { status: 'success' | 'failed'; code?: string }> = {
  succeeded: { status: 'success' },
  failed: { status: 'failed', code: 'PROVIDER_DECLINED' },
  reversed: { status: 'failed', code: 'REVERSED' },
};

/**
 * `webhook-id`: order and event name the message for ever. Up to the first transfer that undoes the resolution no event can come
 * twice; after it the step tells them apart.
 */
export const messageIdOf = ({ reference, event, step }: WebhookEvent): string =>
  `msg_${reference}_${event}${step > 3 ? `_${step}` : ''}`;

export const eventTypeOf = ({ operation, event }: Pick<WebhookEvent, 'operation' | 'event'>): WebhookEventType =>
  `${operation}.${event}` as WebhookEventType;

/** A test is waited for by a person: it is tried twice more, and then it has failed. */
export const TEST_RETRIES = 2;

/** How often a delivery is tried again at most; undefined: as often as is usual. */
export const retriesOf = ({ operation }: Pick<WebhookEvent, 'operation'>): number | undefined =>
  operation === 'test' ? TEST_RETRIES : undefined;

/**
 * The body (interface.md 6.1), byte for byte the same for every attempt. Numbers of people and cards are masked; amounts are
 * rupees.
 */
export function bodyOf(event: WebhookEvent): string {
  return JSON.stringify({
    type: eventTypeOf(event),
    timestamp: event.occurredAt.toISOString(),
    data: dataOf(event),
  });
}

function dataOf({ event, order, environment, step }: WebhookEvent): object {
  // nothing that a receiver could take for an order
  if (order === null || event === 'sent') return { test: true, environment };
  return {
    api_request_id: order.apiRequestId,
    ...named(order),
    environment,
    sequence: step - 1,
    order_status: order.status,
    amount: rupeesNumber(order.amount),
    ...OUTCOME[event],
    ...(order.decline ? { reason: order.decline.reason } : {}),
    ...receiptOf(order),
    provider_txn_id: text(order.providerTxnId),
    settled_at: time(order.settledAt),
    ...(order.reversedAt ? { reversed_at: time(order.reversedAt) } : {}),
  };
}

/** The names that the caller knows its own key by (interface.md 4.3, recharge, and interface.md 4.5, bill pay). */
function named({ kind, clientRequestId }: Order): object {
  switch (kind) {
    case 'recharge':
      return { client_request_id: text(clientRequestId) };
    case 'card_payment':
      return { orderid: text(clientRequestId) };
  }
}

/**
 * What a receipt prints, under the names and with the words for "none" of the status calls. What is stored and cannot be read is
 * null: the outcome is sent all the same.
 */
function receiptOf({ kind, ...order }: Order): object {
  switch (kind) {
    case 'recharge':
      return {
        account_number: text(order.accountNumber),
        operator_sp_key: readable(order.operator)?.spKey ?? null,
        operator_ref: text(order.operatorRef),
      };
    case 'card_payment':
      return {
        card: text(order.card),
        mobile: text(order.mobile),
        utr: text(order.utr),
        txid: readable(order.txid ?? 0),
      };
  }
}

/** "" where there is none. */
const text = (value: string | null): string | null => readable(value ?? '');

const time = (at: Date | null): string | null => at && wholeSeconds(indianTime(at));
