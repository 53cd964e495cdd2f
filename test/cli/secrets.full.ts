import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { COMPILE_CACHE, type Ended, runProgram } from '../support/program.js';
import { asService } from '../support/service-login.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const OLD = keyOf('test-1', 7);
const NEW = keyOf('test-2', 8);
const OTHER = { REFERENCE_SECRET: 'another secret of references' };
const MISMATCH =
  /REFERENCE_SECRET differs from the secret that this database was used with\. Set the secret that the other processes use\./;

type Settings = Record<string, string>;
const owner = (more: Settings = {}): Settings => ({
  ...testEnvironment(db.url, 'http://127.0.0.1:9', [0, 0, 0]),
  ...more,
});
const gateway = (args: string[], env: Settings): Promise<Ended> => runProgram('cli/gateway.js', env, args);
const check = (more: Settings = {}): Promise<Ended> => gateway(['serve', '--check'], asService(owner(more)));

/** Runs a process that serves until `work` has ended. */
async function withServer(more: Settings, args: string[], work: () => Promise<void>): Promise<void> {
  const [uat, production, consolePort] = [await freePort(), await freePort(), await freePort()];
  const ports = { UAT_PORT: `${uat}`, PRODUCTION_PORT: `${production}`, CONSOLE_PORT: `${consolePort}` };
  const served: ChildProcess = fork('dist/main.js', args, {
    env: { ...COMPILE_CACHE, ...asService(owner({ ...more, ...ports })) },
    execArgv: [],
  });
  try {
    await Promise.race([
      once(served, 'message'),
      once(served, 'exit').then(() => Promise.reject(new Error('it exited'))),
    ]);
    await work();
  } finally {
    if (served.exitCode === null) {
      const ended = once(served, 'exit');
      served.kill();
      await ended;
    }
  }
}

it('a process with a different REFERENCE_SECRET does not start beside a running one, and every check reports it', async () => {
  expect(await check()).toMatchObject({ code: 0 });
  expect(await db.query('select from secret_fingerprint')).toEqual([]);
  await withServer({}, [], async () => {
    const [checked, examined, restored, accepted] = await Promise.all([
      check(OTHER),
      gateway(['doctor'], owner(OTHER)),
      gateway(['restore', '--report', temporaryDirectory()], owner(OTHER)),
      gateway(['secrets', 'accept'], owner(OTHER)),
    ]);
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(MISMATCH)]);
    expect([examined.code, examined.stdout]).toEqual([
      1,
      expect.stringMatching(/^FAIL {2}secrets [^]*REFERENCE_SECRET differs/m),
    ]);
    expect([restored.code, restored.stdout]).toEqual([
      1,
      expect.stringMatching(/^FAIL {2}database [^]*REFERENCE_SECRET differs/),
    ]);
    expect([accepted.code, accepted.stderr]).toEqual([1, 'Running processes: 1. Stop every process first.\n']);
    const second = await runProgram('main.js', asService(owner(OTHER)));
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(MISMATCH)]);
    expect(second.stderr).not.toContain(OTHER.REFERENCE_SECRET);
    expect(await check()).toMatchObject({ code: 0 });
  });
});

it('rotates encryption keys: add the new key first, restart, rotate-keys, remove the old one', async () => {
  const both = { ENCRYPTION_KEYS: `${NEW},${OLD}` };
  await withServer(both, [], async () => {});
  const missing = 'lacks key "test-1", which stored values use. Add it after the first key; "gateway rotate-keys" ';
  expect((await check({ ENCRYPTION_KEYS: NEW })).stdout).toContain(missing);
  expect((await check({ ENCRYPTION_KEYS: OLD })).stdout).toContain('lacks key "test-2", which stored values use.');
  expect((await gateway(['rotate-keys'], owner({ ENCRYPTION_KEYS: `${keyOf('test-2', 9)},${OLD}` }))).stderr).toContain(
    'ENCRYPTION_KEYS: key "test-2" differs from the key with this ID that this database was used with.',
  );
  expect(await gateway(['rotate-keys'], owner(both))).toMatchObject({ code: 0, stderr: '' });
  for (const keys of [NEW, both.ENCRYPTION_KEYS])
    expect(await check({ ENCRYPTION_KEYS: keys })).toMatchObject({ code: 0 });
  expect((await check({ ENCRYPTION_KEYS: `${OLD},${NEW}` })).stdout).toContain('Put a key with a new ID in front.');
});

it('only the owner can accept lost secrets, and orders are paused until a restore resumes them', async () => {
  const lost = { ...OTHER, ENCRYPTION_KEYS: keyOf('test-3', 3) };
  const accept = (env: Settings) => gateway(['secrets', 'accept'], env);
  expect(await accept(asService(owner(lost)))).toMatchObject({
    code: 1,
    stderr: 'Set DATABASE_URL to the owner of the tables: only the owner can accept secrets.\n',
  });
  expect(await accept(owner(lost))).toMatchObject({
    code: 0,
    stdout: `Accepted: ENCRYPTION_KEYS key "test-2" (lost), REFERENCE_SECRET.
Orders are paused until "gateway restore --resume-orders". docs/restoring.md has the steps.\n`,
  });
  expect((await accept(owner(lost))).stdout).toMatch(/Nothing was changed\.\n$/);
  const [entry] = await db.query<{ after: object }>(`select after from audit_entry where action = 'secrets.accept'`);
  expect(entry!.after).toEqual({ secrets: ['ENCRYPTION_KEYS key "test-2" (lost)', 'REFERENCE_SECRET'] });

  // the former secret is now the wrong one, and no process places orders
  expect((await check({ ENCRYPTION_KEYS: lost.ENCRYPTION_KEYS })).stdout).toMatch(MISMATCH);
  expect((await check(lost)).stdout).toContain(
    'Orders are paused after "gateway secrets accept". Start with --pause-orders',
  );

  const [report, statements] = [temporaryDirectory(), temporaryDirectory()];
  const empty = path.join(statements, 'empty.jsonl');
  writeFileSync(empty, '');
  const restore = async (...args: string[]): Promise<string> =>
    (await gateway(['restore', '--report', report, ...args], owner(lost))).stdout;
  expect(await restore()).toMatch(/^WAIT {2}paused process /m);
  const today = indianDay(new Date());
  await withServer(lost, ['--pause-orders'], async () => {
    await until('the process is registered', async () => /^WAIT {2}statements /m.test(await restore()));
    for (const provider of ['ROUNDPAY', 'INSPAY', 'MOKSHIQ'])
      await restore('--provider', provider, '--statement', empty, '--from', today, '--to', today);
    expect(await restore('--resume-orders', '--explained', '0')).toMatch(/^ok {4}resume /m);
  });
  expect(await check(lost)).toMatchObject({ code: 0 });
});
