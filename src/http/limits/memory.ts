import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { Host } from '../../core/environment.js';
import { AppError, overloaded } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { Metrics } from '../../core/metrics.js';
import { isOfApprovedAccount } from '../../core/principal.js';
import { COMPRESSED } from '../compression.js';
import { isProbe } from '../health.js';
import { type Holder, holderOf, SLICE_PARTS, SLICES, type Slice, slices } from './holders.js';
import { isEventStream } from './traffic.js';

/** Share of V8's heap limit for pending requests, which are the largest use of memory without another limit. */
export const SHARE_OF_HEAP = 1 / 8;

/** Memory that the requests with a key hold in a slice. */
export interface Holding {
  key: string;
  bytes: number;
}

const MAX_LARGEST = 5;

/**
 * Memory that this process holds for requests before and after their execution, in bytes: bodies and their parsed values, queued
 * documents, and responses that clients have not received yet. All hosts share one account, because they share a heap. The
 * account is divided into slices, and the memory of a slice cannot be used for another slice. While at most half of a slice is in
 * use, a key can exceed its share. Above that, each key is limited to its share. If a slice is full, a request within its share
 * replaces the oldest request of the key that uses the most, if that request only waits for its client. A few addresses therefore
 * cannot block a slice for all others.
 */
export class MemoryAccount {
  readonly limitBytes: number;
  readonly #heldBytes = Object.fromEntries(slices.map((slice) => [slice, 0])) as Record<Slice, number>;
  readonly #byKey = new Map<Slice, Map<string, number>>();
  /** Requests that only wait for their clients, oldest first. */
  readonly #evictable = new Map<Slice, Set<HeldMemory>>();

  constructor(
    private readonly onRejection: (slice: Slice, account: MemoryAccount) => void = () => {},
    limitBytes = getHeapStatistics().heap_size_limit * SHARE_OF_HEAP,
  ) {
    this.limitBytes = limitBytes;
  }

  get heldBytes(): Readonly<Record<Slice, number>> {
    return this.#heldBytes;
  }

  limitOf(slice: Slice): number {
    return (this.limitBytes * SLICES[slice]) / SLICE_PARTS;
  }

  /** Returns the keys that hold the most memory of a slice, largest first. */
  largest(slice: Slice): Holding[] {
    return [...this.#keysOf(slice)]
      .map(([key, bytes]) => ({ key, bytes }))
      .toSorted((a, b) => b.bytes - a.bytes)
      .slice(0, MAX_LARGEST);
  }

  /** Takes memory. Throws OVERLOADED without taking memory. */
  take(holder: Holder, bytes: number): void {
    const { slice } = holder;
    const limit = this.limitOf(slice);
    const isHalfFree = this.#heldBytes[slice] + bytes <= limit / 2;
    const fits = isHalfFree || this.#usedShare(holder, bytes) <= 1;
    while (fits && this.#heldBytes[slice] + bytes > limit && this.#evictFor(holder, bytes));
    if (!fits || this.#heldBytes[slice] + bytes > limit) {
      this.onRejection(slice, this);
      throw overloaded('memory');
    }
    this.note(holder, bytes);
  }

  /** Marks the request as only waiting for its client, until the returned function is called or its memory is released. */
  makeEvictable(held: HeldMemory): () => void {
    const { slice } = held.holder;
    const yielding = this.#evictable.get(slice) ?? new Set<HeldMemory>();
    this.#evictable.set(slice, yielding.add(held));
    return () => yielding.delete(held);
  }

  /**
   * Ends one waiting request if the key of that request uses at least as large a part of its share as the key of the new request
   * would use.
   */
  #evictFor(holder: Holder, bytes: number): boolean {
    const ownShare = this.#usedShare(holder, bytes);
    let [largest, victim] = [ownShare, undefined as HeldMemory | undefined];
    for (const held of this.#evictable.get(holder.slice) ?? []) {
      const used = this.#usedShare(held.holder, 0);
      if (victim ? used <= largest : used < largest) continue;
      [largest, victim] = [used, held];
    }
    if (!victim) return false;
    this.onRejection(holder.slice, this);
    victim.evict();
    return true;
  }

  /** Returns the memory of the key with the highest use after adding `bytes`, relative to its share. */
  #usedShare({ slice, counts }: Holder, bytes: number): number {
    const [limit, keys] = [this.limitOf(slice), this.#keysOf(slice)];
    return Math.max(...counts.map(({ key, share }) => ((keys.get(key) ?? 0) + bytes) / (limit * share)));
  }

  /** Counts memory that is already in use, without checking the limit. A negative number releases memory. */
  note({ slice, counts }: Holder, bytes: number): void {
    this.#heldBytes[slice] += bytes;
    const keys = this.#keysOf(slice);
    for (const { key } of counts) {
      const usedBytes = (keys.get(key) ?? 0) + bytes;
      if (usedBytes > 0) keys.set(key, usedBytes);
      else keys.delete(key);
    }
  }

  #keysOf(slice: Slice): Map<string, number> {
    const known = this.#byKey.get(slice);
    if (known) return known;
    const keys = new Map<string, number>();
    this.#byKey.set(slice, keys);
    return keys;
  }
}

const LOG_EVERY_MS = 10_000;

/** Counts requests rejected because of memory. Logs the largest holders of each slice at most every ten seconds. */
export class MemoryRejectionLog {
  readonly #loggedMs = new Map<Slice, number>();

  constructor(
    private readonly metrics: Metrics,
    private readonly log: Logger,
  ) {
    // an alert cannot detect the first increase of a counter that does not exist yet
    for (const slice of slices) metrics.counter('memoryRefusals').add(0, slice);
  }

  record(slice: Slice, account: MemoryAccount): void {
    this.metrics.counter('memoryRefusals').add(1, slice);
    const nowMs = performance.now();
    if (nowMs - (this.#loggedMs.get(slice) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedMs.set(slice, nowMs);
    const [heldBytes, limitBytes] = [account.heldBytes[slice], Math.floor(account.limitOf(slice))];
    this.log.warn(
      { slice, heldBytes, limitBytes, largest: account.largest(slice) },
      'request rejected: memory limit reached',
    );
  }
}

export class HeldMemory {
  #bytes = 0;
  #released = false;
  #end: () => void = () => {};
  #endEvictable: () => void = () => {};
  #holder: Holder;

  constructor(
    private readonly account: MemoryAccount,
    holder: Holder,
  ) {
    this.#holder = holder;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get holder(): Holder {
    return this.#holder;
  }

  /** Takes memory for the request. Throws OVERLOADED without taking memory. */
  take(bytes: number): void {
    if (this.#released) return;
    this.account.take(this.#holder, bytes);
    this.#bytes += bytes;
  }

  /** Counts memory that is already in use and must not be lost, such as a response with the outcome of a payment. */
  note(bytes: number): void {
    if (this.#released) return;
    this.#bytes += bytes;
    this.account.note(this.#holder, bytes);
  }

  /** Sets the total memory of the request. */
  resizeTo(bytes: number): void {
    this.note(bytes - this.#bytes);
  }

  /**
   * Marks the request as only waiting for its client, so that it can be ended in favor of others, until the returned function
   * is called.
   */
  makeEvictable(end: () => void): () => void {
    if (this.#released) return () => {};
    this.#end = end;
    const leave = this.account.makeEvictable(this);
    return (this.#endEvictable = () => {
      this.#endEvictable = () => {};
      leave();
    });
  }

  /** Ends a request that only waits for its client and releases its memory immediately. */
  evict(): void {
    this.release();
    this.#end();
  }

  /** Moves the memory to another slice. Throws OVERLOADED without moving the memory. */
  moveTo(holder: Holder): void {
    if (this.#released || holder.slice === this.#holder.slice) return;
    this.account.take(holder, this.#bytes);
    this.account.note(this.#holder, -this.#bytes);
    this.#holder = holder;
  }

  /** Releases all memory permanently. */
  release(): void {
    this.#endEvictable();
    this.resizeTo(0);
    this.#released = true;
  }
}

/** Body limit of authenticated callers. A route can override it. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Body limit without the token of an approved account: enough for sign-up, sign-in and token exchange. */
export const ANONYMOUS_BODY_LIMIT_BYTES = 8 * 1024;
/** Body limit of GraphQL on the console with the session of an account that is not approved: KYC forms are longer. */
export const NEWCOMERS_BODY_LIMIT_BYTES = 32 * 1024;

/** Memory of a request with its headers, and of the objects created before its content is known. */
const REQUEST_BYTES = 4 * 1024;
/** Memory reserved for the next chunk of a body. */
const READ_BYTES = 2 * 1024;
/** Memory of a streamed response: in its source, in the compressor and in the connection. */
const STREAM_BYTES = 64 * 1024;
/** Memory of a client that waits for events, as measured. */
const EVENT_STREAM_BYTES = 24 * 1024;
/** Memory of a response that is compressed on another thread. */
const COMPRESSOR_BYTES = 1024 * 1024;
/** Limit of one connection, which can send requests without reading responses. A single response can exceed it. */
export const CONNECTION_LIMIT_BYTES = 8 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler authenticates its callers before the body is read. */
    authenticatesItself?: boolean;
    /** Whether the route is public. The response uses no additional memory, or the handler counts the memory of the response. */
    isFile?: boolean;
  }
  interface FastifyRequest {
    /** Memory held for the request; undefined for probes, which are always served. */
    held: HeldMemory | undefined;
  }
}

export interface RequestMemoryParts {
  host: Host;
  account: MemoryAccount;
  maxSlowBodiesPerAddress: number;
}

/**
 * Counts the memory of each request from before its body is read until the client has received the response, and rejects
 * requests over their limit. Throws OVERLOADED, or for a long body of an anonymous caller PAYLOAD_TOO_LARGE or the
 * authentication error.
 */
export function mountRequestMemory(
  app: FastifyInstance,
  { host, account, maxSlowBodiesPerAddress }: RequestMemoryParts,
): void {
  /** Requests of each connection, including rejected ones, until their responses are sent. */
  const connections = new WeakMap<Socket, Set<HeldMemory>>();
  const requestsOn = (socket: Socket): Set<HeldMemory> => {
    const known = connections.get(socket);
    if (known) return known;
    const requests = new Set<HeldMemory>();
    connections.set(socket, requests);
    // responses that have not started get no event when the connection is closed
    socket.once('close', () => requests.forEach((held) => held.release()));
    return requests;
  };
  const begin = (request: FastifyRequest, reply: FastifyReply): HeldMemory => {
    const { socket } = request.raw;
    const requests = requestsOn(socket);
    const isBehindOthers = requests.size > 0;
    const held = new HeldMemory(account, holderOf(request, host, maxSlowBodiesPerAddress));
    requests.add(held);
    reply.raw.once('close', () => {
      held.release();
      requests.delete(held);
    });
    try {
      let onConnection = REQUEST_BYTES;
      for (const other of requests) onConnection += other.bytes;
      if (isBehindOthers && onConnection > CONNECTION_LIMIT_BYTES) throw overloaded('connection');
      // the client disconnected during identification, and no further event reports it
      if (socket.destroyed) held.release();
      held.take(REQUEST_BYTES);
      return held;
    } catch (error) {
      // the error response would also use memory while it waits for responses that the client does not read
      if (isBehindOthers) socket.destroy();
      throw error;
    }
  };

  app.decorateRequest('held');
  app.addHook('onRequest', (request, reply, done) => {
    // the request arrived in the same chunk as others, on a connection that has just been closed
    if (request.raw.socket.destroyed) return void reply.hijack();
    const { headers, routeOptions } = request;
    if (isProbe(routeOptions.url)) return done();
    // requests without credentials are counted here, so that they can be rejected before any work is done
    if (headers.authorization !== undefined || headers.cookie !== undefined || routeOptions.config.authenticatesItself)
      return done();
    request.held = begin(request, reply);
    done();
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    const { config, url } = request.routeOptions;
    if (isProbe(url)) return payload;
    const limit = bodyLimitOf(request, host);
    const length = declaredLength(request);
    if (length !== undefined && length > limit) throw tooLong(request);
    const held = (request.held ??= begin(request, reply));
    // only a few files are uploaded at a time: see UPLOADS_AT_ONCE
    const bodyMemory = config.takesFile ? undefined : held;
    if (length !== undefined && (config.takesFile || request.raw.complete)) {
      bodyMemory?.take(length);
      return payload;
    }
    if (bodyMemory && isEvictable(bodyMemory)) {
      const onEnd = bodyMemory.makeEvictable(() => void reply.header('connection', 'close').send(overloaded('memory')));
      return countedPayload(request, payload, limit, bodyMemory, onEnd);
    }
    return countedPayload(request, payload, limit, bodyMemory);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // the body is no longer needed, and the caller must receive the result
    const { held } = request;
    if (!request.routeOptions.config.isFile) held?.resizeTo(REQUEST_BYTES + bytesOf(payload, request, reply));
    if (held && isEvictable(held)) held.makeEvictable(() => request.raw.socket.destroy());
    return payload;
  });
}

/**
 * Returns whether the request can be ended in favor of others. This applies to files and anonymous callers, because the holders
 * of their memory are unknown.
 */
const isEvictable = ({ holder: { slice } }: HeldMemory): boolean => slice === 'files' || slice.startsWith('anonymous');

/** Returns the body limit for a caller and an endpoint. */
function bodyLimitOf({ routeOptions, context }: FastifyRequest, host: Host): number {
  const { bodyLimit, config, url } = routeOptions;
  if (config.takesFile || config.authenticatesItself) return bodyLimit;
  // unknown paths have no context
  const principal = (context as FastifyRequest['context'] | null)?.principal;
  if (!principal) return ANONYMOUS_BODY_LIMIT_BYTES;
  if (principal.developerId === undefined || isOfApprovedAccount(principal)) return bodyLimit;
  return host === 'console' && url === '/graphql' ? NEWCOMERS_BODY_LIMIT_BYTES : ANONYMOUS_BODY_LIMIT_BYTES;
}

/** Returns the declared length of the body: undefined if the client does not declare it, and 0 if there is no body. */
function declaredLength({ method, headers }: FastifyRequest): number | undefined {
  if (method === 'GET' || method === 'HEAD') return 0;
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Returns the error for a body that is too long. If the token is invalid, the authentication error takes precedence over the
 * length.
 */
const tooLong = ({ context }: FastifyRequest): AppError =>
  (context as FastifyRequest['context'] | null)?.refusal ?? new AppError('PAYLOAD_TOO_LARGE');

/** Reads a body up to the limit, and counts the memory of the received chunks and the next one. */
const countedPayload = (
  request: FastifyRequest,
  payload: RequestPayload,
  limit: number,
  held: HeldMemory | undefined,
  onEnd: () => void = () => {},
): Readable =>
  Readable.from(
    (async function* () {
      let receivedBytes = 0;
      held?.take(READ_BYTES);
      // destroying the request would close the connection before the error response is sent
      for await (const chunk of (payload as Readable).iterator({ destroyOnReturn: false })) {
        const { length } = chunk as Buffer;
        receivedBytes += length;
        if (receivedBytes > limit) throw tooLong(request);
        held?.take(length);
        yield chunk as Buffer;
      }
      onEnd();
      held?.note(-READ_BYTES);
    })(),
    { objectMode: false },
  );

/** Returns the memory that a response holds until its client has received it. */
function bytesOf(payload: unknown, { headers }: FastifyRequest, reply: FastifyReply): number {
  if (!payload) return 0;
  if (typeof payload === 'string') {
    const isCompressed = payload.length > COMPRESSED.syncThreshold && headers['accept-encoding'] !== undefined;
    return payload.length + (isCompressed ? COMPRESSOR_BYTES : 0);
  }
  if (Buffer.isBuffer(payload)) return payload.length;
  return isEventStream(reply) ? EVENT_STREAM_BYTES : STREAM_BYTES;
}
