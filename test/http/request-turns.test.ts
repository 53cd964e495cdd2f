import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it } from 'vitest';
import { beginInTurns } from '../../src/http/limits/traffic.js';
import { countTurns } from '../support/turns.js';
import { until } from '../support/until.js';

const COUNT = 60;
const EACH_MS = 1;

it('begins requests that arrive in one moment some at a time, in their order, and probes at once', async () => {
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
  await until('all are begun', () => begun.length === COUNT + 1);
  turn.stop();
  const others = begun.filter(({ url }) => url !== '/livez');
  expect(others.map(({ url }) => url)).toEqual(Array.from({ length: COUNT }, (_, n) => `/${n}`));
  const perTurn = Map.groupBy(others, (one) => one.turn);
  expect(Math.max(...[...perTurn.values()].map((all) => all.length))).toBeLessThan(COUNT / 2);
});

it('begins a request at once where no other has kept the event loop', async () => {
  const begun: string[] = [];
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => begun.push(url));
  beginInTurns(server as Server);
  // a busy machine may take the whole turn away between two lines
  await until('one is begun in its own event', () => {
    const before = begun.length;
    server.emit('request', { url: '/alone', socket: {} }, {});
    return begun.length > before;
  });
});

it('begins what one host got before what waits at another one behind hundreds', async () => {
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
  await until('all are begun', () => begun.length === COUNT + 2);
  expect(begun.slice(atOnce, atOnce + 4)).toEqual([
    `uat/${atOnce}`,
    'production/a',
    `uat/${atOnce + 1}`,
    'production/b',
  ]);
});

it('ends a connection that has sent thousands in one moment, and begins what others have sent', async () => {
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
  await until('nothing waits', () => {
    server.emit('request', { url: '/later', socket: {} }, {});
    return begun.has('/later');
  });
  expect(begun.has('/greedy/1')).toBe(false);
});
