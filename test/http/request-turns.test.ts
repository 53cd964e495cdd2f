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
  const started: { url: string; turn: number }[] = [];
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => {
    started.push({ url, turn: turn.now() });
    for (const endMs = performance.now() + EACH_MS; performance.now() < endMs; );
  });
  beginInTurns(server as Server);
  for (let n = 0; n < COUNT; n++) server.emit('request', { url: `/${n}`, socket: {} }, {});
  const atOnce = started.length;
  server.emit('request', { url: '/livez', socket: {} }, {});
  expect(started.at(-1)!.url).toBe('/livez');
  expect(atOnce).toBeGreaterThan(0);
  expect(atOnce).toBeLessThan(COUNT / 2);
  await until('all have started', () => started.length === COUNT + 1);
  turn.stop();
  const requests = started.filter(({ url }) => url !== '/livez');
  expect(requests.map(({ url }) => url)).toEqual(Array.from({ length: COUNT }, (_, n) => `/${n}`));
  const perTurn = Map.groupBy(requests, (request) => request.turn);
  expect(Math.max(...[...perTurn.values()].map((all) => all.length))).toBeLessThan(COUNT / 2);
});

it('starts a request immediately if no other has blocked the event loop', async () => {
  const started: string[] = [];
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => started.push(url));
  beginInTurns(server as Server);
  // On a busy machine, the whole turn can pass between two lines.
  await until('one starts in its own event', () => {
    const countBefore = started.length;
    server.emit('request', { url: '/alone', socket: {} }, {});
    return started.length > countBefore;
  });
});

it('starts requests of one host before those that wait behind hundreds on another', async () => {
  const started: string[] = [];
  const [uat, production] = ['uat', 'production'].map((host) => {
    const server = new EventEmitter();
    server.on('request', ({ url }: { url: string }) => {
      started.push(`${host}${url}`);
      for (const endMs = performance.now() + EACH_MS; performance.now() < endMs; );
    });
    beginInTurns(server as Server);
    return server;
  });
  for (let n = 0; n < COUNT; n++) uat!.emit('request', { url: `/${n}`, socket: {} }, {});
  const atOnce = started.length;
  for (const url of ['/a', '/b']) production!.emit('request', { url, socket: {} }, {});
  expect(started).toHaveLength(atOnce);
  await until('all have started', () => started.length === COUNT + 2);
  expect(started.slice(atOnce, atOnce + 4)).toEqual([
    `uat/${atOnce}`,
    'production/a',
    `uat/${atOnce + 1}`,
    'production/b',
  ]);
});

it('closes a connection that has sent thousands of requests at once, and starts those of others', async () => {
  const started = new Set<string>();
  const server = new EventEmitter();
  server.on('request', ({ url }: { url: string }) => {
    if (started.size === 0) for (const endMs = performance.now() + 20; performance.now() < endMs; );
    started.add(url);
  });
  beginInTurns(server as Server);
  const busySocket = { destroyed: false, destroy: () => (busySocket.destroyed = true) };
  for (let n = 0; n < 5_000; n++) server.emit('request', { url: `/greedy/${n}`, socket: busySocket }, {});
  expect(busySocket.destroyed).toBe(true);
  server.emit('request', { url: '/honest', socket: {} }, {});
  expect(started).toContain('/honest');
  await until('no request is waiting', () => {
    server.emit('request', { url: '/later', socket: {} }, {});
    return started.has('/later');
  });
  expect(started.has('/greedy/1')).toBe(false);
});
