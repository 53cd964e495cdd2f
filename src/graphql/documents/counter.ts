import { networksOf } from '../../core/addresses.js';
import type { RequestContext } from '../../core/context.js';
import type { Metrics } from '../../core/metrics.js';
import { callerOf } from '../../core/principal.js';
import { type WindowCount, WindowCounts } from '../../core/window-counts.js';
import { note, rateLimited, WINDOW_S } from '../schema/limits.js';

/** Multiplier of the account limit for invalid documents, which clients send during development. */
export const INVALID_SHARE = 2;

/** Multiplier of the account limit for anonymous documents from one address, which all users of an office can share. */
export const ANONYMOUS_SHARE = 20;

/** Limits of an address and its IPv6 networks (/56 and /48), as multiples of the limit per address. */
export const NETWORK_SHARES = [1, 2, 4] as const;

/** Counters for one kind of document, with the limit per caller and minute. */
interface Limit {
  counts: WindowCounts;
  points: number;
}

/** Limit and the count of a key in its window. */
interface LimitUsage extends WindowCount {
  limit: number;
}

/**
 * Limits per minute and caller for invalid documents, for introspection and, for anonymous callers, for all documents.
 * Authenticated callers are counted by account, others by address and IPv6 network. The counters are kept in memory, because they
 * protect the CPU time of this process, and a counter in the database would cost more than the document.
 */
export class DocumentCounter {
  readonly #invalid: Limit;
  readonly #introspection: Limit;
  readonly #anonymous: Limit;

  /**
   * Creates the counter.
   * @param perMinute limit for introspection. The limit is twice as high for invalid documents and 20 times as high for
   * anonymous documents
   */
  constructor(
    perMinute: number,
    private readonly metrics: Metrics,
  ) {
    this.#invalid = { counts: new WindowCounts(), points: INVALID_SHARE * perMinute };
    this.#introspection = { counts: new WindowCounts(), points: perMinute };
    this.#anonymous = { counts: new WindowCounts(), points: ANONYMOUS_SHARE * perMinute };
  }

  /**
   * Rejects a document before it is validated. Throws RATE_LIMITED if the caller has recently sent too many invalid documents.
   */
  async rejectOffender(context: RequestContext): Promise<void> {
    const { counts, points } = this.#invalid;
    for (const [key, share] of keysOf(context)) {
      const usage = { ...counts.read(key), limit: points * share };
      if (usage.count >= usage.limit) this.#reject(context, 'invalid-documents', usage);
    }
  }

  async countInvalid(context: RequestContext): Promise<void> {
    // if this exceeds the limit, the next document is rejected
    add(this.#invalid, context);
  }

  /** Counts an introspection query. Throws RATE_LIMITED. */
  async countIntrospection(context: RequestContext): Promise<void> {
    this.#count(context, 'introspection', this.#introspection);
  }

  /** Counts a document of an anonymous caller that requires no token. Throws RATE_LIMITED. */
  async countAnonymous(context: RequestContext): Promise<void> {
    this.#count(context, 'anonymous-documents', this.#anonymous);
  }

  #count(context: RequestContext, endpoint: string, limit: Limit): void {
    const usage = add(limit, context);
    if (usage.count > usage.limit) this.#reject(context, endpoint, usage);
    noteState(context, endpoint, usage, false);
  }

  #reject(context: RequestContext, endpoint: string, usage: LimitUsage): never {
    noteState(context, endpoint, usage, true);
    this.metrics.counter('limited').add(1, endpoint);
    throw rateLimited({ msBeforeNext: usage.msLeft });
  }
}

/** Returns the keys of a caller, starting with the widest network, each with its multiple of the limit. */
const keysOf = ({ principal, addressKey }: RequestContext): readonly [key: string, share: number][] =>
  principal
    ? [[callerOf(principal), 1]]
    : networksOf(addressKey)
        .map((key, index): [string, number] => [`address:${key}`, NETWORK_SHARES[index]!])
        .toReversed();

/** Takes one point from each key. If a network exceeds its limit, its addresses are not counted. Returns the tightest count. */
function add({ counts, points }: Limit, context: RequestContext): LimitUsage {
  let tightest: LimitUsage | undefined;
  for (const [key, share] of keysOf(context)) {
    const usage = { ...counts.add(key, WINDOW_S * 1_000), limit: points * share };
    if (usage.count > usage.limit) return usage;
    if (!tightest || usage.limit - usage.count < tightest.limit - tightest.count) tightest = usage;
  }
  return tightest!;
}

function noteState(
  context: RequestContext,
  endpoint: string,
  { limit, count, msLeft }: LimitUsage,
  exceeded: boolean,
): void {
  note(context, { endpoint, limit, remaining: Math.max(limit - count, 0), resetMs: msLeft, exceeded });
}
