import { connect, type Socket } from 'node:net';
import { Agent } from 'undici';
import type { HostName } from '../case.js';
import type { Stage } from '../support/stage.js';

const NO_ANSWER_MS = 60_000;
/** GraphQL answers 200 to them. */
const LIMITED = /"(TOO_MANY_FAILED_EXCHANGES|RATE_LIMITED|OVERLOADED)"/;

/** Sends, counts what came back by status, and keeps nothing else. */
export class Attacker {
  requests = 0;
  readonly statuses: Record<string, number> = {};
  /** Answers of a limit or of a full service. */
  limited = 0;
  /** What else an attack has to say for itself. */
  note = '';
  /** What the attack achieved and must not. */
  failure = '';
  readonly stage: Stage;
  /** Of accounts that have confirmed their address and nothing more. */
  readonly sessions: readonly string[];
  readonly #agent = new Agent({ connections: 64, headersTimeout: NO_ANSWER_MS, bodyTimeout: NO_ANSWER_MS });
  readonly #sockets: Socket[] = [];

  constructor(stage: Stage, sessions: readonly string[] = []) {
    this.stage = stage;
    this.sessions = sessions;
  }

  /** Errors: none; an answer that never comes counts as `none`. Answers the body's text. */
  async send(
    host: HostName,
    path: string,
    { body, headers = {}, token }: { body?: object | string; headers?: Record<string, string>; token?: string } = {},
  ): Promise<string> {
    this.requests++;
    try {
      const answer = await this.#agent.request({
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
      this.#count(String(answer.statusCode));
      const text = await answer.body.text();
      if (answer.statusCode === 429 || LIMITED.test(text)) this.limited++;
      return text;
    } catch {
      this.#count('none');
      return '';
    }
  }

  /** Connections that send a head and the beginning of a body, and never end it. */
  hang(host: HostName, path: string, count: number): void {
    const { hostname, port } = new URL(this.stage.urls[host]);
    for (let left = count; left > 0; left--) {
      this.requests++;
      const socket = connect(Number(port), hostname);
      // at once, so that no blank comes before it
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-forwarded-for: 203.0.113.9\r\ncontent-type: application/json\r\ncontent-length: 8000\r\n\r\n{`,
      );
      socket.on('error', () => {});
      socket.once('data', (bytes) => this.#count(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 'none'));
      this.#sockets.push(socket);
    }
  }

  /** What was heard by others than `send`. */
  add(heard: Readonly<Record<string, number>>): void {
    for (const [status, count] of Object.entries(heard)) {
      this.requests += count;
      this.statuses[status] = (this.statuses[status] ?? 0) + count;
    }
  }

  /** How many of them are established, and how many the service has ended. */
  hanging(): string {
    const open = this.#sockets.filter(({ readyState }) => readyState === 'open').length;
    const ended = this.#sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
    return `${open} still open at the end, ${ended} ended by the service`;
  }

  /** One blank for each connection that hangs. */
  dribble(): void {
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

/** Runs the work so many times, some of them at once. */
export async function times(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
}
