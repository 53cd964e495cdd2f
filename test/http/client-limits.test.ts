import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/core/errors.js';
import type { Count } from '../../src/http/limits/holders.js';
import { Connections, IncomingBodies, type IncomingBody, UnreadResponses } from '../../src/http/limits/slow-clients.js';

describe('request bodies that are still arriving', () => {
  const make = (slow: number, perKey: number) => {
    const bodies = new IncomingBodies(slow, 1_000);
    const refused: [string, string][] = [];
    const begin = (
      name: string,
      keys: string | readonly string[],
      more: { startedMs?: number; signedIn?: boolean; kib?: number; takesFile?: boolean } = {},
    ) => {
      const body = {
        counts: [keys].flat().map((key, index) => ({ key, slowBodies: perKey * 2 ** index })),
        signedIn: more.signedIn ?? false,
        takesFile: more.takesFile ?? false,
        startedMs: more.startedMs ?? 0,
        timeoutMs: more.signedIn ? 300_000 : 15_000,
        receivedBytes: () => (more.kib ?? 20) * 1024,
        reject: ({ code }: AppError) => void refused.push([name, code]),
      };
      bodies.begin(body);
      return body;
    };
    return { bodies, refused, begin };
  };

  it('are never rejected while they arrive fast enough, however many there are', () => {
    const { bodies, refused, begin } = make(2, 1);
    const all = Array.from({ length: 1_000 }, (_, n) => begin(`${n}`, 'proxy'));
    bodies.sweep(999);
    for (const body of all) bodies.end(body);
    bodies.sweep(60_000);
    expect(refused).toEqual([]);
  });

  it('are limited per address once they are slow, without effect on other addresses', () => {
    const { bodies, refused, begin } = make(100, 2);
    for (const name of ['a', 'b', 'c', 'd']) begin(name, 'attacker');
    begin('honest', 'somebody');
    bodies.sweep(1_000);
    expect(refused).toEqual([
      ['c', 'OVERLOADED'],
      ['d', 'OVERLOADED'],
    ]);
    bodies.sweep(14_999);
    expect(refused).toHaveLength(2);
  });

  it('are also limited per surrounding network and per account, whatever their addresses', () => {
    const { bodies, refused, begin } = make(100, 2);
    for (const n of [1, 2, 3, 4, 5]) begin(`${n}`, [`${n}/64`, '/56']);
    bodies.sweep(1_000);
    expect(refused).toEqual([['5', 'OVERLOADED']]);
    const people = make(100, 2);
    for (const n of [1, 2, 3]) people.begin(`${n}`, 'account');
    people.bodies.sweep(1_000);
    expect(people.refused).toEqual([['3', 'OVERLOADED']]);
  });

  it('are limited per account across all hosts, and per address on each host', () => {
    const everywhere = new Set<IncomingBody>();
    const refused: string[] = [];
    const hosts = ['uat', 'production'].map((host) => {
      const bodies = new IncomingBodies(100, 1_000, everywhere);
      const begin = (n: number, count: Omit<Count, 'share'>) => {
        const body = { signedIn: true, takesFile: false, startedMs: 0, timeoutMs: 15_000, receivedBytes: () => 20_000 };
        const complete = { ...body, counts: [count], reject: () => void refused.push(`${host} ${count.key} ${n}`) };
        bodies.begin(complete);
        return complete;
      };
      for (const n of [1, 2]) begin(n, { key: 'account', slowBodies: 2, acrossHosts: true });
      for (const n of [1, 2]) begin(n, { key: 'address', slowBodies: 2 });
      return { bodies, begin };
    });
    for (const { bodies } of hosts) bodies.sweep(1_000);
    expect(refused).toEqual(['production account 1', 'production account 2']);
    for (const body of everywhere) if (body.counts[0]!.key === 'account') hosts[0]!.bodies.end(body);
    hosts[1]!.begin(3, { key: 'account', slowBodies: 2, acrossHosts: true });
    for (const { bodies } of hosts) bodies.sweep(2_000);
    expect(refused).toHaveLength(2);
  });

  it('are closed early if they make almost no progress', () => {
    const { bodies, refused, begin } = make(100, 10);
    begin('nothing', 'a', { kib: 0 });
    begin('2 KB', 'a', { kib: 2 });
    begin('enough', 'a', { kib: 64 });
    // Files have a separate minimum rate.
    begin('file', 'a', { signedIn: true, takesFile: true, kib: 0 });
    for (const [nowMs, closedIds] of [
      [4_999, []],
      [5_000, ['nothing']],
      [7_100, ['nothing', '2 KB']],
      [14_999, ['nothing', '2 KB']],
    ] as const) {
      bodies.sweep(nowMs);
      expect(refused.map(([name]) => name)).toEqual(closedIds);
    }
    expect(new Set(refused.map(([, code]) => code))).toEqual(new Set(['REQUEST_TIMEOUT']));
  });

  it('from too many addresses are closed, the oldest of the largest holder first, and new ones are accepted', () => {
    const { bodies, refused, begin } = make(4, 3);
    begin('honest', 'somebody');
    for (const name of ['a1', 'a2', 'a3']) begin(name, 'a');
    bodies.sweep(1_000);
    begin('b1', 'b', { startedMs: 2_000 });
    begin('c1', 'c', { startedMs: 2_000 });
    bodies.sweep(3_000);
    expect(refused).toEqual([
      ['a1', 'REQUEST_TIMEOUT'],
      ['a2', 'REQUEST_TIMEOUT'],
    ]);
    // Now all hold one request, so the oldest is closed.
    begin('d1', 'd', { startedMs: 4_000 });
    bodies.sweep(5_000);
    expect(refused.at(-1)).toEqual(['honest', 'REQUEST_TIMEOUT']);
  });

  it('of anonymous callers are closed before those of signed-in users, and large ones are weighted by their memory', () => {
    const { bodies, refused, begin } = make(10, 100);
    begin('upload', 'somebody', { signedIn: true, kib: 8 * 64 });
    for (const name of ['a', 'b', 'c', 'd']) begin(name, name);
    bodies.sweep(1_000);
    expect(refused.map(([name]) => name)).toEqual(['a', 'b']);
    bodies.sweep(15_000);
    expect(refused.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd']);
    bodies.sweep(300_000);
    expect(refused.at(-1)).toEqual(['upload', 'REQUEST_TIMEOUT']);
  });

  it('are rejected in portions during a flood, so that others are served in between', () => {
    const { bodies, refused, begin } = make(1, 1);
    for (let n = 0; n < 250; n++) begin(`${n}`, 'flood');
    const sizes = [1_000, 1_100, 1_200].map((nowMs) => {
      bodies.sweep(nowMs);
      return refused.length;
    });
    expect(sizes).toEqual([25, 50, 75]);
  });
});

describe('connections', () => {
  const make = (limit: number) => {
    const server = new EventEmitter();
    const connections = new Connections(limit);
    connections.watch(server as Server);
    const closed: string[] = [];
    const connect = (name: string, remoteAddress: string): Socket => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroy() {
          closed.push(name);
          socket.emit('close');
        },
      });
      server.emit('connection', socket);
      return socket as unknown as Socket;
    };
    return { connections, closed, connect };
  };

  it('beyond the limit replace the oldest idle one of the address that has most', () => {
    const { closed, connect } = make(4);
    connect('honest', '203.0.113.7');
    // A /64 network is one client.
    for (const n of [1, 2, 3]) connect(`a${n}`, `2001:db8::${n}`);
    connect('new', '203.0.113.8');
    connect('newer', '203.0.113.9');
    expect(closed).toEqual(['a1', 'a2']);
  });

  it('with a running request are not closed', () => {
    const { connections, closed, connect } = make(2);
    const busy = connect('busy', '203.0.113.7');
    connections.noteStart(busy);
    connect('idle', '203.0.113.8');
    connect('second', '203.0.113.7');
    expect(closed).toEqual(['idle']);
    connections.noteEnd(busy);
    connect('third', '203.0.113.7');
    expect(closed).toEqual(['idle', 'busy']);
  });

  it('that are closed free their slots', () => {
    const { closed, connect } = make(1);
    connect('first', '203.0.113.7').emit('close');
    connect('second', '203.0.113.7');
    expect(closed).toEqual([]);
  });
});

describe('responses that are not read', () => {
  const socketOf = (bytesWritten: number, writableLength: number) => {
    const socket = { bytesWritten, writableLength, destroyed: false, destroy: () => (socket.destroyed = true) };
    return socket;
  };
  const start = (responses: UnreadResponses, socket: ReturnType<typeof socketOf>) =>
    responses.begin(socket as never, 0);

  it('are aborted after a time, but not large ones that are read fast enough', () => {
    const responses = new UnreadResponses(30_000);
    const [stuck, reading] = [socketOf(1_000, 0), socketOf(1_000, 0)];
    start(responses, stuck);
    start(responses, reading);
    Object.assign(stuck, { bytesWritten: 900_000, writableLength: 890_000 });
    for (let seconds = 10; seconds <= 600; seconds += 10) {
      reading.bytesWritten += 1_000_000;
      responses.sweep(seconds * 1_000);
      if (seconds < 30) expect(stuck.destroyed).toBe(false);
    }
    expect([stuck.destroyed, reading.destroyed]).toEqual([true, false]);
  });

  it('are aborted for streams, too, but not for a stream without new events', () => {
    const responses = new UnreadResponses(30_000);
    const [quiet, stuck] = [socketOf(1_000, 0), socketOf(1_000, 0)];
    for (const socket of [quiet, stuck]) responses.begin(socket as never, 0, { isStream: true });
    for (let seconds = 10; seconds <= 600; seconds += 10) responses.sweep(seconds * 1_000);
    expect([quiet.destroyed, stuck.destroyed]).toEqual([false, false]);
    Object.assign(stuck, { bytesWritten: 900_000, writableLength: 890_000 });
    responses.sweep(625_000);
    expect(stuck.destroyed).toBe(false);
    responses.sweep(635_000);
    expect([quiet.destroyed, stuck.destroyed]).toEqual([false, true]);
  });

  it('are no longer tracked once they are sent', () => {
    const responses = new UnreadResponses(30_000);
    const socket = socketOf(0, 0);
    start(responses, socket)();
    responses.sweep(60_000);
    expect(socket.destroyed).toBe(false);
  });
});
