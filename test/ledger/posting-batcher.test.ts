import { describe, expect, it } from 'vitest';
import { NeverReached } from '../../src/db/database-errors.js';
import { BUSY, PostedInDoubt, PostedWallets, PostingBatcher } from '../../src/ledger/posting-batcher.js';

const databaseError = (code: string): Error => Object.assign(new Error('refused'), { code });
const tick = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** A database that returns the double of each item, records every batch, and fails as scripted. */
function batcherTo(behave: (items: number[], call: number) => void | Promise<void> = () => {}, options: object = {}) {
  const batches: number[][] = [];
  let inFlight = 0;
  let mostAtOnce = 0;
  const batcher = new PostingBatcher<number, number>(
    async (items) => {
      batches.push(items);
      mostAtOnce = Math.max(mostAtOnce, ++inFlight);
      try {
        await tick();
        await behave(items, batches.length);
        return items.map((item) => item * 2);
      } finally {
        inFlight--;
      }
    },
    { retryForMs: 1_000, retryInDoubtForMs: 1_000, ...options },
  );
  return { batcher, batches, mostAtOnce: () => mostAtOnce };
}
const all = (batcher: PostingBatcher<number, number>, items: number[]) =>
  Promise.allSettled(items.map((item) => batcher.add(item)));
const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index);

describe('batching', () => {
  it('sends waiting items in one batch and returns its own result to each caller', async () => {
    const { batcher, batches } = batcherTo();
    expect(await Promise.all(upTo(50).map((item) => batcher.add(item)))).toEqual(upTo(50).map((item) => item * 2));
    expect(batches).toEqual([upTo(50)]);
  });

  it('keeps the order, the maximum batch size and the maximum number of batches in flight', async () => {
    const { batcher, batches, mostAtOnce } = batcherTo(() => {}, { maxBatch: 4, inFlight: 2 });
    const results = all(batcher, upTo(22));
    expect(batcher.queueLength).toBe(22);
    expect((await results).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(batches.flat()).toEqual(upTo(22));
    expect(batches.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 2]);
    expect(mostAtOnce()).toBe(2);
    expect(batcher.queueLength).toBe(0);
  });

  it('sends the items that arrive during a batch together', async () => {
    const { batcher, batches, mostAtOnce } = batcherTo();
    const first = batcher.add(0);
    await tick();
    await Promise.all([first, ...[1, 2, 3].map((item) => batcher.add(item))]);
    expect([batches, mostAtOnce()]).toEqual([[[0], [1, 2, 3]], 1]);
  });

  it('does not wait for a slow batch', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { batcher } = batcherTo((_items, call) => (call === 1 ? promise : undefined));
    const first = batcher.add(0);
    await tick();
    expect(await batcher.add(1)).toBe(2);
    resolve();
    expect(await first).toBe(0);
  });

  it('does not delay a single item', async () => {
    const { batcher, batches } = batcherTo();
    await batcher.add(1);
    await batcher.add(2);
    expect(batches).toEqual([[1], [2]]);
  });
});

describe('items that the database rejects', () => {
  const rejecting = (broken: number[], code: string) => (items: number[]) => {
    if (items.some((item) => broken.includes(item))) throw databaseError(code);
  };

  it.each(['23514', '22003'])('fail individually (SQLSTATE %s)', async (code) => {
    const { batcher, batches } = batcherTo(rejecting([3, 12], code));
    const results = await all(batcher, upTo(16));
    results.forEach((result, item) => {
      if (item === 3 || item === 12) expect(result).toMatchObject({ status: 'rejected', reason: { code } });
      else expect(result).toEqual({ status: 'fulfilled', value: item * 2 });
    });
    expect(batches.length).toBeLessThanOrEqual(1 + 2 * 2 * 4);
    // Posted items are never sent again.
    const posted = batches.filter((items) => !items.includes(3) && !items.includes(12)).flat();
    expect(new Set(posted).size).toBe(posted.length);
  });

  it('fail together if all are invalid, without effect on the next ones', async () => {
    const { batcher } = batcherTo(rejecting([1, 2, 3], '23505'));
    expect((await all(batcher, [1, 2, 3])).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(await batcher.add(4)).toBe(8);
  });
});

describe('an unavailable database', () => {
  it.each([
    ['a broken connection', databaseError('ECONNRESET')],
    ['a server shutdown', databaseError('57P01')],
    ['a server crash', databaseError('57P02')],
    ['a driver that lost its connection', new Error('Connection terminated unexpectedly')],
    ['a response timeout', new Error('Query read timeout')],
    ['a deadlock', databaseError('40P01')],
    ['no connection', new NeverReached(databaseError('ECONNREFUSED'))],
  ])('gets the same items again after %s', async (_name, error) => {
    const { batcher, batches } = batcherTo((_items, call) => {
      if (call <= 2) throw error;
    });
    expect(await Promise.all([7, 8].map((item) => batcher.add(item)))).toEqual([14, 16]);
    expect(batches).toEqual([
      [7, 8],
      [7, 8],
      [7, 8],
    ]);
  });

  it('causes a failure after the timeout, with nothing posted if no statement was sent', async () => {
    const { batcher } = batcherTo(() => Promise.reject(new NeverReached(new Error('refused'))), {
      retryForMs: 60,
      retryInDoubtForMs: 60_000,
    });
    const error = await batcher.add(1).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'DEPENDENCY_DOWN' });
    expect(error).not.toBeInstanceOf(PostedInDoubt);
  });

  it('leaves items in doubt once a statement may have been committed, whatever happens later', async () => {
    const { batcher, batches } = batcherTo(
      (_items, call) =>
        Promise.reject(call === 1 ? databaseError('ECONNRESET') : new NeverReached(new Error('refused'))),
      { retryForMs: 1, retryInDoubtForMs: 120 },
    );
    const error = await batcher.add(1).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PostedInDoubt);
    expect(error).toMatchObject({
      code: 'DEPENDENCY_DOWN',
      message: expect.not.stringContaining('Nothing was charged'),
    });
    expect(batches.length).toBeGreaterThan(1);
  });

  it('does not delay other batches while one is retried', async () => {
    const { batcher } = batcherTo(
      (items) => (items.includes(1) ? Promise.reject(databaseError('ECONNRESET')) : undefined),
      {
        maxBatch: 1,
        inFlight: 2,
        retryInDoubtForMs: 1_000,
      },
    );
    let ended = false;
    const stuckResult = batcher.add(1).catch((error: unknown) => {
      ended = true;
      return error;
    });
    expect(await Promise.all([2, 3, 4].map((item) => batcher.add(item)))).toEqual([4, 6, 8]);
    expect(ended).toBe(false);
    expect(await stuckResult).toBeInstanceOf(PostedInDoubt);
  });

  it('gets half batches after it recovers', async () => {
    const { batcher } = batcherTo((items, call) => {
      if (call === 1) throw databaseError('ECONNRESET');
      if (items.includes(2)) throw databaseError('23514');
    });
    expect((await all(batcher, [1, 2, 3])).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

it('a defect fails the batch immediately with the original error', async () => {
  const { batcher, batches } = batcherTo(() => Promise.reject(databaseError('42883')));
  for (const result of await all(batcher, [1, 2]))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: '42883' } });
  expect(batches).toHaveLength(1);
});

describe('items whose wallet is locked', () => {
  /** Items with the same tens digit share a wallet. */
  const walletOf = (item: number): number => Math.floor(item / 10);
  /** Wallets in `held` are locked. */
  function walletsTo(locked: Set<number>, options: object = {}) {
    const batches: number[][] = [];
    const batcher = new PostingBatcher<number, number>(
      async (items) => {
        batches.push(items);
        await tick();
        return items.map((item) => (locked.has(walletOf(item)) ? BUSY : item * 2));
      },
      { laneOf: (item) => String(walletOf(item)), retryForMs: 30_000, retryInDoubtForMs: 30_000, ...options },
    );
    return { batcher, batches };
  }
  const valuesOf = (results: PromiseSettledResult<number>[]) =>
    results.map((result) => (result as { value: number }).value);

  it('are retried in their order until the wallet is free, with newer items', async () => {
    const locked = new Set([1]);
    const { batcher, batches } = walletsTo(locked);
    const first = all(batcher, [10, 20, 11]);
    expect(await batcher.add(30)).toBe(60);
    const second = all(batcher, [12, 21, 13]);
    expect(await batcher.add(40)).toBe(80);
    expect(batcher.queueLength).toBeGreaterThan(1);
    locked.clear();
    expect(valuesOf([...(await first), ...(await second)])).toEqual([20, 40, 22, 24, 42, 26]);
    expect(batches.at(-1)).toEqual([10, 11, 12, 13]);
    expect(batcher.queueLength).toBe(0);
  });

  it.each([1, 4, 40])('delay no other wallet, however many wallets are locked: %i', async (count) => {
    const locked = new Set(upTo(count));
    const { batcher } = walletsTo(locked);
    const waiting = all(
      batcher,
      upTo(count).map((wallet) => wallet * 10),
    );
    // This wallet was locked briefly, and waits behind no other.
    locked.add(90);
    const busy = batcher.add(900);
    expect(await batcher.add(910)).toBe(1_820);
    locked.delete(90);
    expect(await busy).toBe(1_800);
    expect(await batcher.add(901)).toBe(1_802);
    expect(batcher.queueLength).toBeGreaterThan(0);
    locked.clear();
    expect(valuesOf(await waiting)).toEqual(upTo(count).map((wallet) => wallet * 20));
  });

  it('are not sent while a batch of this process posts to their wallet, unless it is slow', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const batcher = new PostingBatcher<number, number>(
      async (items) => {
        batches.push(items);
        await tick();
        if (items.includes(30)) await promise;
        return items;
      },
      { laneOf: (item) => String(walletOf(item)), maxBatch: 4, retryForMs: 1_000, retryInDoubtForMs: 1_000 },
    );
    await all(batcher, [10, 11, 12, 13, 14, 15, 20, 21, 16]);
    expect(batches).toEqual([
      [10, 11, 12, 13],
      // Half a batch whose wallet is unlocked.
      [20, 21],
      [14, 15, 16],
    ]);
    const long = batcher.add(30);
    await tick();
    expect(await batcher.add(31)).toBe(31);
    resolve();
    expect(await long).toBe(30);
  });

  it('are not sent while another batcher posts to their wallet, and both take turns', async () => {
    const batches: string[] = [];
    const posted = new PostedWallets();
    const started = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const batcherOf = (name: string) =>
      new PostingBatcher<number, number>(
        async (items) => {
          batches.push(`${name} ${items}`);
          started.resolve();
          await promise;
          return items;
        },
        // Each item has a lane of its own.
        { walletOf: (item) => String(walletOf(item)), posted, retryForMs: 1_000, retryInDoubtForMs: 1_000 },
      );
    const [holds, resolutions] = [batcherOf('hold'), batcherOf('resolution')];
    const first = holds.add(10);
    await started.promise;
    const second = [holds.add(11), resolutions.add(12), resolutions.add(20), resolutions.add(13)];
    await tick();
    await tick();
    expect(batches).toEqual(['hold 10', 'resolution 20']);
    resolve();
    expect(await Promise.all([first, ...second])).toEqual([10, 11, 12, 20, 13]);
    expect(batches.slice(2)).toEqual(['resolution 12,13', 'hold 11']);
  });

  it('are sent during a batch of another batcher if half a batch is waiting', async () => {
    const posted = new PostedWallets();
    const { promise, resolve } = Promise.withResolvers<void>();
    const options = { walletOf: () => 'one wallet', posted, maxBatch: 4, retryForMs: 1_000, retryInDoubtForMs: 1_000 };
    const holds = new PostingBatcher<number, number>((items) => promise.then(() => items), options);
    const resolutions = new PostingBatcher<number, number>(async (items) => items, options);
    const hold = holds.add(1);
    await tick();
    expect(await Promise.all([2, 3].map((item) => resolutions.add(item)))).toEqual([2, 3]);
    resolve();
    expect(await hold).toBe(1);
  });

  it('cost one statement for many wallets, and fewer statements the longer the lock lasts', async () => {
    const locked = new Set(upTo(40));
    const { batcher, batches } = walletsTo(locked, { retryForMs: 300 });
    const startedAt = performance.now();
    const results = await all(
      batcher,
      upTo(40).map((wallet) => wallet * 10),
    );
    const elapsedMs = performance.now() - startedAt;
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(batches.length).toBeLessThan(elapsedMs / 4);
    // A slow machine sends few.
    expect(batches.filter((items) => items.length < 40).length).toBeLessThan(Math.max(4, batches.length / 4));
  });

  it('are posted in order if they exceed a batch', async () => {
    const locked = new Set([0]);
    const { batcher, batches } = walletsTo(locked, { maxBatch: 2 });
    const results = all(batcher, upTo(7));
    expect(await batcher.add(10)).toBe(20);
    locked.clear();
    expect(valuesOf(await results)).toEqual(upTo(7).map((item) => item * 2));
    expect(batches.every(({ length }) => length <= 2)).toBe(true);
  });

  it('fail after the timeout, as in doubt if an earlier attempt may have posted them', async () => {
    for (const [first, failure] of [
      [BUSY, false],
      [databaseError('ECONNRESET'), true],
    ] as const) {
      let calls = 0;
      const batcher = new PostingBatcher<number, number>(
        async (items) => {
          if (++calls === 1 && first !== BUSY) throw first;
          return items.map(() => BUSY);
        },
        { retryForMs: 30, retryInDoubtForMs: 60 },
      );
      const error = await batcher.add(1).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'DEPENDENCY_DOWN' });
      expect(error instanceof PostedInDoubt).toBe(failure);
      expect(batcher.queueLength).toBe(0);
    }
  });

  it('do not delay new items after one of them has failed', async () => {
    const locked = new Set([0]);
    const { batcher } = walletsTo(locked, { retryForMs: 1_000 });
    const first = batcher.add(1).catch((error: { code: string }) => error.code);
    await tick();
    await new Promise((resume) => setTimeout(resume, 700));
    const second = batcher.add(2);
    expect(await first).toBe('DEPENDENCY_DOWN');
    locked.clear();
    expect(await second).toBe(4);
  });
});

it('onRetry is called for each item before each retry', async () => {
  const retries: [number, unknown][] = [];
  const error = databaseError('ECONNRESET');
  const { batcher } = batcherTo(
    (_items, call) => {
      if (call <= 2) throw error;
    },
    { onRetry: (item: number, cause: unknown) => retries.push([item, cause]) },
  );
  await Promise.all([batcher.add(1), batcher.add(2)]);
  expect(retries).toEqual([
    [1, error],
    [2, error],
    [1, error],
    [2, error],
  ]);
});
