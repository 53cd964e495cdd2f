import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { optionsOf, type StatementOptions } from '../../src/cli/reconcile-options.js';
import { type Outcome, type RestoreState, readState, type StepName, writeState } from '../../src/cli/restore-state.js';
import { type RestoreRun, runSteps } from '../../src/cli/restore-steps.js';
import { loadConfig } from '../../src/config.js';
import { indianDay } from '../../src/core/clock.js';
import { createLogger } from '../../src/core/log.js';
import { createPool } from '../../src/db/pool.js';
import { countProcesses } from '../../src/orders/restore-pause.js';
import { RECHARGE_STATUS } from '../orders/order.fixture.js';
import { anchorFileOf, startTestApp, type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { auditProblems } from '../support/audit.js';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { startOwnPostgres } from './support/own-postgres.js';

let test: TestApp;
let developer: TestDeveloper;
let backup: string;
const running = new Set<App>();
beforeAll(async () => {
  test = await startTestApp();
  running.add(test.app);
  developer = await test.developer();
});
afterAll(async () => {
  for (const app of running) await app.close();
  await test.simulator.stop();
  await asAdmin(`drop database if exists ${nameOf(backup)} with (force)`);
  await test.db.drop();
});

const nameOf = (url: string): string => new URL(url).pathname.slice(1);
async function asAdmin(sql: string): Promise<void> {
  const client = new Client({ connectionString: new URL('/postgres', test.db.url).href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function stop(...apps: App[]): Promise<void> {
  for (const app of apps) {
    running.delete(app);
    await app.close();
  }
}

/** Starts a process on a database, with the same providers and secrets but separate ports. */
async function serve(database: string, settings: Record<string, string> = {}) {
  const ports = [await freePort(), await freePort(), await freePort()];
  const app = await createApp(
    loadConfig({ ...testEnvironment(database, test.simulator.url, ports), ...settings }),
    createLogger('silent'),
  );
  running.add(app);
  try {
    await app.listen();
  } catch (error) {
    await stop(app);
    throw error;
  }
  const call = async (method: string, requestPath: string, body?: object) => {
    const response = await fetch(`${app.config.publicUrls.production}${requestPath}`, {
      method,
      headers: { authorization: `Bearer ${developer.tokens.production}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const recharge = (key: string, account: string) =>
    call('POST', RECHARGE, rechargeBody({ client_request_id: key, account_number: account }));
  return { app, call, recharge };
}

/** Runs SQL as the owner of the restored database. */
async function onBackup<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: backup });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
const restoredToInstant = async (): Promise<boolean> =>
  (await onBackup<{ restored: boolean }>('select restored_to_instant() as restored'))[0]!.restored;
const nextFullCheck = async (): Promise<string> =>
  (
    await onBackup<{ due: string }>(
      `select case when next_step_at > now() then 'later' else 'now' end as due from ledger_full_check`,
    )
  )[0]!.due;

const DIRECTORY = temporaryDirectory();
/** Writes the current records of the simulator, which contain all providers, to a file. */
async function writeBook(): Promise<string> {
  const statement = path.join(DIRECTORY, 'book.jsonl');
  writeFileSync(statement, (await test.simulator.book()).map((line) => JSON.stringify(line)).join('\n'));
  return statement;
}
const environment = () => testEnvironment(backup, test.simulator.url, [0, 0, 0]);
const report = path.join(DIRECTORY, 'report');
const reported = (file = 'restore'): RestoreState =>
  JSON.parse(readFileSync(path.join(report, `${file}.json`), 'utf8')) as RestoreState;

/** Runs `gateway restore` and returns its last step, with status and text. */
async function restore(more: Partial<RestoreRun> = {}, dryRun = false): Promise<[StepName, Outcome['status'], string]> {
  const config = loadConfig(environment());
  const pool = createPool(config.databaseUrl, { max: 2 });
  const state = readState(report, dryRun);
  let last: [StepName, Outcome['status'], string] | undefined;
  try {
    await runSteps(
      { config, pool, state, directory: report, anchorFiles: [], ...more },
      (step, { status, summary }) => {
        writeState(report, state);
        last = [step, status, summary];
      },
    );
  } finally {
    await pool.end();
  }
  return last!;
}
const statementOfProvider = async (provider: string): Promise<StatementOptions> => {
  const today = indianDay(new Date());
  const args = ['--provider', provider, '--statement', await writeBook(), '--from', today, '--to', today];
  return optionsOf(args);
};

it('a restored backup stays paused until it matches the provider, and processes nothing twice', async () => {
  const primary = await serve(test.db.url);
  const keptRecharge = await primary.recharge('kept', '9811100001');
  expect(keptRecharge.body.status).toBe('success');

  expect(await primary.app.ledger.checkNew()).toEqual([]);

  // the backup is a copy of the database, which must have no connections
  await stop(test.app, primary.app);
  backup = new URL(`/${nameOf(test.db.url)}_backup`, test.db.url).href;
  await asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(test.db.url)}' and pid <> pg_backend_pid()`,
  );
  await asAdmin(`create database ${nameOf(backup)} template ${nameOf(test.db.url)}`);

  const anchors = anchorFileOf(backup);
  const later = await serve(test.db.url, { AUDIT_ANCHOR_FILE: anchors });
  const lost = await later.recharge('lost', '9811100002');
  expect(lost.body.status).toBe('success');
  await later.app.users.create(
    { email: 'lost@restore.example', name: 'Lost', password: 'a password for tests', role: 'support' },
    { actor: 'system:test', requestId: 'test' },
  );
  await stop(later.app);

  // orders are paused, and the backup is inspected before any write
  const early = await serve(backup);
  await until(
    'the process reports that it places orders',
    async () => (await countProcesses(early.app.pool)).placing === 1,
  );
  expect(await restore()).toEqual(['pause', 'failed', 'processes that accept orders: 1; stop them']);
  await stop(early.app);

  // a dry run prints the same and changes nothing
  const dryRun = () => runProgram('cli/gateway.js', environment(), ['restore', '--report', report, '--dry-run']);
  const { code, stdout } = await dryRun();
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^ok {4}books .*\n {8}durability: .*\nok {4}audit log +the audit log ends at entry \d+/m),
  ]);
  expect(stdout).toMatch(
    /^\.{4} {2}books +not a restore to a point in time: checking all \d+ entries first, less than a minute with LEDGER_CHECK_WORKERS=1$/m,
  );
  expect(stdout).toMatch(/^ok {4}books +no violation; /m);

  // a point-in-time restore starts a new timeline; known violations do not change the schedule
  await onBackup('update ledger_full_check set completed_timeline = completed_timeline - 1');
  await onBackup(`insert into ledger_full_finding values ('a rule', null, 'something', now())`);
  expect((await dryRun()).stdout).toMatch(/^\.{4} {2}books +the weekly check had found 1 violations: checking all /m);
  await onBackup('delete from ledger_full_finding');
  const atInstant = (await dryRun()).stdout;
  expect(atInstant).toMatch(
    /^\.{4} {2}books +restored to a point in time: checking the \d+ entries since the last check first, less than a minute$/m,
  );
  expect(atInstant).toMatch(
    /^ok {4}books +no violation since the last check; \d+ checks\n {8}the processes check all \d+ entries afterwards: less than a minute with LEDGER_CHECK_WORKERS=1 and LEDGER_CHECK_SHARE=20$/m,
  );
  expect(stdout).toMatch(/^WAIT {2}resume /m);
  expect(reported('restore-dry-run').steps.books?.status).toBe('done');
  expect([reported().steps.books, existsSync(anchors)]).toEqual([undefined, true]);

  // problems in new data are found by the first check
  const change = (n: number) => onBackup(`update wallet set balance_paise = balance_paise + ${n}`);
  await change(1);
  expect(await restore()).toEqual(['books', 'failed', 'checks that found a problem: 1']);
  await change(-1);
  expect(await nextFullCheck()).toBe('later');
  expect(await restore()).toEqual(['paused process', 'waits', 'start one process: gateway serve --pause-orders']);
  expect([await nextFullCheck(), reported().fullCheckFollows]).toEqual(['now', true]);
  expect(existsSync(anchors)).toBe(false);
  expect(readFileSync(path.join(report, 'audit-anchors-before.jsonl'), 'utf8')).toContain('auditAnchor');
  await expect(serve(backup)).rejects.toThrow('Orders are paused after a restore. Start with --pause-orders');

  const held = await serve(backup, { PAUSE_ORDERS: 'true' });
  expect((await held.call('GET', '/readyz')).body).toEqual({
    status: 'ready',
    detail: 'Orders are paused: reads are served, but no orders are accepted.',
  });
  const rejected = await held.recharge('lost', '9811100002');
  expect([rejected.status, rejected.body.status, rejected.body.code]).toEqual([503, 'error', 'DEPENDENCY_DOWN']);
  expect(rejected.headers.get('retry-after')).toBe('60');
  // known orders are still returned
  const { api_request_id } = keptRecharge.body.data;
  expect((await held.recharge('kept', '9811100001')).body.data).toEqual(keptRecharge.body.data);
  const status = await held.call('GET', `${RECHARGE_STATUS}?api_request_id=${api_request_id}`);
  expect([status.status, status.body.data.api_request_id]).toEqual([200, api_request_id]);

  // statements of the providers in any order, one per run
  await until('the process is registered', async () => (await restore())[0] === 'statements');
  for (const provider of ['MOKSHIQ', 'INSPAY'])
    expect(await restore({ statement: await statementOfProvider(provider) })).toEqual([
      'statements',
      'waits',
      expect.any(String),
    ]);
  expect(await restore({ statement: await statementOfProvider('EKYCHUB') })).toEqual([
    'statements',
    'failed',
    expect.any(String),
  ]);
  expect(await restore({ statement: await statementOfProvider('ROUNDPAY') })).toEqual([
    'resume',
    'waits',
    expect.any(String),
  ]);
  expect(reported().statements.ROUNDPAY).toMatchObject({
    differences: [{ kind: 'order_not_found', order: lost.body.data.api_request_id }],
  });
  for (const file of ['restore.json', 'restore.txt'])
    expect(readFileSync(path.join(report, file), 'utf8')).not.toMatch(/98111000\d\d/);

  // the administrator must confirm the number of explained differences before orders resume
  expect(await restore({ explained: 0 })).toEqual(['resume', 'failed', expect.any(String)]);
  await expect(serve(backup)).rejects.toThrow('Orders are paused');
  // the paused process checks all the books in the meantime
  await until('all the books were checked on the restored server', async () => !(await restoredToInstant()));
  await onBackup(`insert into ledger_full_finding values ('a rule', null, 'something', now())`);
  expect(await restore({ explained: 1 })).toEqual([
    'resume',
    'failed',
    'the full ledger check found violations (1): "gateway doctor" lists them',
  ]);
  await onBackup('delete from ledger_full_finding');
  expect(await restore({ explained: 1 })).toEqual(['resume', 'done', expect.any(String)]);
  await stop(held.app);

  const opened = await serve(backup);
  const repeated = await opened.recharge('lost', '9811100002');
  const { created_at: _first, ...reply } = lost.body.data;
  expect([repeated.status, repeated.body.data]).toEqual([200, expect.objectContaining(reply)]);
  expect(await test.simulator.book()).toHaveLength(2);
  const today = indianDay(new Date());
  const compared = await runProgram('cli/reconcile.js', environment(), [
    '--provider',
    'ROUNDPAY',
    '--statement',
    await writeBook(),
    '--from',
    today,
    '--to',
    today,
    '--json',
  ]);
  expect([compared.code, JSON.parse(compared.stdout).differences]).toEqual([0, []]);
  expect(await opened.app.ledger.check()).toEqual([]);
  expect(await auditProblems(opened.app.pool)).toEqual([]);
  writeFileSync(path.join(report, 'restore.json'), '{');
  expect(() => readState(report, false)).toThrow('is not a report of a restore');
});

it('reports a recovery target of the server until it is reset, which requires no restart', async () => {
  const server = await startOwnPostgres();
  try {
    const db = await server.database();
    await db.query(`alter system set recovery_target_time = '2030-01-01 00:00:00+00'`);
    await server.stopImmediately();
    await server.start();
    const url = server.urlThrough(server.port, db.name);
    const pool = createPool(url, { max: 1 });
    const targets = async (): Promise<string[] | undefined> => {
      const state = readState(temporaryDirectory(), true);
      const config = loadConfig(testEnvironment(url, test.simulator.url, [0, 0, 0]));
      await runSteps({ config, pool, state, directory: temporaryDirectory(), anchorFiles: [] }, () => {});
      return state.steps.database?.details;
    };
    expect(await targets()).toEqual([
      'recovery_target_time is still set: reset it before you create a standby of this server',
    ]);
    await db.query('alter system reset recovery_target_time');
    await db.query('select pg_reload_conf()');
    const waiting = `select from pg_settings where name = 'recovery_target_time' and pending_restart`;
    await until('the server has read its files', async () => (await db.query(waiting)).length === 1);
    expect(await targets()).toEqual([]);
    await pool.end();
  } finally {
    await server.close();
  }
});
