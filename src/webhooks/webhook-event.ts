import type { Environment } from '../core/environment.js';
import { type Paise, rupeesNumber } from '../core/money.js';

export type WebhookEventKind = 'succeeded' | 'failed' | 'reversed';

/** A final outcome or a reversal of a recharge or card payment, as it was when it became true. */
export interface WebhookEvent {
  orderId: string;
  /** Our api_request_id. */
  reference: string;
  operation: 'recharge' | 'card_payment';
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
const OUTCOME: Record<WebhookEventKind, { status: 'success' | 'failed'; code?: string }> = {
  succeeded: { status: 'success' },
  failed: { status: 'failed', code: 'PROVIDER_DECLINED' },
  reversed: { status: 'failed', code: 'REVERSED' },
};

/** The names that the caller knows its own key by (interface.md 4.3, recharge, and interface.md 4.5, bill pay). */
const KEY_NAME: Record<WebhookEvent['operation'], string> = { recharge: 'client_request_id', card_payment: 'orderid' };

/**
 * `webhook-id`: order and event name the message for ever. Up to the first transfer that undoes the resolution no event can come
 * twice; after it the step tells them apart.
 */
export const messageIdOf = ({ reference, event, step }: WebhookEvent): string =>
  `msg_${reference}_${event}${step > 3 ? `_${step}` : ''}`;

/** The type that receivers switch on, such as `recharge.succeeded`. */
export const eventTypeOf = ({ operation, event }: Pick<WebhookEvent, 'operation' | 'event'>): string =>
  `${operation}.${event}`;

/** The body: byte for byte the same for every attempt. No account, card or name is in it; amounts are rupees. */
export function bodyOf(event: WebhookEvent): string {
  return JSON.stringify({
    type: eventTypeOf(event),
    timestamp: event.occurredAt.toISOString(),
    data: {
      api_request_id: event.reference,
      [KEY_NAME[event.operation]]: event.clientKey ?? '',
      environment: event.environment,
      amount: rupeesNumber(event.amountPaise),
      ...OUTCOME[event.event],
    },
  });
}
