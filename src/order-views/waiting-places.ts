import { AppError } from '../core/errors.js';
import type { DeveloperPrincipal, SessionPrincipal } from '../core/principal.js';

/**
 * So many wait at once of the servers of an account in one environment, or as many as it may call a minute where that is more. A client
 * that opens more of them than it has customers at its counter has lost count.
 */
const PLACES = 100;
const RETRY_MS = 1_000;

/** Who waits, as far as places are counted. */
export type Waiter =
  | Pick<DeveloperPrincipal, 'kind' | 'developerId' | 'environment' | 'rateLimitPerMinute' | 'client'>
  | Pick<SessionPrincipal, 'kind' | 'userId'>;

export interface PlacesOptions {
  /** Calls a minute of an account without a limit of its own. */
  defaultLimit: number;
  /** Told of each that finds no place, for metrics. */
  onFull?: () => void;
}

/**
 * How many may wait at once in this process. Places are counted by account and environment, those of servers apart from those of
 * client tokens: whatever the browsers of an account do, its servers find theirs. People on the console have their own.
 */
export class WaitingPlaces {
  readonly #defaultLimit: number;
  readonly #onFull: () => void;
  readonly #taken = new Map<string, number>();

  constructor({ defaultLimit, onFull = () => {} }: PlacesOptions) {
    this.#defaultLimit = defaultLimit;
    this.#onFull = onFull;
  }

  get count(): number {
    return this.#taken.values().reduce((sum, taken) => sum + taken, 0);
  }

  /**
   * Returns how the place is given back; once is enough. Errors: RATE_LIMITED when none is left.
   *
   * @param replaces takes that of another one, so there always is one
   */
  take(waiter: Waiter, { replaces = false } = {}): () => void {
    const { who, whose, limit } = this.#countedAs(waiter);
    const taken = this.#taken.get(who) ?? 0;
    if (taken >= limit && !replaces) {
      this.#onFull();
      throw new AppError('RATE_LIMITED', {
        message: `At most ${limit} requests of ${whose} may wait at once.`,
        retryAfterMs: RETRY_MS,
      });
    }
    this.#taken.set(who, taken + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.#taken.get(who)! - 1;
      if (left > 0) this.#taken.set(who, left);
      else this.#taken.delete(who);
    };
  }

  #countedAs(waiter: Waiter): { who: string; whose: string; limit: number } {
    if (waiter.kind === 'session') return { who: waiter.userId, whose: 'a user', limit: PLACES };
    const { developerId, environment, rateLimitPerMinute, client } = waiter;
    const kind = client ? 'client tokens' : 'servers';
    return {
      who: `${developerId}:${environment}:${kind}`,
      whose: `the ${kind} of an account`,
      limit: Math.max(PLACES, rateLimitPerMinute ?? this.#defaultLimit),
    };
  }
}
