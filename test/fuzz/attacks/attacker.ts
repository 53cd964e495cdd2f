import { connect, type Socket } from 'node:net';
import { Agent } from 'undici';
import type { HostName } from '../case.js';
import type { Stage } from '../support/stage.js';

const NO_RESPONSE_MS = 60_000;
/** GraphQL returns these codes with status 200. */
const LIMITED = /"(TOO_MANY_FAILED_EXCHANGES|RATE_LIMITED|OVERLOADED)"/;

/** Sends requests and counts the responses by status, without keeping anything else. */
export class Attacker {
  requests = 0;
  readonly statuses: Record<string, number> = {};
  /** Responses caused by a limit or by overload. */
  limited = 0;
  /** Additional result of the attack. */
  note = '';
  /** Forbidden effect of the attack. */
  failure = '';
  readonly stage: Stage;
  /** Sessions of accounts that have only confirmed their address. */
  readonly sessions: readonly string[];
  readonly #agent = new Agent({ connections: 64, headersTimeout: NO_RESPONSE_MS, bodyTimeout: NO_RESPONSE_MS });
  readonly #sockets: Socket[] = [];

  constructor(stage: Stage, sessions: readonly string[] = []) {
    this.stage = stage;
    this.sessions = sessions;
  }

  /** Never throws: a missing response counts as `none`. Returns the text of the body. */
  async send(
    host: HostName,
    path: string,
    { body, headers = {}, token }: { body?: object | string; headers?: Record<string, string>; token?: string } = {},
  ): Promise<string> {
    this.requests++;
    try {
      const response = await this.#agent.request({
        origin: this.stage.urls[host],
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'x-forwarded-for': '203.0.113.9',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token ? { authorization: `Bearer ${this.stage.values.get(`token.${token}`)}` } : {}),
          ...headers,
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      });
      this.#count(String(response.statusCode));
      const text = await response.body.text();
      if (response.statusCode === 429 || LIMITED.test(text)) this.limited++;
      return text;
    } catch {
      this.#count('none');
      return '';
    }
  }

  /** Opens connections that send a head and the start of a body, and never finish. */
  openUnfinished(host: HostName, path: string, count: number): void {
    const { hostname, port } = new URL(this.stage.urls[host]);
    for (let left = count; left > 0; left--) {
      this.requests++;
      const socket = connect(Number(port), hostname);
      // immediately, so that no space is sent first
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-forwarded-for: 203.0.113.9\r\ncontent-type: application/json\r\ncontent-length: 8000\r\n\r\n{`,
      );
      socket.on('error', () => {});
      socket.once('data', (bytes) => this.#count(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 'none'));
      this.#sockets.push(socket);
    }
  }

  /** Adds statuses that were received by other means than `send`. */
  add(counts: Readonly<Record<string, number>>): void {
    for (const [status, count] of Object.entries(counts)) {
      this.requests += count;
      this.statuses[status] = (this.statuses[status] ?? 0) + count;
    }
  }

  /** How many of these connections are established, and how many the service has closed. */
  connectionSummary(): string {
    const open = this.#sockets.filter(({ readyState }) => readyState === 'open').length;
    const ended = this.#sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
    return `${open} still open at the end, ${ended} ended by the service`;
  }

  /** Sends one space on each open connection. */
  sendByte(): void {
    for (const socket of this.#sockets) if (socket.writable) socket.write(' ');
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.#agent.destroy();
  }

  #count(status: string): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }
}

/** Runs the work `count` times, `atOnce` of them concurrently. */
export async function times(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
}
