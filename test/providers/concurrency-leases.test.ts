import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { Channel } from '../../src/db/channel.js';
import { createPool, type Queryable } from '../../src/db/pool.js';
import { ConcurrencyLeases, type LeaseOptions } from '../../src/providers/concurrency-leases.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const log = createLogger('silent');
const NEVER = new Promise<void>(() => {});
const options: LeaseOptions = {
  limits: new Map([['ROUNDPAY', 10]]),
  callMs: 300,
  renewMs: 100,
  usableMs: 2_000,
  patienceMs: 10_000,
};

let db: TestDatabase;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, { max: 4 });
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const running: ConcurrencyLeases[] = [];
const channels: Channel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((leases) => leases.stop()));
  await Promise.all(channels.splice(0).map((channel) => channel.stop()));
  await db.query('delete from provider_permit');
});

/** A process with its leases and a database connection that can fail. */
function processWith(more: Partial<LeaseOptions> = {}) {
  let isUnavailable = false;
  const reachable: Queryable = {
    query: (statement) => (isUnavailable ? Promise.reject(new Error('away')) : pool.query(statement)),
  };
  const channel = new Channel(db.url, log);
  channels.push(channel);
  channel.start();
  const leases = new ConcurrencyLeases({ db: reachable, channel, log }, { ...options, ...more });
  running.push(leases);
  return {
    leases,
    semaphore: leases.of('ROUNDPAY')!,
    isAway: (is: boolean) => {
      isUnavailable = is;
    },
  };
}
type Process = ReturnType<typeof processWith>;

/** Continuously verifies that the calls of all processes together stay within the limit. */
function watchLimit(processes: readonly Process[], limit: number): { worst(): number } {
  let worst = 0;
  const timer = setInterval(() => {
    const all = processes.map(({ semaphore }) => Math.max(semaphore.limit, semaphore.inUse));
    worst = Math.max(
      worst,
      all.reduce((sum, inUse) => sum + inUse, 0),
    );
  }, 1).unref();
  return {
    worst: () => {
      clearInterval(timer);
      expect(worst).toBeLessThanOrEqual(limit);
      return worst;
    },
  };
}
const limitsOf = (processes: readonly Process[]): number[] =>
  processes.map(({ semaphore }) => semaphore.limit).toSorted((a, b) => a - b);

it('processes share the limit in any order of starting and stopping', async () => {
  const processes = [processWith(), processWith(), processWith()] as const;
  const { worst } = watchLimit(processes, 10);
  await processes[0].leases.start();
  expect(processes[0].semaphore.limit).toBe(10);
  await processes[1].leases.start();
  await until('two processes have half each', () => limitsOf(processes).join() === '0,5,5');
  await processes[2].leases.start();
  await until('three processes share the limit', () => limitsOf(processes).join() === '3,3,4');
  await processes[0].leases.stop();
  await until('the permits of the stopped process are taken over', () => {
    const [, second, third] = processes;
    return second.semaphore.limit === 5 && third.semaphore.limit === 5;
  });
  expect(worst()).toBeGreaterThan(0);
});

it('a new process waits for calls in progress', async () => {
  const [first, second] = [processWith(), processWith({ patienceMs: 50 })];
  await first.leases.start();
  const calls = await Promise.all(Array.from({ length: 10 }, () => first.semaphore.take(NEVER)));
  const { worst } = watchLimit([first, second], 10);
  await second.leases.start();
  await until('the first process has reduced its limit to its share', () => first.semaphore.limit === 5);
  expect([first.semaphore.inUse, second.semaphore.limit, second.semaphore.isFree]).toEqual([10, 0, false]);
  for (const release of calls.slice(0, 7)) release!();
  await until('the second process has its share', () => second.semaphore.limit === 5);
  expect(worst()).toBe(10);
  // the first process does not exceed its share afterwards
  let permitCount = 0;
  for (let n = 0; n < 5; n++) void first.semaphore.take(NEVER).then(() => permitCount++);
  await sleep(1);
  expect([first.semaphore.inUse, permitCount]).toEqual([5, 2]);
});

it('a process that cannot renew its lease starts no calls, and others take over its permits after its calls have ended', async () => {
  const [lost, other] = [processWith({ usableMs: 600 }), processWith({ usableMs: 600 })];
  await lost.leases.start();
  await other.leases.start();
  await until('both have half', () => limitsOf([lost, other]).join() === '5,5');
  lost.isAway(true);
  const lostAt = performance.now();
  await until('the process cannot start calls', () => lost.semaphore.limit === 0);
  expect(lost.semaphore.isFree).toBe(false);
  const pendingPermit = lost.semaphore.take(NEVER);
  await until('the other process has all permits', () => other.semaphore.limit === 10);
  // the time in which calls can start, the call timeout, and a margin for clocks
  expect(performance.now() - lostAt).toBeGreaterThan(600 + 300);
  lost.isAway(false);
  const release = await pendingPermit;
  await until('both have half again', () => limitsOf([lost, other]).join() === '5,5');
  release!();
});

it('waiting calls are served in order, and a cancelled one takes no permit', async () => {
  const { leases, semaphore } = processWith({ limits: new Map([['ROUNDPAY', 1]]) });
  await leases.start();
  const first = await semaphore.take(NEVER);
  const served: string[] = [];
  const cancelled = semaphore.take(Promise.resolve());
  const [second, third] = ['second', 'third'].map((name) =>
    semaphore.take(NEVER).then((release) => {
      served.push(name);
      return release;
    }),
  );
  expect(await cancelled).toBeUndefined();
  first!();
  first!(); // releasing twice has no further effect
  (await second)!();
  (await third)!();
  expect([served, semaphore.inUse]).toEqual([['second', 'third'], 0]);
});

it('a limit below the number of processes leaves some without a permit, and they log a warning', async () => {
  const lines: string[] = [];
  const warningLog = createLogger('warn', { write: (line: string) => void lines.push(line) });
  const limits = new Map([['ROUNDPAY', 1]]);
  const first = processWith({ limits });
  await first.leases.start();
  const second = new ConcurrencyLeases({ db: pool, log: warningLog }, { ...options, limits });
  running.push(second);
  await second.start();
  expect(second.of('ROUNDPAY')!.isFree).toBe(false);
  expect(lines.join()).toContain('this process has no permit for this provider');
});

it('no limit means no query and no restriction', async () => {
  const queries: unknown[] = [];
  const recorder = { query: (statement: unknown) => Promise.reject(new Error(String(queries.push(statement)))) };
  const leases = new ConcurrencyLeases({ db: recorder as Queryable, log }, { ...options, limits: new Map() });
  await leases.start();
  await leases.stop();
  expect([queries, leases.of('ROUNDPAY')]).toEqual([[], undefined]);
});
