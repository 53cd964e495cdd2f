import type { Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TrafficLimits } from '../config.js';
import { AppError } from '../core/errors.js';
import type { Admission } from './admission.js';
import { clientAddressKey } from './client.js';
import { Connections } from './connections.js';
import { isHealthPath } from './health.js';
import { IncomingBodies, type IncomingBody } from './incoming-bodies.js';
import { beginInTurns } from './request-turns.js';
import { EVENT_STREAM, UnreadAnswers } from './unread-answers.js';

const SWEEP_MS = 50;
/** Node's own clocks are a second line: our refusals, which have a body and an id, come first. */
const BEHIND_OURS_MS = 5_000;
/** Longer than load balancers keep an unused connection, so that they, not we, close it while they may be sending. */
const KEEP_ALIVE_MS = 72_000;

/** The clocks of a listener. Without them a request may take for ever to arrive. */
export function listenerTimeouts(limits: TrafficLimits, takesFiles: boolean) {
  const { requestTimeoutMs, uploadTimeoutMs } = limits;
  const requestTimeout = (takesFiles ? Math.max(uploadTimeoutMs, requestTimeoutMs) : requestTimeoutMs) + BEHIND_OURS_MS;
  return {
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      requestTimeout,
      headersTimeout: requestTimeoutMs,
      // Node's own interval is 30 s
      connectionsCheckingInterval: Math.min(2_000, Math.ceil(requestTimeoutMs / 4)),
    },
  } satisfies FastifyHttpOptions<Server>;
}

/** An answer whose events come as they happen. */
export const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith(EVENT_STREAM);

export interface TrafficParts {
  limits: TrafficLimits;
  /** Of requests that run at once. */
  admission: Admission;
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
export function mountTraffic(app: FastifyInstance, { limits, admission }: TrafficParts): void {
  const connections = new Connections(limits.maxConnections);
  const bodies = new IncomingBodies({ slow: limits.maxSlowBodies, slowPerAddress: limits.maxSlowBodiesPerAddress });
  const answers = new UnreadAnswers(limits.answerTimeoutMs);
  const running = new WeakSet<FastifyRequest>();
  const admitted = new WeakSet<FastifyRequest>();
  const waiting = new WeakMap<FastifyRequest, IncomingBody>();

  const run = (request: FastifyRequest): void => {
    if (running.has(request) || isHealthPath(request.url)) return;
    if (!admission.enter()) throw new AppError('OVERLOADED');
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
    reply.raw.once('close', answers.begin(request.raw.socket, performance.now(), { isStream }));
  });
}

function incomingBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { requestTimeoutMs, uploadTimeoutMs }: TrafficLimits,
): IncomingBody {
  const { socket } = request.raw;
  const signedIn = request.context?.principal !== undefined;
  const readBefore = socket.bytesRead;
  return {
    addressKey: clientAddressKey(request),
    signedIn,
    startedMs: performance.now(),
    timeoutMs: request.routeOptions.config?.takesFile ? Math.max(uploadTimeoutMs, requestTimeoutMs) : requestTimeoutMs,
    receivedBytes: () => socket.bytesRead - readBefore,
    refuse: (error) => void reply.header('connection', 'close').send(error),
  };
}
