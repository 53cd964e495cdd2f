import type { ShownWallet, WalletReading } from '../../core/context.js';

/**
 * The one state of the caller's wallet that the answer to a query shows, wherever it shows the wallet: that after all its charges.
 * The fields of a query run side by side, so a wallet waits for the calls that have a fee. Caches of clients know a wallet by its
 * id and keep whatever they see last.
 */
export class QueryWallet implements ShownWallet {
  readonly #ended = Promise.withResolvers<void>();
  #open: number;
  #failed = false;
  #latest: WalletReading | undefined;
  #shown: Promise<WalletReading> | undefined;

  /** @param calls of each root field with a fee, by its key: the calls with a fee inside it */
  constructor(private readonly calls: ReadonlyMap<string, number>) {
    this.#open = [...calls.values()].reduce((all, inside) => all + 1 + inside, 0);
    if (this.#open === 0) this.#ended.resolve();
  }

  state(read: () => Promise<WalletReading>): Promise<WalletReading> {
    this.#shown ??= this.#afterCharges(read);
    return this.#shown;
  }

  charged(after: WalletReading): void {
    if (!this.#latest || after.version > this.#latest.version) this.#latest = after;
  }

  /** Runs a call that has a fee. @param key of a root field; undefined of a call inside one */
  async call(run: () => unknown, key?: string): Promise<unknown> {
    let gave = false;
    try {
      const result = await run();
      gave = result !== undefined && result !== null && !(result instanceof Error);
      return result;
    } finally {
      // nothing inside runs then
      const inside = gave || key === undefined ? 0 : (this.calls.get(key) ?? 0);
      if (!gave) this.#failed = true;
      this.#open -= 1 + inside;
      if (this.#open <= 0) this.#ended.resolve();
    }
  }

  /** A fee that was given back has moved the wallet once more, and no call says what it came to. */
  async #afterCharges(read: () => Promise<WalletReading>): Promise<WalletReading> {
    await this.#ended.promise;
    if (!this.#latest || this.#failed) {
      try {
        return await read();
      } catch (error) {
        if (!this.#latest) throw error;
      }
    }
    return this.#latest;
  }
}
