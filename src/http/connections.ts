import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../core/client-address.js';

interface Connection {
  socket: Socket;
  addressKey: string;
  /** Requests that run; more than one where a client does not wait for answers. */
  running: number;
}

/**
 * Bounds the connections of a listener. A new one is never turned away, else idle ones would keep honest clients out: it takes
 * the place of one on which no request runs, the oldest of the address that has most of them.
 */
export class Connections {
  readonly #limit: number;
  readonly #byAddress = new Map<string, Set<Connection>>();
  readonly #connections = new WeakMap<Socket, Connection>();
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const connection = { socket, addressKey: addressKey(socket.remoteAddress ?? ''), running: 0 };
      const others = this.#byAddress.get(connection.addressKey) ?? new Set();
      this.#byAddress.set(connection.addressKey, others.add(connection));
      this.#connections.set(socket, connection);
      this.#count++;
      socket.once('close', () => this.#forget(connection));
      if (this.#count > this.#limit) this.#makeRoom(connection);
    });
  }

  /** A request of the connection runs: it keeps its place. `ended` must follow. */
  began(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running++;
  }

  ended(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running--;
  }

  #makeRoom(newest: Connection): void {
    const idleIn = (crowd: Iterable<Connection>): Connection | undefined => {
      for (const connection of crowd) if (connection.running === 0 && connection !== newest) return connection;
      return undefined;
    };
    let largest = new Set<Connection>();
    for (const crowd of this.#byAddress.values()) if (crowd.size > largest.size) largest = crowd;
    let idle = idleIn(largest);
    for (const crowd of this.#byAddress.values()) idle ??= idleIn(crowd);
    if (!idle) return;
    this.#forget(idle);
    idle.socket.destroy();
  }

  #forget(connection: Connection): void {
    const crowd = this.#byAddress.get(connection.addressKey);
    if (!crowd?.delete(connection)) return;
    if (crowd.size === 0) this.#byAddress.delete(connection.addressKey);
    this.#count--;
  }
}
