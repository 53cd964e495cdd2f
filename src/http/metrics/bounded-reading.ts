/** What a scrape waits for a reading; a later one shows it. */
const PATIENCE_MS = 20;
/** A reading may take this part of the time at most, however long the books have become. */
const MAX_SHARE = 1 / 100;

/** Waits for work, at most so long. The work goes on; it must not reject. */
export async function atMost(patienceMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resume) => (timer = setTimeout(resume, patienceMs)));
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}

/**
 * A value that is read anew when it is asked for, at most once per interval and never twice at the same time, however
 * many ask. Undefined until the first reading, and after one that failed.
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

  /** The newest value, after waiting a moment for the reading that this look may have started. */
  async look(): Promise<T | undefined> {
    if (Date.now() >= this.#nextAtMs) this.#running ??= this.#refresh();
    if (this.#running) await atMost(this.patienceMs, this.#running);
    return this.#value;
  }

  /** Unix time in seconds of the last reading that worked; 0 when there was none. */
  get readAtS(): number {
    return this.#readAtMs / 1000;
  }

  async #refresh(): Promise<void> {
    const startedAt = Date.now();
    try {
      this.#value = await this.read();
      this.#readAtMs = Date.now();
    } catch {
      // the gauges say NaN, and the time of the last reading stands still
      this.#value = undefined;
    } finally {
      this.#nextAtMs = Date.now() + Math.max(this.everyMs, (Date.now() - startedAt) / MAX_SHARE);
      this.#running = undefined;
    }
  }
}
