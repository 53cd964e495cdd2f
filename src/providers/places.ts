/** Calls that may wait for a place; more are refused. */
const MAX_WAITING = 200;

/**
 * The calls of one provider that this process may have under way at once, of all its clients together. How many there are is leased
 * from a limit that all processes share, and ends unless it is leased anew: see `PlaceLeases`.
 */
export class Places {
  #limit = 0;
  /** By `performance.now()`. */
  #until = Number.NEGATIVE_INFINITY;
  #inUse = 0;
  readonly #waiting = new Set<() => void>();

  /** What may be under way from now on until the lease ends. */
  get limit(): number {
    return performance.now() < this.#until ? this.#limit : 0;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Whether a call would get a place, now or soon. */
  get hasRoom(): boolean {
    return this.limit > 0 && this.#waiting.size < MAX_WAITING;
  }

  /** @param until by `performance.now()`; a lower limit lets what is under way end */
  lease(limit: number, until: number): void {
    this.#limit = limit;
    this.#until = until;
    this.#admit();
  }

  /** Resolves with a place in the order of asking, and to how it is given back; undefined when `givenUp` came first. */
  async take(givenUp: Promise<unknown>): Promise<(() => void) | undefined> {
    if (this.#waiting.size === 0 && this.#inUse < this.limit) return this.#occupy();
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
    const admit = (): void => resolve(this.#occupy());
    this.#waiting.add(admit);
    void givenUp.then(() => {
      if (this.#waiting.delete(admit)) resolve(undefined);
    });
    return promise;
  }

  #occupy(): () => void {
    this.#inUse++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#inUse--;
      this.#admit();
    };
  }

  #admit(): void {
    for (const admit of this.#waiting) {
      if (this.#inUse >= this.limit) return;
      this.#waiting.delete(admit);
      admit();
    }
  }
}
