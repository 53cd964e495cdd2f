import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, networksOf } from '../../core/addresses.js';
import { AppError, type ErrorCode, overloaded } from '../../core/errors.js';
import type { Count } from './holders.js';

interface Connection {
  socket: Socket;
  /** The IPv4 address, or the IPv6 network of 56 bits: what a home line has. */
  network: string;
  /** Requests that run; more than one where a client does not wait for answers. */
  running: number;
}

/**
 * Bounds the connections of a listener. A new one is never turned away, else idle ones would keep honest clients out: it takes
 * the place of one on which no request runs, the oldest of the address or IPv6 network that has most of them.
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
      if (this.#count > this.limit) this.#makeRoom(connection);
    });
  }

  /** A request of the connection runs: it keeps its place. `ended` must follow. */
  began(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running++;
  }

  ended(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) connection.running--;
  }

  #makeRoom(newest: Connection): void {
    const idleIn = (crowd: Iterable<Connection>): Connection | undefined => {
      for (const connection of crowd) if (connection.running === 0 && connection !== newest) return connection;
      return undefined;
    };
    let largest = new Set<Connection>();
    for (const crowd of this.#byNetwork.values()) if (crowd.size > largest.size) largest = crowd;
    let idle = idleIn(largest);
    for (const crowd of this.#byNetwork.values()) idle ??= idleIn(crowd);
    if (!idle) return;
    this.#forget(idle);
    idle.socket.destroy();
  }

  #forget(connection: Connection): void {
    const crowd = this.#byNetwork.get(connection.network);
    if (!crowd?.delete(connection)) return;
    if (crowd.size === 0) this.#byNetwork.delete(connection.network);
    this.#count--;
  }
}

/** After its headers a body arrives within this time unless its client is slow; only slow ones count. */
export const AT_ONCE_MS = 2_000;
/** A slow body arrives at this rate on average, after a pause that a mobile network may take. */
export const MIN_BODY_BYTES_PER_MS = 1;
export const MIN_FILE_BYTES_PER_MS = 16;
export const BODY_PAUSE_MS = 5_000;
export const FILE_PAUSE_MS = 10_000;
/** One body counts once for each of these that it has sent, so that their number bounds memory too. */
const UNIT_BYTES = 64 * 1024;
const REFUSALS_PER_SWEEP = 25;

export interface IncomingBody {
  /** Who it counts for: account, address and networks, each with the number of slow bodies that it may have. */
  counts: readonly Omit<Count, 'share'>[];
  /** Strangers make way for somebody who is signed in. */
  signedIn: boolean;
  /** When the headers had arrived, and how long the body may take. */
  startedMs: number;
  timeoutMs: number;
  takesFile: boolean;
  receivedBytes: () => number;
  /** Answers the request with the error and takes the connection away. */
  refuse: (error: AppError) => void;
}

/**
 * The request bodies that a host waits for. What arrives without delay is never refused, so that honest clients behind one proxy do
 * not feel a slow one. Of slow bodies, one account (on all hosts together), address or network has a bounded number: more are refused
 * with OVERLOADED. One
 * that hardly arrives is refused with REQUEST_TIMEOUT. All together have a bounded number too: beyond it, the caller who holds most
 * loses its oldest with REQUEST_TIMEOUT, and no new one is refused.
 */
export class IncomingBodies {
  /** In the order in which reading began. */
  readonly #fresh = new Set<IncomingBody>();
  readonly #slow = new Set<IncomingBody>();

  constructor(
    private readonly limit: number,
    private readonly atOnceMs = AT_ONCE_MS,
    /** The slow bodies of all hosts. */
    private readonly everywhere = new Set<IncomingBody>(),
  ) {}

  begin(body: IncomingBody): void {
    this.#fresh.add(body);
  }

  /** It has arrived, or its client has gone. */
  end(body: IncomingBody): void {
    this.#fresh.delete(body);
    this.#slow.delete(body);
    this.everywhere.delete(body);
  }

  /** To be called often: finds out who is slow, and who is too slow. */
  sweep(nowMs: number): void {
    let refusals = 0;
    const refuse = (body: IncomingBody, code: ErrorCode): void => {
      // the rest waits for the next time: other requests want to be served in between
      if (++refusals > REFUSALS_PER_SWEEP) return;
      this.end(body);
      body.refuse(code === 'OVERLOADED' ? overloaded('slow_bodies') : new AppError(code));
    };
    for (const bodies of [this.#slow, this.#fresh])
      for (const body of bodies) if (nowMs - body.startedMs >= bodyTimeMs(body)) refuse(body, 'REQUEST_TIMEOUT');
    const numbers = new Map<string, number>();
    for (const body of this.everywhere) {
      const isOwn = this.#slow.has(body);
      for (const { key, acrossHosts } of body.counts) if (isOwn || acrossHosts) add(numbers, key, 1);
    }
    for (const body of this.#fresh) {
      // identification takes longer for some: they are not quite in the order of their headers
      if (nowMs - body.startedMs < this.atOnceMs) continue;
      if (body.counts.some(({ key, slowBodies }) => (numbers.get(key) ?? 0) >= slowBodies)) {
        refuse(body, 'OVERLOADED');
        continue;
      }
      for (const { key } of body.counts) add(numbers, key, 1);
      this.#fresh.delete(body);
      this.#slow.add(body);
      this.everywhere.add(body);
    }
    for (const body of this.#tooMany()) refuse(body, 'REQUEST_TIMEOUT');
  }

  /** Whose turn it is to make way, the first one first: strangers before others, then the oldest of the caller who holds most. */
  #tooMany(): IncomingBody[] {
    let excess = -this.limit;
    for (const body of this.#slow) excess += unitsOf(body);
    if (excess <= 0) return [];
    // how much a caller holds with this body and its newer ones: the oldest of the caller who holds most has the highest
    const held = new Map<string, number>();
    const ranked = [...this.#slow]
      .toReversed()
      .map((body) => ({ body, rank: Math.max(...body.counts.map(({ key }) => add(held, key, unitsOf(body)))) }))
      .toReversed()
      .toSorted((a, b) => Number(a.body.signedIn) - Number(b.body.signedIn) || b.rank - a.rank);
    const chosen: IncomingBody[] = [];
    for (const { body } of ranked) {
      if (excess <= 0) break;
      excess -= unitsOf(body);
      chosen.push(body);
    }
    return chosen;
  }
}

const unitsOf = ({ receivedBytes }: IncomingBody): number => Math.max(1, Math.ceil(receivedBytes() / UNIT_BYTES));

/** One that hardly arrives is given up before its time is over; `Uploads` does that with files. */
const bodyTimeMs = ({ timeoutMs, takesFile, receivedBytes }: IncomingBody): number =>
  takesFile ? timeoutMs : Math.min(timeoutMs, BODY_PAUSE_MS + receivedBytes() / MIN_BODY_BYTES_PER_MS);

/** Adds to a count and returns it. */
function add(counts: Map<string, number>, key: string, more: number): number {
  const count = (counts.get(key) ?? 0) + more;
  counts.set(key, count);
  return count;
}

/** A client that reads more slowly than this on average, beyond the time that everybody has, is cut off. */
export const MIN_BYTES_PER_MS = 16;

interface Answer {
  socket: Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroyed' | 'destroy'>;
  startedMs: number;
  sentBefore: number;
  isStream: boolean;
}

/** Answers that clients have not taken yet: one that is not read would keep its memory, and a file its generator, for ever. */
export class UnreadAnswers {
  readonly #answers = new Set<Answer>();

  constructor(private readonly timeoutMs: number) {}

  /**
   * Returns what to call when the answer is out, or its connection gone. A stream may say nothing for as long as nothing happens: only
   * what it said has to be read.
   */
  begin(socket: Answer['socket'], nowMs: number, { isStream = false } = {}): () => void {
    const answer = { socket, startedMs: nowMs, sentBefore: sentOver(socket), isStream };
    this.#answers.add(answer);
    return () => this.#answers.delete(answer);
  }

  /** To be called often. */
  sweep(nowMs: number): void {
    for (const answer of this.#answers) {
      const { socket, startedMs, sentBefore, isStream } = answer;
      if (socket.destroyed) {
        this.#answers.delete(answer);
        continue;
      }
      if (isStream && socket.writableLength === 0) {
        answer.startedMs = nowMs;
        continue;
      }
      const allowedMs = this.timeoutMs + (sentOver(socket) - sentBefore) / MIN_BYTES_PER_MS;
      if (nowMs - startedMs < allowedMs) continue;
      this.#answers.delete(answer);
      socket.destroy();
    }
  }
}

/** What the client's side has taken, as far as the operating system says. */
const sentOver = ({ bytesWritten, writableLength }: Answer['socket']): number => bytesWritten - writableLength;
