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

/** One process: what it may have under way, and a database that can be away from it. */
function processWith(more: Partial<LeaseOptions> = {}) {
  let away = false;
  const reachable: Queryable = {
    query: (statement) => (away ? Promise.reject(new Error('away')) : pool.query(statement)),
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
      away = is;
    },
  };
}
type Process = ReturnType<typeof processWith>;

/** Looks all the time whether the processes together may have more under way than the limit. */
function watching(processes: readonly Process[], limit: number): { worst(): number } {
  let worst = 0;
  const timer = setInterval(() => {
    const all = processes.map(({ semaphore }) => Math.max(semaphore.limit, semaphore.inUse));
    worst = Math.max(
      worst,
      all.reduce((sum, one) => sum + one, 0),
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

it('processes share the limit, whatever the order in which they come and go', async () => {
  const processes = [processWith(), processWith(), processWith()] as const;
  const { worst } = watching(processes, 10);
  await processes[0].leases.start();
  expect(processes[0].semaphore.limit).toBe(10);
  await processes[1].leases.start();
  await until('two have half each', () => limitsOf(processes).join() === '0,5,5');
  await processes[2].leases.start();
  await until('three have a third each, and one the rest', () => limitsOf(processes).join() === '3,3,4');
  await processes[0].leases.stop();
  await until('the places of one that left are taken over', () => {
    const [, second, third] = processes;
    return second.semaphore.limit === 5 && third.semaphore.limit === 5;
  });
  expect(worst()).toBeGreaterThan(0);
});

it('a process that comes later waits for the calls that are under way', async () => {
  const [first, second] = [processWith(), processWith({ patienceMs: 50 })];
  await first.leases.start();
  const calls = await Promise.all(Array.from({ length: 10 }, () => first.semaphore.take(NEVER)));
  const { worst } = watching([first, second], 10);
  await second.leases.start();
  await until('the first has come down to its share', () => first.semaphore.limit === 5);
  expect([first.semaphore.inUse, second.semaphore.limit, second.semaphore.isFree]).toEqual([10, 0, false]);
  for (const release of calls.slice(0, 7)) release!();
  await until('the second has its share', () => second.semaphore.limit === 5);
  expect(worst()).toBe(10);
  // and what the first has is not more than its share
  let taken = 0;
  for (let n = 0; n < 5; n++) void first.semaphore.take(NEVER).then(() => taken++);
  await sleep(1);
  expect([first.semaphore.inUse, taken]).toEqual([5, 2]);
});

it('a process that cannot renew its lease begins nothing more, and others have its places when its calls have ended', async () => {
  const [lost, other] = [processWith({ usableMs: 600 }), processWith({ usableMs: 600 })];
  await lost.leases.start();
  await other.leases.start();
  await until('both have half', () => limitsOf([lost, other]).join() === '5,5');
  lost.isAway(true);
  const lostAt = performance.now();
  await until('it may begin nothing', () => lost.semaphore.limit === 0);
  expect(lost.semaphore.isFree).toBe(false);
  const begun = lost.semaphore.take(NEVER);
  await until('the other has all', () => other.semaphore.limit === 10);
  // beginning of calls, their time, and what is added for clocks
  expect(performance.now() - lostAt).toBeGreaterThan(600 + 300);
  lost.isAway(false);
  const release = await begun;
  await until('both have half again', () => limitsOf([lost, other]).join() === '5,5');
  release!();
});

it('those who wait are served in the order of asking, and one that gave up takes no place', async () => {
  const { leases, semaphore } = processWith({ limits: new Map([['ROUNDPAY', 1]]) });
  await leases.start();
  const first = await semaphore.take(NEVER);
  const served: string[] = [];
  const gaveUp = semaphore.take(Promise.resolve());
  const [second, third] = ['second', 'third'].map((name) =>
    semaphore.take(NEVER).then((release) => {
      served.push(name);
      return release;
    }),
  );
  expect(await gaveUp).toBeUndefined();
  first!();
  first!(); // twice is once
  (await second)!();
  (await third)!();
  expect([served, semaphore.inUse]).toEqual([['second', 'third'], 0]);
});

it('a limit that is below the number of processes leaves some without a place, who say so', async () => {
  const lines: string[] = [];
  const noted = createLogger('warn', { write: (line: string) => void lines.push(line) });
  const one = new Map([['ROUNDPAY', 1]]);
  const first = processWith({ limits: one });
  await first.leases.start();
  const second = new ConcurrencyLeases({ db: pool, log: noted }, { ...options, limits: one });
  running.push(second);
  await second.start();
  expect(second.of('ROUNDPAY')!.isFree).toBe(false);
  expect(lines.join()).toContain('this process has no permit for this provider');
});

it('asks nothing and limits nothing where no limit is set', async () => {
  const asked: unknown[] = [];
  const noting = { query: (statement: unknown) => Promise.reject(new Error(String(asked.push(statement)))) };
  const leases = new ConcurrencyLeases({ db: noting as Queryable, log }, { ...options, limits: new Map() });
  await leases.start();
  await leases.stop();
  expect([asked, leases.of('ROUNDPAY')]).toEqual([[], undefined]);
});
