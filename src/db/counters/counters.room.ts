import type { Metrics } from '../../core/metrics.js';
import type { Base } from '../database.js';
import { type Counters, MemoryCounters } from './counters.js';
import { DatabaseCounters } from './database-counters.js';
import type { RedisCounters } from './redis-counters.js';

/** Opens the counters for rates and attempts. Returns a function that closes them. */
export async function openCounters(
  { config: { sharedLimits, redisUrl }, pool, log }: Base,
  metrics: Metrics,
): Promise<{ counters: Counters; close: () => Promise<void> }> {
  const close = async (): Promise<void> => {};
  let redisCounters: RedisCounters | undefined;
  metrics.gauge('countersAway', (put) => {
    if (redisCounters) put(Number(redisCounters.isUnavailable));
  });
  if (sharedLimits === 'memory') return { counters: new MemoryCounters(), close };
  const databaseCounters = new DatabaseCounters(pool);
  if (!redisUrl) return { counters: databaseCounters, close };
  const redis = await import('./redis-counters.js');
  const counters = new redis.RedisCounters(redisUrl.reveal(), databaseCounters, log);
  redisCounters = counters;
  return { counters, close: () => counters.close() };
}
