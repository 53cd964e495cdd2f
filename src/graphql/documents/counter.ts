import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RequestContext } from '../../core/context.js';
import type { Metrics } from '../../core/metrics.js';
import { callerOf } from '../../core/principal.js';
import { outOfScope } from '../../core/scope.js';
import { note, rateLimited, WINDOW_S } from '../schema/limits.js';

/** A client under development sends some: so many times the limit of an account. */
export const INVALID_SHARE = 2;

/** An address may be an office's: so many times the limit of an account. */
export const STRANGERS_SHARE = 20;

/**
 * How many invalid documents, questions about the schema and, of strangers, documents at all one caller may send in a minute. Known callers are counted by their
 * account, others by address. The counters stand in memory: what they protect is the time of this process, and a counter in the
 * database would cost more than the document.
 */
export class DocumentCounter {
  readonly #invalid: RateLimiterMemory;
  readonly #schemaQuestions: RateLimiterMemory;
  readonly #strangers: RateLimiterMemory;

  /** @param perMinute questions about the schema; twice as many documents may be invalid, twenty times as many come from strangers */
  constructor(
    perMinute: number,
    private readonly metrics: Metrics,
  ) {
    this.#invalid = new RateLimiterMemory({ points: INVALID_SHARE * perMinute, duration: WINDOW_S });
    this.#schemaQuestions = new RateLimiterMemory({ points: perMinute, duration: WINDOW_S });
    this.#strangers = new RateLimiterMemory({ points: STRANGERS_SHARE * perMinute, duration: WINDOW_S });
  }

  /** For documents that nobody has judged yet. Errors: RATE_LIMITED when the caller's last ones were too often invalid. */
  async refuseOffender(context: RequestContext): Promise<void> {
    const state = await this.#invalid.get(keyOf(context));
    if (!state || state.consumedPoints < this.#invalid.points) return;
    this.#refuse(context, 'invalid-documents', this.#invalid.points, state);
  }

  async countInvalid(context: RequestContext): Promise<void> {
    // over the limit it is the next document that is refused
    await consume(this.#invalid, context).catch(() => undefined);
  }

  /** Errors: RATE_LIMITED. */
  countSchemaQuestion(context: RequestContext): Promise<void> {
    return this.#count(context, 'introspection', this.#schemaQuestions);
  }

  /** A document that needs no token, of somebody who has none. Errors: RATE_LIMITED. */
  countStranger(context: RequestContext): Promise<void> {
    return this.#count(context, 'anonymous-documents', this.#strangers);
  }

  async #count(context: RequestContext, endpoint: string, limiter: RateLimiterMemory): Promise<void> {
    const { points } = limiter;
    try {
      noteState(context, endpoint, points, await consume(limiter, context), false);
    } catch (refused) {
      this.#refuse(context, endpoint, points, refused as RateLimiterRes);
    }
  }

  #refuse(context: RequestContext, endpoint: string, limit: number, state: RateLimiterRes): never {
    noteState(context, endpoint, limit, state, true);
    this.metrics.counter('limited').add(1, endpoint);
    throw rateLimited(state);
  }
}

const keyOf = ({ principal, addressKey }: RequestContext): string =>
  principal ? callerOf(principal) : `address:${addressKey}`;

/**
 * Takes one point. The limiter keeps a timer for each new key until its window ends; created in scope, the timer would keep the
 * request and its whole document in memory.
 */
const consume = (limiter: RateLimiterMemory, context: RequestContext): Promise<RateLimiterRes> =>
  outOfScope(() => limiter.consume(keyOf(context)));

function noteState(
  context: RequestContext,
  endpoint: string,
  limit: number,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
  exceeded: boolean,
): void {
  note(context, { endpoint, limit, remaining: Math.max(limit - consumedPoints, 0), resetMs: msBeforeNext, exceeded });
}
