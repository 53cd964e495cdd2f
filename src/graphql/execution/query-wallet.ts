import type { ResponseWallet, WalletReading } from '../../core/context.js';

/**
 * State of the caller's wallet in the response to a query, after all charges of the query. All fields that contain the wallet
 * show this state. The fields of a query run concurrently, so reading the wallet waits for the charged calls. Client caches
 * identify a wallet by its ID and keep the last state that they read.
 */
export class QueryWallet implements ResponseWallet {
  readonly #ended = Promise.withResolvers<void>();
  #open: number;
  #failed = false;
  #latest: WalletReading | undefined;
  #reading: Promise<WalletReading> | undefined;

  /**
   * Creates the reader.
   * @param calls number of charged calls in each root field with a fee, by its response key
   */
  constructor(private readonly calls: ReadonlyMap<string, number>) {
    this.#open = [...calls.values()].reduce((sum, inside) => sum + 1 + inside, 0);
    if (this.#open === 0) this.#ended.resolve();
  }

  state(read: () => Promise<WalletReading>): Promise<WalletReading> {
    this.#reading ??= this.#afterCharges(read);
    return this.#reading;
  }

  update(reading: WalletReading): void {
    if (!this.#latest || reading.version > this.#latest.version) this.#latest = reading;
  }

  /**
   * Runs a charged call.
   * @param key response key of a root field; undefined for a call inside one
   */
  async call(run: () => unknown, key?: string): Promise<unknown> {
    let hasResult = false;
    try {
      const result = await run();
      hasResult = result !== undefined && result !== null && !(result instanceof Error);
      return result;
    } finally {
      // the call failed, so nothing inside the root field runs
      const inside = hasResult || key === undefined ? 0 : (this.calls.get(key) ?? 0);
      if (!hasResult) this.#failed = true;
      this.#open -= 1 + inside;
      if (this.#open <= 0) this.#ended.resolve();
    }
  }

  /**
   * Waits for the charges. If a fee was refunded, reads the wallet from the database, because no call reports the resulting
   * balance.
   */
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
