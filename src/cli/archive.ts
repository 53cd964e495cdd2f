import 'reflect-metadata';

import { mkdirSync } from 'node:fs';
import type { Pool } from 'pg';
import type { ArchiveCounts } from '../archive/archive-counts.js';
import { type ArchivePlan, planOf } from '../archive/archive-plan.js';
import { type ArchivedMonth, ArchiveRun } from '../archive/archive-run.js';
import { type IndianMonth, startOfMonth } from '../archive/indian-month.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { type Config, loadConfig } from '../config.js';
import { decimalText, type Paise } from '../core/money.js';
import { openOrm } from '../db/orm.js';
import { inPatientSession, type PatientQuery } from '../db/patience.js';
import { createPool } from '../db/pool.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { failToStart, requireNode } from '../process-life.js';
import { type ArchiveOptions, firstKept, optionsOf } from './archive-options.js';
import { firstLines } from './finding.js';

/** Time limit of a statement. The longest one copies the orders that remain in the database. */
const STATEMENT_LIMIT_MS = 4 * 3_600_000;
const MB = 1_000_000;

const SITUATION = `
  select to_char(now() at time zone 'Asia/Kolkata', 'YYYY-MM') as month, pg_try_advisory_lock(7401254) as alone,
    pg_has_role(session_user, (select relowner from pg_class where oid = to_regclass('transfer')), 'usage') as "isOwner"`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const textOf = ({ orders, subjects, transfers, amountPaise }: ArchiveCounts): string =>
  `${orders} orders, ${subjects - orders} other postings, ${transfers} transfers of ₹${decimalText(amountPaise as Paise)}`;

function printPlan({ months, staying }: ArchivePlan, keptFrom: IndianMonth): void {
  if (months.size === 0) print(`No orders or transfers from before ${keptFrom} can be archived.`);
  else print(`Orders and transfers from before ${keptFrom} that can be archived, by the month of the last transfer:`);
  for (const [month, counts] of months)
    print(`${month}  ${textOf(counts)}, about ${(counts.bytes / MB).toFixed(1)} MB`);
  for (const [reason, count] of staying) print(`${count} ${count === 1 ? 'order stays' : 'orders stay'}: ${reason}`);
  print('Nothing was changed. To archive them, add --apply --out DIR.');
}

const printMonth = ({ month, file, stayed, ...counts }: ArchivedMonth): void =>
  print(
    `${month}  ${textOf(counts)} → ${file}${stayed > 0 ? `; ${stayed} stayed because they changed during the run` : ''}`,
  );

/** Checks the ledger before archiving, which requires that all entries are verified and have no violations. */
async function requireSoundBooks(pool: Pool): Promise<void> {
  const violations = await new LedgerService(pool).checkNew();
  if (violations.length === 0) return;
  const lines = firstLines(violations.map(({ rule, detail }) => `${rule}: ${detail}`));
  throw new Error(`Nothing can be archived while the ledger has violations:\n${lines.join('\n')}`);
}

async function archive(pool: Pool, query: PatientQuery, options: ArchiveOptions, config: Config): Promise<void> {
  const [situation] = await query<{ month: IndianMonth; alone: boolean; isOwner: boolean }>({ text: SITUATION });
  if (!situation!.isOwner) throw new Error('Set DATABASE_URL to connect as the owner of the tables.');
  if (!situation!.alone) throw new Error('Another archive run is in progress.');
  const keptFrom = firstKept(options, situation!.month);
  await requireSoundBooks(pool);
  if (options.directory === undefined) return printPlan(await planOf(query, startOfMonth(keptFrom)), keptFrom);

  mkdirSync(options.directory, { recursive: true });
  const orm = openOrm(pool, []);
  try {
    const audit = new AuditService(new AuditKeys(config.audit.keys));
    const onLocked = (month: IndianMonth): void =>
      print(`${month}  waits: a transaction holds a lock on the tables of the month. Next attempt in 30 s.`);
    const run = new ArchiveRun({ query, orm, audit, directory: options.directory, onLocked });
    for await (const month of run.finish()) printMonth(month);
    for await (const month of run.apply(startOfMonth(keptFrom))) printMonth(month);
    await requireSoundBooks(pool);
    print(`All final orders and transfers from before ${keptFrom} are archived.`);
  } finally {
    await orm.close();
  }
}

/** Runs `gateway archive`, which moves old months from the database to files. */
async function main(): Promise<void> {
  requireNode();
  const options = optionsOf(process.argv.slice(2));
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 3, asOwner: true });
  try {
    await inPatientSession(pool, STATEMENT_LIMIT_MS, (query) => archive(pool, query, options, config));
  } finally {
    await pool.end();
  }
}

main().catch(failToStart);
