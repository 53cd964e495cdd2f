import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { banksathiRoutes } from './banksathi.provider.js';
import { fieldsOf, readBody } from './call.js';
import { announcer, type CallbackTarget, pause } from './callbacks.js';
import { type ControlTarget, control } from './control.js';
import { demoCredentials, type SimulatorCredentials } from './credentials.js';
import { ekychubRoutes } from './ekychub.provider.js';
import { inspayRoutes } from './inspay.provider.js';
import { mokshiqRoutes } from './mokshiq.provider.js';
import { ProviderClock } from './provider-clock.js';
import { isProviderName, type ProviderName } from './provider-name.js';
import { Rejections } from './rejections.js';
import { type Reply, sendReply } from './reply.js';
import { Reversals } from './reversals.js';
import { roundpayRoutes } from './roundpay.provider.js';
import { Scripts } from './scripts.js';
import { openStore, type Store } from './store.js';
import { Traffic } from './traffic.js';
import type { Routes, World } from './world.js';

export interface SimulatorOptions {
  host: string;
  /** Port; 0 selects any free port. */
  port: number;
  /** Directory of the book `simulator/book.jsonl`. */
  dataDir: string;
  /** Credentials. Defaults to the demo credentials. */
  credentials?: SimulatorCredentials;
  /** Receiver of callbacks for reversals. Without it, no callbacks are sent. */
  callback?: CallbackTarget;
}

export interface Simulator {
  port: number;
  /** Base URL for programs on this machine, without a trailing slash. */
  url: string;
  /** Closes all connections, including held ones, and closes the book. */
  close(): Promise<void>;
}

const routesOf: Readonly<Record<ProviderName, Routes>> = {
  roundpay: roundpayRoutes,
  mokshiq: mokshiqRoutes,
  ekychub: ekychubRoutes,
  inspay: inspayRoutes,
  banksathi: banksathiRoutes,
};

/** Text for users who open the address in a browser. */
const ABOUT = `This is the provider simulator of the recharge gateway. It has no pages.

In the demo, the Production host sends its requests to these simulated providers:

${Object.keys(routesOf)
  .map((provider) => `  /${provider}/`)
  .join('\n')}

The book of the simulator keeps their payments. The UAT host does not call it.
`;

/**
 * Time after which an idle connection is closed. It is longer than clients keep idle connections, so no request is sent on a
 * connection that is being closed.
 */
const KEEP_ALIVE_MS = 75_000;

/** State behind the socket. */
interface Engine {
  world: World;
  target: ControlTarget;
  closeSignal: AbortSignal;
}

/**
 * Starts the simulator of all five providers on one port.
 * @throws error of the listener (EADDRINUSE, EACCES, ...), or an error with the unreadable line of the book
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const engine = Promise.withResolvers<Engine>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    engine.promise
      .then((ready) => handle(request, response, ready))
      .catch(() => {
        // The client disconnected, or the book cannot be written. No useful response is possible.
        sendReply(response, { kind: 'html', httpStatus: 500 });
      });
  });
  // Binds the port first, because the process that holds it may be writing the same book. Early requests wait for the book.
  const port = await listen(server, options);
  try {
    const clock = new ProviderClock();
    const store = await openStore(join(options.dataDir, 'simulator', 'book.jsonl'), clock);
    const closeController = new AbortController();
    setMaxListeners(0, closeController.signal); // one listener per delayed response
    const reversals = new Reversals(store.book, announcer(options.callback, closeController.signal));
    engine.resolve(engineOf({ store, clock, reversals, options, closeSignal: closeController.signal }));
    reversals.resume();
    return {
      port,
      url: urlOf(options.host, port),
      close: async () => {
        closeController.abort();
        reversals.cancel();
        await stop(server);
        await store.close();
      },
    };
  } catch (error) {
    await stop(server);
    throw error;
  }
}

interface EngineParts {
  store: Store;
  clock: ProviderClock;
  reversals: Reversals;
  options: SimulatorOptions;
  closeSignal: AbortSignal;
}

function engineOf({ store, clock, reversals, options, closeSignal }: EngineParts): Engine {
  const { book, leads } = store;
  const scripts = new Scripts();
  const traffic = new Traffic();
  const rejections = new Rejections();
  const reset = (): Promise<void> => {
    reversals.cancel();
    scripts.clear();
    traffic.clear();
    rejections.clear();
    clock.set(0);
    return store.reset();
  };
  return {
    world: {
      book,
      leads,
      scripts,
      traffic,
      rejections,
      reversals,
      credentials: options.credentials ?? demoCredentials,
    },
    target: { scripts, traffic, rejections, clock, bookLines: () => book.lines(), reset },
    closeSignal,
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { world, target, closeSignal }: Engine,
): Promise<void> {
  const url = URL.parse(request.url ?? '', 'http://simulator');
  if (!url) return sendReply(response, { kind: 'html', httpStatus: 404 });
  if (url.pathname === '/') return sendReply(response, { kind: 'text', text: ABOUT });
  if (url.pathname.startsWith('/_/')) return control(url.pathname, request, response, target);
  const [, provider = '', path = ''] = /^\/([a-z]+)(\/.*)$/.exec(url.pathname) ?? [];
  if (!isProviderName(provider)) return sendReply(response, { kind: 'html', httpStatus: 404 });
  const { traffic } = target;
  const route = routesOf[provider][path];
  // when the response was sent or the caller disconnected
  response.once('close', traffic.begin(provider));
  traffic.log(provider, route ? url.pathname : `/${provider}/(unknown path)`, url.searchParams.get('AGENTID'));

  const body = await readBody(request);
  const respond = async (): Promise<Reply> => {
    if (traffic.isDown(provider)) return { kind: 'html', httpStatus: 503 };
    if (!body) return { kind: 'html', httpStatus: 413 };
    if (!route) return { kind: 'html', httpStatus: 404 };
    if (request.method !== route.method) return { kind: 'html', httpStatus: 405 };
    const fields = await fieldsOf(request.headers['content-type'], body);
    return route.handle({ headers: request.headers, query: url.searchParams, fields }, world);
  };
  const reply = await respond();
  const { ms, changed } = traffic.latency(provider);
  if (ms > 0) await pause(ms, AbortSignal.any([closeSignal, changed]));
  if (reply.delayMs) await pause(reply.delayMs, closeSignal);
  if (!closeSignal.aborted) sendReply(response, reply);
}

function listen(server: Server, { host, port }: SimulatorOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
