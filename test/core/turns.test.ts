import { expect, it } from 'vitest';
import { ownTurn } from '../../src/core/turns.js';

it('gives costly work one turn of the event loop each, in the order in which it came', async () => {
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const done: [piece: number, turn: number][] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async (piece) => {
      await ownTurn();
      done.push([piece, turn]);
    }),
  );
  counting = false;
  expect(done.map(([piece]) => piece)).toEqual([1, 2, 3, 4]);
  expect(new Set(done.map(([, at]) => at)).size).toBe(4);
});
