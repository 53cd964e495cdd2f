import type { LedgerCheck } from '../config/order.settings.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Room } from '../core/room.js';
import { asConsoleRead } from '../db/pool.js';
import type { StepPace } from './books-check.js';
import type { LedgerService } from './ledger.service.js';

/** Pause of a process after a failed step, because the next step may fail as well. */
const PAUSE_MS = 5 * 60_000;

/**
 * Creates the check of the whole ledger that runs once a week over the connections of the console, in steps that any process can
 * run. Each worker is active for its share of the time, and the database counts the workers of all processes. Violations are
 * reported as a metric with an alert, and as a finding of the doctor until a run finds none. If a run has findings, the next one
 * follows within an hour.
 */
export function createWeeklyCheck(
  ledger: Pick<LedgerService, 'checkStep'>,
  log: Logger,
  { workers, share }: LedgerCheck,
  pace: Partial<StepPace> = {},
): Required<Pick<Room, 'duties' | 'start' | 'stop'>> {
  let notBeforeMs = 0;
  const step = async (restAfter: (afterMs: number) => void): Promise<boolean> => {
    if (Date.now() < notBeforeMs) return false;
    const { outcome, violations, restMs } = await asConsoleRead(() => ledger.checkStep({ ...pace, workers, share }));
    if (violations.length > 0) {
      const rules = [...new Set(violations.map(({ rule }) => rule))];
      const developerIds = [...new Set(violations.flatMap(({ developerId }) => developerId ?? []))];
      log.error(
        { violations: violations.length, rules, developerIds },
        'the ledger check found violations, run the doctor for details',
      );
    }
    if (outcome === 'restarted')
      log.info('the full ledger check was restarted, because an archive was written or the database was restored');
    if (outcome === 'complete') log.info('the full ledger check is complete');
    if (outcome === 'going on') restAfter(restMs);
    return outcome === 'begun';
  };
  const pollers = Array.from({ length: workers }, () => {
    let rest: NodeJS.Timeout | undefined;
    const poller: Poller = new Poller(
      () => step((afterMs) => void (rest = setTimeout(() => poller.wake(), afterMs).unref())),
      undefined,
      (err) => {
        notBeforeMs = Date.now() + PAUSE_MS;
        log.warn({ err }, 'a step of the full ledger check failed, retrying');
      },
    );
    return {
      poller,
      async stop() {
        clearTimeout(rest);
        await poller.stop();
      },
    };
  });
  const wake = (): void => {
    for (const { poller } of pollers) poller.wake();
  };
  return {
    duties: [
      {
        name: 'books',
        worker: 'housekeeping',
        // during a run, the slot of a worker whose process has ended is due
        due: `exists (select from ledger_full_check c where c.next_step_at <= now() and (c.started_at is null
          or exists (select from ledger_full_worker w where w.worker <= ${workers} and w.next_step_at < now() - interval '1 second')))`,
        wake,
      },
    ],
    start(workerKinds) {
      if (workerKinds.has('housekeeping')) for (const { poller } of pollers) poller.start();
    },
    stop: () => Promise.all(pollers.map((worker) => worker.stop())),
  };
}
