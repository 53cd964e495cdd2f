import { expect, it } from 'vitest';
import { ownTurn } from '../../src/core/turns.js';
import { countTurns } from '../support/turns.js';

it('gives costly work one turn of the event loop each, in the order in which it came', async () => {
  const turn = countTurns();
  const done: [piece: number, turn: number][] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async (piece) => {
      await ownTurn();
      done.push([piece, turn.now()]);
    }),
  );
  turn.stop();
  expect(done.map(([piece]) => piece)).toEqual([1, 2, 3, 4]);
  expect(new Set(done.map(([, at]) => at)).size).toBe(4);
});

it('lets those who have begun go before those who have not', async () => {
  const done: string[] = [];
  const piece = async (name: string): Promise<void> => {
    await ownTurn();
    done.push(`${name} begins`);
    await ownTurn({ goesOn: true });
    done.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map(piece));
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});
