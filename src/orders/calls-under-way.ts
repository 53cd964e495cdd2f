/** Calls under way in this process. A simultaneous duplicate waits for the same promise, and a stop for all of them. */
export class CallsUnderWay {
  readonly #calls = new Map<string, Promise<void>>();

  get count(): number {
    return this.#calls.size;
  }

  /** The work on an order, when it is under way here. */
  of(orderId: string): Promise<void> | undefined {
    return this.#calls.get(orderId);
  }

  /** Remembers work until it ends; resolves and rejects as it does. */
  add(orderId: string, work: Promise<void>): Promise<void> {
    const forgotten = work.finally(() => this.#calls.delete(orderId));
    this.#calls.set(orderId, forgotten);
    return forgotten;
  }

  /** Resolves when none is left. */
  async drain(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls.values());
  }
}

/** Waits for the work, at most until an instant of the monotonic clock; the timer goes with whichever comes first. */
export async function firstOf(work: Promise<void>, instantMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resume) => {
    timer = setTimeout(resume, Math.max(0, instantMs - performance.now()));
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
