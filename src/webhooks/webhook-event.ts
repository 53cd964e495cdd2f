import type { Environment } from '../core/environment.js';
import { type Paise, rupeesNumber } from '../core/money.js';

type OrderEventKind = 'succeeded' | 'failed' | 'reversed';
export type WebhookEventKind = OrderEventKind | 'sent';

/** A final outcome or a reversal of a recharge or card payment, as it was when it became true; or a test, which is none. */
export interface WebhookEvent {
  orderId: string;
  /** Our api_request_id; of a test, what names it. */
  reference: string;
  operation: 'recharge' | 'card_payment' | 'test';
  /** `sent` of a test alone. */
  event: WebhookEventKind;
  /** Of the transfer that made it true: 2 is the resolution, later ones undo each other. */
  step: number;
  environment: Environment;
  /** client_request_id or orderid; null when the caller sent none. */
  clientKey: string | null;
  amountPaise: Paise;
  occurredAt: Date;
}

/** The words that a repetition of the request would answer with. */
const OUTCOME: Record<OrderEventKind, { status: 'success' | 'failed'; code?: string }> = {
  succeeded: { status: 'success' },
  failed: { status: 'failed', code: 'PROVIDER_DECLINED' },
  reversed: { status: 'failed', code: 'REVERSED' },
};

/** The names that the caller knows its own key by (interface.md 4.3, recharge, and interface.md 4.5, bill pay). */
const KEY_NAME: Record<'recharge' | 'card_payment', string> = {
  recharge: 'client_request_id',
  card_payment: 'orderid',
};

/**
 * `webhook-id`: order and event name the message for ever. Up to the first transfer that undoes the resolution no event can come
 * twice; after it the step tells them apart.
 */
export const messageIdOf = ({ reference, event, step }: WebhookEvent): string =>
  `msg_${reference}_${event}${step > 3 ? `_${step}` : ''}`;

/** The type that receivers switch on, such as `recharge.succeeded`. */
export const eventTypeOf = ({ operation, event }: Pick<WebhookEvent, 'operation' | 'event'>): string =>
  `${operation}.${event}`;

/** A test is waited for by a person: it is tried twice more, and then it has failed. */
const TEST_RETRIES = 2;

/** How often a delivery is tried again at most; undefined: as often as is usual. */
export const retriesOf = ({ operation }: Pick<WebhookEvent, 'operation'>): number | undefined =>
  operation === 'test' ? TEST_RETRIES : undefined;

/** The body: byte for byte the same for every attempt. No account, card or name is in it; amounts are rupees. */
export function bodyOf(event: WebhookEvent): string {
  return JSON.stringify({
    type: eventTypeOf(event),
    timestamp: event.occurredAt.toISOString(),
    data: dataOf(event),
  });
}

function dataOf({ operation, event, reference, clientKey, environment, amountPaise }: WebhookEvent): object {
  // nothing that a receiver could take for an order
  if (operation === 'test' || event === 'sent') return { test: true, environment };
  return {
    api_request_id: reference,
    [KEY_NAME[operation]]: clientKey ?? '',
    environment,
    amount: rupeesNumber(amountPaise),
    ...OUTCOME[event],
  };
}
