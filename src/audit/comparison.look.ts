import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Room } from '../core/room.js';
import type { PatientQuery } from '../db/patience.js';
import { asConsoleRead, type Queryable } from '../db/pool.js';
import type { AuditKeys } from './audit-keys.js';
import { comparePage, FIRST_PLACE, type Unexplained } from './comparison.js';
import { type ComparedKind, comparedKinds } from './comparison.table.js';

/** Pause between two runs. */
const PAUSE = `interval '15 minutes'`;
/** Time after which another process takes over a step if a process crashes. */
const LEASE = `interval '1 minute'`;
/** Maximum number of rows listed in a log line. */
const MAX_LOGGED_ROWS = 20;

type RowCounts = Partial<Record<ComparedKind, number>>;
interface Step {
  kind: ComparedKind | null;
  place: string | null;
  found: RowCounts;
}

const TAKE = `update audit_comparison set next_step_at = now() + ${LEASE} where next_step_at <= now() returning kind, place, found`;
const CONTINUE = 'update audit_comparison set next_step_at = now(), kind = $1, place = $2, found = $3::jsonb';
const END = `update audit_comparison set next_step_at = now() + ${PAUSE}, kind = null, place = null, found = '{}',
  last_found = $1::jsonb, completed_at = now()`;

/** Differences and end time of the last run. Undefined until the first run has ended. */
export interface LastComparison {
  found: RowCounts;
  completedAtS: number;
}

export async function lastComparison(query: PatientQuery): Promise<LastComparison | undefined> {
  const [row] = await query<LastComparison>({
    text: `select last_found as found, extract(epoch from completed_at)::float8 as "completedAtS"
      from audit_comparison where completed_at is not null`,
  });
  return row;
}

/**
 * Periodically compares all rows with the audit log, page by page. Any process can run a step. Differences are reported as a
 * metric with an alert, and as a log line that lists the rows. `gateway doctor` lists the rows as well.
 */
export function createComparison(
  db: Queryable,
  keys: AuditKeys,
  log: Logger,
): Required<Pick<Room, 'duties' | 'start' | 'stop'>> {
  const step = async (): Promise<boolean> => {
    const job = (await db.query<Step>({ text: TAKE })).rows[0];
    if (!job) return false;
    // the run may have been started by a version of the service with other kinds
    const kind = comparedKinds.find((name) => name === job.kind) ?? comparedKinds[0]!;
    const { unexplained, next } = await comparePage(db, keys, kind, job.place ?? FIRST_PLACE);
    report(log, unexplained);
    const found = { ...job.found, [kind]: (job.found[kind] ?? 0) + rowsIn(unexplained) };
    const nextKind = next === undefined ? comparedKinds[comparedKinds.indexOf(kind) + 1] : kind;
    if (nextKind === undefined) await db.query({ text: END, values: [found] });
    else await db.query({ text: CONTINUE, values: [nextKind, next ?? FIRST_PLACE, found] });
    return nextKind !== undefined;
  };
  const poller = new Poller(
    () => asConsoleRead(step),
    undefined,
    (err) => log.warn({ err }, 'rows are not compared with the audit log, retrying'),
  );
  return {
    duties: [
      {
        name: 'comparison',
        worker: 'housekeeping',
        due: 'exists (select from audit_comparison where next_step_at <= now())',
        wake: () => poller.wake(),
      },
    ],
    start(workers) {
      if (workers.has('housekeeping')) poller.start();
    },
    stop: () => poller.stop(),
  };
}

const rowsIn = (unexplained: readonly Unexplained[]): number => new Set(unexplained.map(({ row }) => row)).size;

function report(log: Logger, unexplained: readonly Unexplained[]): void {
  if (unexplained.length === 0) return;
  const rows = unexplained.slice(0, MAX_LOGGED_ROWS).map(({ text }) => text);
  log.error({ unexplained: unexplained.length, rows }, 'rows differ from the audit log');
}
