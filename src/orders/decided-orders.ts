import type { DeveloperId } from '../core/principal.js';
import type { Channel } from '../db/channel.js';
import type { OrderKey } from './stored-order.js';

/** Orders of one message: 8,000 bytes are the limit, and each has two ids. */
const ORDERS_PER_MESSAGE = 100;
const TOPIC = 'order_decided';

type Hear = (orders: readonly OrderKey[]) => void;

/**
 * Notifies all processes of orders that an answer has decided: after the commit, and outside of any transaction. Nothing is promised:
 * who has to know looks for itself too.
 */
export class ResolvedOrders {
  readonly #ears: Hear[] = [];
  #announced = new Map<string, OrderKey>();

  /** @param channel undefined where there is one process alone */
  constructor(private readonly channel: Channel | undefined) {
    channel?.on(TOPIC, (text) => this.#notify(text.split(' ').map(keyOf)));
  }

  on(hear: Hear): void {
    this.#ears.push(hear);
  }

  /** An order was decided, and is committed. Those of one turn are one message. */
  announce(order: OrderKey): void {
    if (this.#announced.size === 0) setImmediate(() => this.#say());
    this.#announced.set(order.id, order);
  }

  #say(): void {
    const orders = [...this.#announced.values()];
    this.#announced = new Map();
    this.#notify(orders);
    for (let from = 0; from < orders.length; from += ORDERS_PER_MESSAGE)
      this.channel?.say(
        TOPIC,
        orders
          .slice(from, from + ORDERS_PER_MESSAGE)
          .map(textOf)
          .join(' '),
      );
  }

  #notify(orders: readonly OrderKey[]): void {
    for (const hear of this.#ears) hear(orders);
  }
}

const textOf = ({ developerId, id }: OrderKey): string => `${developerId}/${id}`;

function keyOf(text: string): OrderKey {
  const [developerId, id] = text.split('/');
  return { developerId: developerId as DeveloperId, id: id! };
}
