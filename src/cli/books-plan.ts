import type { Pool } from 'pg';
import type { LedgerCheck } from '../config/order.settings.js';
import { LedgerService } from '../ledger/ledger.service.js';

/** Minutes per million entries with one worker without pauses, measured with `npm run bench:checks`; see docs/restoring.md. */
const MINUTES = { all: 0.7, new: 0.9, weekly: 1.4 } as const;

const minutesText = (entries: number, perMillion: number): string => {
  const minutes = (entries / 1_000_000) * perMillion;
  return minutes < 1 ? 'less than a minute' : `about ${Math.ceil(minutes)} minutes`;
};

export interface BooksPlan {
  /** Only new entries are checked before orders are resumed; the full ledger check follows. */
  newFirst: boolean;
  text: string;
  /** Description of the check that runs after the restore; empty if no check follows. */
  behind: string;
}

/**
 * Selects the ledger check at the start of a restore. After a restore to a point in time, only new entries are checked first:
 * earlier entries were checked on the same files, and the full check runs while orders are accepted. After a restore from a dump,
 * or with known violations, orders remain paused until the full check has ended.
 */
export async function booksPlan(pool: Pool, { workers, share }: LedgerCheck): Promise<BooksPlan> {
  const ledger = new LedgerService(pool);
  const { entries, newEntries } = await ledger.size();
  const all = `all ${entries.toLocaleString('en')} entries`;
  const restored = await ledger.restoredToInstant();
  const violations = restored ? (await ledger.lastFullCheck()).violations.length : 0;
  if (restored && violations === 0) {
    const behindTime = minutesText(entries, (MINUTES.weekly * 100) / share / workers);
    return {
      newFirst: true,
      text: `restored to a point in time: checking the ${newEntries.toLocaleString('en')} entries since the last check first, ${minutesText(newEntries, MINUTES.new)}`,
      behind: `the processes check ${all} afterwards: ${behindTime} with LEDGER_CHECK_WORKERS=${workers} and LEDGER_CHECK_SHARE=${share}`,
    };
  }
  const reason = restored ? `the weekly check had found ${violations} violations` : 'not a restore to a point in time';
  const time = minutesText(entries, MINUTES.all / workers);
  return {
    newFirst: false,
    text: `${reason}: checking ${all} first, ${time} with LEDGER_CHECK_WORKERS=${workers}`,
    behind: '',
  };
}
