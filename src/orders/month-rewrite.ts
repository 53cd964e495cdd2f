import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Loop } from '../core/room.js';
import { patiently } from '../db/patience.js';
import { asConsoleRead, type Connectable } from '../db/pool.js';

/** Result of a step; see order_month_step. */
export type RewriteStep =
  | 'none'
  | 'begun'
  | 'copied'
  | 'indexed'
  | 'changes'
  | 'compared'
  | 'different'
  | 'cancelled'
  | 'swapped'
  | 'waits'
  | 'locked'
  | 'busy'
  | 'replicated';

/**
 * Statement timeout of a step. The longest steps build the indexes of a month or compare it with its copy. No request waits
 * for a step.
 */
const STEP_LIMIT_MS = 4 * 3_600_000;
const HOUR_MS = 3_600_000;
/**
 * Pauses before the next step. An attempt to acquire locks can block statements for half a second, so attempts are infrequent.
 */
const PAUSES_MS: Partial<Record<RewriteStep, number>> = { waits: 35_000, locked: 5 * 60_000, busy: 5 * 60_000 };
/**
 * Maximum pause after a step. A shorter step is followed by a pause of the same length, so that copying uses half of one
 * connection.
 */
const MAX_PAUSE_MS = 2_000;

/** Steps that are followed by the next step without a delay. */
const CONTINUING_STEPS: ReadonlySet<RewriteStep> = new Set([
  'begun',
  'copied',
  'indexed',
  'changes',
  'compared',
  'swapped',
]);

/**
 * Rewrites the tables of finished months to release the space that was kept free for updates. It uses the connections of the
 * console.
 */
export function createMonthRewrite(pool: Connectable, log: Logger): Loop {
  let pauseMs = HOUR_MS;
  const stop = new AbortController();
  const round = async (): Promise<boolean> => {
    const startedAt = performance.now();
    const [row] = await asConsoleRead(() =>
      patiently(
        pool,
        STEP_LIMIT_MS,
        (query) => query<{ step: RewriteStep }>({ text: 'select order_months_rewrite() as step' }),
        stop.signal,
      ),
    );
    const { step } = row!;
    if (step === 'swapped') log.info('the table of a finished month was rewritten and its free space released');
    if (step === 'different')
      log.error('the copy of a finished month was incorrect and was discarded, it is copied again');
    pauseMs = PAUSES_MS[step] ?? HOUR_MS;
    if (!CONTINUING_STEPS.has(step)) return false;
    await sleep(Math.min(performance.now() - startedAt, MAX_PAUSE_MS));
    return true;
  };
  const poller = new Poller(
    round,
    () => pauseMs,
    (err) => {
      pauseMs = HOUR_MS;
      if (!stop.signal.aborted) log.warn({ err }, 'rewriting a finished month failed, retrying in the next round');
    },
  );
  return {
    get succeededAtMs() {
      return poller.succeededAtMs;
    },
    start: () => poller.start(),
    // a step can take longer than a process has to stop; the database then rolls it back
    stop: () => {
      stop.abort();
      return poller.stop();
    },
  };
}
