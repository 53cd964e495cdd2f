import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import { makePartitions } from '../db/partitions.js';
import type { Queryable } from '../db/pool.js';

const HOUR_MS = 3_600_000;

/** Every hour, so that a month is there two months before its first order; until it is, the default partition takes its rows. */
export const createPartitionMaker = (db: Queryable, log: Logger): Poller =>
  new Poller(
    async () => {
      const made = await makePartitions(db);
      if (made > 0) log.info({ made }, 'made the partitions of the months to come');
      return false;
    },
    HOUR_MS,
    (err) => log.warn({ err }, 'the partitions of the months to come could not be made, the next round tries again'),
  );
