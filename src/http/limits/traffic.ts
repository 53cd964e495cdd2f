import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TrafficLimits } from '../../config.js';
import { overloaded } from '../../core/errors.js';
import { FairQueue } from '../../core/turns.js';
import { isHealthPath, isProbe } from '../health.js';
import { watchArrivals } from '../requests/arrival.js';
import { Connections, IncomingBodies, type IncomingBody, UnreadAnswers } from './slow-clients.js';

const SWEEP_MS = 50;
/** Node's own clocks are a second line: our refusals, which have a body and an id, come first. */
const BEHIND_OURS_MS = 5_000;
/** Longer than load balancers keep an unused connection, so that they, not we, close it while they may be sending. */
export const KEEP_ALIVE_MS = 72_000;

/** The clocks of a listener. Without them a request may take for ever to arrive. */
export function listenerTimeouts(limits: TrafficLimits, takesFiles: boolean) {
  const { requestTimeoutMs, uploadTimeoutMs } = limits;
  const requestTimeout = (takesFiles ? Math.max(uploadTimeoutMs, requestTimeoutMs) : requestTimeoutMs) + BEHIND_OURS_MS;
  return {
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      requestTimeout,
      // Node answers without a body: see readSingleHeaders
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs,
      // Node's own interval is 30 s
      connectionsCheckingInterval: Math.min(2_000, Math.ceil(requestTimeoutMs / 4)),
    },
  } satisfies FastifyHttpOptions<Server>;
}

/** Media types of a stream: server-sent events, and Apollo's multipart subscriptions. */
export const EVENT_STREAM = 'text/event-stream';
export const MULTIPART = 'multipart/mixed';

/** A response whose events are sent as they happen. */
export function isEventStream(reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type'));
  return type.startsWith(EVENT_STREAM) || type.startsWith(MULTIPART);
}

export interface TrafficParts {
  limits: TrafficLimits;
  /** Bounds the requests that run at the same time. */
  admission: Admission;
  /** The slow bodies of all hosts. */
  slowBodies: Set<IncomingBody>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may be a file of somebody who is signed in, and take as long as one. */
    takesFile?: boolean;
  }
}

/**
 * Bounds what clients take of a listener. A request counts as running while the service works on it, not while its client sends
 * or reads; clients that are slow at either have limits of their own. Its hooks must come before every hook that does work.
 */
export function mountTraffic(app: FastifyInstance, { limits, admission, slowBodies }: TrafficParts): void {
  const connections = new Connections(limits.maxConnections);
  const bodies = new IncomingBodies(limits.maxSlowBodies, undefined, slowBodies);
  const answers = new UnreadAnswers(limits.answerTimeoutMs);
  const running = new WeakSet<FastifyRequest>();
  const admitted = new WeakSet<FastifyRequest>();
  const waiting = new WeakMap<FastifyRequest, IncomingBody>();

  const run = (request: FastifyRequest): void => {
    if (running.has(request) || isHealthPath(request.url)) return;
    if (!admission.enter()) throw overloaded('running');
    running.add(request);
    admitted.add(request);
    request.leaveAdmission = () => leave(request);
    connections.began(request.raw.socket);
  };
  const leave = (request: FastifyRequest): void => {
    if (admitted.delete(request)) admission.leave();
  };
  const pause = (request: FastifyRequest): void => {
    if (!running.delete(request)) return;
    leave(request);
    connections.ended(request.raw.socket);
  };
  const arrived = (request: FastifyRequest): void => {
    const body = waiting.get(request);
    if (body) bodies.end(body);
  };

  connections.watch(app.server);
  beginInTurns(app.server);
  watchArrivals(app.server);
  const timer = setInterval(() => {
    bodies.sweep(performance.now());
    answers.sweep(performance.now());
  }, SWEEP_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));

  app.addHook('onRequest', async (request) => run(request));
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.raw.complete) return payload;
    pause(request);
    const body = incomingBody(request, reply, limits);
    waiting.set(request, body);
    bodies.begin(body);
    // a client that goes away gets no answer
    reply.raw.once('close', () => bodies.end(body));
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    arrived(request);
    run(request);
  });
  app.addHook('onSend', async (request, reply) => {
    arrived(request);
    const isStream = isEventStream(reply);
    if (isStream) {
      // it does no work, and yet its connection is not idle until it ends
      leave(request);
      reply.raw.once('close', () => pause(request));
    } else pause(request);
    const { socket } = request.raw;
    // an injected request has no connection
    if (socket instanceof Socket) reply.raw.once('close', answers.begin(socket, performance.now(), { isStream }));
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
    refuse: (error) => void reply.header('connection', 'close').send(error),
  };
}

/**
 * How many requests one host works on at the same time. Beyond that, an immediate refusal, before money moves, is better than late
 * answers for all.
 */
export class Admission {
  readonly limit: number;
  #underWay = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Requests that run. */
  get running(): number {
    return this.#underWay;
  }

  /** False when so many run; else `leave` must follow. */
  enter(): boolean {
    if (this.#underWay >= this.limit) return false;
    this.#underWay++;
    return true;
  }

  leave(): void {
    this.#underWay--;
  }
}

/** New requests may keep the event loop for so long before it looks again for what else has arrived. */
const TURN_MS = 5;

/** What waits here is not yet counted by any other limit. */
export const MOST_WAITING = 4_000;

/** The limit that Node's parser gets. */
const UPGRADE = 2;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Of all hosts, which take turns: they share one event loop. */
const unbegun = new FairQueue<Server, { socket: Socket; begin: () => void }>();
let isUnderWay = false;
let endsMs = 0;
/** Where the last request came from. */
let lastSocket: Socket | undefined;

/**
 * Thousands of requests that arrive in one moment are begun some at a time, in the order in which each host got them. Else the event
 * loop would begin all of them before it hears of anybody else, such as who asks whether the process lives. Probes never wait. Where
 * too many wait, a request is begun at once, and refused if it has to be; but a connection that has sent others before it in the same
 * moment is ended: one read of the socket can hold two thousand, and nothing of them can be forgotten until it closes.
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
    if (!isUnderWay) beginTurn();
    if (unbegun.length === 0 && performance.now() < endsMs) handle(request, response);
    else if (unbegun.length < MOST_WAITING) unbegun.push(server, { socket, begin: () => handle(request, response) });
    else if (isBehindOthers) endConnection(socket);
    else handle(request, response);
  });
}

/** Node reads on what it has of a socket that is destroyed. Its parser stops where what follows is said to be of another protocol. */
function endConnection(socket: Socket): void {
  socket.destroy();
  const { parser } = socket as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => UPGRADE;
}

function beginTurn(): void {
  isUnderWay = true;
  endsMs = performance.now() + TURN_MS;
  // after everything that has arrived, and before it is asked what else has
  setImmediate(() => {
    isUnderWay = false;
    lastSocket = undefined;
    if (unbegun.length === 0) return;
    beginTurn();
    beginNext();
  });
}

/** One after the other, each with what it leads to at once, so that the time counts that it takes. */
function beginNext(): void {
  const next = unbegun.shift();
  if (next && !next.socket.destroyed) next.begin();
  if (unbegun.length > 0 && performance.now() < endsMs) queueMicrotask(beginNext);
}
