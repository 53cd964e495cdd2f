import { afterAll, beforeAll, expect } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import type { Tracing } from '../../src/core/scope.js';
import { startTestApp, type TestApp, type TestSettings } from './app.js';

type Settings = Readonly<Record<string, string>>;

/** Applications of this worker by their settings: that of the usual ones, and the latest other one. They end with its process. */
const running = new Map<string, TestApp>();
const USUAL = '{}';

/**
 * The worker's application with these settings, for the tests of one file: its simulator is reset, its database holds what earlier
 * files left. For files that make their own developers, count nothing but what is theirs, and break nothing: a provider that fails
 * twenty times in ten seconds is not asked by the next file.
 */
export function useSharedApp(settings: Settings = {}): TestApp {
  const key = JSON.stringify(Object.fromEntries(Object.entries(settings).toSorted()));
  return use(async () => {
    const test = running.get(key) ?? (await startOnly(key, settings));
    await test.simulator.reset();
    // all files come from one address, which has a hundred failed attempts
    await test.db.query(`delete from rate_limit where key not like 'rate:%'`);
    return test;
  }, leaveTo(key));
}

/** Starts one; of the others only that of the usual settings goes on, for each looks for work several times a second. */
async function startOnly(key: string, settings: Settings): Promise<TestApp> {
  for (const [other, test] of running) {
    if (other === USUAL || key === USUAL) continue;
    running.delete(other);
    await test.close();
  }
  const test = await startTestApp({ ...settings });
  running.set(key, test);
  return test;
}

/** An application that no other file uses, with settings of its own: for files that break something, or read its log. */
export function useOwnApp(
  settings: TestSettings = {},
  log?: Logger,
  startTracing: () => Promise<Tracing | undefined> = async () => undefined,
): TestApp {
  return use(
    async () => startTestApp(settings, log, await startTracing()),
    (test) => test.close(),
  );
}

/**
 * What is returned is filled before the first test, and before the file's own hooks. In the end the books are right, for the check
 * of what is new as for that of everything.
 */
function use(start: () => Promise<TestApp>, end: (test: TestApp) => Promise<void>): TestApp {
  const test = {} as TestApp;
  beforeAll(async () => void Object.assign(test, await start()));
  afterAll(async () => {
    try {
      expect(await test.app.ledger.checkNew()).toEqual([]);
      expect(await test.app.ledger.check()).toEqual([]);
    } finally {
      await end(test);
    }
  });
  return test;
}

/**
 * Nothing is left to do that would call the simulator while the next file counts: payments whose outcome is not known go to manual
 * review. Where another call is still open, the next file gets another application.
 */
const leaveTo = (key: string) => async (test: TestApp) => {
  await test.db.query(
    `select order_unknown(developer_id, id, null, 0, true, false, false, null, null, null) from orders
      where state = 'open' and operation in ('recharge', 'card_payment')`,
  );
  const open = await test.db.query(`select from orders where state not in ('success', 'failed', 'review') limit 1`);
  if (open.length === 0) return;
  const left = running.get(key);
  running.delete(key);
  await left?.close();
};
