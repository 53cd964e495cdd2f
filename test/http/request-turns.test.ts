import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it } from 'vitest';
import { beginInTurns } from '../../src/http/limits/traffic.js';
import { countTurns } from '../support/turns.js';
import { until } from '../support/until.js';

const COUNT = 60;
const EACH_MS = 1;

it('starts simultaneous requests in small groups and in order, and probes immediately', async () => {
  const turn = countTurns();
  const begun: { url: string; turn: number }[] = [];
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => {
    begun.push({ url, turn: turn.now() });
    for (const endMs = performance.now() + EACH_MS; performance.now() < endMs; );
  });
  beginInTurns(server as Server);
  for (let n = 0; n < COUNT; n++) server.emit('request', { url: `/${n}`, socket: {} }, {});
  const atOnce = begun.length;
  server.emit('request', { url: '/livez', socket: {} }, {});
  expect(begun.at(-1)!.url).toBe('/livez');
  expect(atOnce).toBeGreaterThan(0);
  expect(atOnce).toBeLessThan(COUNT / 2);
  await until('all have started', () => begun.length === COUNT + 1);
  turn.stop();
  const others = begun.filter(({ url }) => url !== '/livez');
  expect(others.map(({ url }) => url)).toEqual(Array.from({ length: COUNT }, (_, n) => `/${n}`));
  const perTurn = Map.groupBy(others, (one) => one.turn);
  expect(Math.max(...[...perTurn.values()].map((all) => all.length))).toBeLessThan(COUNT / 2);
});

it('starts a request immediately if no other has blocked the event loop', async () => {
  const begun: string[] = [];
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => begun.push(url));
  beginInTurns(server as Server);
  // On a busy machine, the whole turn can pass between two lines.
  await until('one starts in its own event', () => {
    const before = begun.length;
    server.emit('request', { url: '/alone', socket: {} }, {});
    return begun.length > before;
  });
});

it('starts requests of one host before those that wait behind hundreds on another', async () => {
  const begun: string[] = [];
  const [uat, production] = ['uat', 'production'].map((host) => {
    const server = new EventEmitter();
    server.on('request', ({ url }: { url: string }) => {
      begun.push(`${host}${url}`);
      for (const endMs = performance.now() + EACH_MS; performance.now() < endMs; );
    });
    beginInTurns(server as Server);
    return server;
  });
  for (let n = 0; n < COUNT; n++) uat!.emit('request', { url: `/${n}`, socket: {} }, {});
  const atOnce = begun.length;
  for (const url of ['/a', '/b']) production!.emit('request', { url, socket: {} }, {});
  expect(begun).toHaveLength(atOnce);
  await until('all have started', () => begun.length === COUNT + 2);
  expect(begun.slice(atOnce, atOnce + 4)).toEqual([
    `uat/${atOnce}`,
    'production/a',
    `uat/${atOnce + 1}`,
    'production/b',
  ]);
});

it('closes a connection that has sent thousands of requests at once, and starts those of others', async () => {
  const begun = new Set<string>();
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => {
    if (begun.size === 0) for (const endMs = performance.now() + 20; performance.now() < endMs; );
    begun.add(url);
  });
  beginInTurns(server as Server);
  const greedy = { destroyed: false, destroy: () => (greedy.destroyed = true) };
  for (let n = 0; n < 5_000; n++) server.emit('request', { url: `/greedy/${n}`, socket: greedy }, {});
  expect(greedy.destroyed).toBe(true);
  server.emit('request', { url: '/honest', socket: {} }, {});
  expect(begun).toContain('/honest');
  await until('no request is waiting', () => {
    server.emit('request', { url: '/later', socket: {} }, {});
    return begun.has('/later');
  });
  expect(begun.has('/greedy/1')).toBe(false);
});
