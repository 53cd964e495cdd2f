import type { StoredOrder } from '../orders/stored-order.js';

/** Orders that may wait for one reader: whoever reads more slowly than they change is told to list them instead. */
const MAX_WAITING = 1_000;

/**
 * Changed orders on their way to one reader. Of an order that changes again before it is read the newest state waits, so what waits is
 * bounded by the number of orders.
 */
export class OrderStream {
  readonly #waiting = new Map<string, StoredOrder>();
  readonly #onEnd: () => void;
  #wake: () => void = () => {};
  #isOver = false;

  /** @param onEnd called once */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  push(orders: readonly StoredOrder[]): void {
    if (this.#isOver) return;
    for (const order of orders) this.#waiting.set(order.id, order);
    if (this.#waiting.size > MAX_WAITING) {
      this.#waiting.clear();
      this.end();
    } else this.#wake();
  }

  /** What waits is still read. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#wake();
  }

  /** The next changed order, once there is one; undefined at the end. One reader alone. */
  async next(): Promise<StoredOrder | undefined> {
    while (this.#waiting.size === 0 && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const [order] = this.#waiting.values();
    if (order) this.#waiting.delete(order.id);
    return order;
  }
}
