import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { type Counters, MemoryCounters } from '../../src/db/counters/counters.js';
import { DatabaseCounters } from '../../src/db/counters/database-counters.js';
import { RedisCounters } from '../../src/db/counters/redis-counters.js';
import { createPool } from '../../src/db/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { type RedisServer, redisProgram, startMuteRedis, startRedis } from './redis.fixture.js';

let db: TestDatabase;
let pools: Pool[];
beforeAll(async () => {
  db = await createTestDatabase();
  pools = [createPool(db.url, { max: 4 }), createPool(db.url, { max: 4 })];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await db.drop();
});

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of toClose.splice(0)) await close();
});

const silent = createLogger('silent');
const redisAt = (
  url: string,
  fallback: Counters = rejectingCounters,
  log = silent,
  timeoutMs?: number,
): RedisCounters => {
  const counters = new RedisCounters(url, fallback, log, timeoutMs);
  toClose.push(() => counters.close());
  return counters;
};
const rejectingCounters: Counters = { add: () => Promise.reject(new Error('the fallback counters were called')) };

let server: RedisServer | undefined;
afterAll(() => server?.stop());

const stores: [name: string, makeTwo: () => Promise<Counters[]>][] = [
  [
    'memory',
    async () => {
      const counters = new MemoryCounters();
      return [counters, counters];
    },
  ],
  ['the database', async () => pools.map((pool) => new DatabaseCounters(pool))],
];
if (redisProgram)
  stores.push([
    'Redis',
    async () => {
      server ??= await startRedis();
      // a longer timeout, because a busy machine is slow and the timeout is not tested here
      const patient = () => redisAt(server!.url, rejectingCounters, silent, 60_000);
      const pair = [patient(), patient()];
      const ready = () => Promise.all(pair.map((counters) => counters.add('ready', 1))).catch(() => undefined);
      await until('both are connected', async () => (await ready()) !== undefined);
      return pair;
    },
  ]);

describe.each(stores)('counters in %s', (_name, makePair) => {
  it('return a distinct number for each addition, in every process', async () => {
    const [first, second] = await makePair();
    const counts = await Promise.all(
      Array.from({ length: 600 }, async (_, n) => (await (n % 2 ? first! : second!).add('a key', 60)).count),
    );
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
  });

  it('can add several points at once and subtract them', async () => {
    const [first, second] = await makePair();
    const counts = await Promise.all([
      first!.add('points', 60, 5),
      first!.add('points', 60, 7),
      first!.add('points', 60, -2),
    ]);
    expect(counts.map(({ count }) => count)).toEqual([5, 12, 10]);
    expect((await second!.add('points', 60)).count).toBe(11);
  });

  it('keep keys separate and start a new window when the current one has ended', async () => {
    const [counters] = await makePair();
    const addTo = async (key: string, windowS: number) => {
      const from = performance.now();
      const { count, msLeft } = await counters!.add(key, windowS);
      return { count, msLeft, endsAfter: from + msLeft, endsBefore: performance.now() + msLeft };
    };
    const [first, other] = await Promise.all([addTo('short', 2), addTo('long', 3_600)]);
    expect([first.count, other.count]).toEqual([1, 1]);
    expect(Math.floor(first.msLeft)).toBeLessThanOrEqual(2_000);
    expect(other.msLeft).toBeGreaterThan(3_590_000);
    await sleep(300);
    const second = await addTo('short', 2);
    expect(second.count).toBe(2);
    // the end does not move, except for rounding
    expect(second.endsAfter).toBeLessThan(first.endsBefore + 20);
    await until('the window has ended', async () => (await addTo('short', 2)).count === 1, undefined, 100);
    expect((await addTo('long', 3_600)).count).toBe(2);
  });
});

describe('counters in the database', () => {
  it('query it once for all queued additions', async () => {
    const spy = vi.spyOn(pools[0]!, 'query');
    const counters = new DatabaseCounters(pools[0]!);
    await Promise.all(Array.from({ length: 400 }, (_, n) => counters.add(`key ${n % 7}`, 60)));
    expect(spy).toHaveBeenCalledTimes(1);
  });

  it('do not deadlock if two processes add to the same keys in different orders', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `crossed ${n}`);
    const [first, second] = pools.map((pool) => new DatabaseCounters(pool));
    for (let round = 0; round < 20; round++)
      await Promise.all([
        ...keys.map((key) => first!.add(key, 60)),
        ...keys.toReversed().map((key) => second!.add(key, 60)),
      ]);
    expect((await first!.add('crossed 7', 60)).count).toBe(41);
  });

  it('reject calls temporarily while it is unavailable', async () => {
    const unreachable = createPool('postgresql://nobody@127.0.0.1:9/none', { max: 1 });
    toClose.push(() => unreachable.end());
    await expect(new DatabaseCounters(unreachable).add('key', 60)).rejects.toMatchObject({ code: 'DEPENDENCY_DOWN' });
  });
});

describe('while Redis is away', () => {
  const linesOf = () => {
    const lines: string[] = [];
    const note = (...args: unknown[]) => void lines.push(String(args.at(-1)));
    return { lines, log: { ...silent, info: note, warn: note } as typeof silent };
  };

  it('counts continue in the fallback, and this is logged once', async () => {
    const { lines, log } = linesOf();
    const counters = redisAt(`redis://127.0.0.1:${await freePort()}`, new MemoryCounters(), log);
    const counts = await Promise.all(Array.from({ length: 50 }, async () => (await counters.add('key', 60)).count));
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    expect(lines).toEqual(['Redis does not respond, limits are counted in the database']);
    expect(counters.isUnavailable).toBe(true);
  });

  it('and connections stay open without a response, only the calls of one moment wait for it', async () => {
    const muteRedis = await startMuteRedis();
    toClose.push(() => muteRedis.stop());
    const counters = redisAt(muteRedis.url, new MemoryCounters());
    await until('it is considered ready', async () => {
      await counters.add('key', 60);
      return muteRedis.requestCount() > 0;
    });
    const [countBefore, from] = [muteRedis.requestCount(), performance.now()];
    for (let n = 0; n < 100; n++) await counters.add('key', 60);
    // one attempt per second
    expect(muteRedis.requestCount() - countBefore).toBeLessThanOrEqual(1 + (performance.now() - from) / 1_000);
  });

  it.runIf(redisProgram)('and becomes available again, counts continue in Redis', async () => {
    const port = await freePort();
    let redis = await startRedis(port);
    toClose.push(() => redis.stop());
    const { lines, log } = linesOf();
    const fallback = new MemoryCounters();
    const spy = vi.spyOn(fallback, 'add');
    const counters = redisAt(redis.url, fallback, log);
    const countsThere = async (): Promise<boolean> => {
      spy.mockClear();
      await counters.add('key', 60);
      return spy.mock.calls.length === 0;
    };
    await until('it is connected', countsThere);
    expect(counters.isUnavailable).toBe(false);
    await redis.stop();
    expect(await countsThere()).toBe(false);
    expect(counters.isUnavailable).toBe(true);
    redis = await startRedis(port);
    await until('it is back, before anything is counted', async () => !counters.isUnavailable);
    await until('it counts in Redis again', countsThere);
    expect(lines.slice(-2)).toEqual([
      'Redis does not respond, limits are counted in the database',
      'Redis responds again, limits are counted in Redis',
    ]);
  });

  it.runIf(redisProgram)('because it is busy, calls wait only briefly', async () => {
    const redis = await startRedis();
    toClose.push(() => redis.stop());
    const fallback = new MemoryCounters();
    const spy = vi.spyOn(fallback, 'add');
    const counters = redisAt(redis.url, fallback);
    await until('it counts in Redis', async () => {
      spy.mockClear();
      await counters.add('key', 60);
      return spy.mock.calls.length === 0;
    });
    redis.hang();
    try {
      await until('the fallback counters are used', async () => {
        await Promise.all(Array.from({ length: 20 }, () => counters.add('other', 60)));
        return spy.mock.calls.length > 0;
      });
    } finally {
      redis.wake();
    }
  });
});
