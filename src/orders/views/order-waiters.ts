import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { DeveloperPrincipal, SessionPrincipal } from '../../core/principal.js';
import type { ResolvedOrders } from '../decided-orders.js';
import type { OrderStore } from '../order.store.js';
import type { OrderKey } from '../stored-order.js';

/**
 * So many wait at once of the servers of an account in one environment, or as many as it may call a minute where that is more. A client
 * that opens more of them than it has customers at its counter has lost count.
 */
export const PLACES_TO_WAIT = 100;
const RETRY_MS = 1_000;

/** Who waits, as far as places are counted. */
export type Waiter =
  | Pick<DeveloperPrincipal, 'kind' | 'developerId' | 'environment' | 'rateLimitPerMinute' | 'client'>
  | Pick<SessionPrincipal, 'kind' | 'userId'>;

export interface PlacesOptions {
  /** Calls a minute of an account without a limit of its own. */
  defaultLimit: number;
  /** Called for each that finds no place, for metrics. */
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
    if (waiter.kind === 'session') return { who: waiter.userId, whose: 'a user', limit: PLACES_TO_WAIT };
    const { developerId, environment, rateLimitPerMinute, client } = waiter;
    const kind = client ? 'client tokens' : 'servers';
    return {
      who: `${developerId}:${environment}:${kind}`,
      whose: `the ${kind} of an account`,
      limit: Math.max(PLACES_TO_WAIT, rateLimitPerMinute ?? this.#defaultLimit),
    };
  }
}

/** What nobody announced is found so often. */
const LOOK_EVERY_MS = 1_000;

/** Why somebody waits no longer: there may be news, another browser waits for the same order, or the process ends. */
export type Ending = 'over' | 'replaced' | 'draining';

export interface Waiting {
  caller: Waiter;
  /** The caller has gone away. */
  gone?: (() => AbortSignal) | undefined;
}

export interface WaiterParts {
  store: Pick<OrderStore, 'decidedOf'>;
  decided: ResolvedOrders;
  places: WaitingPlaces;
  log: Logger;
}

/**
 * Who waits for orders to be decided. They are woken by what any process announces; one shared query a second finds what nobody
 * announced. For one order one client token's request waits, the newest: a page that is loaded again gets another token, and nobody
 * listens to what it left behind.
 */
export class OrderWaiters {
  readonly #waiting = new Map<string, Set<(ending: Ending) => void>>();
  readonly #keys = new Map<string, OrderKey>();
  /** Of each order that a browser waits for. */
  readonly #browsers = new Map<string, (ending: Ending) => void>();
  /** On behalf of nobody: not of the request that happens to wait first. */
  readonly #lookNow = AsyncLocalStorage.bind(() => void this.#look());
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #draining = false;

  constructor(private readonly parts: WaiterParts) {
    parts.decided.on((orders) => this.#wake(orders.map(({ id }) => id)));
  }

  get count(): number {
    let count = 0;
    for (const waiters of this.#waiting.values()) count += waiters.size;
    return count;
  }

  /** Everybody is answered now, with what is known. */
  stop(): void {
    this.#draining = true;
    clearTimeout(this.#timer);
    this.#wake([...this.#waiting.keys()], 'draining');
  }

  /**
   * Takes a place at once. Resolves, and gives it back, when the order was decided, as far as somebody noticed, or when the time is
   * over, the process ends, the caller goes away or another browser takes the place. Errors, thrown: RATE_LIMITED when no place is left.
   */
  wait(key: OrderKey, waitMs: number, { caller, gone }: Waiting): Promise<Ending> {
    const signal = gone?.();
    if (this.#draining) return Promise.resolve('draining');
    if (signal?.aborted) return Promise.resolve('over');
    const isBrowser = caller.kind === 'developer' && caller.client !== undefined;
    const former = isBrowser ? this.#browsers.get(key.id) : undefined;
    const leave = this.parts.places.take(caller, { replaces: former !== undefined });
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const end = (ending: Ending): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      if (this.#browsers.get(key.id) === end) this.#browsers.delete(key.id);
      waiters.delete(end);
      if (waiters.size === 0 && this.#waiting.get(key.id) === waiters) {
        this.#waiting.delete(key.id);
        this.#keys.delete(key.id);
      }
      leave();
      resolve(ending);
    };
    const giveUp = (): void => end('over');
    const timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener('abort', giveUp);
    const waiters = this.#waiting.get(key.id) ?? new Set();
    this.#waiting.set(key.id, waiters.add(end));
    this.#keys.set(key.id, key);
    former?.('replaced');
    if (isBrowser) this.#browsers.set(key.id, end);
    this.#lookLater();
    return promise;
  }

  #wake(ids: readonly string[], ending: Ending = 'over'): void {
    for (const id of ids) for (const end of this.#waiting.get(id) ?? []) end(ending);
  }

  #lookLater(): void {
    if (this.#timer || this.#looking || this.#draining || this.#keys.size === 0) return;
    this.#timer = setTimeout(() => this.#lookNow(), LOOK_EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#looking = true;
    try {
      this.#wake(await this.parts.store.decidedOf([...this.#keys.values()]));
    } catch (error) {
      this.parts.log.warn({ err: error as Error }, 'nobody could look after orders that are waited for');
    } finally {
      this.#looking = false;
      this.#lookLater();
    }
  }
}
