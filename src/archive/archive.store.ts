import { sql } from 'kysely';
import type { AuditService } from '../audit/audit.service.js';
import { inTransaction, type MikroORM } from '../db/orm.js';
import type { PatientQuery } from '../db/patience.js';
import type { ArchiveCounts } from './archive-counts.js';
import type { IndianMonth } from './indian-month.js';

/** Verified file with its counts, see table ledger_archive. */
export interface ArchiveFile extends ArchiveCounts {
  id: string;
  /** File name without a directory. */
  file: string;
  sha256: Buffer;
  month: IndianMonth;
  /** Only subjects that were complete before this time are archived. */
  before: Date;
}

interface ArchiveRow extends Omit<ArchiveFile, 'amountPaise' | 'before'> {
  amountPaise: string;
  before: string;
}

const UNFINISHED = `select id, file, file_hash as sha256, to_char(month, 'YYYY-MM') as month, before, subjects::float8, orders::float8, transfers::float8,
  events::float8, amount_paise::text as "amountPaise" from ledger_archive where left_at is null order by id`;

/** Returns the files of interrupted runs. Their subjects can still be in the database. */
export async function unfinishedFiles(query: PatientQuery): Promise<ArchiveFile[]> {
  const rows = await query<ArchiveRow>({ text: UNFINISHED });
  return rows.map((row) => ({ ...row, amountPaise: BigInt(row.amountPaise), before: new Date(row.before) }));
}

/** Records a file, in one transaction with its audit entry. From then on, its subjects can be removed from the database. */
export async function recordFile(archived: ArchiveFile, orm: MikroORM, audit: AuditService): Promise<void> {
  const { id, file, sha256, month, before, subjects, orders, transfers, events, amountPaise } = archived;
  await inTransaction(orm, async (tx) => {
    await sql`insert into ledger_archive (id, file, file_hash, month, before, subjects, orders, transfers, events, amount_paise)
      values (${id}, ${file}, ${sha256}, ${`${month}-01`}::date, ${before.toISOString()}::timestamptz, ${subjects}, ${orders}, ${transfers},
        ${events}, ${String(amountPaise)}::bigint)`.execute(tx.getKysely());
    await audit.record(
      { actor: 'system:archive', requestId: 'archive' },
      { action: 'ledger.archive', subject: 'ledger', before: null, after: descriptionOf(archived) },
      tx,
    );
  });
}

/** Prepares the tables of the month, or returns the state of an interrupted run. `none`: all subjects are deleted row by row. */
export async function prepareTables(
  query: PatientQuery,
  { id }: ArchiveFile,
): Promise<'none' | 'locked' | 'staging' | 'copied' | 'detached'> {
  const [row] = await query<{ state: Awaited<ReturnType<typeof prepareTables>> }>({
    text: 'select archive_begin($1) as state',
    values: [id],
  });
  return row!.state;
}

/** Copies the orders that remain, after every subject of the file was compared with the database. */
export async function copyTables(query: PatientQuery, { id }: ArchiveFile, stayed: number): Promise<void> {
  await query({ text: 'select archive_copy($1, $2)', values: [id, stayed] });
}

export interface DetachStep {
  step: 'changes' | 'waits' | 'busy' | 'locked' | 'detached' | 'deleted' | 'done';
  /** Number of subjects of the file that remain in the database. */
  stayed: number;
}

/** Runs the next step after the copy, see archive_step. */
export async function nextStep(query: PatientQuery, { id }: ArchiveFile, quietMs: number): Promise<DetachStep> {
  const [row] = await query<DetachStep>({
    text: `select step, stayed::float8 from archive_step($1, $2::integer * interval '1 ms')`,
    values: [id, quietMs],
  });
  return row!;
}

export async function markRemoved(query: PatientQuery, { id }: ArchiveFile, stayed: number): Promise<void> {
  await query({ text: 'update ledger_archive set left_at = now(), stayed = $2 where id = $1', values: [id, stayed] });
}

/** Returns the description of a file in the audit log and in the JSON file next to it. */
export const descriptionOf = ({ file, sha256, month, before, amountPaise, ...counts }: ArchiveFile) => ({
  file,
  sha256: sha256.toString('hex'),
  month,
  before: before.toISOString(),
  subjects: counts.subjects,
  orders: counts.orders,
  transfers: counts.transfers,
  events: counts.events,
  amountPaise: String(amountPaise),
});
