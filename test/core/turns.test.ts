import { expect, it } from 'vitest';
import type { Host } from '../../src/core/environment.js';
import { ownTurn } from '../../src/core/turns.js';
import { countTurns } from '../support/turns.js';

it('each costly task gets a turn of the event loop, in order of arrival', async () => {
  const turn = countTurns();
  const done: [piece: number, turn: number][] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async (piece) => {
      await ownTurn('uat');
      done.push([piece, turn.now()]);
    }),
  );
  turn.stop();
  expect(done.map(([piece]) => piece)).toEqual([1, 2, 3, 4]);
  expect(new Set(done.map(([, at]) => at)).size).toBe(4);
});

it('tasks that have started precede tasks that have not', async () => {
  const done: string[] = [];
  const piece = async (name: string): Promise<void> => {
    await ownTurn('uat');
    done.push(`${name} begins`);
    await ownTurn('uat', { isContinued: true });
    done.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map(piece));
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('a Production task waits for at most one UAT document, even if a thousand are queued', async () => {
  const done: string[] = [];
  const document = async (host: Host): Promise<void> => {
    await ownTurn(host);
    done.push(`${host} begins`);
    await ownTurn(host, { isContinued: true });
    done.push(`${host} ends`);
  };
  const flood = Array.from({ length: 1_000 }, () => document('uat'));
  await document('production');
  expect(done.slice(0, 5)).toEqual(['uat begins', 'uat ends', 'production begins', 'production ends']);
  await Promise.all(flood);
  expect(done).toHaveLength(2_002);
});

it('hosts take turns, even if more tasks of one host have started', async () => {
  const done: Host[] = [];
  const turn = (host: Host) => ownTurn(host, { isContinued: true }).then(() => done.push(host));
  await Promise.all((['uat', 'uat', 'uat', 'production', 'production', 'console'] as const).map(turn));
  expect(done).toEqual(['uat', 'production', 'console', 'uat', 'production', 'uat']);
});
