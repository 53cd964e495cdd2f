import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';

/** A recharge without a key whose caller has received how it ended. */
interface ReceivedAnswer {
  developerId: DeveloperId;
  orderId: string;
}

/**
 * Notes which answers were received. One statement at a time takes all that wait, so an idle service notes each at once. What is not
 * noted counts as not received: then a repetition gets the same answer once more, which costs nobody money.
 */
export class ReceivedAnswers {
  #waiting: ReceivedAnswer[] = [];
  #noting: Promise<void> | undefined;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {}

  add(answer: ReceivedAnswer): void {
    this.#waiting.push(answer);
    this.#noting ??= this.#noteAll();
  }

  /** Resolves when nothing waits. */
  async drain(): Promise<void> {
    await this.#noting;
  }

  async #noteAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const answers = this.#waiting;
      this.#waiting = [];
      await this.db
        .query({
          name: 'keyless-answered',
          text: 'select keyless_answered($1, $2)',
          values: [answers.map(({ developerId }) => developerId), answers.map(({ orderId }) => orderId)],
        })
        .catch((err: Error) => this.log.warn({ err }, 'it was not noted that answers were received'));
    }
    this.#noting = undefined;
  }
}
