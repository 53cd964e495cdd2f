import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { type Config, configuredProviders } from '../config.js';
import { inTransaction, openOrm } from '../db/orm.js';
import { compareSecrets } from '../db/secret-fingerprints.js';
import { requireServer } from '../db/start-checks.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { orderFigures } from '../orders/order-figures.js';
import { countProcesses, PAUSED_FOR_SECRETS, pausedBy } from '../orders/restore-pause.js';
import { canCheckStatusAt } from '../providers/providers.js';
import { paidProviders, shortName } from '../providers/registry.js';
import { compare } from '../reconcile/compare.js';
import { booksOf, followUp } from '../reconcile/reconcile.js';
import { SettingEntity } from '../settings/setting.entity.js';
import { SettingsService } from '../settings/settings.service.js';
import { type BooksPlan, booksPlan } from './books-plan.js';
import { examine } from './doctor-checks.js';
import type { Finding } from './finding.js';
import type { StatementOptions } from './reconcile-options.js';
import {
  differencesOf,
  type Outcome,
  openLines,
  type RestoreState,
  resultText,
  type StepName,
  stepNames,
} from './restore-state.js';
import { linesOf } from './statement-file.js';

export interface RestoreRun {
  config: Config;
  pool: Pool;
  state: RestoreState;
  /** Directory of the report and of earlier anchors. */
  directory: string;
  anchorFiles: readonly string[];
  statement?: StatementOptions | undefined;
  /** Number of differences that the user has explained. If set, orders are resumed. */
  explained?: number | undefined;
  /** Called before a step that takes a long time. */
  announce?: ((step: StepName, line: string) => void) | undefined;
}

type Step = (run: RestoreRun) => Promise<Outcome>;

const AUDIT_LOG = 'audit log';
const DURABILITY = 'durability';
/**
 * Findings that do not stop a restore. `orders` and `review`: no status was checked since the backup; the service catches up.
 * `explained`: rows that already differed before the backup; they are noted in the report and raise an alert again. `durability`:
 * a property of the server, not of the restored data; `serve` rejects it.
 */
const EXPECTED = new Set(['orders', 'review', 'explained', AUDIT_LOG, DURABILITY]);
/** Audit log finding that is expected for every backup of an earlier time. */
const ENDS_EARLIER = /^the audit log ends at entry /;

const done = (summary: string, details?: string[]): Outcome => ({
  status: 'done',
  summary,
  ...(details ? { details } : {}),
});
const waiting = (summary: string, details?: string[]): Outcome => ({ ...done(summary, details), status: 'waits' });
const failed = (summary: string, details?: string[]): Outcome => ({ ...done(summary, details), status: 'failed' });
const isDone = ({ state }: RestoreRun, step: StepName): boolean => state.steps[step]?.status === 'done';

/**
 * Checks the server. It must be PostgreSQL, accept writes, and have registered the secrets of the settings. With other secrets,
 * lost orders could be paid twice.
 */
const database: Step = async ({ pool, config }) => {
  await requireServer(pool);
  const { rows } = await pool.query<{ standby: boolean; version: string; targets: string[] }>(
    `select pg_is_in_recovery() as standby, current_setting('server_version') as version,
      array(select name from pg_settings where name like 'recovery\\_target%' and setting <> coalesce(boot_val, '')
        and not pending_restart order by 1) as targets`,
  );
  const { standby, version, targets } = rows[0]!;
  if (standby) return waiting('the server is still in recovery: run this again when it accepts writes');
  const { differences } = await compareSecrets(pool, config);
  if (differences.length > 0)
    return failed(
      'the secrets differ from the registered ones',
      differences.map(({ sentence }) => sentence),
    );
  const remainingTargets = targets.map(
    (name) => `${name} is still set: reset it before you create a standby of this server`,
  );
  return done(`PostgreSQL ${version} accepts writes`, remainingTargets);
};

/** Pauses orders until `resume`. The backup is checked before any process writes. */
const pause: Step = async (run) => {
  const { state, pool } = run;
  const { processes, placing } = await countProcesses(pool);
  if (placing > 0) return failed(`processes that accept orders: ${placing}; stop them`);
  if (processes > 0 && !isDone(run, AUDIT_LOG))
    return failed(`running processes: ${processes}; stop every process first`);
  const holder = await pausedBy(new SettingsService(pool));
  if (holder !== undefined && holder !== state.id && holder !== PAUSED_FOR_SECRETS)
    return failed('orders are paused for another restore, whose report is in another directory');
  if (holder === undefined && isDone(run, 'pause'))
    return failed(
      'orders are no longer paused for this restore, because they were resumed or the database was restored again: use a new directory',
    );
  if (holder === state.id) return done('orders are paused until step "resume"');
  if (state.dryRun) return done('no process accepts orders; a real run would pause orders');
  const orm = openOrm(pool, [SettingEntity]);
  try {
    // the pause is stored in the database, so that even a process started without --pause-orders accepts no orders
    await inTransaction(orm, (em) => new SettingsService(pool).set('production', 'orders_paused', state.id, em));
  } finally {
    await orm.close();
  }
  return done('orders are paused until step "resume"');
};

/** Returns earlier anchors that an interrupted run has moved. */
const earlierAnchorFile = ({ directory }: RestoreRun): string => path.join(directory, 'audit-anchors-before.jsonl');

async function findingsOf(run: RestoreRun, newFirst: boolean): Promise<Record<string, Finding>> {
  const earlierFiles = existsSync(earlierAnchorFile(run)) ? [earlierAnchorFile(run)] : [];
  const findings: Record<string, Finding> = {};
  await examine(
    {
      config: run.config,
      stuckAfterMs: 10 * 60_000,
      reviewLimitMs: 24 * 3_600_000,
      anchorFiles: [...run.anchorFiles, ...earlierFiles],
      full: !newFirst,
      fullFollows: newFirst,
    },
    (name, finding) => void (findings[name] = finding),
  );
  return findings;
}

/** Checks the ledger, and starts the full check if it did not run first. */
async function books(
  run: RestoreRun,
  { newFirst, behind }: BooksPlan,
  findings: Record<string, Finding>,
): Promise<Outcome> {
  const problems = Object.entries(findings).filter(([name, { ok }]) => !ok && !EXPECTED.has(name));
  const lines = problems.flatMap(([name, { summary, details = [] }]) => [`${name}: ${summary}`, ...details]);
  if (lines.length > 0) return failed(`checks that found a problem: ${problems.length}`, lines);
  const notes = Object.entries(findings).flatMap(([name, { ok, summary }]) =>
    !ok && name !== AUDIT_LOG ? [`${name}: ${summary}`] : [],
  );
  const checks = `${Object.keys(findings).length - 1} checks`;
  if (!newFirst) return done(`no violation; ${checks}`, notes);
  run.state.fullCheckFollows = true;
  if (!run.state.dryRun) await new LedgerService(run.pool).fullCheckNow();
  return done(`no violation since the last check; ${checks}`, [behind, ...notes]);
}

/**
 * Checks the audit log. The only expected finding is that the audit log ends before the last anchors. These anchors are kept as
 * evidence.
 */
function auditLog(run: RestoreRun, { ok, summary, details = [] }: Finding): Outcome {
  const [unexpected, ...others] = ok ? [] : [summary, ...details].filter((line) => !ENDS_EARLIER.test(line));
  if (unexpected !== undefined) return failed(unexpected, others);
  const { anchorFile } = run.config.audit;
  if (run.state.dryRun || !existsSync(anchorFile) || existsSync(earlierAnchorFile(run))) return done(summary);
  mkdirSync(run.directory, { recursive: true, mode: 0o700 });
  copyFileSync(anchorFile, `${earlierAnchorFile(run)}.part`);
  renameSync(`${earlierAnchorFile(run)}.part`, earlierAnchorFile(run));
  rmSync(anchorFile);
  return done(summary, [`the earlier anchors are in ${path.basename(earlierAnchorFile(run))} next to this report`]);
}

/** Waits for one process, whose sweeper checks the status of the orders that were open at the time of the backup. */
const pausedProcess: Step = async ({ pool }) => {
  const { processes } = await countProcesses(pool);
  if (processes === 0) return waiting('start one process: gateway serve --pause-orders');
  const { open } = await orderFigures(pool);
  return done(open === 0 ? 'no order is open' : `checking the status of ${open} open orders`);
};

/** Compares one statement of one provider, like `gateway reconcile`. */
async function readStatement({ config, pool, state }: RestoreRun, options: StatementOptions): Promise<void> {
  const hash = createHash('sha256');
  const { provider, period, windowMs } = options;
  const found = await booksOf(pool, await linesOf(options, hash), { ...options, pepper: config.pepper });
  const now = new Date();
  const comparison = compare(found.orders, found.lines, { period, windowMs, archived: found.archived, now });
  state.statements[provider] = {
    file: hash.digest('hex'),
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    orders: comparison.orders,
    lines: comparison.lines,
    matched: comparison.matched,
    ...(state.dryRun
      ? { doubted: 0, conflicting: 0 }
      : await followUp(pool, comparison, canCheckStatusAt(provider, config.providers))),
    differences: differencesOf(comparison),
  };
}

const statements: Step = async (run) => {
  const { config, state, statement } = run;
  const configured = configuredProviders(config);
  const names: string[] = paidProviders.filter((row) => configured.includes(shortName(row))).map(({ name }) => name);
  if (statement !== undefined && !names.includes(statement.provider))
    return failed(`unknown provider: use ${names.join(', ')}`);
  if (statement !== undefined) await readStatement(run, statement);
  const missing = names.filter((name) => !(name in state.statements));
  if (missing.length > 0)
    return waiting(
      `run this again with --provider and --statement, for the days since the backup: ${missing.join(', ')}`,
    );
  const details = Object.entries(state.statements).map(([name, result]) => `${name}: ${resultText(result)}`);
  return done(`${openLines(state)} differences to explain`, details);
};

const resume: Step = async (run) => {
  const { state, explained, config, pool } = run;
  const open = openLines(state);
  const question = `explain every difference, then run this again with --resume-orders --explained ${open}`;
  if (explained === undefined) return waiting(question);
  if (explained !== open) return failed(`--explained is ${explained}, but there are ${open} differences: ${question}`);
  if (state.fullCheckFollows) {
    const { violations } = await new LedgerService(pool).lastFullCheck();
    if (violations.length > 0)
      return failed(`the full ledger check found violations (${violations.length}): "gateway doctor" lists them`);
  }
  if (state.dryRun) return done('a real run would resume orders');
  const orm = openOrm(pool, [SettingEntity]);
  try {
    await inTransaction(orm, async (em) => {
      await new SettingsService(pool).set('production', 'orders_paused', '', em);
      const audit = new AuditService(new AuditKeys(config.audit.keys));
      const after = { restore: state.id, differences: open };
      const by = { actor: 'system:restore', requestId: state.id };
      await audit.record(by, { action: 'orders.resume_after_restore', subject: 'orders', before: null, after }, em);
    });
  } finally {
    await orm.close();
  }
  return done('start every process without --pause-orders, and tell developers to retry requests that got no response');
};

/** Steps that every run repeats. The other steps run once. */
const REPEATED_STEPS: ReadonlySet<StepName> = new Set(['database', 'pause', 'paused process', 'statements']);

/**
 * Continues after the last completed step, and stops at the first step that fails or waits for the user. A dry run runs all
 * steps. Each outcome is stored in the state before `report` is called.
 */
export async function runSteps(run: RestoreRun, report: (step: StepName, outcome: Outcome) => void): Promise<void> {
  let examination: Promise<[BooksPlan, Record<string, Finding>]> | undefined;
  const examineOnce = (step: StepName) =>
    (examination ??= (async () => {
      const plan = await booksPlan(run.pool, run.config.ledgerCheck);
      run.announce?.(step, plan.text);
      return [plan, await findingsOf(run, plan.newFirst)];
    })());
  const steps: Record<StepName, Step> = {
    database,
    pause,
    books: async () => books(run, ...(await examineOnce('books'))),
    'audit log': async () => auditLog(run, (await examineOnce('audit log'))[1][AUDIT_LOG]!),
    'paused process': pausedProcess,
    statements,
    resume,
  };
  if (isDone(run, 'resume')) return report('resume', run.state.steps.resume!);
  for (const name of stepNames) {
    const previous = run.state.steps[name];
    const outcome = previous?.status === 'done' && !REPEATED_STEPS.has(name) ? previous : await steps[name](run);
    run.state.steps[name] = { ...outcome, at: new Date().toISOString() };
    report(name, outcome);
    if (outcome.status !== 'done' && (!run.state.dryRun || name === 'database')) return;
  }
}
