import type { Book, Transaction } from './book.js';

/** From the success to its reversal. */
const REVERSAL_DELAY_MS = 1_000;

/** Reverses what is scripted to be reversed, a moment after its success, and announces it. */
export class Reversals {
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly book: Book,
    private readonly announce: (transaction: Transaction) => Promise<void>,
  ) {}

  schedule(transaction: Transaction): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // A journal that cannot be written fails the requests, which report it; a reversal has nobody to report to.
      this.#reverse(transaction).catch(() => {});
    }, REVERSAL_DELAY_MS);
    this.#timers.add(timer);
  }

  /** Takes up the reversals that an earlier run left open. */
  resume(): void {
    for (const transaction of this.book.awaitingReversal()) this.schedule(transaction);
  }

  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #reverse(transaction: Transaction): Promise<void> {
    if (await this.book.reverse(transaction)) await this.announce(transaction);
  }
}
