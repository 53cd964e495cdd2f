import { type LinkedConnection, TcpLink } from './tcp-link.js';

interface Withheld {
  bytes: Buffer[];
  /** Resolves when the server has finished the statement, by commit or error. */
  finished: Promise<void>;
  finish: () => void;
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** The connection of one API process to PostgreSQL. The test can withhold the reply to a statement. */
export class DatabaseLink {
  readonly #link: TcpLink;
  /** Withheld replies by local port of the API process. */
  readonly #withheld = new Map<number, Withheld>();

  constructor(target: () => number) {
    this.#link = new TcpLink(target, {
      fromClient: ({ server }, bytes) => server.write(bytes),
      fromServer: (connection, bytes) => this.#fromServer(connection, bytes),
      // a withheld reply is lost with its connection
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

  /** Ports of the connections of this process as the server sees them: `client_port` in pg_stat_activity. */
  serverSidePorts(): number[] {
    return [...this.#link.connections].flatMap(({ server }) => server.localPort ?? []);
  }

  /** Withholds all further data from the server on this connection, which must be idle. */
  withhold(clientPort: number): void {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    this.#withheld.set(clientPort, { bytes: [], finished, finish });
  }

  /** Resolves when the server has finished the statement whose reply is withheld. */
  waitUntilFinished(clientPort: number): Promise<void> {
    return this.#withheld.get(clientPort)!.finished;
  }

  /** Delivers withheld replies on connections that are still open. */
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

/** Parses the messages (type, length, content) and checks whether the last one is ReadyForQuery. */
function endsReady(bytes: Buffer): boolean {
  let at = 0;
  let type = 0;
  while (at + 5 <= bytes.length) {
    type = bytes[at]!;
    at += 1 + bytes.readInt32BE(at + 1);
  }
  return at === bytes.length && type === READY_FOR_QUERY;
}
