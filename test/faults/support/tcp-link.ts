import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';

/** One connection through a link. */
export interface LinkedConnection {
  client: Socket;
  server: Socket;
  /** Local port of the client. */
  clientPort: number;
}

/** Handlers for data and the end of a connection. Each must pass on everything that it does not withhold. */
export interface LinkRules {
  fromClient(connection: LinkedConnection, bytes: Buffer): void;
  fromServer(connection: LinkedConnection, bytes: Buffer): void;
  serverClosed(connection: LinkedConnection): void;
}

/** A TCP proxy that the test controls. The target is resolved again for each connection. */
export class TcpLink {
  readonly connections = new Set<LinkedConnection>();
  readonly #host: string;
  readonly #target: () => number;
  readonly #rules: LinkRules;
  #listener: Server | undefined;
  port = 0;

  constructor(target: () => number, rules: LinkRules, host = '127.0.0.1') {
    this.#target = target;
    this.#rules = rules;
    this.#host = host;
  }

  /** Accepts connections, on the same port as before if there was one. */
  async open(): Promise<this> {
    const listener = createServer((client) => this.#join(client));
    listener.listen(this.port, this.#host);
    await once(listener, 'listening');
    this.port = (listener.address() as AddressInfo).port;
    this.#listener = listener;
    return this;
  }

  /** Resets every connection and rejects new ones; returns the number of connections. */
  async cut(): Promise<number> {
    const listener = this.#listener;
    this.#listener = undefined;
    const closed = listener && new Promise<void>((resolve) => listener.close(() => resolve()));
    const { size } = this.connections;
    for (const { client, server } of this.connections) {
      client.resetAndDestroy();
      server.destroy();
    }
    await closed;
    return size;
  }

  #join(client: Socket): void {
    const server = new Socket();
    const connection: LinkedConnection = { client, server, clientPort: client.remotePort ?? 0 };
    this.connections.add(connection);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('data', (bytes: Buffer) => this.#rules.fromClient(connection, bytes));
    server.on('data', (bytes: Buffer) => this.#rules.fromServer(connection, bytes));
    client.on('error', () => {});
    server.on('error', () => {});
    client.on('close', () => {
      this.connections.delete(connection);
      server.destroy();
    });
    server.on('close', () => this.#rules.serverClosed(connection));
    server.connect(this.#target(), this.#host);
  }
}
