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
import { orderFigures } from '../orders/order-figures.js';
import { HELD_FOR_SECRETS, heldBy, livingProcesses } from '../orders/restore-hold.js';
import { canCheckStatusAt } from '../providers/providers.js';
import { paidProviders, shortName } from '../providers/registry.js';
import { compare } from '../reconcile/compare.js';
import { booksOf, followUp } from '../reconcile/reconcile.js';
import { SettingEntity } from '../settings/setting.entity.js';
import { SettingsService } from '../settings/settings.service.js';
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
  /** Where the report is, and the anchors of the time before. */
  directory: string;
  anchorFiles: readonly string[];
  statement?: StatementOptions | undefined;
  /** Somebody says that so many differences are explained, and orders may be taken again. */
  explained?: number | undefined;
}

type Step = (run: RestoreRun) => Promise<Outcome>;

const TRAIL = 'audit trail';
const DURABILITY = 'durability';
/**
 * What is old in a restored backup, and right again when the service has run: nobody has asked about these orders meanwhile. And rows
 * that the trail does not explain: they are as they were before, a note of the report and an alarm again. `durability` is about the
 * server, not about what was restored, and `serve` refuses it.
 */
const EXPECTED = new Set(['orders', 'review', 'explained', TRAIL, DURABILITY]);
/** The one finding about the trail that a backup of an earlier instant has by its nature. */
const ENDS_EARLIER = /^the trail ends at entry /;

const done = (summary: string, details?: string[]): Outcome => ({
  status: 'done',
  summary,
  ...(details ? { details } : {}),
});
const waits = (summary: string, details?: string[]): Outcome => ({ ...done(summary, details), status: 'waits' });
const failed = (summary: string, details?: string[]): Outcome => ({ ...done(summary, details), status: 'failed' });
const isDone = ({ state }: RestoreRun, step: StepName): boolean => state.steps[step]?.status === 'done';

/** Takes writes, is PostgreSQL, and was used with the secrets of the settings: others would pay lost orders twice. */
const database: Step = async ({ pool, config }) => {
  await requireServer(pool);
  const { rows } = await pool.query<{ standby: boolean; version: string; targets: string[] }>(
    `select pg_is_in_recovery() as standby, current_setting('server_version') as version,
      array(select name from pg_settings where name like 'recovery\\_target%' and setting <> coalesce(boot_val, '') order by 1) as targets`,
  );
  const { standby, version, targets } = rows[0]!;
  if (standby) return waits('the server is still in recovery: run this again when it takes writes');
  const { differences } = await compareSecrets(pool, config);
  if (differences.length > 0)
    return failed(
      'the secrets differ from those that this database was used with',
      differences.map(({ sentence }) => sentence),
    );
  const left = targets.map((name) => `${name} is still set: reset it before a standby is made of this server`);
  return done(`PostgreSQL ${version} takes writes`, left);
};

/** Nobody places orders from now on, until `release`. The backup is looked at before anybody else writes. */
const hold: Step = async (run) => {
  const { state, pool } = run;
  const { processes, placing } = await livingProcesses(pool);
  if (placing > 0) return failed(`${placing} processes place orders: stop them`);
  if (processes > 0 && !isDone(run, TRAIL)) return failed(`${processes} processes run: stop every process first`);
  const holder = await heldBy(new SettingsService(pool));
  if (holder !== undefined && holder !== state.id && holder !== HELD_FOR_SECRETS)
    return failed('orders are held for another restore, whose report is in another directory');
  if (holder === undefined && isDone(run, 'hold'))
    return failed(
      'the hold of this restore is gone: it was released, or the database was restored anew; name a new directory',
    );
  if (holder === state.id) return done('no order is placed until this is released');
  if (state.dryRun) return done('nobody places orders now; a real run would hold them');
  const orm = openOrm(pool, [SettingEntity]);
  try {
    // in the database, so that a process places nothing that is started without --hold
    await inTransaction(orm, (em) => new SettingsService(pool).set('production', 'orders_held', state.id, em));
  } finally {
    await orm.close();
  }
  return done('no order is placed until this is released');
};

/** The anchors of the time before, put aside by a run that was interrupted. */
const anchorsAside = ({ directory }: RestoreRun): string => path.join(directory, 'audit-anchors-before.jsonl');

async function findingsOf(run: RestoreRun): Promise<Record<string, Finding>> {
  const aside = existsSync(anchorsAside(run)) ? [anchorsAside(run)] : [];
  const findings: Record<string, Finding> = {};
  await examine(
    {
      config: run.config,
      stuckAfterMs: 10 * 60_000,
      reviewLimitMs: 24 * 3_600_000,
      anchorFiles: [...run.anchorFiles, ...aside],
      full: true,
    },
    (name, finding) => void (findings[name] = finding),
  );
  return findings;
}

/** What the doctor finds in all the books. */
function books(findings: Record<string, Finding>): Outcome {
  const problems = Object.entries(findings).filter(([name, { ok }]) => !ok && !EXPECTED.has(name));
  const lines = problems.flatMap(([name, { summary, details = [] }]) => [`${name}: ${summary}`, ...details]);
  if (lines.length > 0) return failed(`${problems.length} checks of the doctor found a problem`, lines);
  const notes = Object.entries(findings).flatMap(([name, { ok, summary }]) =>
    !ok && name !== TRAIL ? [`${name}: ${summary}`] : [],
  );
  return done(`every invariant holds; ${Object.keys(findings).length - 1} checks`, notes);
}

/** The only finding should be that the trail ends before the last anchors, which are kept as evidence. */
function trail(run: RestoreRun, { ok, summary, details = [] }: Finding): Outcome {
  const [unexpected, ...others] = ok ? [] : [summary, ...details].filter((line) => !ENDS_EARLIER.test(line));
  if (unexpected !== undefined) return failed(unexpected, others);
  const { anchorFile } = run.config.audit;
  if (run.state.dryRun || !existsSync(anchorFile) || existsSync(anchorsAside(run))) return done(summary);
  mkdirSync(run.directory, { recursive: true, mode: 0o700 });
  copyFileSync(anchorFile, `${anchorsAside(run)}.part`);
  renameSync(`${anchorsAside(run)}.part`, anchorsAside(run));
  rmSync(anchorFile);
  return done(summary, [`the anchors of before are in ${path.basename(anchorsAside(run))} beside this report`]);
}

/** Its sweeper asks about the orders that were open at the instant of the backup. */
const heldProcess: Step = async ({ pool }) => {
  const { processes } = await livingProcesses(pool);
  if (processes === 0) return waits('start one process: gateway serve --hold');
  const { open } = await orderFigures(pool);
  return done(open === 0 ? 'no order is open' : `it asks about ${open} open orders`);
};

/** One statement of one provider; puts in doubt what `gateway reconcile` would. */
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
    return failed(`there is no such provider with orders here: there are ${names.join(', ')}`);
  if (statement !== undefined) await readStatement(run, statement);
  const missing = names.filter((name) => !(name in state.statements));
  if (missing.length > 0)
    return waits(
      `run this again with --provider and --statement, for the days since the backup: ${missing.join(', ')}`,
    );
  const details = Object.entries(state.statements).map(([name, result]) => `${name}: ${resultText(result)}`);
  return done(`${openLines(state)} differences to explain`, details);
};

const release: Step = async (run) => {
  const { state, explained, config, pool } = run;
  const open = openLines(state);
  const question = `explain every difference, then run this again with --release --explained ${open}`;
  if (explained === undefined) return waits(question);
  if (explained !== open)
    return failed(`--explained says ${explained}, but there are ${open} differences: ${question}`);
  if (state.dryRun) return done('it would be released');
  const orm = openOrm(pool, [SettingEntity]);
  try {
    await inTransaction(orm, async (em) => {
      await new SettingsService(pool).set('production', 'orders_held', '', em);
      const audit = new AuditService(new AuditKeys(config.audit.keys));
      const after = { restore: state.id, differences: open };
      const by = { actor: 'system:restore', requestId: state.id };
      await audit.record(by, { action: 'orders.release', subject: 'orders', before: null, after }, em);
    });
  } finally {
    await orm.close();
  }
  return done('start every process without --hold, and tell the clients to repeat what they have no answer for');
};

/** Those are looked at by every run; the others are done once. */
const REPEATED: ReadonlySet<StepName> = new Set(['database', 'hold', 'held process', 'statements']);

/**
 * Goes on where the last run ended, and ends at the first step that waits for somebody or fails; a dry run goes to the end. Every
 * outcome is in the state when it is handed to `report`.
 */
export async function carryOut(run: RestoreRun, report: (step: StepName, outcome: Outcome) => void): Promise<void> {
  let findings: Promise<Record<string, Finding>> | undefined;
  const examined = () => (findings ??= findingsOf(run));
  const steps: Record<StepName, Step> = {
    database,
    hold,
    books: async () => books(await examined()),
    'audit trail': async () => trail(run, (await examined())[TRAIL]!),
    'held process': heldProcess,
    statements,
    release,
  };
  if (isDone(run, 'release')) return report('release', run.state.steps.release!);
  for (const name of stepNames) {
    const before = run.state.steps[name];
    const outcome = before?.status === 'done' && !REPEATED.has(name) ? before : await steps[name](run);
    run.state.steps[name] = { ...outcome, at: new Date().toISOString() };
    report(name, outcome);
    if (outcome.status !== 'done' && (!run.state.dryRun || name === 'database')) return;
  }
}
