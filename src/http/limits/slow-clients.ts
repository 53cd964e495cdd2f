import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, networksOf } from '../../core/addresses.js';
import { AppError, type ErrorCode, overloaded } from '../../core/errors.js';
import type { Count } from './holders.js';

interface Connection {
  socket: Socket;
  /** IPv4 address, or /56 network of an IPv6 address, which is the usual size for a home connection. */
  network: string;
  /** Number of running requests; more than one if a client does not wait for responses. */
  running: number;
}

/**
 * Limits the connections of a listener. A new connection is never rejected, because idle connections could otherwise block
 * legitimate clients. Instead, it replaces a connection without running requests: the oldest one of the address or IPv6 network
 * with the most connections.
 */
export class Connections {
  readonly #byNetwork = new Map<string, Set<Connection>>();
  readonly #connections = new WeakMap<Socket, Connection>();
  #count = 0;

  constructor(private readonly limit: number) {}

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const [address, network = address!] = networksOf(addressKey(socket.remoteAddress ?? ''));
      const connection = { socket, network, running: 0 };
      const others = this.#byNetwork.get(network) ?? new Set();
      this.#byNetwork.set(network, others.add(connection));
      this.#connections.set(socket, connection);
      this.#count++;
      socket.once('close', () => this.#forget(connection));
      if (this.#count > this.limit) this.#closeIdle(connection);
    });
  }

  /** Marks a running request, so that its connection is not replaced. The caller must call `noteEnd` afterward. */
  noteStart(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running++;
  }

  noteEnd(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running--;
  }

  #closeIdle(newest: Connection): void {
    const idleIn = (group: Iterable<Connection>): Connection | undefined => {
      for (const connection of group) if (connection.running === 0 && connection !== newest) return connection;
      return undefined;
    };
    let largest = new Set<Connection>();
    for (const group of this.#byNetwork.values()) if (group.size > largest.size) largest = group;
    let idle = idleIn(largest);
    for (const group of this.#byNetwork.values()) idle ??= idleIn(group);
    if (!idle) return;
    this.#forget(idle);
    idle.socket.destroy();
  }

  #forget(connection: Connection): void {
    const group = this.#byNetwork.get(connection.network);
    if (!group?.delete(connection)) return;
    if (group.size === 0) this.#byNetwork.delete(connection.network);
    this.#count--;
  }
}

/**
 * Time in which a body is expected. A body that arrives within this time after its headers is not slow. Only slow bodies are
 * limited.
 */
export const AT_ONCE_MS = 2_000;
/** Minimum average rate of a slow body, after a pause that mobile networks may need. */
export const MIN_BODY_BYTES_PER_MS = 1;
export const MIN_FILE_BYTES_PER_MS = 16;
export const BODY_PAUSE_MS = 5_000;
export const FILE_PAUSE_MS = 10_000;
/** A body counts once per this number of received bytes, so that the limit of slow bodies also limits memory. */
const UNIT_BYTES = 64 * 1024;
const REJECTIONS_PER_SWEEP = 25;

export interface IncomingBody {
  /** Limits that the body counts toward: account, address and networks, each with its maximum number of slow bodies. */
  counts: readonly Omit<Count, 'share'>[];
  /** Whether the caller is signed in. Bodies of anonymous callers are dropped first. */
  signedIn: boolean;
  startedMs: number;
  timeoutMs: number;
  takesFile: boolean;
  receivedBytes: () => number;
  /** Responds with the error and closes the connection. */
  reject: (error: AppError) => void;
}

/**
 * Request bodies that a host is receiving. A body that arrives without delay is never rejected, so that one slow client does not
 * affect others behind the same proxy. The number of slow bodies is limited per account (on all hosts together), address and
 * network; additional slow bodies are rejected with OVERLOADED. A body with too little progress is rejected with REQUEST_TIMEOUT.
 * The total number is limited as well. Above this limit, the oldest body of the caller with the most slow bodies is rejected with
 * REQUEST_TIMEOUT, instead of a new body.
 */
export class IncomingBodies {
  /** Bodies that are not slow yet, in the order in which reading started. */
  readonly #fresh = new Set<IncomingBody>();
  readonly #slow = new Set<IncomingBody>();

  constructor(
    private readonly limit: number,
    private readonly atOnceMs = AT_ONCE_MS,
    /** Slow bodies of all hosts. */
    private readonly allHosts = new Set<IncomingBody>(),
  ) {}

  begin(body: IncomingBody): void {
    this.#fresh.add(body);
  }

  /** Removes a body. It is called when the body has arrived or its client has disconnected. */
  end(body: IncomingBody): void {
    this.#fresh.delete(body);
    this.#slow.delete(body);
    this.allHosts.delete(body);
  }

  /** Finds bodies that are slow or too slow. The caller must call this method often. */
  sweep(nowMs: number): void {
    let rejections = 0;
    const reject = (body: IncomingBody, code: ErrorCode): void => {
      // additional bodies are rejected in the next sweep, so that requests are processed in between
      if (++rejections > REJECTIONS_PER_SWEEP) return;
      this.end(body);
      body.reject(code === 'OVERLOADED' ? overloaded('slow_bodies') : new AppError(code));
    };
    for (const bodies of [this.#slow, this.#fresh])
      for (const body of bodies) if (nowMs - body.startedMs >= bodyTimeMs(body)) reject(body, 'REQUEST_TIMEOUT');
    const numbers = new Map<string, number>();
    for (const body of this.allHosts) {
      const isOwn = this.#slow.has(body);
      for (const { key, acrossHosts } of body.counts) if (isOwn || acrossHosts) add(numbers, key, 1);
    }
    for (const body of this.#fresh) {
      // identification takes longer for some requests, so the bodies are not exactly in the order of their headers
      if (nowMs - body.startedMs < this.atOnceMs) continue;
      if (body.counts.some(({ key, slowBodies }) => (numbers.get(key) ?? 0) >= slowBodies)) {
        reject(body, 'OVERLOADED');
        continue;
      }
      for (const { key } of body.counts) add(numbers, key, 1);
      this.#fresh.delete(body);
      this.#slow.add(body);
      this.allHosts.add(body);
    }
    for (const body of this.#tooMany()) reject(body, 'REQUEST_TIMEOUT');
  }

  /**
   * Returns the bodies to drop in this order: bodies of anonymous callers, then the oldest body of the caller with the most slow
   * bodies.
   */
  #tooMany(): IncomingBody[] {
    let excess = -this.limit;
    for (const body of this.#slow) excess += unitsOf(body);
    if (excess <= 0) return [];
    // The rank of a body is the number of slow bodies of its caller that are not older. So the oldest body of the caller with the
    // most slow bodies has the highest rank.
    const units = new Map<string, number>();
    const ranked = [...this.#slow]
      .toReversed()
      .map((body) => ({ body, rank: Math.max(...body.counts.map(({ key }) => add(units, key, unitsOf(body)))) }))
      .toReversed()
      .toSorted((a, b) => Number(a.body.signedIn) - Number(b.body.signedIn) || b.rank - a.rank);
    const selected: IncomingBody[] = [];
    for (const { body } of ranked) {
      if (excess <= 0) break;
      excess -= unitsOf(body);
      selected.push(body);
    }
    return selected;
  }
}

const unitsOf = ({ receivedBytes }: IncomingBody): number => Math.max(1, Math.ceil(receivedBytes() / UNIT_BYTES));

/** Returns the time limit of a body. It is shorter for a body with too little progress. `Uploads` has the same rule for files. */
const bodyTimeMs = ({ timeoutMs, takesFile, receivedBytes }: IncomingBody): number =>
  takesFile ? timeoutMs : Math.min(timeoutMs, BODY_PAUSE_MS + receivedBytes() / MIN_BODY_BYTES_PER_MS);

function add(counts: Map<string, number>, key: string, increment: number): number {
  const count = (counts.get(key) ?? 0) + increment;
  counts.set(key, count);
  return count;
}

/** Minimum average rate at which a client must read a response, after a pause that all clients are allowed. */
export const MIN_BYTES_PER_MS = 16;

interface UnreadResponse {
  socket: Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroyed' | 'destroy'>;
  startedMs: number;
  sentBefore: number;
  isStream: boolean;
}

/**
 * Responses that clients have not received yet. Without a limit, an unread response would hold its memory indefinitely, and an
 * unread file its generator.
 */
export class UnreadResponses {
  readonly #responses = new Set<UnreadResponse>();

  constructor(private readonly timeoutMs: number) {}

  /**
   * Returns a function that must be called when the response is sent or its connection is closed. A stream can be silent while
   * there are no events; only written data must be read.
   */
  begin(socket: UnreadResponse['socket'], nowMs: number, { isStream = false } = {}): () => void {
    const response = { socket, startedMs: nowMs, sentBefore: sentOver(socket), isStream };
    this.#responses.add(response);
    return () => this.#responses.delete(response);
  }

  /** Ends responses that are read too slowly. The caller must call this method often. */
  sweep(nowMs: number): void {
    for (const response of this.#responses) {
      const { socket, startedMs, sentBefore, isStream } = response;
      if (socket.destroyed) {
        this.#responses.delete(response);
        continue;
      }
      if (isStream && socket.writableLength === 0) {
        response.startedMs = nowMs;
        continue;
      }
      const allowedMs = this.timeoutMs + (sentOver(socket) - sentBefore) / MIN_BYTES_PER_MS;
      if (nowMs - startedMs < allowedMs) continue;
      this.#responses.delete(response);
      socket.destroy();
    }
  }
}

/** Returns the number of bytes that the operating system has accepted for sending. */
const sentOver = ({ bytesWritten, writableLength }: UnreadResponse['socket']): number => bytesWritten - writableLength;
