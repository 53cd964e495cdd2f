import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../../core/log.js';
import { addTo, type Count, type Counters, NO_LIMIT } from './counters.js';

/** A longer wait would slow all requests down for an optional part. */
const TIMEOUT_MS = 50;
/** After a failure, until it is tried again. */
const PAUSE_MS = 1_000;

/**
 * Counts in Redis or Valkey. It is optional: while it is away or slow, the other counters take over, each beginning at zero, and
 * nothing is refused because of it.
 */
export class RedisCounters implements Counters {
  readonly #client: Redis;
  readonly #store: RateLimiterRedis;
  #awayUntil = 0;
  #away = false;

  constructor(
    url: string,
    private readonly instead: Counters,
    private readonly log: Logger,
    timeoutMs = TIMEOUT_MS,
  ) {
    this.#client = new Redis(url, {
      // what is asked in one turn of the event loop goes out in one write
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      connectTimeout: 2_000,
      commandTimeout: timeoutMs,
      retryStrategy: (tries) => Math.min(tries * 100, 2_000),
    });
    this.#client.on('error', (error) => this.#leave(error));
    // also where nothing is counted for a while
    this.#client.on('ready', () => this.#return());
    this.#store = new RateLimiterRedis({
      ...NO_LIMIT,
      keyPrefix: 'recharge-gateway',
      storeClient: this.#client,
      rejectIfRedisNotReady: true,
    });
  }

  async add(key: string, windowS: number, points = 1): Promise<Count> {
    if (performance.now() >= this.#awayUntil)
      try {
        const count = await addTo(this.#store, key, windowS, points);
        this.#return();
        return count;
      } catch (error) {
        this.#leave(error);
      }
    return this.instead.add(key, windowS, points);
  }

  /** Whether the other counters count. */
  get isAway(): boolean {
    return this.#away;
  }

  async close(): Promise<void> {
    this.#client.disconnect();
  }

  #leave(err: unknown): void {
    this.#awayUntil = performance.now() + PAUSE_MS;
    if (this.#away) return;
    this.#away = true;
    this.log.warn({ err }, 'Redis does not answer: limits are counted in the database');
  }

  #return(): void {
    if (!this.#away) return;
    this.#away = false;
    this.log.info('Redis answers again: limits are counted there');
  }
}
