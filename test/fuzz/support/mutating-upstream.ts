import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { Agent } from 'undici';
import { Draw } from '../generate/draw.js';
import { hostileJson, hostileText } from '../generate/values.js';
import { CANARY } from '../oracle/canaries.js';

/** Percentage of changed responses: enough to reach every mapping, but not enough to open a circuit breaker. */
const CHANGED_PERCENT = 30;

type Change = (text: string) => string;

/** Changes one member anywhere in the response, or the whole response. */
const changes = fc.gen().map((generate): Change => {
  const draw = new Draw(generate);
  const at = draw.below(1_000) / 1_000;
  const kind = draw.below(10);
  // responses of providers may be shown; only secrets of callers must not
  const value = hostileJson(draw).replaceAll(CANARY, 'provider');
  const text = hostileText(draw).replaceAll(CANARY, 'provider');
  return (reply) => {
    switch (kind) {
      case 0:
        return reply.slice(0, Math.floor(reply.length * at));
      case 1:
        return value;
      case 2:
        return `<html>${text}</html>`;
      case 3:
        return `[${`${reply},`.repeat(50)}${reply}]`;
      case 4:
        return withMember(reply, at, (name) => `"${name}":${value},"${name.toUpperCase()}":`);
      case 5:
        return withMember(reply, at, () => `"unknown":`);
      default:
        return withValue(reply, at, value);
    }
  };
});

const MEMBER = /"([\w ]+)"\s*:/g;
const PLAIN_VALUE = /(?<=:\s*)("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null)/g;

const nth = (matches: RegExpExecArray[], at: number): RegExpExecArray | undefined =>
  matches[Math.floor(matches.length * at)];

function withMember(reply: string, at: number, make: (name: string) => string): string {
  const match = nth([...reply.matchAll(MEMBER)], at);
  return match ? reply.slice(0, match.index) + make(match[1]!) + reply.slice(match.index + match[0].length) : reply;
}

function withValue(reply: string, at: number, value: string): string {
  const match = nth([...reply.matchAll(PLAIN_VALUE)], at);
  return match ? reply.slice(0, match.index) + value + reply.slice(match.index + match[0].length) : value;
}

/** Proxy between the service and the simulator that changes responses. */
export class MutatingUpstream {
  readonly url: string;
  /** False while the stage is set up. */
  changes = false;
  passed = 0;
  changed = 0;
  readonly #server: Server;
  readonly #agent: Agent;

  private constructor(server: Server, agent: Agent) {
    this.#server = server;
    this.#agent = agent;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string, seed: number): Promise<MutatingUpstream> {
    const agent = new Agent({ connections: 100 });
    const pending = fc.sample(changes, { seed, numRuns: 2_000, unbiased: true });
    let turn = 0;
    const server = createServer((request, response) => {
      void forward(agent, target, request)
        .then(({ status, headers, body }) => {
          if (upstream.changes) turn++;
          const isChanged = upstream.changes && (turn * 37) % 100 < CHANGED_PERCENT;
          const change = isChanged ? pending[turn % pending.length] : undefined;
          if (change) upstream.changed++;
          else if (upstream.changes) upstream.passed++;
          const sent = change ? Buffer.from(change(body.toString())) : body;
          response.writeHead(status, { 'content-type': headers }).end(sent);
        })
        // the simulator simulates a reset or silence
        .catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const upstream = new MutatingUpstream(server, agent);
    return upstream;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#agent.destroy();
  }
}

async function forward(agent: Agent, target: string, request: IncomingMessage) {
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const reply = await agent.request({
    origin: target,
    path: request.url ?? '/',
    method: request.method as 'GET',
    headers,
    body: await buffer(request),
  });
  return {
    status: reply.statusCode,
    headers: String(reply.headers['content-type'] ?? 'text/plain'),
    body: Buffer.from(await reply.body.arrayBuffer()),
  };
}
