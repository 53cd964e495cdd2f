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
  takes: '--report DIR [options]',
  does: `After a backup was restored, or a standby took over that lacked the newest commits: pauses orders, checks the books and the audit log,
compares with the providers' statements, and resumes orders. Run it as often as it says: it goes on where the last run ended,
and writes what it found into restore.json and restore.txt of the directory. Uses the settings of the service.
Exits with 1 when a step failed, with 0 when it is through or waits for what a person does next.`,
  options: `  --report DIR          where the report is; one directory for one restore
  --anchors FILE        a file with anchors of the audit log, or a log; may be repeated (default: AUDIT_ANCHOR_FILE)
  --dry-run             looks at everything and changes nothing but how far the books are known to be right; the report is
                        restore-dry-run.json and .txt
  --resume-orders       resumes orders; needs --explained
  --explained N         so many differences of the statements are there, and each is explained
One statement a run, read as "gateway reconcile" reads it:
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
  if (!values.report) throw wrongUsage(USAGE, '--report is missing.');
  if (values['resume-orders'] !== (values.explained !== undefined))
    throw wrongUsage(USAGE, '--resume-orders and --explained need each other.');
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

/** `gateway restore`: the steps of docs/restoring.md. */
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
  // its text quotes the statement with its values
  if (error instanceof DriverException) failToStart(new Error(`The database refused: ${error.code ?? error.name}.`));
  failToStart(error);
});
