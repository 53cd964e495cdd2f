import type { WebhookDeliveryState, WebhookEventType } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { words } from './words.js';

export interface DeliverySearch extends PageSearch {
  /** ID of the developer, for staff. */
  developer?: string | undefined;
  endpoint?: string | undefined;
  state?: WebhookDeliveryState | undefined;
  type?: WebhookEventType | undefined;
  /** Request ID of an order or test event. */
  request?: string | undefined;
  /** Delivery that the drawer displays. It is read by `request` and, in the list of all accounts, by `whose`. */
  delivery?: string | undefined;
  whose?: string | undefined;
}

export const deliverySearch = (search: Record<string, unknown>): DeliverySearch => ({
  developer: textIn(search.developer),
  endpoint: textIn(search.endpoint),
  state: oneOf(search.state, words.deliveries),
  type: oneOf(search.type, words.webhookEvents),
  request: textIn(search.request),
  delivery: textIn(search.delivery),
  whose: textIn(search.whose),
  after: textIn(search.after),
  before: textIn(search.before),
});
