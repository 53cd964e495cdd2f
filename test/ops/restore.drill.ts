import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indianTime } from '../../src/core/clock.js';
import { Lane } from '../faults/support/lane.js';
import { databasesOn, type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { type BaseBackup, type CopiedServer, serverDirectory, takeBaseBackup } from './support/base-backup.js';
import { judge, say } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';

let archive: string;
let primary: OwnPostgres;
let restored: CopiedServer | undefined;
let lane: Lane;
/** What the address of the database leads to. */
let port: number;
beforeAll(async () => {
  archive = await serverDirectory();
  primary = await startOwnPostgres({ archive_mode: 'on', archive_command: `cp %p ${archive}/%f` });
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
  // nobody asks by himself meanwhile: what is known is what the clients heard
  lane = await Lane.open({ ownServer: server, accounts: 20, settings: { RECHECK_AFTER_MS: '0' } });
});
afterAll(() => lane?.close());

const PER_SECOND = 40;
const load = (seconds: number): Promise<Shot[]> =>
  fire({ accounts: lane.accounts, baseUrl: lane.survivor.baseUrl, perSecond: PER_SECOND, seconds });
const successes = (shots: readonly Shot[]): number => shots.filter(({ heard }) => heard === '200 success').length;

/** Restores to an instant by the archived log; resolves when the server takes writes. */
async function restoreTo(backup: BaseBackup, instant: string): Promise<CopiedServer> {
  backup.put('recovery.signal', '');
  const server = await backup.start({
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: instant,
    recovery_target_action: 'promote',
    archive_mode: 'off',
  });
  await until(
    'it takes writes',
    async () => (await server.query('select pg_is_in_recovery() as recovering'))[0]!.recovering === false,
    60_000,
  );
  return server;
}

/** What `reconcile` says of the provider's book of today. */
async function reconcile(): Promise<{ code: number; missing: string[]; others: unknown[] }> {
  const file = path.join(temporaryDirectory(), 'book.jsonl');
  writeFileSync(file, (await lane.simulator.book()).map((line) => JSON.stringify(line)).join('\n'));
  const today = indianTime(new Date()).slice(0, 10);
  const args = `--provider roundpay --statement ${file} --from ${today} --to ${today} --json`.split(' ');
  const { code, stdout } = await runProgram('cli/reconcile.js', lane.survivor.env, args);
  const { differences } = JSON.parse(stdout) as { differences: { kind: string; theirs: { reference: string } }[] };
  return {
    code,
    missing: differences.filter(({ kind }) => kind === 'missing_at_ours').map(({ theirs }) => theirs.reference),
    others: differences.filter(({ kind }) => kind !== 'missing_at_ours'),
  };
}

it('a restore to an instant, by base backup and archived log, loses what came later and performs nothing twice', async () => {
  const first = await load(3);
  const [backup, during] = await Promise.all([takeBaseBackup(primary), load(4)]);
  await lane.settled();
  const [{ instant }] = (await lane.db.query<{ instant: string }>('select clock_timestamp()::text as instant')) as [
    { instant: string },
  ];
  const later = await load(4);
  await lane.settled();
  const kept = [...first, ...during];
  expect(successes(kept)).toBe(kept.length);
  expect(successes(later)).toBe(later.length);

  // everything is lost but the backup and the archive
  const [{ segment }] = (await lane.db.query<{ segment: string }>(
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )) as [{ segment: string }];
  await until('the log is archived', () => readdirSync(archive).includes(segment), 30_000);
  await Promise.all([lane.victim.api.kill(), lane.survivor.api.kill()]);
  await primary.stopImmediately();

  const begun = performance.now();
  restored = await restoreTo(backup, instant);
  port = restored.port;
  const restoredInS = (performance.now() - begun) / 1_000;

  // on hold: questions are answered, nothing is placed
  lane.survivor.env.HOLD_ORDERS = 'true';
  await lane.survivor.restart();
  const doctor = await runProgram('cli/doctor.js', lane.survivor.env, ['--full', '--json']);
  const { findings } = JSON.parse(doctor.stdout) as { findings: Record<string, { ok: boolean; summary: string }> };
  const found = Object.entries(findings).filter(([, { ok }]) => !ok);
  expect(found.map(([name]) => name).filter((name) => name !== 'audit trail')).toEqual([]);
  expect(await lane.violations()).toEqual([]);
  const known = await lane.db.query<{ client_key: string }>('select client_key from orders');
  expect(known.map(({ client_key }) => client_key).toSorted()).toEqual(
    kept.map((shot) => shot.recharge.key).toSorted(),
  );
  const booked = (await lane.simulator.book()).length;
  const [old] = kept;
  const repeated = await lane.survivor.call(restRecharge(old!.recharge));
  expect([repeated?.status, repeated?.body.status]).toEqual([200, 'success']);
  for (const recharge of [later[0]!.recharge, newRecharge(lane.accounts[0]!)]) {
    const refused = await lane.survivor.call(restRecharge(recharge));
    expect([refused?.status, refused?.body.code]).toEqual([503, 'DEPENDENCY_DOWN']);
  }
  expect((await lane.simulator.book()).length).toBe(booked);

  // the provider's statement names exactly what was lost
  const lost = new Set(later.map(({ recharge }) => recharge.mobile));
  const book = await lane.simulator.book();
  const lostReferences = book.filter(({ account }) => lost.has(account)).map(({ reference }) => reference);
  const held = await reconcile();
  expect([held.code, held.others]).toEqual([1, []]);
  expect(held.missing.toSorted()).toEqual(lostReferences.toSorted());
  expect(held.missing).toHaveLength(later.length);

  // open again: clients repeat what they have no answer for, and nothing is performed twice
  await lane.survivor.api.kill();
  delete lane.survivor.env.HOLD_ORDERS;
  await lane.survivor.restart();
  for (const { recharge } of later) {
    const again = await lane.survivor.call(restRecharge(recharge));
    expect([again?.status, again?.body.status]).toEqual([200, 'success']);
  }
  await lane.settled();
  expect(await reconcile()).toEqual({ code: 0, missing: [], others: [] });
  expect(await judge(lane, [...kept, ...later])).toEqual([]);
  say(
    `restore to an instant: ${summary([...kept, ...later])}; restored in ${restoredInS.toFixed(1)} s, ${kept.length} orders kept, ${held.missing.length} lost and named by reconcile, all brought back by their keys`,
  );
});
