import type { DeveloperId } from '../core/principal.js';
import type { Channel } from '../db/channel.js';
import type { OrderKey } from './stored-order.js';

/** Maximum number of orders per message. A message is limited to 8,000 bytes, and each order has two IDs. */
const ORDERS_PER_MESSAGE = 100;
const TOPIC = 'order_decided';

type Listener = (orders: readonly OrderKey[]) => void;

/**
 * Notifies all processes of orders that have become final, after the commit and outside of any transaction. Delivery is not
 * guaranteed, so a listener that must not miss an order also polls.
 */
export class ResolvedOrders {
  readonly #listeners: Listener[] = [];
  #pending = new Map<string, OrderKey>();

  /** @param channel channel to the other processes. Undefined if there is only one process. */
  constructor(private readonly channel: Channel | undefined) {
    channel?.on(TOPIC, (text) => this.#notify(text.split(' ').map(keyOf)));
  }

  on(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Announces an order that is final and committed. Orders of the same event loop turn are sent as one message. */
  announce(order: OrderKey): void {
    if (this.#pending.size === 0) setImmediate(() => this.#send());
    this.#pending.set(order.id, order);
  }

  #send(): void {
    const orders = [...this.#pending.values()];
    this.#pending = new Map();
    this.#notify(orders);
    for (let from = 0; from < orders.length; from += ORDERS_PER_MESSAGE)
      this.channel?.notify(
        TOPIC,
        orders
          .slice(from, from + ORDERS_PER_MESSAGE)
          .map(textOf)
          .join(' '),
      );
  }

  #notify(orders: readonly OrderKey[]): void {
    for (const listener of this.#listeners) listener(orders);
  }
}

const textOf = ({ developerId, id }: OrderKey): string => `${developerId}/${id}`;

function keyOf(text: string): OrderKey {
  const [developerId, id] = text.split('/');
  return { developerId: developerId as DeveloperId, id: id! };
}
