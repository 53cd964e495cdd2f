import type { Base } from '../database.js';
import { type Counters, MemoryCounters } from './counters.js';
import { DatabaseCounters } from './database-counters.js';

/** Where this process counts rates and attempts, and how that ends. */
export async function openCounters({
  config: { sharedLimits, redisUrl },
  pool,
  log,
}: Base): Promise<{ counters: Counters; close: () => Promise<void> }> {
  const close = async (): Promise<void> => {};
  if (sharedLimits === 'memory') return { counters: new MemoryCounters(), close };
  const inDatabase = new DatabaseCounters(pool);
  if (!redisUrl) return { counters: inDatabase, close };
  const { RedisCounters } = await import('./redis-counters.js');
  const inRedis = new RedisCounters(redisUrl.reveal(), inDatabase, log);
  return { counters: inRedis, close: () => inRedis.close() };
}
