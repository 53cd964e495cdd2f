import { bulkhead } from 'cockatiel';
import type { Metrics } from '../../core/metrics.js';
import { type PatientQuery, patiently } from '../../db/patience.js';
import type { Connectable } from '../../db/pool.js';
import { BoundedReading } from './bounded-reading.js';

/**
 * Time limit of a statement during a scrape. These statements are small, so a slow one means that the database has other
 * problems.
 */
const LIMIT_MS = 5_000;
/** Interval between readings. Readings are not repeated more often, because scrapes are not more frequent. */
const EVERY_MS = 15_000;
/** Number of connections that readings use at the same time; the other connections are for payments. */
const AT_ONCE = 2;

/** Values that scrapes read from the database, each at most once per interval, with the time of the last success. */
export class Readings {
  readonly #readings = new Map<string, BoundedReading<unknown>>();
  readonly #everyMs: number;
  readonly #turns = bulkhead(AT_ONCE, Number.POSITIVE_INFINITY);

  constructor(
    metrics: Metrics,
    private readonly db: Connectable,
    { everyMs = EVERY_MS } = {},
  ) {
    this.#everyMs = everyMs;
    metrics.gauge('readings', async (put) => {
      await Promise.all([...this.#readings.values()].map((reading) => reading.look()));
      for (const [name, { readAtS }] of this.#readings) put(readAtS, name);
    });
  }

  /** Adds a reading with its own time limits. */
  add<T>(name: string, read: () => Promise<T>, everyMs = this.#everyMs): BoundedReading<T> {
    const reading = new BoundedReading(read, everyMs);
    this.#readings.set(name, reading);
    return reading;
  }

  /** Adds a reading with one small statement. */
  addQuery<T>(name: string, read: (query: PatientQuery) => Promise<T>, everyMs?: number): BoundedReading<T> {
    return this.add(name, () => this.#turns.execute(() => patiently(this.db, LIMIT_MS, read)), everyMs);
  }
}
