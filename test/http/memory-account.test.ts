import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { type Holder, MemoryAccount } from '../../src/http/limits/memory.js';

const LIMIT = 1_600;
const stranger = (address: string): Holder => ({ key: address, isStranger: true });
const caller = (name: string): Holder => ({ key: `developer:${name}`, isStranger: false });

function take(account: MemoryAccount, holder: Holder, bytes: number) {
  const held = account.open(holder);
  held.take(bytes);
  return held;
}

function accountWith(...held: [holder: Holder, bytes: number][]) {
  const refused: string[] = [];
  const account = new MemoryAccount((who) => refused.push(who), LIMIT);
  const taken = held.map(([holder, bytes]) => take(account, holder, bytes));
  return { account, taken, refused };
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as AppError).code;
  }
};

describe('what may be held for requests', () => {
  it.each<[sentence: string, held: [Holder, number][], next: [Holder, number], result: string]>([
    ['one address may hold a quarter', [[stranger('a'), 300]], [stranger('a'), 100], 'taken'],
    ['and no more', [[stranger('a'), 300]], [stranger('a'), 101], 'OVERLOADED'],
    [
      'strangers together a half',
      [
        [stranger('a'), 400],
        [stranger('b'), 300],
      ],
      [stranger('c'), 101],
      'OVERLOADED',
    ],
    ['a known caller alone a half and more', [[caller('a'), 700]], [caller('a'), 100], 'taken'],
    ['beyond a half nobody more than a quarter', [[caller('a'), 700]], [caller('a'), 101], 'OVERLOADED'],
    ['while others may', [[caller('a'), 800]], [caller('b'), 400], 'taken'],
    [
      'strangers do not keep callers out',
      [
        [stranger('a'), 400],
        [stranger('b'), 400],
      ],
      [caller('a'), 400],
      'taken',
    ],
    [
      'nobody goes beyond all of it',
      [
        [caller('a'), 800],
        [caller('b'), 400],
        [caller('c'), 300],
      ],
      [caller('d'), 101],
      'OVERLOADED',
    ],
  ])('%s', (_sentence, held, [holder, bytes], result) => {
    const { account, refused } = accountWith(...held);
    const before = { ...account.held };
    expect(codeOf(() => take(account, holder, bytes))).toBe(result);
    expect(refused).toEqual(result === 'taken' ? [] : [holder.isStranger ? 'strangers' : 'callers']);
    if (result !== 'taken') expect(account.held).toEqual(before);
  });

  it('is refused with the time to come back', () => {
    const { account } = accountWith();
    expect(() => take(account, stranger('a'), LIMIT)).toThrow(
      expect.objectContaining({ code: 'OVERLOADED', details: { retryAfterMs: 1_000 } }),
    );
  });

  it('counts what is there already without a refusal, and gives back all of it once', () => {
    const { account, taken } = accountWith([caller('a'), 100], [stranger('b'), 50]);
    taken[0]!.note(4_000);
    taken[0]!.become(5_100);
    expect(account.held).toEqual({ callers: 5_100, strangers: 50 });
    expect(codeOf(() => take(account, caller('c'), 1))).toBe('OVERLOADED');
    for (const held of taken) {
      held.release();
      held.release();
      held.note(70);
    }
    expect(account.held).toEqual({ callers: 0, strangers: 0 });
    expect(codeOf(() => take(account, stranger('b'), 400))).toBe('taken');
  });

  it('is an eighth of the heap by default', () => {
    expect(new MemoryAccount().limitBytes).toBeGreaterThan(8 * 1024 * 1024);
  });
});
