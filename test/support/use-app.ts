import { afterAll, beforeAll, expect } from 'vitest';
import { createLogger, type Logger } from '../../src/core/log.js';
import type { Tracing } from '../../src/core/scope.js';
import { ProviderBreaker } from '../../src/providers/undici-http-client.js';
import { startTestApp, type TestApp, type TestSettings } from './app.js';

type Settings = Readonly<Record<string, string>>;

/** Applications of this worker by their settings: that of the usual ones, and the latest other one. They end with its process. */
const running = new Map<string, TestApp>();
const USUAL = '{}';

/** Takes each line of a log, as it was written. */
export type TakesLine = (line: string) => unknown;
/** Of the file that runs: applications of this worker log to it. */
let takesLine: TakesLine = () => {};
const sharedLog = createLogger('info', { write: (line) => takesLine(line) });

/**
 * The worker's application with these settings, for the tests of one file: its simulator is reset, its database holds what earlier
 * files left. For files that make their own developers, and count nothing but what is theirs.
 *
 * @param takes what it logs, from level info on
 */
export function useSharedApp(settings: Settings = {}, takes: TakesLine = () => {}): TestApp {
  const key = JSON.stringify(Object.fromEntries(Object.entries(settings).toSorted()));
  return use(async () => {
    const test = running.get(key) ?? (await startOnly(key, settings));
    await test.simulator.reset();
    takesLine = takes;
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
  const test = await startTestApp({ ...settings }, sharedLog);
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

/** Of this worker, with failures in their window. It is longer than most files take: the next file would meet them. */
const breakers = new Set<ProviderBreaker>();
const { failure } = ProviderBreaker.prototype;
ProviderBreaker.prototype.failure = function (state) {
  breakers.add(this);
  return failure.call(this, state);
};

const OPEN_BREAKER = /^gateway_provider_breaker_open\{.*\} [^0]/m;

/**
 * Nothing is left to do that would call the simulator while the next file counts: payments whose outcome is not known go to manual
 * review, and no provider is asked about one again. Where another call is still open, or the breaker of a provider, the next file
 * gets another application.
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
  // two admins of a file had second factors: the next file has others
  await test.db.query(`delete from setting where name = 'two_admins_since'`);
  await test.db.query(`update order_due set due_at = now() + interval '1 day'`);
  const open = await test.db.query(`select from orders where state not in ('success', 'failed', 'review') limit 1`);
  if (open.length === 0 && !OPEN_BREAKER.test(await test.app.metrics.text())) return;
  const left = running.get(key);
  running.delete(key);
  await left?.close();
};
