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

/** Of the heap that V8 may use: requests that wait are most of what has no other bound. */
export const SHARE_OF_HEAP = 1 / 8;

/** Who holds how much of a slice. */
export interface Holding {
  key: string;
  bytes: number;
}

const LARGEST_SHOWN = 5;

/**
 * What this process holds for requests before and after its work on them, in bytes: bodies and what is read out of them, documents
 * that wait for their turn, answers that their clients have not taken yet. One account for all hosts, because they share one heap,
 * divided into slices that cannot be used for anything else. While less than half of a slice is held, any key may hold that much;
 * from then on only its share. In a slice that is used up, a request within its share takes the room of the oldest request of the key
 * that holds most, where that one only waits for its client: so a few addresses cannot close a slice to all others.
 */
export class MemoryAccount {
  readonly limitBytes: number;
  readonly #held = Object.fromEntries(slices.map((slice) => [slice, 0])) as Record<Slice, number>;
  readonly #byKey = new Map<Slice, Map<string, number>>();
  /** Requests that wait for their clients, the oldest first. */
  readonly #yielding = new Map<Slice, Set<Held>>();

  constructor(
    private readonly onRefusal: (slice: Slice, account: MemoryAccount) => void = () => {},
    limitBytes = getHeapStatistics().heap_size_limit * SHARE_OF_HEAP,
  ) {
    this.limitBytes = limitBytes;
  }

  get held(): Readonly<Record<Slice, number>> {
    return this.#held;
  }

  limitOf(slice: Slice): number {
    return (this.limitBytes * SLICES[slice]) / SLICE_PARTS;
  }

  /** The keys that hold most of a slice, the largest first. */
  largest(slice: Slice): Holding[] {
    return [...this.#keysOf(slice)]
      .map(([key, bytes]) => ({ key, bytes }))
      .toSorted((a, b) => b.bytes - a.bytes)
      .slice(0, LARGEST_SHOWN);
  }

  /** Errors: OVERLOADED, with nothing taken. */
  take(holder: Holder, bytes: number): void {
    const { slice } = holder;
    const limit = this.limitOf(slice);
    const isHalfFree = this.#held[slice] + bytes <= limit / 2;
    const fits = isHalfFree || this.#usedShare(holder, bytes) <= 1;
    while (fits && this.#held[slice] + bytes > limit && this.#makeRoom(holder, bytes));
    if (!fits || this.#held[slice] + bytes > limit) {
      this.onRefusal(slice, this);
      throw overloaded('memory');
    }
    this.note(holder, bytes);
  }

  /** From now on the request only waits for its client, until the function that is returned is called or its memory is released. */
  yields(held: Held): () => void {
    const { slice } = held.holder;
    const yielding = this.#yielding.get(slice) ?? new Set<Held>();
    this.#yielding.set(slice, yielding.add(held));
    return () => yielding.delete(held);
  }

  /** Ends one request that only waits, of a key that holds no less of its share than the new request would. */
  #makeRoom(holder: Holder, bytes: number): boolean {
    const own = this.#usedShare(holder, bytes);
    let [largest, chosen] = [own, undefined as Held | undefined];
    for (const held of this.#yielding.get(holder.slice) ?? []) {
      const used = this.#usedShare(held.holder, 0);
      if (chosen ? used <= largest : used < largest) continue;
      [largest, chosen] = [used, held];
    }
    if (!chosen) return false;
    this.onRefusal(holder.slice, this);
    chosen.makeWay();
    return true;
  }

  /** How much of its share a request's keys would hold with so many bytes more: of the key that holds most. */
  #usedShare({ slice, counts }: Holder, bytes: number): number {
    const [limit, keys] = [this.limitOf(slice), this.#keysOf(slice)];
    return Math.max(...counts.map(({ key, share }) => ((keys.get(key) ?? 0) + bytes) / (limit * share)));
  }

  /** Counts what exists and must not be refused; fewer than no bytes are given back. */
  note({ slice, counts }: Holder, bytes: number): void {
    this.#held[slice] += bytes;
    const keys = this.#keysOf(slice);
    for (const { key } of counts) {
      const own = (keys.get(key) ?? 0) + bytes;
      if (own > 0) keys.set(key, own);
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

/** Counts refusals for memory, and names the largest holders in the log: of each slice once in ten seconds. */
export class RefusalLog {
  readonly #loggedMs = new Map<Slice, number>();

  constructor(
    private readonly metrics: Metrics,
    private readonly log: Logger,
  ) {
    // a counter that begins above 0 has no increase that an alert would see
    for (const slice of slices) metrics.counter('memoryRefusals').add(0, slice);
  }

  refused(slice: Slice, account: MemoryAccount): void {
    this.metrics.counter('memoryRefusals').add(1, slice);
    const nowMs = performance.now();
    if (nowMs - (this.#loggedMs.get(slice) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedMs.set(slice, nowMs);
    const [heldBytes, limitBytes] = [account.held[slice], Math.floor(account.limitOf(slice))];
    this.log.warn(
      { slice, heldBytes, limitBytes, largest: account.largest(slice) },
      'no memory for a request: rejected',
    );
  }
}

/** What is held for one request. */
export class Held {
  #bytes = 0;
  #released = false;
  #end: () => void = () => {};
  #leaveYielding: () => void = () => {};
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

  /** Errors: OVERLOADED, with nothing taken. */
  take(bytes: number): void {
    if (this.#released) return;
    this.account.take(this.#holder, bytes);
    this.#bytes += bytes;
  }

  /** Counts what is there already and must not be lost, such as an answer that says where money went. */
  note(bytes: number): void {
    if (this.#released) return;
    this.#bytes += bytes;
    this.account.note(this.#holder, bytes);
  }

  /** From now on this is all that is held. */
  become(bytes: number): void {
    this.note(bytes - this.#bytes);
  }

  /** The request only waits for its client from now on, and may be ended for others; until the function that is returned is called. */
  yields(end: () => void): () => void {
    if (this.#released) return () => {};
    this.#end = end;
    const leave = this.account.yields(this);
    return (this.#leaveYielding = () => {
      this.#leaveYielding = () => {};
      leave();
    });
  }

  /** Ends the request, which only waits for its client, and gives its memory back at once. */
  makeWay(): void {
    this.release();
    this.#end();
  }

  /** Counts in another slice from now on. Errors: OVERLOADED, with nothing moved. */
  moveTo(holder: Holder): void {
    if (this.#released || holder.slice === this.#holder.slice) return;
    this.account.take(holder, this.#bytes);
    this.account.note(this.#holder, -this.#bytes);
    this.#holder = holder;
  }

  /** All of it, for good. */
  release(): void {
    this.#leaveYielding();
    this.become(0);
    this.#released = true;
  }
}

/** Of a body whose sender is known; a route may have another one. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Of a body without the token of an approved account: signing up, signing in and exchanging a key need no more. */
export const STRANGERS_BODY_LIMIT_BYTES = 8 * 1024;
/** Of GraphQL on the console with the session of an account that is not approved: its forms of KYC are longer. */
export const NEWCOMERS_BODY_LIMIT_BYTES = 32 * 1024;

/** A request with its headers, and what is made for it before anybody knows what it asks. */
const REQUEST_BYTES = 4 * 1024;
/** The next piece of a body that has not arrived: what can come before it is counted. */
const READ_BYTES = 2 * 1024;
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
    /** Anybody may read it. Its answer holds nothing of its own, or is counted by its handler. */
    isFile?: boolean;
  }
  interface FastifyRequest {
    /** What this process holds for it; none for probes, which are always answered. */
    held: Held | undefined;
  }
}

export interface RequestMemoryParts {
  host: Host;
  account: MemoryAccount;
  maxSlowBodiesPerAddress: number;
}

/**
 * Counts what is held for each request, from before its body is read until its answer is with the client, and refuses who may hold
 * no more. Errors: OVERLOADED; PAYLOAD_TOO_LARGE, or what is wrong with a token that was sent, for a long body of a stranger.
 */
export function mountRequestMemory(
  app: FastifyInstance,
  { host, account, maxSlowBodiesPerAddress }: RequestMemoryParts,
): void {
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
  const begin = (request: FastifyRequest, reply: FastifyReply): Held => {
    const { socket } = request.raw;
    const before = heldOn(socket);
    const isBehindOthers = before.size > 0;
    const held = new Held(account, holderOf(request, host, maxSlowBodiesPerAddress));
    before.add(held);
    reply.raw.once('close', () => {
      held.release();
      before.delete(held);
    });
    try {
      let onConnection = REQUEST_BYTES;
      for (const other of before) onConnection += other.bytes;
      if (isBehindOthers && onConnection > CONNECTION_LIMIT_BYTES) throw overloaded('connection');
      // the client left during identification: no further event reports it
      if (socket.destroyed) held.release();
      held.take(REQUEST_BYTES);
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
    // files are few at a time: see UPLOADS_AT_ONCE
    const counted = config.takesFile ? undefined : held;
    if (length !== undefined && (config.takesFile || request.raw.complete)) {
      counted?.take(length);
      return payload;
    }
    if (counted && canYield(counted)) {
      const arrived = counted.yields(() => void reply.header('connection', 'close').send(overloaded('memory')));
      return arriving(request, payload, limit, counted, arrived);
    }
    return arriving(request, payload, limit, counted);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // the body has done its part; what the request came to is there, and its caller has to learn of it
    const { held } = request;
    if (!request.routeOptions.config.isFile) held?.become(REQUEST_BYTES + bytesOf(payload, request, reply));
    if (held && canYield(held)) held.yields(() => request.raw.socket.destroy());
    return payload;
  });
}

/** Of files and of anonymous callers: whoever holds something there is not known. */
const canYield = ({ holder: { slice } }: Held): boolean => slice === 'files' || slice.startsWith('strangers');

/** How long a body may be, by who sends it and where to. */
function bodyLimitOf({ routeOptions, context }: FastifyRequest, host: Host): number {
  const { bodyLimit, config, url } = routeOptions;
  if (config.takesFile || config.knowsItsCallers) return bodyLimit;
  // a path that is not served has no context
  const principal = (context as FastifyRequest['context'] | null)?.principal;
  if (!principal) return STRANGERS_BODY_LIMIT_BYTES;
  if (principal.developerId === undefined || isOfApprovedAccount(principal)) return bodyLimit;
  return host === 'console' && url === '/graphql' ? NEWCOMERS_BODY_LIMIT_BYTES : STRANGERS_BODY_LIMIT_BYTES;
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

/** A body that is on its way, of at most so many bytes: what has arrived is counted, and one read. */
const arriving = (
  request: FastifyRequest,
  payload: RequestPayload,
  limit: number,
  held: Held | undefined,
  arrived: () => void = () => {},
): Readable =>
  Readable.from(
    (async function* () {
      let receivedBytes = 0;
      held?.take(READ_BYTES);
      // destroying the request would take the connection away before the refusal is sent
      for await (const chunk of (payload as Readable).iterator({ destroyOnReturn: false })) {
        const { length } = chunk as Buffer;
        receivedBytes += length;
        if (receivedBytes > limit) throw tooLong(request);
        held?.take(length);
        yield chunk as Buffer;
      }
      arrived();
      held?.note(-READ_BYTES);
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
