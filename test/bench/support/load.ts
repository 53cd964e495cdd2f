import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One request of a load and its expected response. */
export interface LoadRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Load {
  ports: readonly number[];
  /** The n-th request of this load. Each request has its own key. */
  request(n: number): LoadRequest;
  /** Throws if a response is unexpected. Only samples of long responses are checked. */
  check(body: string): void;
}

export interface LoadResult {
  count: number;
  elapsedMs: number;
  latenciesMs: number[];
  bytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const LOOKED_AT_ALWAYS = 2_000;
const LOOKED_AT_EACH = 50;

interface Reply {
  status: number;
  body: Buffer;
}

/** The response, once it is complete. Requests are not pipelined, so nothing can follow it. */
function replyIn(bytes: Buffer): Reply | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const start = end + HEAD_END.length;
  if (length !== undefined)
    return bytes.length >= start + Number(length) ? { status, body: bytes.subarray(start) } : undefined;
  // the chunk headers stay in the body, because the body is only searched
  if (!bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return undefined;
  return { status, body: bytes.subarray(start) };
}

/**
 * A keep-alive connection that sends one request at a time. It is not an HTTP client, because the load must need less processor
 * time than the server that it measures.
 */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #parts: Buffer[] = [];
  #done: ((reply: Reply) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#host = `127.0.0.1:${port}`;
    socket.on('data', (bytes: Buffer) => {
      this.#parts.push(bytes);
      const all = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts);
      const reply = replyIn(all);
      if (!reply) {
        this.#parts = [all];
        return;
      }
      this.#parts = [];
      this.#done?.(reply);
    });
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('The server closed a connection.')));
  }

  static async open(port: number): Promise<LoadConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new LoadConnection(socket, port);
  }

  send({ method = 'POST', path, headers = {}, body }: LoadRequest): Promise<Reply> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const content =
      body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#failed = reject;
      this.#socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join('')}${content}\r\n${body ?? ''}`,
      );
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }
}

const sent = new WeakMap<Load, number>();

/** Sends the next request of a load, checks the response and resolves to its length. */
export async function sendNext(load: Load, connection: LoadConnection): Promise<number> {
  const n = sent.get(load) ?? 0;
  sent.set(load, n + 1);
  const { status, body } = await connection.send(load.request(n));
  if (status !== 200) throw new Error(`The response was ${status}: ${body.toString().slice(0, 500)}`);
  if (body.length < LOOKED_AT_ALWAYS || n % LOOKED_AT_EACH === 0) load.check(body.toString());
  return body.length;
}

/** Keeps `connections` connections busy for `seconds` seconds, spread over the ports. */
export async function run(
  load: Load,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const { ports } = load;
  const all = await Promise.all(
    Array.from({ length: connections }, (_, n) => LoadConnection.open(ports[n % ports.length]!)),
  );
  const latenciesMs: number[] = [];
  let bytes = 0;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  try {
    await Promise.all(
      all.map(async (connection) => {
        for (let sentAt = performance.now(); sentAt < endAt; ) {
          const length = await sendNext(load, connection);
          bytes += length;
          const now = performance.now();
          latenciesMs.push(now - sentAt);
          sentAt = now;
        }
      }),
    );
    return { count: latenciesMs.length, elapsedMs: performance.now() - startedAt, latenciesMs, bytes };
  } finally {
    for (const connection of all) connection.close();
  }
}
