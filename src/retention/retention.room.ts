import type { Config } from '../config.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import { loops, type Room } from '../core/room.js';
import type { Queryable } from '../db/pool.js';
import { deleteExpired } from './expired-rows.js';

const HOUR_MS = 3_600_000;

/** Creates the module that deletes expired rows every hour, batch by batch until none are left. */
export function createRetention({
  pool,
  log,
  config,
}: {
  pool: Queryable;
  log: Logger;
  config: Pick<Config, 'kycKept'>;
}): Required<Pick<Room, 'tasks' | 'start' | 'stop'>> {
  let totals: Record<string, number> = {};
  const round = async (): Promise<boolean> => {
    const { deleted, failed, hasMore } = await deleteExpired(pool, config.kycKept);
    for (const [kind, rows] of Object.entries(deleted)) totals[kind] = (totals[kind] ?? 0) + rows;
    const [err] = Object.values(failed);
    if (err)
      log.warn({ err, kinds: Object.keys(failed) }, 'deleting some expired rows failed, retrying in the next run');
    if (hasMore) return true;
    if (Object.keys(totals).length > 0) log.info({ deleted: totals }, 'deleted expired rows');
    totals = {};
    return false;
  };
  const retention = new Poller(round, HOUR_MS, (err) => log.warn({ err }, 'deleting expired rows failed'));
  return loops('housekeeping', { retention });
}
