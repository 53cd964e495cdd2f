import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Backend {
  url: URL;
  agent: Agent;
  isUp: boolean;
}

/** Health checks of HAProxy in ops/haproxy.cfg: one per second; down after two failures, up after one success. */
const CHECK_EVERY_MS = 1_000;
const FALL = 2;

/** Distributes requests over ready processes. A request is repeated on another process only if no connection was made. */
export class Balancer {
  readonly #backends: Backend[];
  readonly #server: Server;
  readonly #checks: NodeJS.Timeout[] = [];
  #next = 0;

  private constructor(urls: readonly string[]) {
    this.#backends = urls.map((url) => ({ url: new URL(url), agent: new Agent({ keepAlive: true }), isUp: true }));
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => this.#pass(incoming, Buffer.concat(chunks), response));
    });
  }

  static async open(urls: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(urls);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    for (const backend of balancer.#backends) balancer.#watch(backend);
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const check of this.#checks) clearInterval(check);
    for (const { agent } of this.#backends) agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #watch(backend: Backend): void {
    let errorResponses = 0;
    const check = async (): Promise<void> => {
      const isReady = await fetch(new URL('/readyz', backend.url), {
        signal: AbortSignal.timeout(CHECK_EVERY_MS),
      }).then(
        (response) => response.ok,
        () => false,
      );
      errorResponses = isReady ? 0 : errorResponses + 1;
      backend.isUp = errorResponses < FALL;
    };
    this.#checks.push(setInterval(() => void check(), CHECK_EVERY_MS));
  }

  #pass(incoming: IncomingMessage, body: Buffer, response: ServerResponse, attempts = 0): void {
    const ready = this.#backends.filter(({ isUp }) => isUp);
    const backend = ready[this.#next++ % ready.length];
    if (!backend || attempts > this.#backends.length) {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"status":"error","code":"NO_BACKEND"}');
      return;
    }
    const headers = { ...incoming.headers, host: backend.url.host, connection: 'keep-alive' };
    const passed = request(
      {
        host: backend.url.hostname,
        port: backend.url.port,
        agent: backend.agent,
        method: incoming.method,
        path: incoming.url,
        headers,
      },
      (reply) => {
        response.writeHead(reply.statusCode!, { ...reply.headers, connection: 'keep-alive' });
        reply.pipe(response);
        reply.on('error', () => response.destroy());
      },
    );
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.#pass(incoming, body, response, attempts + 1);
      else response.destroy();
    });
    passed.end(body);
  }
}
