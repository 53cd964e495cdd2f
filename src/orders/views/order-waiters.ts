import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { DeveloperPrincipal, SessionPrincipal } from '../../core/principal.js';
import type { ResolvedOrders } from '../decided-orders.js';
import type { OrderStore } from '../order.store.js';
import type { OrderKey } from '../stored-order.js';

/**
 * Number of requests of an account's servers that can wait at the same time in one environment. If the rate limit per minute
 * is higher, that number applies instead. A client that exceeds it probably leaks connections.
 */
export const PLACES_TO_WAIT = 100;
const RETRY_MS = 1_000;

/** Caller for whom waiting slots are counted. */
export type Waiter =
  | Pick<DeveloperPrincipal, 'kind' | 'developerId' | 'environment' | 'rateLimitPerMinute' | 'client'>
  | Pick<SessionPrincipal, 'kind' | 'userId'>;

export interface PlacesOptions {
  /** Rate limit per minute for accounts without a custom limit. */
  defaultLimit: number;
  /** Called for each request that finds no free slot, for metrics. */
  onFull?: () => void;
}

/**
 * Limits the number of requests that can wait at the same time in this process. Slots are counted by account and environment,
 * separately for servers and client tokens, so that browsers cannot take the slots of the account's servers. Console users have
 * their own slots.
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
   * Takes a slot and returns a function that releases it. The function can be called more than once. Throws RATE_LIMITED if no
   * slot is free.
   *
   * @param options with `replaces`, the slot of the replaced request is reused, so a slot is always available
   */
  take(waiter: Waiter, { replaces = false } = {}): () => void {
    const { key, callers, limit } = this.#countedAs(waiter);
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= limit && !replaces) {
      this.#onFull();
      throw new AppError('RATE_LIMITED', {
        message: `At most ${limit} requests from ${callers} can wait at the same time.`,
        retryAfterMs: RETRY_MS,
      });
    }
    this.#taken.set(key, taken + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.#taken.get(key)! - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    };
  }

  #countedAs(waiter: Waiter): { key: string; callers: string; limit: number } {
    if (waiter.kind === 'session') return { key: waiter.userId, callers: 'a user', limit: PLACES_TO_WAIT };
    const { developerId, environment, rateLimitPerMinute, client } = waiter;
    const kind = client ? 'client tokens' : 'servers';
    return {
      key: `${developerId}:${environment}:${kind}`,
      callers: `the ${kind} of an account`,
      limit: Math.max(PLACES_TO_WAIT, rateLimitPerMinute ?? this.#defaultLimit),
    };
  }
}

/** Interval of the query that finds changes without a notification. */
const LOOK_EVERY_MS = 1_000;

/**
 * Reason for the end of a wait. `over`: the order may have changed or the time has passed. `replaced`: another browser waits
 * for the same order. `draining`: the process stops.
 */
export type Ending = 'over' | 'replaced' | 'draining';

export interface Waiting {
  caller: Waiter;
  /** Returns a signal that is aborted when the caller has disconnected. */
  gone?: (() => AbortSignal) | undefined;
}

export interface WaiterParts {
  store: Pick<OrderStore, 'decidedOf'>;
  decided: ResolvedOrders;
  places: WaitingPlaces;
  log: Logger;
}

/**
 * Requests that wait for the final status of an order. Notifications from any process wake them; one shared query per second
 * finds changes without a notification. For each order, only the newest client-token request waits: a page that is
 * reloaded gets a new token and does not read the response to its old request.
 */
export class OrderWaiters {
  readonly #waiting = new Map<string, Set<(ending: Ending) => void>>();
  readonly #keys = new Map<string, OrderKey>();
  /** Waiting client-token request of each order. */
  readonly #browsers = new Map<string, (ending: Ending) => void>();
  /** Reads in a context of its own. Otherwise it would run in the context of the first request that waits. */
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

  /** Ends all waits. The callers respond with the current state. */
  stop(): void {
    this.#draining = true;
    clearTimeout(this.#timer);
    this.#wake([...this.#waiting.keys()], 'draining');
  }

  /**
   * Takes a slot immediately. Resolves and releases the slot when the order is found to be final, the time is up, the process
   * stops, the caller disconnects, or another browser replaces the request. Throws RATE_LIMITED if no slot is free.
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
      this.parts.log.warn({ err: error as Error }, 'order waiters: checking for final orders failed, retrying');
    } finally {
      this.#looking = false;
      this.#lookLater();
    }
  }
}
