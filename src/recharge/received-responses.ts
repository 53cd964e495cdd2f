import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';

/** Recharge without an idempotency key whose caller has received its final status. */
interface ReceivedResponse {
  developerId: DeveloperId;
  orderId: string;
}

/**
 * Records which responses were received. One statement at a time writes all that are queued, so an idle service records each
 * immediately. A response that is not recorded counts as not received: a duplicate then gets the same response again,
 * and is not charged.
 */
export class ReceivedResponses {
  #queue: ReceivedResponse[] = [];
  #writePromise: Promise<void> | undefined;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {}

  add(response: ReceivedResponse): void {
    this.#queue.push(response);
    this.#writePromise ??= this.#writeAll();
  }

  /** Resolves when the queue is empty. */
  async drain(): Promise<void> {
    await this.#writePromise;
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const responses = this.#queue;
      this.#queue = [];
      await this.db
        .query({
          name: 'keyless-answered',
          text: 'select keyless_answered($1, $2)',
          values: [responses.map(({ developerId }) => developerId), responses.map(({ orderId }) => orderId)],
        })
        .catch((err: Error) => this.log.warn({ err }, 'recording received responses failed'));
    }
    this.#writePromise = undefined;
  }
}
