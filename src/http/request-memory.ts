import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { AppError } from '../core/errors.js';
import type { Held, Holder, MemoryAccount } from '../core/memory-account.js';
import { callerOf } from '../core/principal.js';
import { clientAddressKey } from './client.js';
import { COMPRESSED } from './compression.js';
import { isProbe } from './request-line.js';
import { isEventStream } from './traffic.js';

/** Of a body whose sender is known; a route may have another one. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Of a body without a good token: nobody signs up, signs in or exchanges a key with more. */
export const STRANGERS_BODY_LIMIT_BYTES = 8 * 1024;

/** A request with its headers, and what is made for it before anybody knows what it asks. */
const REQUEST_BYTES = 4 * 1024;
/**
 * A body with its text, which has two bytes a character where one is beyond Latin-1, and what JSON or a form makes of that. A file
 * stays one buffer.
 */
const BODY_TIMES = 6;
/** What an answer that comes piece by piece has under way: in its source, compressed, and in the connection. */
const STREAM_BYTES = 64 * 1024;
/** Measured: somebody who waits for events. */
const EVENT_STREAM_BYTES = 24 * 1024;
/** Of one that compresses beside the event loop. */
const COMPRESSOR_BYTES = 1024 * 1024;
/** Of one connection, which may send requests without reading their answers. One answer alone may be longer. */
const CONNECTION_LIMIT_BYTES = 8 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Knows who calls in a way of its own, before the body is read. */
    knowsItsCallers?: boolean;
    /** Counts what its answer holds itself, or holds nothing for it alone. */
    countsItsAnswer?: boolean;
  }
  interface FastifyRequest {
    /** What this process holds for it; none for probes, which are always answered. */
    held: Held | undefined;
  }
}

/**
 * Counts what is held for each request, from before its body is read until its answer is with the client, and refuses who may hold
 * no more. Errors: OVERLOADED; PAYLOAD_TOO_LARGE, or what is wrong with a token that was sent, for a long body of a stranger.
 */
export function mountRequestMemory(app: FastifyInstance, account: MemoryAccount): void {
  /** By connection: its requests until their answers are out, refused ones too. */
  const connections = new WeakMap<Socket, Set<Held>>();
  const heldOn = (socket: Socket): Set<Held> => {
    const known = connections.get(socket);
    if (known) return known;
    const requests = new Set<Held>();
    connections.set(socket, requests);
    // answers that it had not come to yet hear nothing of its end
    socket.once('close', () => requests.forEach((held) => held.release()));
    return requests;
  };
  const take = ({ raw: { socket } }: FastifyRequest, reply: FastifyReply, holder: Holder, bytes: number): Held => {
    const before = heldOn(socket);
    const isBehindOthers = before.size > 0;
    const held = account.open(holder);
    before.add(held);
    reply.raw.once('close', () => {
      held.release();
      before.delete(held);
    });
    try {
      let onConnection = bytes;
      for (const other of before) onConnection += other.bytes;
      if (isBehindOthers && onConnection > CONNECTION_LIMIT_BYTES) throw new AppError('OVERLOADED');
      held.take(bytes);
      return held;
    } catch (error) {
      // the refusal would have to wait in memory too, behind answers that the client does not read
      if (isBehindOthers) socket.destroy();
      throw error;
    }
  };

  app.decorateRequest('held');
  app.addHook('onRequest', (request, reply, done) => {
    // what came with it on a connection that has just been ended
    if (request.raw.socket.destroyed) return void reply.hijack();
    const { headers, routeOptions } = request;
    if (isProbe(routeOptions.url)) return done();
    // who sends nothing to be known by is refused before anything is done
    if (headers.authorization !== undefined || headers.cookie !== undefined || routeOptions.config.knowsItsCallers)
      return done();
    request.held = take(request, reply, strangerOf(request), REQUEST_BYTES);
    done();
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    const { bodyLimit, config, url } = request.routeOptions;
    if (isProbe(url)) return payload;
    const holder = holderOf(request);
    const limit = holder.isStranger ? STRANGERS_BODY_LIMIT_BYTES : bodyLimit;
    const length = declaredLength(request);
    if (length !== undefined && length > limit) throw tooLong(request);
    request.held ??= take(request, reply, holder, REQUEST_BYTES);
    request.held.take((length ?? limit) * (config.takesFile ? 1 : BODY_TIMES));
    // Fastify counts what its parsers of everybody read
    return length === undefined && (holder.isStranger || config.takesFile) ? upTo(limit, request, payload) : payload;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // the body has done its part; what the request came to is there, and its caller has to learn of it
    if (!request.routeOptions.config.countsItsAnswer)
      request.held?.become(REQUEST_BYTES + bytesOf(payload, request, reply));
    return payload;
  });
}

const strangerOf = (request: FastifyRequest): Holder => ({ key: clientAddressKey(request), isStranger: true });

/** The account of a token or session, or the address of a stranger. */
function holderOf(request: FastifyRequest): Holder {
  // none where nothing is served
  const context = request.context as FastifyRequest['context'] | null;
  const { principal } = context ?? {};
  if (principal) return { key: callerOf(principal), isStranger: false };
  const { url, config } = request.routeOptions;
  if (config.knowsItsCallers) return { key: url!, isStranger: false };
  return strangerOf(request);
}

/** Undefined where the client does not say; 0 without a body. */
function declaredLength({ method, headers }: FastifyRequest): number | undefined {
  if (method === 'GET' || method === 'HEAD') return 0;
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** A token that was sent is judged first: one that has ended says so, whatever came with it. */
const tooLong = ({ context }: FastifyRequest): AppError =>
  (context as FastifyRequest['context'] | null)?.refusal ?? new AppError('PAYLOAD_TOO_LARGE');

/** Of a body without a length, counts what arrives. */
const upTo = (limit: number, request: FastifyRequest, payload: RequestPayload): Readable =>
  Readable.from(
    (async function* () {
      let receivedBytes = 0;
      // destroying the request would take the connection away before the refusal is sent
      for await (const chunk of (payload as Readable).iterator({ destroyOnReturn: false })) {
        receivedBytes += (chunk as Buffer).length;
        if (receivedBytes > limit) throw tooLong(request);
        yield chunk as Buffer;
      }
    })(),
    { objectMode: false },
  );

/** What an answer holds until its client has taken it. */
function bytesOf(payload: unknown, { headers }: FastifyRequest, reply: FastifyReply): number {
  if (!payload) return 0;
  if (typeof payload === 'string') {
    const isCompressed = payload.length > COMPRESSED.syncThreshold && headers['accept-encoding'] !== undefined;
    return payload.length + (isCompressed ? COMPRESSOR_BYTES : 0);
  }
  if (Buffer.isBuffer(payload)) return payload.length;
  return isEventStream(reply) ? EVENT_STREAM_BYTES : STREAM_BYTES;
}
