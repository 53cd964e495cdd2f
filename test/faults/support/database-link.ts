import { type LinkedConnection, TcpLink } from './tcp-link.js';

interface Withheld {
  bytes: Buffer[];
  /** The server has finished the statement: what it did is committed, or refused. */
  finished: Promise<void>;
  finish: () => void;
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** The way from one API process to PostgreSQL. The test can keep the answer to a statement from arriving. */
export class DatabaseLink {
  readonly #link: TcpLink;
  /** By the API process's own port. */
  readonly #withheld = new Map<number, Withheld>();

  constructor(target: () => number) {
    this.#link = new TcpLink(target, {
      fromClient: ({ server }, bytes) => server.write(bytes),
      fromServer: (connection, bytes) => this.#fromServer(connection, bytes),
      // An answer that was withheld is lost with its connection.
      serverClosed: ({ client }) => client.destroy(),
    });
  }

  get port(): number {
    return this.#link.port;
  }

  async open(): Promise<this> {
    await this.#link.open();
    return this;
  }

  async close(): Promise<void> {
    await this.#link.cut();
  }

  /** The ports of this process's connections as the server sees them: `client_port` of pg_stat_activity. */
  serverSidePorts(): number[] {
    return [...this.#link.connections].flatMap(({ server }) => server.localPort ?? []);
  }

  /** From now on nothing that the server says reaches the process on this connection. It must be idle. */
  withhold(clientPort: number): void {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    this.#withheld.set(clientPort, { bytes: [], finished, finish });
  }

  /** Resolves when the server has finished the statement whose answer is withheld. */
  finished(clientPort: number): Promise<void> {
    return this.#withheld.get(clientPort)!.finished;
  }

  /** Delivers what was withheld where the connection is still there. */
  deliver(): void {
    for (const { client, clientPort } of this.#link.connections) {
      const withheld = this.#withheld.get(clientPort);
      if (withheld && withheld.bytes.length > 0) client.write(Buffer.concat(withheld.bytes));
    }
    this.#withheld.clear();
  }

  #fromServer({ client, clientPort }: LinkedConnection, bytes: Buffer): void {
    const withheld = this.#withheld.get(clientPort);
    if (!withheld) {
      client.write(bytes);
      return;
    }
    withheld.bytes.push(bytes);
    if (endsReady(Buffer.concat(withheld.bytes))) withheld.finish();
  }
}

/** Walks the messages (type, length, content) and tells whether the last one is ReadyForQuery. */
function endsReady(bytes: Buffer): boolean {
  let at = 0;
  let type = 0;
  while (at + 5 <= bytes.length) {
    type = bytes[at]!;
    at += 1 + bytes.readInt32BE(at + 1);
  }
  return at === bytes.length && type === READY_FOR_QUERY;
}
