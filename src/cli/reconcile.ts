import 'reflect-metadata';

import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { DriverException } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { ApprovalRequestStore } from '../approval-requests/approval-request.store.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { type Config, loadConfig } from '../config.js';
import { CommandExit } from '../core/command-line.js';
import { openOrm } from '../db/orm.js';
import { createPool } from '../db/pool.js';
import { failToStart, requireNode } from '../process-life.js';
import { canCheckStatusAt } from '../providers/providers.js';
import { compare } from '../reconcile/compare.js';
import { booksOf, followUp } from '../reconcile/reconcile.js';
import { resolvedByStatement } from '../reconcile/resolved-by-statement.js';
import { keepRun, type RunResult, type StatementRun } from '../reconcile/statement-run.js';
import { optionsOf } from './reconcile-options.js';
import { jsonOf, type Report, tableOf } from './reconcile-report.js';
import { linesOf } from './statement-file.js';

/**
 * Stores the comparison. If an email address is given, it additionally requests approval for the orders that the statement
 * resolves.
 */
async function keep(
  pool: Pool,
  run: StatementRun,
  email: string | undefined,
  keys: Config['audit']['keys'],
): Promise<RunResult> {
  const orm = openOrm(pool, []);
  try {
    const audit = new AuditService(new AuditKeys(keys));
    return await keepRun(run, email, { orm, audit, approvalRequests: new ApprovalRequestStore(pool) });
  } finally {
    await orm.close();
  }
}

/** Runs `gateway reconcile`, which compares our orders with a provider's statement. */
async function main(): Promise<void> {
  requireNode();
  const options = optionsOf(process.argv.slice(2));
  const hash = createHash('sha256');
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 1, withStartupOptions: config.startupOptions });
  try {
    const { provider, period, windowMs, requestBy, compareOnly } = options;
    // the value is not assigned to a variable, so that the lines can be freed
    const books = await booksOf(pool, await linesOf(options, hash), { ...options, pepper: config.pepper });
    const comparison = compare(books.orders, books.lines, {
      period,
      windowMs,
      archived: books.archived,
      now: new Date(),
    });
    let report: Report = { comparison, doubted: 0, conflicting: 0, run: undefined };
    if (!compareOnly) {
      const resolved =
        requestBy === undefined ? [] : resolvedByStatement(books.orders, books.lines, { period, windowMs });
      const statementRun = { provider, fileHash: hash.digest(), period, comparison, decided: resolved };
      const run = await keep(pool, statementRun, requestBy, config.audit.keys);
      report = { comparison, run, ...(await followUp(pool, comparison, canCheckStatusAt(provider, config.providers))) };
    }
    await pipeline(options.json ? jsonOf(report) : tableOf(report), process.stdout, { end: false });
    if (comparison.differences.length > 0) process.exitCode = 1;
  } finally {
    await pool.end();
  }
}

main().catch((error: Error) => {
  if (error instanceof CommandExit) failToStart(error);
  // the error message contains the statement with its values
  const text =
    error instanceof DriverException
      ? `The database rejected the statement: ${error.code ?? error.name}.`
      : error.message;
  process.stderr.write(`${text}\n`);
  process.exit(2); // exit code 1 means that there are differences
});
