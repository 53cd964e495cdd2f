import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Queryable } from '../db/pool.js';

const MINUTE_MS = 60_000;
/** Small enough that nobody waits for the rows. */
const BATCH = 500;

/** Forgets the answers of lookups that cannot be repeated for nothing any more; fewer than `limit`: there are no more. */
export async function releaseLookups(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: 'select lookup_release($1) as count',
    values: [limit],
  });
  return rows[0]!.count;
}

/** Every minute: a paid plan lookup is more to keep than all else of an order, and is of use for ten minutes. */
export const createLookupRelease = (db: Queryable, log: Logger): Poller =>
  new Poller(
    async () => (await releaseLookups(db, BATCH)) === BATCH,
    MINUTE_MS,
    (err) => log.warn({ err }, 'answers of lookups are kept longer, the next round tries again'),
  );
