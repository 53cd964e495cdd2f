import { createLogger, type Logger } from '../../src/core/log.js';
import type { Duty } from '../../src/core/room.js';
import { workers } from '../../src/core/workers.js';
import type { Queryable } from '../../src/db/pool.js';
import { WorkWatch } from '../../src/db/work-watch.js';

/** Wakes a part of the service that runs without its application, like a process with only this part. */
export function startWorkWatch(
  db: Queryable,
  duties: readonly Duty[],
  intervalMs = 50,
  log: Logger = createLogger('silent'),
): WorkWatch {
  const watch = new WorkWatch({ db, log }, duties, { workers: new Set(workers), intervalMs });
  watch.start();
  return watch;
}
