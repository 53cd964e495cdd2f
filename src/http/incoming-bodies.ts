import { AppError, type ErrorCode } from '../core/errors.js';

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
 * The request bodies that a host waits for. Whatever arrives at once is never refused, so that honest clients behind one proxy do
 * not feel a slow one. Of slow bodies, one address has a bounded number: more are refused with OVERLOADED. All addresses together
 * have a bounded number too: beyond it, the address that holds most loses its oldest with REQUEST_TIMEOUT, and no new one is refused.
 */
export class IncomingBodies {
  readonly #limits: Limits;
  readonly #atOnceMs: number;
  /** In the order in which reading began. */
  readonly #fresh = new Set<IncomingBody>();
  readonly #slow = new Set<IncomingBody>();

  constructor(limits: Limits, atOnceMs = AT_ONCE_MS) {
    this.#limits = limits;
    this.#atOnceMs = atOnceMs;
  }

  begin(body: IncomingBody): void {
    this.#fresh.add(body);
  }

  /** It has arrived, or nobody waits for it any more. */
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
    for (const { addressKey } of this.#slow) add(perAddress, addressKey, 1);
    for (const body of this.#fresh) {
      if (nowMs - body.startedMs < this.#atOnceMs) break;
      if (add(perAddress, body.addressKey, 1) > this.#limits.slowPerAddress) {
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
    let excess = -this.#limits.slow;
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
