import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RequestContext } from '../core/context.js';
import { callerOf } from '../core/principal.js';
import { note, rateLimited, WINDOW_S } from './limits.js';

/**
 * How many invalid documents and questions about the schema one caller may send in a minute. Known callers are counted by their
 * account, others by address. The counters stand in memory: what they protect is the time of this process, and a counter in the
 * database would cost more than the document.
 */
export class DocumentCounter {
  readonly #invalid: RateLimiterMemory;
  readonly #schemaQuestions: RateLimiterMemory;

  /** @param perMinute questions about the schema; twice as many documents may be invalid */
  constructor(perMinute: number) {
    this.#invalid = new RateLimiterMemory({ points: 2 * perMinute, duration: WINDOW_S });
    this.#schemaQuestions = new RateLimiterMemory({ points: perMinute, duration: WINDOW_S });
  }

  /** For documents that nobody has judged yet. Errors: RATE_LIMITED when the caller's last ones were too often invalid. */
  async refuseOffender(context: RequestContext): Promise<void> {
    const state = await this.#invalid.get(keyOf(context));
    if (!state || state.consumedPoints < this.#invalid.points) return;
    noteState(context, 'invalid-documents', this.#invalid.points, state, true);
    throw rateLimited(state);
  }

  async countInvalid(context: RequestContext): Promise<void> {
    // over the limit it is the next document that is refused
    await this.#invalid.consume(keyOf(context)).catch(() => undefined);
  }

  /** Errors: RATE_LIMITED. */
  async countSchemaQuestion(context: RequestContext): Promise<void> {
    const { points } = this.#schemaQuestions;
    try {
      noteState(context, 'introspection', points, await this.#schemaQuestions.consume(keyOf(context)), false);
    } catch (refused) {
      noteState(context, 'introspection', points, refused as RateLimiterRes, true);
      throw rateLimited(refused as RateLimiterRes);
    }
  }
}

const keyOf = ({ principal, addressKey }: RequestContext): string =>
  principal ? callerOf(principal) : `address:${addressKey}`;

function noteState(
  context: RequestContext,
  endpoint: string,
  limit: number,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
  exceeded: boolean,
): void {
  note(context, { endpoint, limit, remaining: Math.max(limit - consumedPoints, 0), resetMs: msBeforeNext, exceeded });
}
