import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TrafficLimits } from '../../config.js';
import { overloaded } from '../../core/errors.js';
import { FairQueue } from '../../core/turns.js';
import { isHealthPath, isProbe } from '../health.js';
import { watchArrivals } from '../requests/arrival.js';
import { Connections, IncomingBodies, type IncomingBody, UnreadResponses } from './slow-clients.js';

const SWEEP_MS = 50;
/**
 * Additional time for Node's timeouts, which are a fallback. Our own timeouts apply first and send an error response with a body
 * and a request ID.
 */
const NODE_TIMEOUT_MARGIN_MS = 5_000;
/**
 * Time after which an unused connection is closed. It is longer than load balancers keep an unused connection. Otherwise this
 * process could close the connection while they are sending a request.
 */
export const KEEP_ALIVE_MS = 72_000;

/** Returns the timeouts of a listener. Without timeouts, a request could take any time to arrive. */
export function listenerTimeouts(limits: TrafficLimits, takesFiles: boolean) {
  const { requestTimeoutMs, uploadTimeoutMs } = limits;
  const requestTimeout =
    (takesFiles ? Math.max(uploadTimeoutMs, requestTimeoutMs) : requestTimeoutMs) + NODE_TIMEOUT_MARGIN_MS;
  return {
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      requestTimeout,
      // Node would reject the request without a body; see readSingleHeaders
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs,
      // Node's default interval is 30 s
      connectionsCheckingInterval: Math.min(2_000, Math.ceil(requestTimeoutMs / 4)),
    },
  } satisfies FastifyHttpOptions<Server>;
}

/** Media types of a stream: server-sent events, and Apollo's multipart subscriptions. */
export const EVENT_STREAM = 'text/event-stream';
export const MULTIPART = 'multipart/mixed';

/** Returns whether the response is a stream of events. */
export function isEventStream(reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type'));
  return type.startsWith(EVENT_STREAM) || type.startsWith(MULTIPART);
}

export interface TrafficParts {
  limits: TrafficLimits;
  /** Limits the number of requests that run at the same time. */
  admission: Admission;
  /** Slow bodies of all hosts. */
  slowBodies: Set<IncomingBody>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body can be a file of a signed-in user. If so, the time limit for files applies. */
    takesFile?: boolean;
  }
}

/**
 * Limits the resources that clients use on a listener. A request counts as running while the service works on it, not while its
 * client sends or reads; slow clients have separate limits. The hooks must be registered before all hooks that do work.
 */
export function mountTraffic(app: FastifyInstance, { limits, admission, slowBodies }: TrafficParts): void {
  const connections = new Connections(limits.maxConnections);
  const bodies = new IncomingBodies(limits.maxSlowBodies, undefined, slowBodies);
  const responses = new UnreadResponses(limits.answerTimeoutMs);
  const running = new WeakSet<FastifyRequest>();
  const admitted = new WeakSet<FastifyRequest>();
  const pendingBodies = new WeakMap<FastifyRequest, IncomingBody>();

  const run = (request: FastifyRequest): void => {
    if (running.has(request) || isHealthPath(request.url)) return;
    if (!admission.enter()) throw overloaded('running');
    running.add(request);
    admitted.add(request);
    request.leaveAdmission = () => leave(request);
    connections.noteStart(request.raw.socket);
  };
  const leave = (request: FastifyRequest): void => {
    if (admitted.delete(request)) admission.leave();
  };
  const pause = (request: FastifyRequest): void => {
    if (!running.delete(request)) return;
    leave(request);
    connections.noteEnd(request.raw.socket);
  };
  const endBody = (request: FastifyRequest): void => {
    const body = pendingBodies.get(request);
    if (body) bodies.end(body);
  };

  connections.watch(app.server);
  beginInTurns(app.server);
  watchArrivals(app.server);
  const timer = setInterval(() => {
    bodies.sweep(performance.now());
    responses.sweep(performance.now());
  }, SWEEP_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));

  app.addHook('onRequest', async (request) => run(request));
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.raw.complete) return payload;
    pause(request);
    const body = incomingBody(request, reply, limits);
    pendingBodies.set(request, body);
    bodies.begin(body);
    // a client that disconnects gets no response
    reply.raw.once('close', () => bodies.end(body));
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    endBody(request);
    run(request);
  });
  app.addHook('onSend', async (request, reply) => {
    endBody(request);
    const isStream = isEventStream(reply);
    if (isStream) {
      // the request does no more work, but its connection is not idle until the response ends
      leave(request);
      reply.raw.once('close', () => pause(request));
    } else pause(request);
    const { socket } = request.raw;
    // injected requests have no connection
    if (socket instanceof Socket) reply.raw.once('close', responses.begin(socket, performance.now(), { isStream }));
  });
}

function incomingBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { requestTimeoutMs, uploadTimeoutMs }: TrafficLimits,
): IncomingBody {
  const { socket } = request.raw;
  const takesFile = request.routeOptions.config?.takesFile ?? false;
  const readBefore = socket.bytesRead;
  return {
    counts: request.held?.holder.counts ?? [],
    signedIn: request.context?.principal !== undefined,
    startedMs: performance.now() - reply.elapsedTime,
    timeoutMs: takesFile ? Math.max(uploadTimeoutMs, requestTimeoutMs) : requestTimeoutMs,
    takesFile,
    receivedBytes: () => socket.bytesRead - readBefore,
    reject: (error) => void reply.header('connection', 'close').send(error),
  };
}

/**
 * Limits the number of requests that one host processes at the same time. Above the limit, an immediate error before money moves
 * is better than late responses for all callers.
 */
export class Admission {
  readonly limit: number;
  #running = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  /** Returns false if the limit is reached. Otherwise, the caller must call `leave` afterward. */
  enter(): boolean {
    if (this.#running >= this.limit) return false;
    this.#running++;
    return true;
  }

  leave(): void {
    this.#running--;
  }
}

/** Maximum time that queued requests are started in one turn, before the event loop handles other events. */
const TURN_MS = 5;

/** Maximum length of the queue. No other limit counts queued requests. */
export const MAX_QUEUED = 4_000;

/** Value that stops Node's parser. */
const UPGRADE = 2;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Queue of all hosts. The hosts take turns because they share one event loop. */
const queued = new FairQueue<Server, { socket: Socket; begin: () => void }>();
let isTurnRunning = false;
let endsMs = 0;
/** Connection of the previous request. */
let lastSocket: Socket | undefined;

/**
 * Starts requests in small groups, even if thousands arrive at the same time, in the order of their arrival on each host.
 * Otherwise the event loop would start all of them before it handles any other event, such as a liveness probe. Probes are never
 * queued. If the queue is full, a request is started immediately, and rejected if necessary. If the connection has just sent
 * other requests, it is closed instead: one read of the socket can contain two thousand requests, which remain in memory until
 * then.
 */
export function beginInTurns(server: Server): void {
  const [handle] = server.listeners('request') as [Handle];
  server.removeListener('request', handle);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const isBehindOthers = socket === lastSocket;
    lastSocket = socket;
    if (socket.destroyed) return;
    if (isProbe(request.url)) return handle(request, response);
    if (!isTurnRunning) beginTurn();
    if (queued.length === 0 && performance.now() < endsMs) handle(request, response);
    else if (queued.length < MAX_QUEUED) queued.push(server, { socket, begin: () => handle(request, response) });
    else if (isBehindOthers) endConnection(socket);
    else handle(request, response);
  });
}

/**
 * Stops the parser of a connection. Node continues to parse the data of a destroyed socket. The parser stops if the remaining
 * data is declared to be of another protocol.
 */
function endConnection(socket: Socket): void {
  socket.destroy();
  const { parser } = socket as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => UPGRADE;
}

function beginTurn(): void {
  isTurnRunning = true;
  endsMs = performance.now() + TURN_MS;
  // runs after all events that have already arrived, and before the next poll
  setImmediate(() => {
    isTurnRunning = false;
    lastSocket = undefined;
    if (queued.length === 0) return;
    beginTurn();
    beginNext();
  });
}

/** Starts queued requests one by one and runs their microtasks so that the elapsed time includes their work. */
function beginNext(): void {
  const next = queued.shift();
  if (next && !next.socket.destroyed) next.begin();
  if (queued.length > 0 && performance.now() < endsMs) queueMicrotask(beginNext);
}
