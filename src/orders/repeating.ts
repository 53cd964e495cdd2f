import { setTimeout as pause } from 'node:timers/promises';
import { type CallsUnderWay, firstOf } from './calls-under-way.js';
import { type EarlierOrders, keyReused, type Placed } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import type { Placement } from './placement.js';
import type { StoredOrder } from './stored-order.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** The answer to a request whose key stands for an order. It moves nothing and sends nothing. */
export class Repeating {
  readonly #store: OrderStore;
  readonly #earlier: EarlierOrders;
  readonly #calls: CallsUnderWay;

  constructor(store: OrderStore, earlier: EarlierOrders, calls: CallsUnderWay) {
    this.#store = store;
    this.#earlier = earlier;
    this.#calls = calls;
  }

  /**
   * Waits for the first send while it is under way, at most until `answerBy`; else what is stored.
   * Errors: IDEMPOTENCY_KEY_REUSED when the request is not the one that the order was placed with.
   */
  async answer<Value>(
    order: StoredOrder,
    { isSameAs }: Pick<Placement<Value>, 'isSameAs'>,
    answerBy: number,
  ): Promise<Placed<Value>> {
    if (isSameAs && !isSameAs(order)) throw keyReused(order);
    if (order.operation === 'card_payment') return this.#earlier.answerOf(order);
    return this.#earlier.answerOf(await this.#join(order, answerBy));
  }

  async #join(order: StoredOrder, answerBy: number): Promise<StoredOrder> {
    let current = order;
    for (
      let pauseMs = FIRST_PAUSE_MS;
      current.state === 'open' && current.unknownSince === null && performance.now() < answerBy;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      const here = this.#calls.of(order.id);
      await (here ? firstOf(here, answerBy) : pause(Math.min(pauseMs, answerBy - performance.now())));
      current = (await this.#store.byId(order.developerId, order.id)) ?? current;
    }
    return current;
  }
}
