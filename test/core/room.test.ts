import { expect, it } from 'vitest';
import { compose, loops, type Room } from '../../src/core/room.js';

/** A module that records calls with a short delay. */
function noted(name: string, notes: string[]): Room {
  const note = (step: string) => async () => {
    await Promise.resolve();
    notes.push(`${step} ${name}`);
  };
  return {
    resolvers: { api: [{ name }] },
    prepare: note('prepare'),
    start: () => notes.push(`start ${name}`),
    stop: note('stop'),
    close: note('close'),
  };
}

it('modules start in the order of their list and close in reverse order, one at a time', async () => {
  const notes: string[] = [];
  const modules = compose([noted('ledger', notes), {}, noted('orders', notes)]);
  expect(modules.resolvers).toEqual({ api: [{ name: 'ledger' }, { name: 'orders' }], console: [] });
  await modules.prepare();
  modules.start(new Set());
  await modules.stop();
  await modules.close();
  const startNotes = ['prepare ledger', 'prepare orders', 'start ledger', 'start orders'];
  const ended = ['stop ledger', 'stop orders', 'close orders', 'close ledger'];
  expect(notes).toEqual([...startNotes, ...ended]);
});

it('the schema extension of a module is used only for its own schema, in the order of the list', () => {
  const load = async (): Promise<undefined> => undefined;
  const modules = compose([
    { resolvers: { api: [{ name: 'a' }], console: [{ name: 'b' }] }, nodes: { api: { Wallet: load } } },
    { resolvers: { console: [{ name: 'c' }] }, nodes: { api: { Order: load }, console: { Order: load } } },
  ]);
  expect(modules.resolvers).toEqual({ api: [{ name: 'a' }], console: [{ name: 'b' }, { name: 'c' }] });
  expect(modules.nodes).toEqual({ api: { Wallet: load, Order: load }, console: { Order: load } });
});

it('a module that cannot be prepared stops the start, and later modules are not prepared', async () => {
  const notes: string[] = [];
  const failing: Room = { prepare: () => Promise.reject(new Error('no exposure')) };
  await expect(compose([failing, noted('orders', notes)]).prepare()).rejects.toThrow('no exposure');
  expect(notes).toEqual([]);
});

it('the loops of a module start together and stop together, if the process runs loops', async () => {
  const notes: string[] = [];
  const loop = (name: string) => ({
    start: () => void notes.push(`start ${name}`),
    stop: async () => notes.push(`stop ${name}`),
    succeededAtMs: 1_000,
  });
  const { tasks, start, stop } = loops('email', { first: loop('a'), second: loop('b') });
  expect(tasks(new Set(['webhooks']))).toEqual({});
  expect(Object.entries(tasks(new Set(['email']))).map(([name, { succeededAtMs }]) => [name, succeededAtMs])).toEqual([
    ['first', 1_000],
    ['second', 1_000],
  ]);
  start(new Set(['webhooks']));
  expect(notes).toEqual([]);
  start(new Set(['email']));
  await stop();
  expect(notes).toEqual(['start a', 'start b', 'stop a', 'stop b']);
});
