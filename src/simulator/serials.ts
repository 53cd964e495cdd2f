/**
 * Unique, increasing integers for the provider's own ids. They follow the clock (milliseconds), so that ids stay unique when the
 * book is emptied, and run ahead of it under load.
 */
export class Serials {
  #last = 0;

  next(): number {
    this.#last = Math.max(this.#last + 1, Date.now());
    return this.#last;
  }

  /** A serial that an earlier run gave out. */
  seen(serial: number): void {
    this.#last = Math.max(this.#last, serial);
  }
}
