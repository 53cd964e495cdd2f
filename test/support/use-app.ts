import { afterAll, beforeAll, expect } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import type { Tracing } from '../../src/core/scope.js';
import { startTestApp, type TestApp, type TestSettings } from './app.js';

/** One for all files of a worker; it ends with the worker's process. */
let shared: TestApp | undefined;

/**
 * The worker's application, for the tests of one file: its simulator is as new, its database holds what earlier files left. For
 * files that make their own developers, count nothing but what is theirs, and break nothing: a provider that fails twenty times in
 * ten seconds is not asked by the next file.
 */
export function useSharedApp(): TestApp {
  return use(async () => {
    shared ??= await startTestApp();
    await shared.simulator.reset();
    // all files come from one address, which has a hundred failed attempts
    await shared.db.query(`delete from rate_limit where key not like 'rate:%'`);
    return shared;
  }, leave);
}

/** An application that no other file uses, with settings of its own. */
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

/** An application with work left would call the simulator while the next file counts: that one starts another. */
async function leave(test: TestApp): Promise<void> {
  const open = await test.db.query(`select from orders where state not in ('success', 'failed', 'review') limit 1`);
  if (open.length === 0) return;
  await shared?.close();
  shared = undefined;
}
