import { type ArchiveParts, ArchiveRun, type LeftMonth } from '../../src/archive/archive-run.js';
import { monthOf, monthsLater, startOfMonth } from '../../src/archive/indian-month.js';
import { firstIdAt, newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { closeOrm, openOrm } from '../../src/db/orm.js';
import type { PatientQuery } from '../../src/db/patience.js';
import { createPool } from '../../src/db/pool.js';
import { auditService } from '../support/audit.js';
import { holdOf, resolutionOf, type TestLedger } from './ledger.fixture.js';

const DAY_MS = 86_400_000;

/** The start of the first month that stays, when thirteen do. */
export const BOUNDARY = startOfMonth(monthsLater(monthOf(new Date()), -13));

/** An instant in a month so many months before the boundary; 0 is the first month that stays. */
export const monthsBefore = (months: number, day = 10): Date =>
  new Date(startOfMonth(monthsLater(monthOf(BOUNDARY), -months)).getTime() + day * DAY_MS);

/** Posts what `post` posts as if it had been at an instant. */
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

/** An order of a wallet, held and (unless it stays open) decided at these instants. */
export async function orderAt(
  test: TestLedger,
  developerId: DeveloperId,
  amountPaise: number,
  held: Date,
  decided?: { at: Date; success: boolean },
  keyOf: (id: string) => string | null = () => null,
  id = newId(),
): Promise<string> {
  const hold = holdOf(developerId, amountPaise, { id, clientKey: keyOf(id) });
  await at(test, held, hold.id, () => test.ledger.hold(hold));
  if (decided) await decideAt(test, developerId, hold.id, decided.at, decided.success);
  return hold.id;
}

export const decideAt = (test: TestLedger, developerId: DeveloperId, id: string, instant: Date, success: boolean) =>
  at(test, instant, id, () => test.ledger.resolve(resolutionOf({ developerId, id }, success)));

export async function leadFeeAt(test: TestLedger, developerId: DeveloperId, instant: Date): Promise<string> {
  const id = newId();
  await at(test, instant, id, () =>
    test.db.query(`select ledger_post($1, 'production', $2, 'lead_fee', 100, 'L-1')`, [developerId, id]),
  );
  return id;
}

/** The wallet's credit called 'opening' becomes one of that instant. */
export const openedAt = (test: TestLedger, developerId: DeveloperId, instant: Date) =>
  test.db.query(`update transfer set created_at = $2 where developer_id = $1 and reference = 'opening'`, [
    developerId,
    instant.toISOString(),
  ]);

export interface TestArchive {
  query: PatientQuery;
  /** Ends what is unfinished, then carries out up to BOUNDARY; `parts` in place of the real ones. */
  run(directory: string, parts?: Partial<ArchiveParts>): Promise<LeftMonth[]>;
  close(): Promise<void>;
}

/** The archive as the owner of the tables. */
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
      const left: LeftMonth[] = [];
      for await (const month of run.finish()) left.push(month);
      for await (const month of run.apply(BOUNDARY)) left.push(month);
      return left;
    },
    close: () => closeOrm(orm, pool),
  };
}
