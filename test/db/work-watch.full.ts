import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryConfig, QueryResultRow } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { workers as all, type Worker } from '../../src/core/workers.js';
import { Channel } from '../../src/db/channel.js';
import { createPool } from '../../src/db/pool.js';
import { WorkWatch } from '../../src/db/work-watch.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const log = createLogger('silent');
const SOON_MS = 20;

let db: TestDatabase;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, { max: 2 });
});
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of running.splice(0).toReversed()) await worker.stop();
  await db.query('delete from webhook_outbox');
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

/** Work is due while this table has a row. */
const DUE = 'exists (select from webhook_outbox)';
const workIsDue = (): Promise<unknown> =>
  db.query(`insert into webhook_outbox (developer_id, order_id, event, step, occurred_at)
    values (gen_random_uuid(), gen_random_uuid(), 'succeeded', 1, now())`);

interface Process {
  watch: WorkWatch;
  channel: Channel;
  woken: Record<'mails' | 'orders/X', number>;
}

/** A process that only polls and is woken. Its channel is connected before it polls. */
async function processWith(workers?: ReadonlySet<Worker>, intervalMs?: number): Promise<Process> {
  const process = await processBeforePolling(workers, intervalMs);
  process.watch.start();
  return process;
}

async function processBeforePolling(
  workers: ReadonlySet<Worker> = new Set(all),
  intervalMs = SOON_MS,
): Promise<Process> {
  const woken = { mails: 0, 'orders/X': 0 };
  const channel = new Channel(db.url, log);
  const watch = new WorkWatch(
    { db: pool, channel, log },
    [
      { name: 'orders/X', worker: 'sweeper', due: DUE, wake: () => void woken['orders/X']++ },
      { name: 'emails', worker: 'email', due: DUE, wake: () => void woken.mails++ },
    ],
    { workers, intervalMs },
  );
  channel.start();
  await until('the channel is connected', () => channel.isUp);
  running.push(channel, watch);
  return { watch, channel, woken };
}
const waitUntilLeader = (process: Process): Promise<void> => until('it leads', () => process.watch.isLeader);

it('one process polls for all and wakes the processes that have work', async () => {
  const leader = await processWith(new Set(['email']));
  await waitUntilLeader(leader);
  const sweeper = await processWith(new Set(['sweeper']));
  const idle = await processWith(new Set());
  await workIsDue();
  await until('both are woken', () => leader.woken.mails > 2 && sweeper.woken['orders/X'] > 2);
  expect([leader.woken['orders/X'], sweeper.woken.mails]).toEqual([0, 0]);
  expect(idle.woken).toEqual({ mails: 0, 'orders/X': 0 });
  expect([sweeper.watch.isLeader, idle.watch.isLeader]).toEqual([false, false]);
});

it('no process is woken while no work is due', async () => {
  const leader = await processWith();
  await waitUntilLeader(leader);
  expect(leader.woken).toEqual({ mails: 0, 'orders/X': 0 });
});

it('additional idle processes cause few additional statements', async () => {
  const processes = [];
  for (let n = 0; n < 5; n++) processes.push(await processWith(new Set(all), 1_000));
  await waitUntilLeader(processes[0]!);
  const spies = processes.map(({ channel }) => vi.spyOn(channel, 'query'));
  const from = performance.now();
  await sleep(3_000);
  const seconds = Math.ceil((performance.now() - from) / 1_000);
  const statements = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  // the polls of the leader, and one of each other process, which pause for at least eight seconds (the first for three)
  expect(statements).toBeLessThanOrEqual(seconds + 5);
  expect(statements).toBeGreaterThan(0);
});

// a process that is not the leader would poll only after at least three seconds
const IMMEDIATE_MS = 2_500;

it('the lead passes to another process immediately when its process stops', async () => {
  const first = await processWith();
  await waitUntilLeader(first);
  const second = await processWith();
  await first.watch.stop();
  await until('the second leads', () => second.watch.isLeader, IMMEDIATE_MS);
});

it('the lead passes immediately to a process that just found it taken', async () => {
  const first = await processWith();
  await waitUntilLeader(first);
  const second = await processBeforePolling();
  const originalQuery = second.channel.query.bind(second.channel);
  let stopped = false;
  vi.spyOn(second.channel, 'query').mockImplementation(async <Row extends QueryResultRow>(statement: QueryConfig) => {
    const rows = await originalQuery<Row>(statement);
    if (rows[0]?.leads !== false || stopped) return rows;
    await first.watch.stop();
    // ensures that its last notification has arrived
    for (const { channel } of [first, second]) await channel.query({ text: 'select 1' });
    stopped = true;
    return rows;
  });
  second.watch.start();
  await until('it polls', () => stopped);
  await until('the second leads', () => second.watch.isLeader, IMMEDIATE_MS);
});

it('the lead passes within seconds when its connection is lost, and never to two processes', async () => {
  const first = await processWith();
  await waitUntilLeader(first);
  const second = await processWith();
  await db.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and
      database = (select oid from pg_database where datname = current_database())`,
  );
  await until('one leads again', () => second.watch.isLeader || first.channel.isUp);
  await workIsDue();
  await until('both receive work', () => first.woken.mails > 0 && second.woken.mails > 0);
  await until('one leads', () => first.watch.isLeader !== second.watch.isLeader);
});

it('a leader that stops polling delays work by at most a few seconds', async () => {
  const stuckLeader = await processWith(new Set(all), 3_600_000);
  await waitUntilLeader(stuckLeader);
  const second = await processWith();
  await workIsDue();
  await until('the other process finds it by polling', () => second.woken.mails > 0);
  expect(second.watch.isLeader).toBe(false);
});

it('a process without a channel polls by itself', async () => {
  const leader = await processWith(new Set(all), 3_600_000);
  await waitUntilLeader(leader);
  let woken = 0;
  const withoutChannel = new WorkWatch(
    { db: pool, log },
    [{ name: 'emails', worker: 'email', due: DUE, wake: () => void woken++ }],
    { workers: new Set(all), intervalMs: SOON_MS },
  );
  running.push(withoutChannel);
  withoutChannel.start();
  await workIsDue();
  await until('it is woken', () => woken > 0);
});
