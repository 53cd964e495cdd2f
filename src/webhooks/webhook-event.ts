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

/** Event type that receivers evaluate, for example `recharge.succeeded`. */
export type OrderEventType = `${OrderOperation}.${OrderEventKind}`;
export type WebhookEventType = OrderEventType | 'test.sent';

export const orderEventTypes: readonly OrderEventType[] = orderOperations.flatMap((operation) =>
  orderEventKinds.map((event): OrderEventType => `${operation}.${event}`),
);

/** Final outcome or reversal of a recharge or card bill payment, with the order state at that time, or a test message. */
export interface WebhookEvent {
  orderId: string;
  /** api_request_id of the order, or the reference of a test message. */
  reference: string;
  operation: OrderOperation | 'test';
  /** Kind of the event. `sent` is used only for test messages. */
  event: WebhookEventKind;
  /**
   * Step of the transfer that caused the event. 2 is the resolution; later steps are reversals. Each step from 2 on causes one
   * event.
   */
  step: number;
  environment: Environment;
  occurredAt: Date;
  /** Order at the time of the event, with masked numbers. Null for a test message. */
  order: Order | null;
}

/** Status and code that a retry of the request would return. */
const OUTCOME: Record<OrderEventKind, { status: 'success' | 'failed'; code?: string }> = {
  succeeded: { status: 'success' },
  failed: { status: 'failed', code: 'PROVIDER_DECLINED' },
  reversed: { status: 'failed', code: 'REVERSED' },
};

/**
 * Returns the `webhook-id`, which is derived from the order and the event and never changes. The same event occurs more than
 * once only if the resolution was undone; later IDs then include the step.
 */
export const messageIdOf = ({ reference, event, step }: WebhookEvent): string =>
  `msg_${reference}_${event}${step > 3 ? `_${step}` : ''}`;

export const eventTypeOf = ({ operation, event }: Pick<WebhookEvent, 'operation' | 'event'>): WebhookEventType =>
  `${operation}.${event}` as WebhookEventType;

/** Maximum number of retries of a test message, so that it has at most three attempts. A user is waiting for the result. */
export const TEST_RETRIES = 2;

/** Returns the maximum number of retries of a delivery, or undefined for the default. */
export const retriesOf = ({ operation }: Pick<WebhookEvent, 'operation'>): number | undefined =>
  operation === 'test' ? TEST_RETRIES : undefined;

/**
 * Returns the message body (interface.md 6.1), which is byte-identical in every attempt. Phone and card numbers are masked;
 * amounts are in rupees.
 */
export function bodyOf(event: WebhookEvent): string {
  return JSON.stringify({
    type: eventTypeOf(event),
    timestamp: event.occurredAt.toISOString(),
    data: dataOf(event),
  });
}

function dataOf({ event, order, environment, step }: WebhookEvent): object {
  // a test message has no fields that a receiver could mistake for an order
  if (order === null || event === 'sent') return { test: true, environment };
  return {
    api_request_id: order.apiRequestId,
    ...clientKeyField(order),
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

/**
 * Returns the idempotency key under the field names that the caller used (recharge: interface.md 4.3; bill pay: interface.md
 * 4.5).
 */
function clientKeyField({ kind, clientRequestId }: Order): object {
  switch (kind) {
    case 'recharge':
      return { client_request_id: text(clientRequestId) };
    case 'card_payment':
      return { orderid: text(clientRequestId) };
  }
}

/**
 * Returns the receipt fields, with the same names and placeholders for missing values as in the status endpoints. Stored
 * fields that cannot be decrypted are null, because the outcome must be sent nevertheless.
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

/** Returns the value of a text field, or "" if there is no value. */
const text = (value: string | null): string | null => readable(value ?? '');

const time = (at: Date | null): string | null => at && wholeSeconds(indianTime(at));
