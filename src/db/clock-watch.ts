import type { Logger } from '../core/log.js';
import type { Queryable } from './pool.js';

/** Maximum offset between correct clocks. NTP keeps clocks within milliseconds. */
const LIMIT_MS = 5_000;
const MEASURED_EVERY_MS = 10_000;

/**
 * If the advance of two clocks differs by more than this, one of them jumped, unless an NTP correction (0.05 % at most) explains
 * the difference.
 */
const STEP_MS = 1_000;
const DRIFT = 0.001;

/** Time of the database clock, and the times of this process's monotonic clock before and after the query. */
interface Reading {
  databaseMs: number;
  from: number;
  to: number;
}

/**
 * Returns the difference between the advance of the database clock and that of the monotonic clock, or 0 if the query duration
 * or drift explains it.
 */
function stepBetween(first: Reading, second: Reading): number {
  const advancedMs = second.databaseMs - first.databaseMs;
  const max = second.to - first.from;
  const min = second.from - first.to;
  const stepMs = advancedMs > max ? advancedMs - max : Math.min(advancedMs - min, 0);
  return Math.abs(stepMs) > STEP_MS + DRIFT * max ? Math.round(stepMs) : 0;
}

async function read(db: Queryable): Promise<Reading & { offsetMs: number }> {
  const startedAtMs = Date.now();
  const from = performance.now();
  const { rows } = await db.query<{ now_ms: number }>({
    text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms',
  });
  const to = performance.now();
  const databaseMs = rows[0]!.now_ms;
  const minOffsetMs = startedAtMs - databaseMs;
  const offsetMs = Math.round(minOffsetMs > 0 ? minOffsetMs : Math.min(minOffsetMs + to - from, 0));
  return { databaseMs, from, to, offsetMs };
}

/**
 * Returns the time by which the clock of this machine is ahead of the database clock. It is negative if the clock is behind, and
 * 0 if the query duration explains the difference. Throws the errors of the connection.
 */
export const clockOffsetMs = async (db: Queryable): Promise<number> => (await read(db)).offsetMs;

export const isClockRight = (offsetMs: number): boolean => Math.abs(offsetMs) <= LIMIT_MS;

/** Formats an offset, such as "20.5 s ahead of the database's". */
export const clockText = (offsetMs: number): string =>
  `${Math.abs(offsetMs) / 1_000} s ${offsetMs < 0 ? 'behind' : 'ahead of'} the database's`;

/**
 * Whether the time of this process can be trusted. Ages are computed only from the database clock, so a wrong local clock causes
 * no refunds. However, a clock that is hours off causes other errors, so such a process leaves queued orders to other processes.
 * A jump of the database clock changes the ages even if both clocks agree, so its advance is compared with the monotonic clock.
 */
export class ClockWatch {
  #offsetMs = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measurement: Promise<boolean> | undefined;
  #reading: Reading | undefined;
  /** Time the last jump was detected, by the monotonic clock. */
  #steppedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
    private readonly onStep: () => void = () => {},
  ) {}

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Measures at intervals. If the database is unavailable, the last result applies. */
  async isRight(): Promise<boolean> {
    if (performance.now() - this.#measuredAt >= MEASURED_EVERY_MS)
      await (this.#measurement ??= this.#measure().finally(() => (this.#measurement = undefined)));
    return isClockRight(this.#offsetMs);
  }

  /**
   * Returns whether this process has detected no jump of the database clock in the last `ms`. An age that the database reported
   * before this call is then correct. Returns false if the database is unavailable.
   */
  async isSteadyFor(ms: number): Promise<boolean> {
    return (await this.#measure()) && performance.now() - this.#steppedAt >= ms;
  }

  #compare(reading: Reading): void {
    const stepMs = this.#reading === undefined ? 0 : stepBetween(this.#reading, reading);
    this.#reading = reading;
    if (stepMs === 0) return;
    this.#steppedAt = performance.now();
    this.onStep();
    this.log.error(
      { stepMs },
      `the database's clock stepped, so "not found" does not refund orders until the visibility delay has passed`,
    );
  }

  /** Measures the clocks. Returns false if the database is unavailable. */
  async #measure(): Promise<boolean> {
    try {
      const wasClockRight = isClockRight(this.#offsetMs);
      const reading = await read(this.db);
      this.#compare(reading);
      this.#offsetMs = reading.offsetMs;
      this.#measuredAt = performance.now();
      const isRight = isClockRight(this.#offsetMs);
      if (isRight === wasClockRight) return true;
      const clock = `this machine's clock is ${clockText(this.#offsetMs)}`;
      if (isRight) this.log.info({}, `${clock}: this process resumes status checks`);
      else this.log.error({}, `${clock}: this process stops status checks`);
      return true;
    } catch {
      // the code that needs the database reports that it is unavailable
      return false;
    }
  }
}
