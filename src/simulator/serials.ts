/**
 * Unique, increasing integers for the provider's IDs. They follow the clock (milliseconds), so IDs remain unique after the book
 * is cleared, and run ahead of it under load.
 */
export class Serials {
  #last = 0;

  next(): number {
    this.#last = Math.max(this.#last + 1, Date.now());
    return this.#last;
  }

  /** Registers a serial of an earlier run. */
  markUsed(serial: number): void {
    this.#last = Math.max(this.#last, serial);
  }
}
