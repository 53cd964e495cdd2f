import { networksOf } from '../../core/addresses.js';
import type { RequestContext } from '../../core/context.js';
import type { Metrics } from '../../core/metrics.js';
import { callerOf } from '../../core/principal.js';
import { type WindowCount, WindowCounts } from '../../core/window-counts.js';
import { note, rateLimited, WINDOW_S } from '../schema/limits.js';

/** A client under development sends some: so many times the limit of an account. */
export const INVALID_SHARE = 2;

/** An address may be an office's: so many times the limit of an account. */
export const STRANGERS_SHARE = 20;

/** Limits of an address, and of the IPv6 networks of 56 and 48 bits around it, as multiples of that of an address. */
export const NETWORK_SHARES = [1, 2, 4] as const;

/** The kinds of documents that are counted, each with its limit per caller and minute. */
interface Limit {
  counts: WindowCounts;
  points: number;
}

/** A limit and the count of a key in its window. */
interface Counted extends WindowCount {
  limit: number;
}

/**
 * How many invalid documents, questions about the schema and, of anonymous callers, documents at all one caller may send in a minute.
 * Known callers are counted by their account, others by address and IPv6 network. The counters are in memory: what they protect is
 * the time of this process, and a counter in the database would cost more than the document.
 */
export class DocumentCounter {
  readonly #invalid: Limit;
  readonly #schemaQuestions: Limit;
  readonly #strangers: Limit;

  /** @param perMinute questions about the schema; twice as many documents may be invalid, twenty times as many come from strangers */
  constructor(
    perMinute: number,
    private readonly metrics: Metrics,
  ) {
    this.#invalid = { counts: new WindowCounts(), points: INVALID_SHARE * perMinute };
    this.#schemaQuestions = { counts: new WindowCounts(), points: perMinute };
    this.#strangers = { counts: new WindowCounts(), points: STRANGERS_SHARE * perMinute };
  }

  /** For documents that nobody has judged yet. Errors: RATE_LIMITED when the caller's last ones were too often invalid. */
  async refuseOffender(context: RequestContext): Promise<void> {
    const { counts, points } = this.#invalid;
    for (const [key, share] of keysOf(context)) {
      const counted = { ...counts.read(key), limit: points * share };
      if (counted.count >= counted.limit) this.#refuse(context, 'invalid-documents', counted);
    }
  }

  async countInvalid(context: RequestContext): Promise<void> {
    // over the limit it is the next document that is refused
    add(this.#invalid, context);
  }

  /** Errors: RATE_LIMITED. */
  async countSchemaQuestion(context: RequestContext): Promise<void> {
    this.#count(context, 'introspection', this.#schemaQuestions);
  }

  /** A document that needs no token, of somebody who has none. Errors: RATE_LIMITED. */
  async countStranger(context: RequestContext): Promise<void> {
    this.#count(context, 'anonymous-documents', this.#strangers);
  }

  #count(context: RequestContext, endpoint: string, limit: Limit): void {
    const counted = add(limit, context);
    if (counted.count > counted.limit) this.#refuse(context, endpoint, counted);
    noteState(context, endpoint, counted, false);
  }

  #refuse(context: RequestContext, endpoint: string, counted: Counted): never {
    noteState(context, endpoint, counted, true);
    this.metrics.counter('limited').add(1, endpoint);
    throw rateLimited({ msBeforeNext: counted.msLeft });
  }
}

/** The keys of a caller, the widest network first, each with its multiple of the limit. */
const keysOf = ({ principal, addressKey }: RequestContext): readonly [key: string, share: number][] =>
  principal
    ? [[callerOf(principal), 1]]
    : networksOf(addressKey)
        .map((key, index): [string, number] => [`address:${key}`, NETWORK_SHARES[index]!])
        .toReversed();

/** Takes one point of each key; of a network that is over its limit, its addresses need no keys. Returns the tightest. */
function add({ counts, points }: Limit, context: RequestContext): Counted {
  let tightest: Counted | undefined;
  for (const [key, share] of keysOf(context)) {
    const counted = { ...counts.add(key, WINDOW_S * 1_000), limit: points * share };
    if (counted.count > counted.limit) return counted;
    if (!tightest || counted.limit - counted.count < tightest.limit - tightest.count) tightest = counted;
  }
  return tightest!;
}

function noteState(
  context: RequestContext,
  endpoint: string,
  { limit, count, msLeft }: Counted,
  exceeded: boolean,
): void {
  note(context, { endpoint, limit, remaining: Math.max(limit - count, 0), resetMs: msLeft, exceeded });
}
