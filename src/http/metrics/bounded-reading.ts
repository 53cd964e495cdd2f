/** Maximum time that a scrape waits for a reading. If a reading takes longer, a later scrape shows the value. */
const PATIENCE_MS = 20;
/** Maximum share of time for readings, even if the ledger becomes large. */
const MAX_SHARE = 1 / 100;

/** Waits for work up to a time limit. The work then continues in the background; it must not reject. */
export async function atMost(patienceMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resume) => (timer = setTimeout(resume, patienceMs)));
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}

/**
 * Value that is read on request, at most once per interval and never concurrently. It is undefined until the first reading and
 * after a failed one.
 */
export class BoundedReading<T> {
  #value: T | undefined;
  #readAtMs = 0;
  #nextAtMs = 0;
  #running: Promise<void> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly everyMs: number,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Returns the latest value. Waits briefly if this call starts a reading. */
  async look(): Promise<T | undefined> {
    if (Date.now() >= this.#nextAtMs) this.#running ??= this.#refresh();
    if (this.#running) await atMost(this.patienceMs, this.#running);
    return this.#value;
  }

  /** Unix time in seconds of the last successful reading, or 0 if there was none. */
  get readAtS(): number {
    return this.#readAtMs / 1000;
  }

  async #refresh(): Promise<void> {
    const startedAt = Date.now();
    try {
      this.#value = await this.read();
      this.#readAtMs = Date.now();
    } catch {
      // the gauges show NaN, and the time of the last reading is kept
      this.#value = undefined;
    } finally {
      this.#nextAtMs = Date.now() + Math.max(this.everyMs, (Date.now() - startedAt) / MAX_SHARE);
      this.#running = undefined;
    }
  }
}
