import 'reflect-metadata';

import { DriverException } from '@mikro-orm/postgresql';
import { loadConfig } from '../config.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { createPool } from '../db/pool.js';
import { failToStart, requireNode } from '../process-life.js';
import { STATEMENT_LINES, statementOf, statementOptions } from './reconcile-options.js';
import { MARKS, readState, writeState } from './restore-state.js';
import { runSteps } from './restore-steps.js';

const USAGE: Usage = {
  command: 'restore',
  synopsis: '--report DIR [options]',
  description: `Run this after you restored a backup, or after a standby without the last commits took over. It pauses orders, checks the ledger and the
audit log, compares orders with the statements of the providers, and resumes orders. Each run continues where the last one ended, and writes
its results to restore.json and restore.txt in the directory: repeat the command until it is complete. Uses the settings of the service.
Exits with 1 if a step failed, and with 0 if it is complete or waits for your next step.`,
  options: `  --report DIR          directory of the report; use a new one for each restore
  --anchors FILE        anchor file or log of a process; can be repeated (default: AUDIT_ANCHOR_FILE)
  --dry-run             checks everything and changes nothing except the position up to which the ledger is verified; the
                        report is restore-dry-run.json and restore-dry-run.txt
  --resume-orders       resumes orders; requires --explained
  --explained N         number of statement differences, all of which you have explained
One statement per run, with the options of "gateway reconcile":
${STATEMENT_LINES}`,
  example:
    'gateway restore --report /restore --provider ROUNDPAY --statement june.csv --from 2026-06-01 --to 2026-06-03',
};

function optionsOf(args: string[]) {
  const { values } = commandLine(USAGE, args, {
    ...statementOptions,
    report: { type: 'string' },
    anchors: { type: 'string', multiple: true, default: [] },
    'dry-run': { type: 'boolean', default: false },
    'resume-orders': { type: 'boolean', default: false },
    explained: { type: 'string' },
  });
  if (!values.report) throw wrongUsage(USAGE, '--report is required.');
  if (values['resume-orders'] !== (values.explained !== undefined))
    throw wrongUsage(USAGE, 'Use --resume-orders and --explained together.');
  const explained = values.explained === undefined ? undefined : Number(values.explained);
  if (explained !== undefined && !(Number.isInteger(explained) && explained >= 0))
    throw wrongUsage(USAGE, '--explained must be a whole number, 0 or more.');
  const named = values.provider ?? values.statement ?? values.from ?? values.to;
  return {
    directory: values.report,
    anchorFiles: values.anchors,
    dryRun: values['dry-run'],
    statement: named === undefined ? undefined : statementOf(USAGE, values),
    explained,
  };
}

/** Runs `gateway restore`, the steps of docs/restoring.md. */
async function main(): Promise<void> {
  requireNode();
  const { dryRun, ...options } = optionsOf(process.argv.slice(2));
  const config = loadConfig(process.env);
  const state = readState(options.directory, dryRun);
  const pool = createPool(config.databaseUrl, { max: 2, withStartupOptions: config.startupOptions });
  try {
    const announce = (step: string, line: string): void =>
      void process.stdout.write(`....  ${step.padEnd(14)} ${line}\n`);
    await runSteps({ config, pool, state, announce, ...options }, (step, { status, summary, details = [] }) => {
      writeState(options.directory, state);
      process.stdout.write(`${MARKS[status]}  ${step.padEnd(14)} ${summary}\n`);
      for (const line of details) process.stdout.write(`        ${line}\n`);
      if (status === 'failed') process.exitCode = 1;
    });
  } finally {
    await pool.end();
  }
}

main().catch((error: Error) => {
  // the error message contains the statement with its values
  if (error instanceof DriverException)
    failToStart(new Error(`The database rejected the statement: ${error.code ?? error.name}.`));
  failToStart(error);
});
