import { afterAll, beforeAll, expect } from 'vitest';
import { createLogger, type Logger } from '../../src/core/log.js';
import type { Tracing } from '../../src/core/scope.js';
import { ProviderBreaker } from '../../src/providers/undici-http-client.js';
import { startTestApp, type TestApp, type TestSettings } from './app.js';

type Settings = Readonly<Record<string, string>>;

/**
 * Applications of this worker by their settings: the one with the usual settings, and the latest other one. They end with the
 * process of the worker.
 */
const running = new Map<string, TestApp>();
const USUAL = '{}';

/** Receives each line of a log, as written. */
export type TakesLine = (line: string) => unknown;
/** Handler of the current file; applications of this worker log to it. */
let takesLine: TakesLine = () => {};
const sharedLog = createLogger('info', { write: (line) => takesLine(line) });

/**
 * The shared application of this worker with these settings, for the tests of one file. Its simulator is reset, and its database
 * contains data of earlier files. For files that create their own developers and only count their own data. @param takes receives
 * the log, from level info on
 */
export function useSharedApp(settings: Settings = {}, takes: TakesLine = () => {}): TestApp {
  const key = JSON.stringify(Object.fromEntries(Object.entries(settings).toSorted()));
  return use(async () => {
    const test = running.get(key) ?? (await startOnly(key, settings));
    await test.simulator.reset();
    takesLine = takes;
    // all files use one address, which is limited to a hundred failed attempts
    await test.db.query(`delete from rate_limit where key not like 'rate:%'`);
    return test;
  }, leaveTo(key));
}

/**
 * Starts an application. Of all others only the one with the usual settings keeps running, because each polls for work several
 * times a second.
 */
async function startOnly(key: string, settings: Settings): Promise<TestApp> {
  for (const [other, test] of running) {
    if (other === USUAL || key === USUAL) continue;
    running.delete(other);
    await test.close();
  }
  const test = await startTestApp({ ...settings }, sharedLog);
  running.set(key, test);
  return test;
}

/** An application with separate settings that no other file uses, for files that break something or read its log. */
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
 * The returned object is filled before the first test and before the hooks of the file. At the end the books are checked, both
 * new and complete.
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
 * Circuit breakers of this worker with failures in their window. It is longer than most files, so the failures would affect the
 * next file.
 */
const breakers = new Set<ProviderBreaker>();
const { failure } = ProviderBreaker.prototype;
ProviderBreaker.prototype.failure = function (state) {
  breakers.add(this);
  return failure.call(this, state);
};

const OPEN_BREAKER = /^gateway_provider_breaker_open\{.*\} [^0]/m;

/**
 * Prevents calls to the simulator while the next file counts them: payments with unknown outcomes go to manual review, without
 * further status checks. If another call or a circuit breaker is open, the next file gets another application.
 */
const leaveTo = (key: string) => async (test: TestApp) => {
  takesLine = () => {};
  for (const breaker of breakers) {
    breaker.state = [];
    breaker.timeouts.clear();
  }
  breakers.clear();
  await test.db.query(
    `select order_unknown(developer_id, id, null, 0, true, false, false, null, null, null) from orders
      where state = 'open' and operation in ('recharge', 'card_payment')`,
  );
  // two admins of this file had second factors, but the next file has other admins
  await test.db.query(`delete from setting where name = 'two_admins_since'`);
  await test.db.query(`update order_due set due_at = now() + interval '1 day'`);
  const open = await test.db.query(`select from orders where state not in ('success', 'failed', 'review') limit 1`);
  if (open.length === 0 && !OPEN_BREAKER.test(await test.app.metrics.text())) return;
  const left = running.get(key);
  running.delete(key);
  await left?.close();
};
