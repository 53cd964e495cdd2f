import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Room } from '../core/room.js';
import { asConsoleRead } from '../db/pool.js';
import type { LedgerService } from './ledger.service.js';

/** Lines and orders of a step: it takes a tenth of a second, and with one step a second a million orders take half an hour. */
const ROWS = 1_000;
/** After a step that failed, in the process that tried: the next one may fail as well. */
const PAUSE_MS = 5 * 60_000;

/**
 * Once a week all the books are checked, in steps that any process may do, over the console's connections. What they find is a metric,
 * which pages, and a finding of the doctor until a run finds nothing; the run after it comes within an hour.
 */
export function createWeeklyCheck(
  ledger: Pick<LedgerService, 'checkStep'>,
  log: Logger,
  rows = ROWS,
): Required<Pick<Room, 'duties' | 'start' | 'stop'>> {
  let notBeforeMs = 0;
  const step = async (): Promise<boolean> => {
    if (Date.now() < notBeforeMs) return false;
    const { outcome, violations } = await asConsoleRead(() => ledger.checkStep(rows));
    if (violations.length > 0) {
      const rules = [...new Set(violations.map(({ rule }) => rule))];
      const developerIds = [...new Set(violations.flatMap(({ developerId }) => developerId ?? []))];
      log.error({ violations: violations.length, rules, developerIds }, 'the books are wrong, the doctor says where');
    }
    if (outcome === 'begun anew') log.info('the check of all the books begins anew: an archive was written meanwhile');
    if (outcome === 'complete') log.info('all the books were checked');
    return outcome === 'begun';
  };
  const poller = new Poller(step, undefined, (err) => {
    notBeforeMs = Date.now() + PAUSE_MS;
    log.warn({ err }, 'the check of all the books does not go on, it is tried again');
  });
  return {
    duties: [
      {
        name: 'books',
        worker: 'housekeeping',
        due: 'exists (select from ledger_full_check where next_step_at <= now())',
        wake: () => poller.wake(),
      },
    ],
    start(workers) {
      if (workers.has('housekeeping')) poller.start();
    },
    stop: () => poller.stop(),
  };
}
