import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../../core/log.js';
import { addTo, type Count, type Counters, NO_LIMIT } from './counters.js';

/** Timeout of a command. The timeout is short, so that an optional component does not delay all requests. */
const TIMEOUT_MS = 50;
/** Pause after a failure before the next attempt. */
const PAUSE_MS = 1_000;

/**
 * Counters in Redis or Valkey, which is optional. While the server is unavailable or slow, the fallback counters are used. The
 * fallback counters start at zero, and no request is rejected because of the failure.
 */
export class RedisCounters implements Counters {
  readonly #client: Redis;
  readonly #store: RateLimiterRedis;
  #unavailableUntilMs = 0;
  #isUnavailable = false;

  constructor(
    url: string,
    private readonly fallback: Counters,
    private readonly log: Logger,
    timeoutMs = TIMEOUT_MS,
  ) {
    this.#client = new Redis(url, {
      // combines the commands of one event loop turn into one write
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      connectTimeout: 2_000,
      commandTimeout: timeoutMs,
      retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
    });
    this.#client.on('error', (error) => this.#useFallback(error));
    // resets the state even if nothing is counted
    this.#client.on('ready', () => this.#useRedis());
    this.#store = new RateLimiterRedis({
      ...NO_LIMIT,
      keyPrefix: 'recharge-gateway',
      storeClient: this.#client,
      rejectIfRedisNotReady: true,
    });
  }

  async add(key: string, windowS: number, points = 1): Promise<Count> {
    if (performance.now() >= this.#unavailableUntilMs)
      try {
        const count = await addTo(this.#store, key, windowS, points);
        this.#useRedis();
        return count;
      } catch (error) {
        this.#useFallback(error);
      }
    return this.fallback.add(key, windowS, points);
  }

  /** Whether the fallback counters are in use. */
  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  async close(): Promise<void> {
    this.#client.disconnect();
  }

  #useFallback(err: unknown): void {
    this.#unavailableUntilMs = performance.now() + PAUSE_MS;
    if (this.#isUnavailable) return;
    this.#isUnavailable = true;
    this.log.warn({ err }, 'Redis does not respond, limits are counted in the database');
  }

  #useRedis(): void {
    if (!this.#isUnavailable) return;
    this.#isUnavailable = false;
    this.log.info('Redis responds again, limits are counted in Redis');
  }
}
