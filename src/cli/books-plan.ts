import type { Pool } from 'pg';
import type { LedgerCheck } from '../config/order.settings.js';
import { LedgerService } from '../ledger/ledger.service.js';

/** Minutes for a million entries with one worker that never rests, measured by `npm run bench:checks`; see docs/restoring.md. */
const MINUTES = { all: 0.7, new: 0.9, weekly: 1.4 } as const;

const minutesText = (entries: number, perMillion: number): string => {
  const minutes = (entries / 1_000_000) * perMillion;
  return minutes < 1 ? 'less than a minute' : `about ${Math.ceil(minutes)} minutes`;
};

export interface BooksPlan {
  /** The check of what is new comes first, and the check of all the books follows. */
  newFirst: boolean;
  text: string;
  /** Check that runs after the restore; empty if there is none. */
  behind: string;
}

/**
 * Which check of the books a restore begins with. After a restore to an instant it is the one of what is new: the files hold what was
 * checked earlier, and all of it is checked again while orders are accepted. Nothing of a dump was checked on this server. With
 * known violations, orders stay paused until all the books were read.
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
      text: `restored to an instant: checks the ${newEntries.toLocaleString('en')} entries since the last check first, ${minutesText(newEntries, MINUTES.new)}`,
      behind: `the processes check ${all} after that: ${behindTime} with LEDGER_CHECK_WORKERS=${workers} and LEDGER_CHECK_SHARE=${share}`,
    };
  }
  const reason = restored ? `the weekly check had found ${violations} violations` : 'not a restore to an instant';
  const time = minutesText(entries, MINUTES.all / workers);
  return {
    newFirst: false,
    text: `${reason}: checks ${all} first, ${time} with LEDGER_CHECK_WORKERS=${workers}`,
    behind: '',
  };
}
