import type { GraphQLResolveInfo } from 'graphql';
import * as rateLimitModule from 'graphql-rate-limit-directive';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateState, RequestContext } from '../../core/context.js';
import type { Environment, Surface } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import { Metrics } from '../../core/metrics.js';
import { CLIENTS_SHARE, type DeveloperPrincipal } from '../../core/principal.js';
import { sha256 } from '../../core/secret.js';
import type { Counters } from '../../db/counters/counters.js';
import type { KnownOrder } from '../../orders/earlier-orders.js';
import { unauthenticated } from './access.js';
import { type PolicyRow } from './policy.js';

export const WINDOW_S = 60;

/**
 * Rate limit of a session. It is higher than the limit of the API endpoints (60, interface.md 8.1), because users work through
 * lists, and applications support them.
 */
export const SESSION_LIMIT = 600;

/** Limit of replayed responses per idempotency key and minute, for requests that are otherwise rejected. */
export const REPLAY_LIMIT = 60;

/** Counter and limit that the directive passes to the limiter. */
interface LimitKey {
  id: string;
  limit: number;
  /** Limit of the account, if it is higher. It is used if credentials identify the account because no token exists yet. */
  accountLimit?: () => Promise<number | undefined>;
  /** Second counter that is shared with other callers. */
  shared?: { id: string; limit: number };
  /** Selections that were already counted. This is used only for nested fields. */
  once?: { consumptions: Map<unknown, Promise<Consumption>>; selection: unknown };
}

type ExchangeLimit = (
  credentials: { clientId: string; apiSecret: string },
  environment: Environment,
) => Promise<number | undefined>;

/** Number of uses for a key, with the limit of its account. */
interface Consumption {
  limit: number;
  consumedPoints: number;
  remainingPoints: number;
  msBeforeNext: number;
}

/** Returns the limit of a field as documented in the schema. */
export const documentedLimit = ({ access }: PolicyRow, surface: Surface): { limit: number; duration: number } => {
  const forSessions = surface === 'console' && access.kind !== 'public';
  return { limit: forSessions ? SESSION_LIMIT : 60, duration: WINDOW_S };
};

/**
 * Rate limit that the directive applies: 60 per minute for each developer, environment and endpoint, in a fixed window that
 * begins with the first request. A request with a client token counts for that token and for all client tokens of the account.
 * The key contains the limit of the account because the directive knows only the default. `info` is used only to identify the
 * selection, because a compiled query has no reliable path.
 */
export class RateLimits {
  readonly #countedSelections = new WeakMap<RequestContext, Map<unknown, Promise<Consumption>>>();

  /**
   * Creates the limits.
   * @param exchangeLimit limit of the account with this client ID and API secret; undefined for unknown credentials
   */
  constructor(
    private readonly counters: Counters,
    private readonly defaultLimit: number,
    private readonly metrics = new Metrics(),
    private readonly exchangeLimit: ExchangeLimit = async () => undefined,
  ) {}

  /** Returns the schema transformer of the directive, bound to these counters. */
  directive() {
    const consume = (key: LimitKey) => this.#consumeOnce(key);
    class AccountLimiter {
      consume = consume;
    }
    return rateLimitModule.rateLimitDirective({
      limiterClass: AccountLimiter as never,
      defaultLimit: String(this.defaultLimit),
      defaultDuration: String(WINDOW_S),
    });
  }

  /** Returns the options that the directive reads from the extensions of a field. */
  fieldOptions(row: PolicyRow, nested: boolean) {
    type ResolverArguments = [
      directive: unknown,
      source: unknown,
      args: Record<string, unknown>,
      context: RequestContext,
      info: GraphQLResolveInfo,
    ];
    return {
      // unauthenticated callers are rejected anyway and have no counter
      pointsCalculator: (...[, , , context]: ResolverArguments) =>
        row.counts === 'never' || unauthenticated(row, context) ? 0 : 1,
      keyGenerator: (...[, , args, context, info]: ResolverArguments): LimitKey => {
        const key = this.#keyOf(row, context, args);
        if (!nested || row.counts === 'each_use') return key;
        let consumptions = this.#countedSelections.get(context);
        if (!consumptions) this.#countedSelections.set(context, (consumptions = new Map()));
        return { ...key, once: { consumptions, selection: info.fieldNodes[0] } };
      },
      setState: (consumption: Consumption, ...[, , , context]: ResolverArguments) =>
        note(context, stateOf(row, consumption), consumption),
      onLimit: (consumption: Consumption) => {
        this.metrics.counter('limited').add(1, row.endpoint);
        throw rateLimited(consumption);
      },
    };
  }

  /** Counts a request that did not reach a resolver. Throws RATE_LIMITED. */
  async count(row: PolicyRow, context: RequestContext, args: Record<string, unknown>): Promise<void> {
    if (row.counts === 'never') return;
    try {
      note(context, stateOf(row, await this.#consume(this.#keyOf(row, context, args))));
    } catch (error) {
      if (error instanceof Error) throw error;
      note(context, stateOf(row, error as Consumption));
      this.metrics.counter('limited').add(1, row.endpoint);
      throw rateLimited(error as Consumption);
    }
  }

  /**
   * Counts a response to a retry that exceeds its own rate limit: 60 per minute for each order, in addition to the limit of its
   * endpoint. Throws RATE_LIMITED, with the status of the order.
   */
  async countReplay({ id, apiRequestId, status }: KnownOrder): Promise<void> {
    try {
      await this.#consume({ id: `repetition:${id}`, limit: REPLAY_LIMIT });
    } catch (error) {
      if (error instanceof Error) throw error;
      const { msBeforeNext } = error as Consumption;
      this.metrics.counter('limited').add(1, 'repetition');
      throw new AppError('RATE_LIMITED', { retryAfterMs: msBeforeNext, apiRequestId, orderStatus: status });
    }
  }

  /** Returns the caller's limit per minute and endpoint. */
  limitOf({ principal }: RequestContext): number {
    if (principal?.kind === 'session') return SESSION_LIMIT;
    return (principal?.client ? undefined : principal?.rateLimitPerMinute) ?? this.defaultLimit;
  }

  #keyOf(row: PolicyRow, context: RequestContext, args: Record<string, unknown>): LimitKey {
    const { principal } = context;
    switch (principal?.kind) {
      case 'developer':
        if (row.access.kind === 'public') break;
        return this.#keyOfDeveloper(row, principal);
      case 'session':
        if (row.access.kind === 'public') break;
        return { id: `user:${principal.userId}:${row.endpoint}`, limit: SESSION_LIMIT };
      case undefined:
        break;
    }
    const { clientId, apiSecret, email } = (args.input ?? {}) as Readonly<Record<string, unknown>>;
    const name = clientId ?? email;
    // a value that is not text is rejected by its rules, is not a key, and may not be convertible to text
    const callerHash = sha256(typeof name === 'string' ? name : '').toString('base64url');
    const key = { id: `${callerHash}:${context.addressKey}:${context.host}:${row.endpoint}`, limit: this.defaultLimit };
    const { host } = context;
    if (host === 'console' || typeof clientId !== 'string' || typeof apiSecret !== 'string') return key;
    return { ...key, accountLimit: () => this.exchangeLimit({ clientId, apiSecret }, host) };
  }

  /**
   * Returns the counter of a developer's request. Requests from browsers do not reduce the limit of the account, and creating
   * more client tokens does not increase their shared limit.
   */
  #keyOfDeveloper({ endpoint }: PolicyRow, principal: DeveloperPrincipal): LimitKey {
    const { developerId, environment, tokenHash: hash, client } = principal;
    const limit = principal.rateLimitPerMinute ?? this.defaultLimit;
    if (!client) return { id: `${developerId}:${environment}:${endpoint}`, limit };
    return {
      id: `client:${hash.toString('base64url')}:${endpoint}`,
      limit: this.defaultLimit,
      shared: { id: `clients:${developerId}:${environment}:${endpoint}`, limit: CLIENTS_SHARE * limit },
    };
  }

  #consumeOnce(key: LimitKey): Promise<Consumption> {
    if (!key.once) return this.#consume(key);
    const { consumptions, selection } = key.once;
    let consumption = consumptions.get(selection);
    if (!consumption) consumptions.set(selection, (consumption = this.#consume(key)));
    return consumption;
  }

  async #consume({ id, limit: usualLimit, accountLimit, shared }: LimitKey): Promise<Consumption> {
    const limit = accountLimit ? Math.max(usualLimit, (await accountLimit()) ?? 0) : usualLimit;
    // the counters are increased in the same event loop turn, so that they are combined into one statement
    const [own, others] = await Promise.all([this.#add(id, limit), shared && this.#add(shared.id, shared.limit)]);
    // otherwise one browser in a loop could exhaust the shared limit
    if (shared && isOver(own)) await this.counters.add(`rate:${shared.id}`, WINDOW_S, -1);
    const tightest = others && !isOver(own) && others.remainingPoints < own.remainingPoints ? others : own;
    // this is not an Error, because that is how the directive distinguishes an exceeded limit from an unavailable store
    if (isOver(tightest)) throw tightest;
    return tightest;
  }

  async #add(id: string, limit: number): Promise<Consumption> {
    const { count, msLeft } = await this.counters.add(`rate:${id}`, WINDOW_S);
    return Object.assign(new RateLimiterRes(limit - count, msLeft, count), { limit });
  }
}

const isOver = ({ limit, consumedPoints }: Consumption): boolean => consumedPoints > limit;

export const rateLimited = ({ msBeforeNext }: { msBeforeNext: number }): AppError =>
  new AppError('RATE_LIMITED', { retryAfterMs: msBeforeNext });

const stateOf = ({ endpoint }: PolicyRow, { limit, consumedPoints, msBeforeNext }: Consumption): RateState => ({
  endpoint,
  limit,
  remaining: Math.max(limit - consumedPoints, 0),
  resetMs: msBeforeNext,
  exceeded: consumedPoints > limit,
});

/**
 * Keeps the limit closest to exhaustion for the headers, and each use for the field `rateLimit`.
 * @param point the counted unit; passing the same unit again does not add a use
 */
export function note(context: RequestContext, state: RateState, point: unknown = state): void {
  if (isTighter(state, context.rate)) context.rate = state;
  const uses = (context.uses ??= new Map());
  if (!uses.has(point)) uses.set(point, { state, resetAtMs: Date.now() + state.resetMs });
}

export const isTighter = (state: RateState, other: RateState | undefined): boolean =>
  other === undefined || state.exceeded || (!other.exceeded && state.remaining <= other.remaining);

/** Returns the headers RateLimit and RateLimit-Policy of the IETF draft, and the older X- headers. */
export function rateHeaders({ rate }: RequestContext): Record<string, string> {
  if (!rate) return {};
  const { endpoint, limit, remaining, resetMs } = rate;
  return {
    'ratelimit-policy': `"${endpoint}";q=${limit};w=${WINDOW_S}`,
    ratelimit: `"${endpoint}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
  };
}
