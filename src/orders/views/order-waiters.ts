import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { DeveloperPrincipal, SessionPrincipal } from '../../core/principal.js';
import type { OrderStore } from '../order.store.js';
import type { ResolvedOrders } from '../resolved-orders.js';
import type { OrderKey } from '../stored-order.js';

/**
 * Number of requests of an account's servers that can wait at the same time in one environment. If the rate limit per minute
 * is higher, that number applies instead. A client that exceeds it probably leaks connections.
 */
export const MAX_WAITING_REQUESTS = 100;
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
  readonly #counts = new Map<string, number>();

  constructor({ defaultLimit, onFull = () => {} }: PlacesOptions) {
    this.#defaultLimit = defaultLimit;
    this.#onFull = onFull;
  }

  get count(): number {
    return this.#counts.values().reduce((sum, taken) => sum + taken, 0);
  }

  /**
   * Takes a slot and returns a function that releases it. The function can be called more than once. Throws RATE_LIMITED if no
   * slot is free.
   *
   * @param options with `replaces`, the slot of the replaced request is reused, so a slot is always available
   */
  take(waiter: Waiter, { replaces = false } = {}): () => void {
    const { key, callers, limit } = this.#countedAs(waiter);
    const count = this.#counts.get(key) ?? 0;
    if (count >= limit && !replaces) {
      this.#onFull();
      throw new AppError('RATE_LIMITED', {
        message: `At most ${limit} requests from ${callers} can wait at the same time.`,
        retryAfterMs: RETRY_MS,
      });
    }
    this.#counts.set(key, count + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.#counts.get(key)! - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  #countedAs(waiter: Waiter): { key: string; callers: string; limit: number } {
    if (waiter.kind === 'session') return { key: waiter.userId, callers: 'a user', limit: MAX_WAITING_REQUESTS };
    const { developerId, environment, rateLimitPerMinute, client } = waiter;
    const kind = client ? 'client tokens' : 'servers';
    return {
      key: `${developerId}:${environment}:${kind}`,
      callers: `the ${kind} of an account`,
      limit: Math.max(MAX_WAITING_REQUESTS, rateLimitPerMinute ?? this.#defaultLimit),
    };
  }
}

/** Interval of the query that finds changes without a notification. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Reason for the end of a wait. `over`: the order may have changed or the time has passed. `replaced`: another browser waits
 * for the same order. `draining`: the process stops.
 */
export type WaitEnd = 'over' | 'replaced' | 'draining';

export interface WaitOptions {
  caller: Waiter;
  /** Returns a signal that is aborted when the caller has disconnected. */
  disconnectSignal?: (() => AbortSignal) | undefined;
}

export interface WaiterParts {
  store: Pick<OrderStore, 'settledIdsOf'>;
  resolvedOrders: ResolvedOrders;
  places: WaitingPlaces;
  log: Logger;
}

/**
 * Requests that wait for the final status of an order. Notifications from any process wake them; one shared query per second
 * finds changes without a notification. For each order, only the newest client-token request waits: a page that is
 * reloaded gets a new token and does not read the response to its old request.
 */
export class OrderWaiters {
  readonly #waiters = new Map<string, Set<(ending: WaitEnd) => void>>();
  readonly #keys = new Map<string, OrderKey>();
  /** Waiting client-token request of each order. */
  readonly #browsers = new Map<string, (ending: WaitEnd) => void>();
  /** Reads in a context of its own. Otherwise it would run in the context of the first request that waits. */
  readonly #pollNow = AsyncLocalStorage.bind(() => void this.#poll());
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isDraining = false;

  constructor(private readonly parts: WaiterParts) {
    parts.resolvedOrders.on((orders) => this.#wake(orders.map(({ id }) => id)));
  }

  get count(): number {
    let count = 0;
    for (const waiters of this.#waiters.values()) count += waiters.size;
    return count;
  }

  /** Ends all waits. The callers respond with the current state. */
  stop(): void {
    this.#isDraining = true;
    clearTimeout(this.#timer);
    this.#wake([...this.#waiters.keys()], 'draining');
  }

  /**
   * Takes a slot immediately. Resolves and releases the slot when the order is found to be final, the time is up, the process
   * stops, the caller disconnects, or another browser replaces the request. Throws RATE_LIMITED if no slot is free.
   */
  wait(key: OrderKey, waitMs: number, { caller, disconnectSignal }: WaitOptions): Promise<WaitEnd> {
    const signal = disconnectSignal?.();
    if (this.#isDraining) return Promise.resolve('draining');
    if (signal?.aborted) return Promise.resolve('over');
    const isBrowser = caller.kind === 'developer' && caller.client !== undefined;
    const previousWaiter = isBrowser ? this.#browsers.get(key.id) : undefined;
    const releasePlace = this.parts.places.take(caller, { replaces: previousWaiter !== undefined });
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const end = (ending: WaitEnd): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopWaiting);
      if (this.#browsers.get(key.id) === end) this.#browsers.delete(key.id);
      waiters.delete(end);
      if (waiters.size === 0 && this.#waiters.get(key.id) === waiters) {
        this.#waiters.delete(key.id);
        this.#keys.delete(key.id);
      }
      releasePlace();
      resolve(ending);
    };
    const stopWaiting = (): void => end('over');
    const timer = setTimeout(stopWaiting, waitMs);
    signal?.addEventListener('abort', stopWaiting);
    const waiters = this.#waiters.get(key.id) ?? new Set();
    this.#waiters.set(key.id, waiters.add(end));
    this.#keys.set(key.id, key);
    previousWaiter?.('replaced');
    if (isBrowser) this.#browsers.set(key.id, end);
    this.#schedulePoll();
    return promise;
  }

  #wake(ids: readonly string[], ending: WaitEnd = 'over'): void {
    for (const id of ids) for (const end of this.#waiters.get(id) ?? []) end(ending);
  }

  #schedulePoll(): void {
    if (this.#timer || this.#isPolling || this.#isDraining || this.#keys.size === 0) return;
    this.#timer = setTimeout(() => this.#pollNow(), POLL_INTERVAL_MS).unref();
  }

  async #poll(): Promise<void> {
    this.#timer = undefined;
    this.#isPolling = true;
    try {
      this.#wake(await this.parts.store.settledIdsOf([...this.#keys.values()]));
    } catch (error) {
      this.parts.log.warn({ err: error as Error }, 'order waiters: checking for final orders failed, retrying');
    } finally {
      this.#isPolling = false;
      this.#schedulePoll();
    }
  }
}
