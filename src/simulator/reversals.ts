import type { Book, Transaction } from './book.js';

/** Time from the success to its reversal. */
const REVERSAL_DELAY_MS = 1_000;

/** Reverses transactions whose script requires it, shortly after their success, and sends the callbacks. */
export class Reversals {
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly book: Book,
    private readonly announce: (transaction: Transaction) => Promise<void>,
  ) {}

  schedule(transaction: Transaction): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // If the journal cannot be written, requests fail and report the error. A reversal has no caller to report it to.
      this.#reverse(transaction).catch(() => {});
    }, REVERSAL_DELAY_MS);
    this.#timers.add(timer);
  }

  /** Resumes pending reversals of an earlier run. */
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
