import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { Channel } from '../db/channel.js';
import type { OrderStore } from './order.store.js';
import type { OrderKey } from './stored-order.js';

/**
 * So many wait at once of the servers of an account in one environment, or as many as it may call a minute where that is more. A client
 * that opens more of them than it has customers at its counter has lost count.
 */
const PLACES = 100;
const RETRY_MS = 1_000;
/** What the channel may miss is found so often. */
const LOOK_EVERY_MS = 1_000;
/** Ids of one message: 8,000 bytes are the limit. */
const IDS_PER_MESSAGE = 200;
const TOPIC = 'order_decided';

/** Why somebody waits no longer: there may be news, or another browser waits for the same order. */
export type Ending = 'over' | 'replaced';

export interface Waiting {
  caller: Pick<DeveloperPrincipal, 'environment' | 'rateLimitPerMinute' | 'client'>;
  /** The caller has gone away. */
  gone?: (() => AbortSignal) | undefined;
}

export interface WaiterOptions {
  /** Undefined where there is one process alone. */
  channel?: Channel | undefined;
  /** Calls a minute of an account without a limit of its own. */
  defaultLimit: number;
  /** Told of each that finds no place, for metrics. */
  onFull?: () => void;
  log: Logger;
}

/**
 * Who waits for orders to be decided. An order that this process decides wakes its waiters at once, and those of other processes
 * over a channel, after its commit and outside of any transaction; one shared query a second finds what nobody announced.
 *
 * Places are counted by account and environment, those of servers apart from those of client tokens: whatever the browsers of an
 * account do, its servers find theirs. For one order one client token's request waits, the newest: a page that is loaded again gets
 * another token, and nobody listens to what it left behind.
 */
export class OrderWaiters {
  readonly #store: Pick<OrderStore, 'decidedOf'>;
  readonly #log: Logger;
  readonly #channel: Channel | undefined;
  readonly #defaultLimit: number;
  readonly #onFull: () => void;
  readonly #waiting = new Map<string, Set<(ending: Ending) => void>>();
  readonly #keys = new Map<string, OrderKey>();
  /** Of each order that a browser waits for. */
  readonly #browsers = new Map<string, (ending: Ending) => void>();
  /** How many wait: servers and browsers of each account and environment. */
  readonly #counts = new Map<string, number>();
  readonly #announced = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #draining = false;

  constructor(store: Pick<OrderStore, 'decidedOf'>, { channel, defaultLimit, onFull = () => {}, log }: WaiterOptions) {
    this.#store = store;
    this.#log = log;
    this.#channel = channel;
    this.#defaultLimit = defaultLimit;
    this.#onFull = onFull;
    channel?.on(TOPIC, (ids) => this.#wake(ids.split(' ')));
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
    this.#wake([...this.#waiting.keys()]);
  }

  /** An order was decided, and is committed. Those of one turn are one message. */
  announce(id: string): void {
    if (this.#announced.size === 0) setImmediate(() => this.#say());
    this.#announced.add(id);
  }

  /**
   * Resolves when the order was decided, as far as somebody noticed, or when the time is over, the process ends, the caller goes away
   * or another browser takes the place. Errors: RATE_LIMITED when no place is left.
   */
  async wait(key: OrderKey, waitMs: number, { caller, gone }: Waiting): Promise<Ending> {
    const signal = gone?.();
    if (this.#draining || signal?.aborted) return 'over';
    const former = caller.client && this.#browsers.get(key.id);
    const leave = this.#takePlace(key, caller, former !== undefined);
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const waiters = this.#waiting.get(key.id) ?? new Set();
    this.#waiting.set(key.id, waiters.add(resolve));
    this.#keys.set(key.id, key);
    if (caller.client) this.#browsers.set(key.id, resolve);
    former?.('replaced');
    this.#lookLater();
    const giveUp = (): void => resolve('over');
    const timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener('abort', giveUp);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      if (this.#browsers.get(key.id) === resolve) this.#browsers.delete(key.id);
      waiters.delete(resolve);
      if (waiters.size === 0) {
        this.#waiting.delete(key.id);
        this.#keys.delete(key.id);
      }
      leave();
    }
  }

  /** Returns how it is given back. Who takes that of another one always finds one. Errors: RATE_LIMITED. */
  #takePlace(
    { developerId }: OrderKey,
    { environment, rateLimitPerMinute, client }: Waiting['caller'],
    replaces: boolean,
  ): () => void {
    const kind = client ? 'client tokens' : 'servers';
    const who = `${developerId}:${environment}:${kind}`;
    const limit = Math.max(PLACES, rateLimitPerMinute ?? this.#defaultLimit);
    const taken = this.#counts.get(who) ?? 0;
    if (taken >= limit && !replaces) {
      this.#onFull();
      throw new AppError('RATE_LIMITED', {
        message: `At most ${limit} requests of the ${kind} of an account may wait at once.`,
        retryAfterMs: RETRY_MS,
      });
    }
    this.#counts.set(who, taken + 1);
    return () => {
      const left = this.#counts.get(who)! - 1;
      if (left > 0) this.#counts.set(who, left);
      else this.#counts.delete(who);
    };
  }

  #wake(ids: readonly string[]): void {
    for (const id of ids) for (const end of this.#waiting.get(id) ?? []) end('over');
  }

  #say(): void {
    const ids = [...this.#announced];
    this.#announced.clear();
    this.#wake(ids);
    for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE)
      this.#channel?.say(TOPIC, ids.slice(from, from + IDS_PER_MESSAGE).join(' '));
  }

  #lookLater(): void {
    if (this.#timer || this.#looking || this.#draining || this.#keys.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#looking = true;
    try {
      this.#wake(await this.#store.decidedOf([...this.#keys.values()]));
    } catch (error) {
      this.#log.warn({ err: error as Error }, 'nobody could look after orders that are waited for');
    } finally {
      this.#looking = false;
      this.#lookLater();
    }
  }
}
