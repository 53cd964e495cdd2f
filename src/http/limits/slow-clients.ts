import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../../core/addresses.js';
import { AppError, type ErrorCode } from '../../core/errors.js';

interface Connection {
  socket: Socket;
  addressKey: string;
  /** Requests that run; more than one where a client does not wait for answers. */
  running: number;
}

/**
 * Bounds the connections of a listener. A new one is never turned away, else idle ones would keep honest clients out: it takes
 * the place of one on which no request runs, the oldest of the address that has most of them.
 */
export class Connections {
  readonly #byAddress = new Map<string, Set<Connection>>();
  readonly #connections = new WeakMap<Socket, Connection>();
  #count = 0;

  constructor(private readonly limit: number) {}

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const connection = { socket, addressKey: addressKey(socket.remoteAddress ?? ''), running: 0 };
      const others = this.#byAddress.get(connection.addressKey) ?? new Set();
      this.#byAddress.set(connection.addressKey, others.add(connection));
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
    for (const crowd of this.#byAddress.values()) if (crowd.size > largest.size) largest = crowd;
    let idle = idleIn(largest);
    for (const crowd of this.#byAddress.values()) idle ??= idleIn(crowd);
    if (!idle) return;
    this.#forget(idle);
    idle.socket.destroy();
  }

  #forget(connection: Connection): void {
    const crowd = this.#byAddress.get(connection.addressKey);
    if (!crowd?.delete(connection)) return;
    if (crowd.size === 0) this.#byAddress.delete(connection.addressKey);
    this.#count--;
  }
}

/** A body arrives within this time unless its client is slow; only slow ones count. */
const AT_ONCE_MS = 1_000;
/** One body counts once for each of these that it has sent, so that their number bounds memory too. */
const UNIT_BYTES = 64 * 1024;
const REFUSALS_PER_SWEEP = 25;

export interface IncomingBody {
  /** Whose body it is, for the limit per address. */
  addressKey: string;
  /** Strangers make way for somebody who is signed in. */
  signedIn: boolean;
  /** When reading began, and how long it may take. */
  startedMs: number;
  timeoutMs: number;
  receivedBytes: () => number;
  /** Answers the request with the error and takes the connection away. */
  refuse: (error: AppError) => void;
}

interface Limits {
  slow: number;
  slowPerAddress: number;
}

/**
 * The request bodies that a host waits for. What arrives without delay is never refused, so that honest clients behind one proxy do
 * not feel a slow one. Of slow bodies, one address has a bounded number: more are refused with OVERLOADED. All addresses together
 * have a bounded number too: beyond it, the address that holds most loses its oldest with REQUEST_TIMEOUT, and no new one is refused.
 */
export class IncomingBodies {
  /** In the order in which reading began. */
  readonly #fresh = new Set<IncomingBody>();
  readonly #slow = new Set<IncomingBody>();

  constructor(
    private readonly limits: Limits,
    private readonly atOnceMs = AT_ONCE_MS,
  ) {}

  begin(body: IncomingBody): void {
    this.#fresh.add(body);
  }

  /** It has arrived, or its client has gone. */
  end(body: IncomingBody): void {
    this.#fresh.delete(body);
    this.#slow.delete(body);
  }

  /** To be called often: finds out who is slow, and who is too slow. */
  sweep(nowMs: number): void {
    let refusals = 0;
    const refuse = (body: IncomingBody, code: ErrorCode): void => {
      // the rest waits for the next time: other requests want to be served in between
      if (++refusals > REFUSALS_PER_SWEEP) return;
      this.end(body);
      body.refuse(new AppError(code));
    };
    for (const bodies of [this.#slow, this.#fresh])
      for (const body of bodies) if (nowMs - body.startedMs >= body.timeoutMs) refuse(body, 'REQUEST_TIMEOUT');
    const perAddress = new Map<string, number>();
    for (const slow of this.#slow) add(perAddress, slow.addressKey, 1);
    for (const body of this.#fresh) {
      if (nowMs - body.startedMs < this.atOnceMs) break;
      if (add(perAddress, body.addressKey, 1) > this.limits.slowPerAddress) {
        refuse(body, 'OVERLOADED');
        continue;
      }
      this.#fresh.delete(body);
      this.#slow.add(body);
    }
    for (const body of this.#tooMany()) refuse(body, 'REQUEST_TIMEOUT');
  }

  /** Whose turn it is to make way, the first one first: strangers before others, then the oldest of the address that holds most. */
  #tooMany(): IncomingBody[] {
    let excess = -this.limits.slow;
    for (const body of this.#slow) excess += unitsOf(body);
    if (excess <= 0) return [];
    // how much an address holds with this body and its newer ones: the oldest of the address that holds most has the highest
    const held = new Map<string, number>();
    const ranked = [...this.#slow]
      .toReversed()
      .map((body) => ({ body, rank: add(held, body.addressKey, unitsOf(body)) }))
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
