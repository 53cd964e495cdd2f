import { type ArchivedMonth, type ArchiveParts, ArchiveRun } from '../../src/archive/archive-run.js';
import { monthOf, monthsLater, startOfMonth } from '../../src/archive/indian-month.js';
import { firstIdAt, newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { closeOrm, openOrm } from '../../src/db/orm.js';
import type { PatientQuery } from '../../src/db/patience.js';
import { createPool } from '../../src/db/pool.js';
import { auditService } from '../support/audit.js';
import { holdOf, resolutionOf, type TestLedger } from './ledger.fixture.js';

const DAY_MS = 86_400_000;

/** Start of the first month that is kept, if thirteen are. */
export const BOUNDARY = startOfMonth(monthsLater(monthOf(new Date()), -13));

/** A time in a month this many months before the boundary; 0 is the first month that is kept. */
export const monthsBefore = (months: number, day = 10): Date =>
  new Date(startOfMonth(monthsLater(monthOf(BOUNDARY), -months)).getTime() + day * DAY_MS);

/** Runs `post` and moves its postings to the given time. */
async function at<T>({ db }: TestLedger, instant: Date, subject: string, post: () => Promise<T>): Promise<T> {
  const done = await post();
  await db.query(
    `update transfer set created_at = $2 where subject_id = $1 and step = (select max(step) from transfer where subject_id = $1)`,
    [subject, instant.toISOString()],
  );
  return done;
}

/** An ID as an order gets it that is placed at an instant. */
export const idAt = (instant: Date): string => firstIdAt(instant).slice(0, 13) + newId().slice(13);

/** Creates the tables of a month so many months before the boundary; returns the end of their names. */
export async function tablesOf({ db }: Pick<TestLedger, 'db'>, months: number): Promise<string> {
  const month = monthOf(monthsBefore(months));
  const suffix = `_${month.replace('-', '_')}`;
  const [from, to] = [month, monthsLater(month, 1)].map((name) => firstIdAt(startOfMonth(name)));
  for (const parent of ['orders', 'order_event', 'order_search'])
    await db.query(
      `create table if not exists ${parent}${suffix} partition of ${parent} for values from ('${from}') to ('${to}')`,
    );
  return suffix;
}

/** An order of a wallet, placed and (unless it stays open) resolved at these times. */
export async function orderAt(
  test: TestLedger,
  developerId: DeveloperId,
  amountPaise: number,
  heldAt: Date,
  resolution?: { at: Date; success: boolean },
  keyOf: (id: string) => string | null = () => null,
  id = newId(),
): Promise<string> {
  const hold = holdOf(developerId, amountPaise, { id, clientKey: keyOf(id) });
  await at(test, heldAt, hold.id, () => test.ledger.hold(hold));
  if (resolution) await resolveAt(test, developerId, hold.id, resolution.at, resolution.success);
  return hold.id;
}

export const resolveAt = (test: TestLedger, developerId: DeveloperId, id: string, instant: Date, success: boolean) =>
  at(test, instant, id, () => test.ledger.resolve(resolutionOf({ developerId, id }, success)));

export async function leadFeeAt(test: TestLedger, developerId: DeveloperId, instant: Date): Promise<string> {
  const id = newId();
  await at(test, instant, id, () =>
    test.db.query(`select ledger_post($1, 'production', $2, 'lead_fee', 100, 'L-1')`, [developerId, id]),
  );
  return id;
}

/** Moves the wallet's credit 'opening' to the given time. */
export const openedAt = (test: TestLedger, developerId: DeveloperId, instant: Date) =>
  test.db.query(`update transfer set created_at = $2 where developer_id = $1 and reference = 'opening'`, [
    developerId,
    instant.toISOString(),
  ]);

export interface TestArchive {
  query: PatientQuery;
  /** Completes an interrupted run, then archives up to BOUNDARY; `parts` replaces functions of the archive. */
  run(directory: string, parts?: Partial<ArchiveParts>): Promise<ArchivedMonth[]>;
  close(): Promise<void>;
}

/** Runs the archive as the owner of the tables. */
export function archiveOf({ db, ledger }: Pick<TestLedger, 'db' | 'ledger'>): TestArchive {
  const pool = createPool(db.url, { max: 2, asOwner: true });
  const orm = openOrm(pool, []);
  const query: PatientQuery = async (statement) => (await pool.query(statement)).rows;
  return {
    query,
    run: async (directory, parts = {}) => {
      const violations = await ledger.checkNew();
      if (violations.length > 0) throw new Error(JSON.stringify(violations));
      const run = new ArchiveRun({
        query,
        orm,
        audit: auditService,
        directory,
        quietMs: 0,
        lockPauseMs: 20,
        ...parts,
      });
      const remaining: ArchivedMonth[] = [];
      for await (const month of run.finish()) remaining.push(month);
      for await (const month of run.apply(BOUNDARY)) remaining.push(month);
      return remaining;
    },
    close: () => closeOrm(orm, pool),
  };
}
