import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/core/errors.js';
import { asQuery, type Holder, SLICE_PARTS, SLICES, type Slice, slices } from '../../src/http/limits/holders.js';
import { HeldMemory, MemoryAccount } from '../../src/http/limits/memory.js';

/** A slice of `n` parts has `n` times a hundred bytes. */
const LIMIT = 100 * SLICE_PARTS;
const MONEY = 100 * SLICES.money;
const ANONYMOUS_BYTES = 100 * SLICES['anonymous callers on uat'];

const holder = (slice: Slice, counts: Readonly<Record<string, number>>): Holder => ({
  slice,
  counts: Object.entries(counts).map(([key, share]) => ({ key, share, slowBodies: 8 })),
});
const tenant = (name: string): Holder => holder('money', { [name]: 1 / 4 });
const anonymousCaller = (...networks: readonly string[]): Holder =>
  holder('anonymous callers on uat', Object.fromEntries(networks.map((key, index) => [key, 2 ** index / 16])));

function accountWith(...held: readonly [holder: Holder, bytes: number][]) {
  const refused: Slice[] = [];
  const account = new MemoryAccount((slice) => refused.push(slice), LIMIT);
  const taken = held.map(([owner, bytes]) => take(account, owner, bytes));
  return { account, taken, refused };
}

function take(account: MemoryAccount, owner: Holder, bytes: number): HeldMemory {
  const held = new HeldMemory(account, owner);
  held.take(bytes);
  return held;
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as AppError).code;
  }
};

describe('the memory for requests', () => {
  it('is completely divided into slices', () => {
    const parts = Object.values(SLICES).reduce((sum, part) => sum + part, 0);
    expect(parts).toBe(SLICE_PARTS);
    expect(SLICES.money / SLICE_PARTS).toBe(1 / 4);
    const { account } = accountWith();
    expect(slices.reduce((sum, slice) => sum + account.limitOf(slice), 0)).toBe(LIMIT);
  });

  it.each<[sentence: string, held: [Holder, number][], next: [Holder, number], result: string]>([
    ['allows a caller half of a slice', [[tenant('a'), MONEY / 2 - 1]], [tenant('a'), 1], 'taken'],
    ['limits a caller to its share from then on', [[tenant('a'), MONEY / 2]], [tenant('a'), 1], 'OVERLOADED'],
    ['keeps the shares of other callers', [[tenant('a'), MONEY / 2]], [tenant('b'), MONEY / 4], 'taken'],
    [
      'never exceeds the slice',
      [
        [tenant('a'), MONEY / 2],
        [tenant('b'), MONEY / 4],
        [tenant('c'), MONEY / 4],
      ],
      [tenant('d'), 1],
      'OVERLOADED',
    ],
    [
      'rejects an address if its network holds its share',
      [
        [anonymousCaller('other'), ANONYMOUS_BYTES / 2],
        [anonymousCaller('1/64', '/56'), ANONYMOUS_BYTES / 16],
        [anonymousCaller('2/64', '/56'), ANONYMOUS_BYTES / 16],
      ],
      [anonymousCaller('3/64', '/56'), 1],
      'OVERLOADED',
    ],
    [
      'does not lend unused memory of one slice to another',
      [[holder('anonymous callers on uat', { a: 1 }), ANONYMOUS_BYTES]],
      [holder('anonymous callers on uat', { b: 1 }), 1],
      'OVERLOADED',
    ],
  ])('%s', (_sentence, held, [owner, bytes], result) => {
    const { account, refused } = accountWith(...held);
    const heldBefore = { ...account.heldBytes };
    expect(codeOf(() => take(account, owner, bytes))).toBe(result);
    expect(refused).toEqual(result === 'taken' ? [] : [owner.slice]);
    if (result !== 'taken') expect(account.heldBytes).toEqual(heldBefore);
  });

  it.each(slices.filter((slice) => slice !== 'money'))('keeps capacity for money calls when "%s" is full', (slice) => {
    const { account } = accountWith();
    new HeldMemory(account, holder(slice, { attacker: 1 })).note(LIMIT);
    expect(codeOf(() => take(account, tenant('a'), MONEY / 2))).toBe('taken');
  });

  describe('if a slice is full', () => {
    /** Takes `key bytes` for each request in this order and returns the names of the requests that were closed. */
    function waiting(...requests: readonly (readonly [Holder, number])[]) {
      const { account, refused } = accountWith();
      const ended: string[] = [];
      const all = requests.map(([owner, bytes]) => {
        const held = take(account, owner, bytes);
        const index = ended.length;
        held.makeEvictable(() => ended.push(`${owner.counts[0]!.key}:${bytes}`));
        expect(ended).toHaveLength(index);
        return held;
      });
      return { account, refused, ended, all };
    }
    const file = (key: string): Holder => holder('files', { [key]: 1 / 16 });
    const FILES = 100 * SLICES.files;
    const attackers = [
      [file('a'), FILES / 4],
      [file('a'), FILES / 4],
      ...Array.from({ length: 8 }, (_, n): [Holder, number] => [file(`b${n}`), FILES / 16]),
    ] as const;

    it('the oldest request of the largest holder is closed for a smaller holder', () => {
      const { account, refused, ended } = waiting(...attackers);
      expect(account.heldBytes.files).toBe(FILES);
      const honest = take(account, file('honest'), 10);
      expect([ended, refused, honest.bytes]).toEqual([[`a:${FILES / 4}`], ['files'], 10]);
      expect(account.heldBytes.files).toBe(FILES - FILES / 4 + 10);
    });

    it('no request is closed for a key beyond its share, or for a larger holder', () => {
      const { account, ended } = waiting(...attackers);
      expect(codeOf(() => take(account, file('a'), 1))).toBe('OVERLOADED');
      expect(codeOf(() => take(account, file('b1'), 1))).toBe('OVERLOADED');
      const equal = waiting(...Array.from({ length: 16 }, (_, n): [Holder, number] => [file(`${n}`), FILES / 16 - 1]));
      take(equal.account, file('last'), 16);
      expect(codeOf(() => take(equal.account, file('last'), FILES / 16 - 16 + 1))).toBe('OVERLOADED');
      expect([ended, equal.ended]).toEqual([[], []]);
    });

    it('running and finished requests are not closed', () => {
      const { account, ended, all } = waiting(...attackers);
      for (const held of all.slice(1)) held.makeEvictable(() => {})();
      all[0]!.release();
      new HeldMemory(account, file('c')).note(FILES / 4);
      expect(codeOf(() => take(account, file('honest'), 10))).toBe('OVERLOADED');
      expect(ended).toEqual([]);
    });
  });

  it('rejects requests with the time to retry, and with the cause for the metric', () => {
    const { account } = accountWith();
    expect(() => take(account, anonymousCaller('a'), LIMIT)).toThrow(
      expect.objectContaining({ code: 'OVERLOADED', details: { retryAfterMs: 1_000, overload: 'memory' } }),
    );
  });

  it('counts existing memory without rejecting it, and releases it exactly once', () => {
    const { account, taken } = accountWith([tenant('a'), 100], [anonymousCaller('b'), 50]);
    taken[0]!.note(4_000);
    taken[0]!.resizeTo(5_100);
    expect([account.heldBytes.money, account.heldBytes['anonymous callers on uat']]).toEqual([5_100, 50]);
    expect(codeOf(() => take(account, tenant('c'), 1))).toBe('OVERLOADED');
    for (const held of taken) {
      held.release();
      held.release();
      held.note(70);
    }
    expect(Object.values(account.heldBytes).every((bytes) => bytes === 0)).toBe(true);
    expect(codeOf(() => take(account, anonymousCaller('b'), 100))).toBe('taken');
  });

  it('moves a query out of the reserve for money calls, or leaves it there if the slice is full', () => {
    const { account, taken } = accountWith([tenant('a'), 100]);
    taken[0]!.moveTo(asQuery(taken[0]!.holder));
    expect([account.heldBytes.money, account.heldBytes.accounts]).toEqual([0, 100]);
    const next = take(account, tenant('b'), 100);
    new HeldMemory(account, holder('accounts', { c: 1 })).note(LIMIT);
    expect(codeOf(() => next.moveTo(asQuery(next.holder)))).toBe('OVERLOADED');
    expect(account.heldBytes.money).toBe(100);
    next.release();
    expect(account.heldBytes.money).toBe(0);
  });

  it('names the largest holders of a slice', () => {
    const { account } = accountWith([tenant('a'), 10], [tenant('b'), 30], [tenant('a'), 5]);
    expect(account.largest('money')).toEqual([
      { key: 'b', bytes: 30 },
      { key: 'a', bytes: 15 },
    ]);
  });

  it('is an eighth of the heap by default', () => {
    expect(new MemoryAccount().limitBytes).toBeGreaterThan(8 * 1024 * 1024);
  });
});
