import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { AppError } from '../../core/errors.js';
import { callerOf } from '../../core/principal.js';
import { COMPRESSED } from '../compression.js';
import { isProbe } from '../health.js';
import { clientAddressKey } from '../requests/head.js';
import { isEventStream } from './traffic.js';

/** Of the heap that V8 may use: requests that wait are most of what has no other bound. */
export const SHARE_OF_HEAP = 1 / 8;

/** Whose bytes they are. */
export interface Holder {
  /** An account, or the address of somebody who is not known. */
  key: string;
  isStranger: boolean;
}

/**
 * What this process holds for requests before and after its work on them, in bytes: bodies and what is read out of them, documents
 * that wait for their turn, uploads, answers that their clients have not taken yet. One account for all hosts, because they share
 * one heap. Strangers may hold a half of it together, and one address half of that; somebody who is known may hold all that is
 * free until half of it is taken, and from then on a quarter.
 */
export class MemoryAccount {
  readonly limitBytes: number;
  readonly #held = { strangers: 0, callers: 0 };
  readonly #byHolder = new Map<string, number>();

  constructor(
    private readonly onRefusal: (who: 'strangers' | 'callers') => void = () => {},
    limitBytes = getHeapStatistics().heap_size_limit * SHARE_OF_HEAP,
  ) {
    this.limitBytes = limitBytes;
  }

  get held(): Readonly<Record<'strangers' | 'callers', number>> {
    return this.#held;
  }

  /** Nothing yet, of a request that begins. */
  open(holder: Holder): Held {
    return new Held(
      (more) => this.#add(holder, more),
      (more) => this.#admit(holder, more),
    );
  }

  #admit({ key, isStranger }: Holder, bytes: number): void {
    const own = (this.#byHolder.get(key) ?? 0) + bytes;
    const all = this.#held.strangers + this.#held.callers + bytes;
    const half = this.limitBytes / 2;
    const fits = isStranger ? this.#held.strangers + bytes <= half && own <= half / 2 : all <= half || own <= half / 2;
    if (fits && all <= this.limitBytes) return;
    this.onRefusal(isStranger ? 'strangers' : 'callers');
    throw new AppError('OVERLOADED');
  }

  #add({ key, isStranger }: Holder, bytes: number): void {
    this.#held[isStranger ? 'strangers' : 'callers'] += bytes;
    const own = (this.#byHolder.get(key) ?? 0) + bytes;
    if (own > 0) this.#byHolder.set(key, own);
    else this.#byHolder.delete(key);
  }
}

/** What is held for one request. */
export class Held {
  #bytes = 0;
  #released = false;

  constructor(
    private readonly add: (bytes: number) => void,
    private readonly admit: (bytes: number) => void,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Errors: OVERLOADED, with nothing taken. */
  take(bytes: number): void {
    this.admit(bytes);
    this.note(bytes);
  }

  /** Counts what is there already and must not be lost, such as an answer that says where money went. */
  note(bytes: number): void {
    if (this.#released) return;
    this.#bytes += bytes;
    this.add(bytes);
  }

  /** From now on this is all that is held. */
  become(bytes: number): void {
    this.note(bytes - this.#bytes);
  }

  /** All of it, for good. */
  release(): void {
    this.become(0);
    this.#released = true;
  }
}

/** Of a body whose sender is known; a route may have another one. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Of a body without a good token: signing up, signing in and exchanging a key need no more. */
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
/** Of an answer that is compressed on another thread. */
const COMPRESSOR_BYTES = 1024 * 1024;
/** Of one connection, which may send requests without reading their answers. One answer alone may be longer. */
export const CONNECTION_LIMIT_BYTES = 8 * 1024 * 1024;

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
