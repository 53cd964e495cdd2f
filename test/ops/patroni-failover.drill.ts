import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../counters/redis.fixture.js';
import { Lane } from '../faults/support/lane.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import { SERVICE } from '../support/service-login.js';
import { until } from '../support/until.js';
import { Balancer } from './support/balancer.js';
import { print, violationsOf } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';
import { PatroniCluster } from './support/patroni.js';
import { type PgBouncer, pooledLogin, startPgBouncer } from './support/pgbouncer.js';
import { missingPrograms } from './tools.fixture.js';

const programs = ['patroni', 'etcd', 'haproxy', 'pgbouncer', 'redis-server', '/usr/lib/postgresql/15/bin/postgres'];
const isAvailable = missingPrograms('failover with Patroni', ...programs).length === 0;

const SETTLE_MS = 300_000;
/** Share of the capacity that the machine has beside all other work. */
const SHARE = 0.3;

let cluster: PatroniCluster;
let pooler: PgBouncer;
let redis: RedisServer | undefined;
let lane: Lane;
let balancer: Balancer;
let perSecond: number;

beforeAll(async () => {
  if (!isAvailable) return;
  cluster = await PatroniCluster.start();
  redis = await startRedis();
  let name = '';
  const behind = {
    get port() {
      return pooler.port;
    },
    urlThrough: (port: number, database: string) => Object.assign(new URL(cluster.url(database)), { port }).href,
    async database() {
      const db = await cluster.database();
      name = db.name;
      await db.query(pooledLogin(name));
      pooler = await startPgBouncer({
        serverPort: cluster.port,
        user: SERVICE.username,
        password: SERVICE.password,
        poolSize: 12,
        include: 'ops/patroni/pgbouncer.ini',
      });
      return db;
    },
    async close() {
      await pooler.stop();
      await cluster.close();
    },
  };
  lane = await Lane.open({
    postgres: behind,
    accounts: 20,
    settings: {
      PROVIDER_TIMEOUT_MS: '5000',
      SYNC_WINDOW_MS: '8000',
      LEASE_MARGIN_MS: '3000',
      VISIBILITY_DELAY_MS: '10s',
      DATABASE_STARTUP_OPTIONS: 'false',
      REDIS_URL: redis.url,
      get DATABASE_LISTEN_URL() {
        return Object.assign(new URL(cluster.url(name)), SERVICE).href;
      },
    },
  });
  balancer = await Balancer.open([lane.victim.baseUrl, lane.survivor.baseUrl]);
  perSecond = await rateOfMachine();
}, 900_000);
afterAll(async () => {
  if (!isAvailable) return;
  balancer?.close();
  await lane?.close();
  await redis?.stop();
});

/** Recharges per second with four clients, each of which waits for its response. */
async function rateOfMachine(): Promise<number> {
  const startedAt = performance.now();
  const each = 25;
  await Promise.all(
    [lane.victim, lane.survivor, lane.victim, lane.survivor].map(async (station, client) => {
      for (let n = 0; n < each; n++) {
        const response = await station.call(restRecharge(newRecharge(lane.accounts[(4 * n + client) % 20]!)));
        expect(response?.body.status).toBe('success');
      }
    }),
  );
  const rate = (4 * each * 1_000) / (performance.now() - startedAt);
  const used = Math.min(50, Math.max(2, Math.floor(rate * SHARE)));
  print(`this machine has ${Math.round(rate)} recharges/s of free capacity: ${used}/s are sent`);
  return used;
}

interface Loaded {
  shots: Shot[];
  /** The longest time between two successful responses. */
  silentS: number;
}

/** Sends recharges at a steady rate until the incident ends. */
async function underLoad(incident: () => Promise<void>): Promise<Loaded> {
  let isOver = false;
  const ended = incident().finally(() => (isOver = true));
  const rounds: Promise<{ shots: Shot[]; at: number[] }>[] = [];
  const round = async (): Promise<{ shots: Shot[]; at: number[] }> => {
    const startedAt = performance.now();
    const shots = await fire({ accounts: lane.accounts, baseUrl: balancer.url, perSecond, seconds: 1 });
    const at = shots.flatMap(({ result, elapsedMs }, n) =>
      result === '200 success' ? startedAt + (n * 1_000) / perSecond + elapsedMs : [],
    );
    return { shots, at };
  };
  while (!isOver) {
    rounds.push(round());
    await Promise.race([sleep(1_000), ended]);
  }
  await ended;
  const all = await Promise.all(rounds);
  const at = all.flatMap((result) => result.at).toSorted((a, b) => a - b);
  const silentMs = at.reduce((longest, time, n) => Math.max(longest, time - (at[n - 1] ?? time)), 0);
  return { shots: all.flatMap((result) => result.shots), silentS: Math.round(silentMs / 100) / 10 };
}

/** Waits for this many more successful orders. */
async function succeed(more: number): Promise<void> {
  const count = (): Promise<number> =>
    lane.db.query<{ n: number }>(`select count(*)::int as n from orders where state = 'success'`).then(
      ([row]) => row!.n,
      () => 0,
    );
  const countBefore = await count();
  await until(`${more} more orders succeed`, async () => (await count()) >= countBefore + more, SETTLE_MS, 500);
}

/**
 * The books are correct, and each request repeated with its idempotency key returns the stored response or is processed for the
 * first time.
 */
async function verifyBooks(label: string, { shots, silentS }: Loaded): Promise<void> {
  await cluster.allFollowing();
  await lane.waitUntilSettled(SETTLE_MS);
  print(`${label}, ${perSecond}/s: ${summary(shots)}; no successful response for ${silentS} s`);
  expect(await violationsOf(lane, shots)).toEqual([]);
  const booked = async (): Promise<number> => (await lane.simulator.book()).length;
  const [acknowledged, unacknowledged] = [true, false].map((is) =>
    shots.filter(({ result }) => (result === '200 success') === is),
  );
  const bookedBefore = await booked();
  for (const { recharge } of acknowledged!) {
    const response = await lane.survivor.call(restRecharge(recharge));
    expect([response?.status, response?.body.status]).toEqual([200, 'success']);
  }
  expect(await booked()).toBe(bookedBefore);
  const retries: Shot[] = [];
  for (const { recharge } of unacknowledged!) {
    const startedAt = performance.now();
    const response = await lane.survivor.call(restRecharge(recharge));
    retries.push({
      recharge,
      elapsedMs: performance.now() - startedAt,
      result: `${response?.status} ${response?.body.code ?? response?.body.status}`,
    });
  }
  await lane.waitUntilSettled(SETTLE_MS);
  expect(await violationsOf(lane, retries)).toEqual([]);
  print(`repeated: ${acknowledged!.length} replayed${retries.length ? `; ${summary(retries)}` : ''}`);
}

it.skipIf(!isAvailable)(
  'the machine of the primary fails: a standby is promoted, and the old primary returns as a standby',
  async () => {
    const old = (await cluster.leader())!;
    const oldStatus = await cluster.status(old);
    const loaded = await underLoad(async () => {
      await succeed(5 * perSecond);
      // commits that only the primary has are undone, and none of them may have been confirmed
      cluster.stopSending(old);
      await sleep(1_000);
      await cluster.kill(old);
      await until('another server is the primary', async () => ![undefined, old].includes(await cluster.leader()));
      await succeed(5 * perSecond);
      await cluster.startServer(old);
      await cluster.allFollowing();
      await succeed(5 * perSecond);
    });
    const after = await cluster.status(old);
    expect(after).toMatchObject({ role: 'replica', timeline: oldStatus!.timeline + 1 });
    expect(cluster.log(old)).toContain('running pg_rewind from');
    await verifyBooks('the primary is killed with its Patroni', loaded);
  },
);

it.skipIf(!isAvailable)(
  'Patroni fails on the primary while PostgreSQL continues: no more commits are confirmed',
  async () => {
    const old = (await cluster.leader())!;
    let confirmed: unknown;
    const loaded = await underLoad(async () => {
      await succeed(5 * perSecond);
      await cluster.killPatroni(old);
      await until('another server is the primary', async () => ![undefined, old].includes(await cluster.leader()));
      // a commit that the standby received before its promotion is confirmed and kept
      await succeed(perSecond);
      const client = await cluster.connectTo(old);
      const commit = client.query('create table of_the_former_primary ()').then(
        () => (confirmed = 'committed'),
        (error: Error) => error.message,
      );
      await succeed(5 * perSecond);
      expect(confirmed).toBeUndefined();
      await cluster.startServer(old);
      await cluster.allFollowing();
      await commit;
      await client.end().catch(() => {});
    });
    expect(confirmed).toBeUndefined();
    await verifyBooks('Patroni of the primary is killed, PostgreSQL continues', loaded);
  },
);

it.skipIf(!isAvailable)(
  'the synchronous standby fails: commits wait until the other standby takes its place',
  async () => {
    const old = (await cluster.synchronousStandby())!;
    const loaded = await underLoad(async () => {
      await succeed(5 * perSecond);
      await cluster.kill(old);
      await until('the other standby is synchronous', async () => {
        return ![undefined, old].includes(await cluster.synchronousStandby());
      });
      await succeed(5 * perSecond);
    });
    await cluster.startServer(old);
    await verifyBooks('the synchronous standby is killed', loaded);
  },
);

it.skipIf(!isAvailable)('etcd is unreachable: the primary rejects writes until etcd responds', async () => {
  const loaded = await underLoad(async () => {
    await succeed(5 * perSecond);
    const resume = cluster.holdEtcd();
    await until('there is no primary', async () => (await cluster.leader()) === undefined);
    await until('both processes are not ready', async () => {
      const ready = [lane.victim, lane.survivor].map(({ baseUrl }) => fetch(`${baseUrl}/readyz`).then(({ ok }) => ok));
      return !(await Promise.all(ready)).includes(true);
    });
    resume();
    await succeed(5 * perSecond);
  });
  await verifyBooks('etcd is out of reach', loaded);
});

it.skipIf(!isAvailable)('Redis is killed: limits are counted in the database, and no request is rejected', async () => {
  const written = (): Promise<{ bytes: number; pages: number; transactions: number }[]> =>
    lane.db.query(
      `select wal_bytes::float8 as bytes, wal_fpi::float8 as pages, pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions
       from pg_stat_wal`,
    );
  const [firstWrites] = await written();
  const loaded = await underLoad(async () => {
    await succeed(5 * perSecond);
    await redis!.stop();
    redis = undefined;
    await succeed(30 * perSecond);
  });
  const [after] = await written();
  const perOrder = (name: 'bytes' | 'pages' | 'transactions'): string =>
    ((after![name] - firstWrites![name]) / loaded.shots.length).toFixed(1);
  print(
    `per recharge, with all other work: ${perOrder('bytes')} bytes of log with ${perOrder('pages')} full pages, ${perOrder('transactions')} transaction IDs`,
  );
  expect(loaded.shots.filter(({ result }) => result !== '200 success')).toEqual([]);
  await verifyBooks('Redis is killed', loaded);
});
