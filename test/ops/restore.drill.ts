import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { Lane } from '../faults/support/lane.js';
import { databasesOn, type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { type BaseBackup, type CopiedServer, serverDirectory, takeBaseBackup } from './support/base-backup.js';
import { print, violationsOf } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';

let archive: string;
let primary: OwnPostgres;
let restored: CopiedServer | undefined;
let lane: Lane;
/** Port of the current server. */
let port: number;
async function open(postgres: Record<string, string>, settings: Record<string, string>): Promise<void> {
  archive = await serverDirectory();
  // a file gets its final name only when it is complete, because a machine may fail during the copy
  const archive_command = `cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`;
  primary = await startOwnPostgres({ archive_mode: 'on', archive_command, ...postgres });
  port = primary.port;
  const databases = databasesOn(() => ({ url: primary.urlThrough(port, 'postgres'), port }));
  const server: OwnPostgres = {
    ...primary,
    get port() {
      return port;
    },
    urlThrough: databases.urlThrough,
    database: databases.database,
    async close() {
      await databases.close();
      await restored?.stop();
      await primary.close();
    },
  };
  lane = await Lane.open({ ownServer: server, accounts: 20, settings });
}
afterEach(() => lane?.close());

const PER_SECOND = 40;
const load = (seconds: number): Promise<Shot[]> =>
  fire({ accounts: lane.accounts, baseUrl: lane.survivor.baseUrl, perSecond: PER_SECOND, seconds });
const successes = (shots: readonly Shot[]): number => shots.filter(({ result }) => result === '200 success').length;

/**
 * Restores from the archived log, to a point in time or to its end. Resolves when the server accepts writes, with the duration in
 * seconds.
 */
async function restore(backup: BaseBackup, instant?: string): Promise<number> {
  const startedAt = performance.now();
  backup.put('recovery.signal', '');
  const server = await backup.start({
    restore_command: `cp ${archive}/%f %p`,
    ...(instant === undefined ? {} : { recovery_target_time: instant, recovery_target_action: 'promote' }),
    archive_mode: 'off',
  });
  await until(
    'it accepts writes',
    async () => (await server.query('select pg_is_in_recovery() as recovering'))[0]!.recovering === false,
    60_000,
  );
  restored = server;
  port = server.port;
  return (performance.now() - startedAt) / 1_000;
}

/** Output of `gateway restore --dry-run` on the restored server. */
async function dryRun(): Promise<string> {
  const args = ['restore', '--report', temporaryDirectory(), '--dry-run'];
  return (await runProgram('cli/gateway.js', lane.survivor.env, args)).stdout;
}

/** Starts one process with paused orders on the restored database. The doctor may only report expected problems. */
async function pauseAndCheck(): Promise<void> {
  const doctor = await runProgram('cli/doctor.js', lane.survivor.env, ['--full', '--json']);
  const { findings } = JSON.parse(doctor.stdout) as { findings: Record<string, { ok: boolean; summary: string }> };
  const found = Object.entries(findings).filter(([, { ok }]) => !ok);
  // the accounts of the drill were created without audit entries, and its servers flush nothing to disk
  const expected = new Set(['audit log', 'explained', 'durability']);
  expect(found.filter(([name]) => !expected.has(name))).toEqual([]);
  lane.survivor.env.PAUSE_ORDERS = 'true';
  await lane.survivor.restart();
}

/** Orders are resumed, and clients retry the lost ones. */
async function resumeAndRetry(lost: readonly Shot[]): Promise<void> {
  await lane.survivor.api.kill();
  delete lane.survivor.env.PAUSE_ORDERS;
  await lane.survivor.restart();
  for (const { recharge } of lost) {
    const response = await lane.survivor.call(restRecharge(recharge));
    expect([response?.status, response?.body.status]).toEqual([200, 'success']);
  }
  await lane.waitUntilSettled();
  expect(await reconcile()).toEqual({ code: 0, missing: [], others: [] });
}

/** Differences between the orders and the current records of the provider. */
async function reconcile(): Promise<{ code: number; missing: string[]; others: unknown[] }> {
  const file = path.join(temporaryDirectory(), 'book.jsonl');
  writeFileSync(file, (await lane.simulator.book()).map((line) => JSON.stringify(line)).join('\n'));
  const today = indianDay(new Date());
  const args = `--provider roundpay --statement ${file} --from ${today} --to ${today} --json`.split(' ');
  const { code, stdout } = await runProgram('cli/reconcile.js', lane.survivor.env, args);
  const { differences } = JSON.parse(stdout) as { differences: { kind: string; theirs: { reference: string } }[] };
  return {
    code,
    missing: differences.filter(({ kind }) => kind === 'order_not_found').map(({ theirs }) => theirs.reference),
    others: differences.filter(({ kind }) => kind !== 'order_not_found'),
  };
}

it('a point-in-time restore from base backup and archived log loses later orders, and processes nothing twice', async () => {
  // disables rechecks, so that only the clients know the outcomes
  await open({}, { RECHECK_AFTER_MS: '0' });
  const first = await load(3);
  const [backup, during] = await Promise.all([takeBaseBackup(primary), load(4)]);
  await lane.waitUntilSettled();
  expect(await lane.db.query('select rule from ledger_check_new()')).toEqual([]);
  const [{ instant }] = (await lane.db.query<{ instant: string }>('select clock_timestamp()::text as instant')) as [
    { instant: string },
  ];
  const later = await load(4);
  await lane.waitUntilSettled();
  const kept = [...first, ...during];
  expect(successes(kept)).toBe(kept.length);
  expect(successes(later)).toBe(later.length);

  // only the backup and the archive are left
  const [{ segment }] = (await lane.db.query<{ segment: string }>(
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )) as [{ segment: string }];
  await until('the log is archived', () => readdirSync(archive).includes(segment), 30_000);
  await Promise.all([lane.victim.api.kill(), lane.survivor.api.kill()]);
  await primary.stopImmediately();

  const restoredInS = await restore(backup, instant);

  // postings since the last check are checked first, followed by all the books
  const plan = await dryRun();
  expect(plan).toMatch(
    /^\.{4} {2}books +restored to a point in time: checking the [\d,]+ entries since the last check first, /m,
  );
  expect(plan).toMatch(/^ok {4}books +no violation since the last check; /m);

  // orders are paused: queries are served, and no order is placed
  await pauseAndCheck();
  expect(await lane.violations()).toEqual([]);
  const storedOrders = await lane.db.query<{ client_key: string }>('select client_key from orders');
  expect(storedOrders.map(({ client_key }) => client_key).toSorted()).toEqual(
    kept.map((shot) => shot.recharge.key).toSorted(),
  );
  const booked = (await lane.simulator.book()).length;
  const [old] = kept;
  const repeated = await lane.survivor.call(restRecharge(old!.recharge));
  expect([repeated?.status, repeated?.body.status]).toEqual([200, 'success']);
  for (const recharge of [later[0]!.recharge, newRecharge(lane.accounts[0]!)]) {
    const rejected = await lane.survivor.call(restRecharge(recharge));
    expect([rejected?.status, rejected?.body.code]).toEqual([503, 'DEPENDENCY_DOWN']);
  }
  expect((await lane.simulator.book()).length).toBe(booked);

  // the statement of the provider lists exactly the lost orders
  const lost = new Set(later.map(({ recharge }) => recharge.mobile));
  const book = await lane.simulator.book();
  const lostReferences = book.filter(({ account }) => lost.has(account)).map(({ reference }) => reference);
  const held = await reconcile();
  expect([held.code, held.others]).toEqual([1, []]);
  expect(held.missing.toSorted()).toEqual(lostReferences.toSorted());
  expect(held.missing).toHaveLength(later.length);

  // orders are resumed: clients retry requests without a response, and nothing is processed twice
  await lane.db.query('select ledger_full_check_now()');
  await resumeAndRetry(later);
  await until(
    'all the books were checked on the restored server',
    async () => !(await lane.db.query<{ restored: boolean }>('select restored_to_instant() as restored'))[0]!.restored,
    60_000,
  );
  expect(await violationsOf(lane, [...kept, ...later])).toEqual([]);
  print(
    `point-in-time restore: ${summary([...kept, ...later])}; restored in ${restoredInS.toFixed(1)} s, ${kept.length} orders kept, ${held.missing.length} lost and listed by reconcile, all restored by retries`,
  );
});

it('a machine with its disk and without a standby fails: all but the last moment is in the archive', async () => {
  await open({ archive_timeout: '3s' }, {});
  const [backup, earlierShots] = await Promise.all([takeBaseBackup(primary), load(4)]);
  let diedAt = 0;
  const [during] = await Promise.all([
    load(14),
    (async () => {
      await sleep(12_000);
      diedAt = Date.now();
      await primary.stopImmediately();
    })(),
  ]);
  const shots = [...earlierShots, ...during];
  await Promise.all([lane.victim.api.kill(), lane.survivor.api.kill()]);

  const restoredInS = await restore(backup);
  const [{ last }] = (await lane.db.query<{ last: Date }>('select max(created_at) as last from orders')) as [
    { last: Date },
  ];
  await pauseAndCheck();
  // orders in progress at the end of the archive are checked
  await lane.waitUntilSettled();
  const storedOrders = await lane.db.query<{ client_key: string }>(
    `select client_key from orders where state = 'success'`,
  );
  const kept = new Set(storedOrders.map(({ client_key }) => client_key));
  const processed = new Set((await lane.simulator.book()).map(({ account }) => account));
  const lost = shots.filter(({ recharge }) => processed.has(recharge.mobile) && !kept.has(recharge.key));
  const held = await reconcile();
  expect([held.missing.length, held.others]).toEqual([lost.length, []]);
  await resumeAndRetry(lost);
  expect(await violationsOf(lane, shots)).toEqual([]);
  print(
    `machine lost with its disk, archive_timeout 3 s, ${PER_SECOND}/s: ${summary(shots)}; the archive ended ${((diedAt - last.getTime()) / 1_000).toFixed(1)} s before, restored in ${restoredInS.toFixed(1)} s, ${lost.length} of ${processed.size} processed orders lost and listed by reconcile, all restored by retries`,
  );
});
