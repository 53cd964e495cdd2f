import type { Logger } from '../core/log.js';
import type { Queryable } from './pool.js';

/** Further apart than this, one of the two clocks is wrong; NTP keeps them within milliseconds. */
const LIMIT_MS = 5_000;
const MEASURED_EVERY_MS = 10_000;

/**
 * How far this machine's clock is ahead of the database's, negative when it is behind; 0 while the time that the question took
 * explains the difference. Errors: those of the connection.
 */
export async function clockOffsetMs(db: Queryable): Promise<number> {
  const askedAtMs = Date.now();
  const startedAt = performance.now();
  const { rows } = await db.query<{ now_ms: number }>({
    text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms',
  });
  const least = askedAtMs - rows[0]!.now_ms;
  const most = least + performance.now() - startedAt;
  return Math.round(least > 0 ? least : Math.min(most, 0));
}

export const isClockRight = (offsetMs: number): boolean => Math.abs(offsetMs) <= LIMIT_MS;

/** "20.5 s ahead of the database's". */
export const clockText = (offsetMs: number): string =>
  `${Math.abs(offsetMs) / 1_000} s ${offsetMs < 0 ? 'behind' : 'ahead of'} the database's`;

/**
 * Whether this process may be trusted with time. Ages come from the database's clock alone, so that a wrong one refunds nothing;
 * but a clock that is hours away misjudges more than that, so it leaves orders that wait to the other processes.
 */
export class ClockWatch {
  #offsetMs = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {}

  /** As measured last. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Measures now and then. A database that cannot be asked says nothing about the clock. */
  async isRight(): Promise<boolean> {
    if (performance.now() - this.#measuredAt >= MEASURED_EVERY_MS)
      await (this.#measuring ??= this.#measure().finally(() => (this.#measuring = undefined)));
    return isClockRight(this.#offsetMs);
  }

  async #measure(): Promise<void> {
    try {
      const wasRight = isClockRight(this.#offsetMs);
      this.#offsetMs = await clockOffsetMs(this.db);
      this.#measuredAt = performance.now();
      const right = isClockRight(this.#offsetMs);
      if (right === wasRight) return;
      const clock = `this machine's clock is ${clockText(this.#offsetMs)}`;
      if (right) this.log.info({}, `${clock}: this process asks providers about orders again`);
      else this.log.error({}, `${clock}: this process asks no provider about orders`);
    } catch {
      // the code that needs the database reports its absence
    }
  }
}
