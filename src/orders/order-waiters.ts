import type { RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { Channel } from '../db/channel.js';
import type { OrderStore } from './order.store.js';
import type { OrderKey } from './stored-order.js';

/** A client that opens more of them than it has customers at its counter has lost count. */
const MAX_PER_DEVELOPER = 100;
/** Of these, for one browser or app. */
const MAX_PER_CLIENT_TOKEN = 5;
const RETRY_MS = 1_000;
/** What the channel may miss is found so often. */
const LOOK_EVERY_MS = 1_000;
/** Ids of one message: 8,000 bytes are the limit. */
const IDS_PER_MESSAGE = 200;
const TOPIC = 'order_decided';

/**
 * Who waits for orders to be decided. An order that this process decides wakes its waiters at once, and those of other processes
 * over a channel, after its commit and outside of any transaction; one shared query a second finds what nobody announced.
 */
export class OrderWaiters {
  readonly #store: Pick<OrderStore, 'decidedOf'>;
  readonly #log: Logger;
  readonly #channel: Channel | undefined;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #keys = new Map<string, OrderKey>();
  /** How many wait, of each developer and of each client token. */
  readonly #counts = new Map<string, number>();
  readonly #announced = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #draining = false;

  /** @param channel undefined where there is one process alone */
  constructor(store: Pick<OrderStore, 'decidedOf'>, channel: Channel | undefined, log: Logger) {
    this.#store = store;
    this.#log = log;
    this.#channel = channel;
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
   * Resolves when the order was decided, as far as somebody noticed, or when the time is over, the process ends or the caller goes
   * away. Errors: RATE_LIMITED when the developer, or the client token, waits for too many.
   */
  async wait(
    key: OrderKey,
    waitMs: number,
    { gone, principal }: Pick<RequestContext, 'gone' | 'principal'> = { principal: undefined },
  ): Promise<void> {
    const signal = gone?.();
    if (this.#draining || signal?.aborted) return;
    const limits: [who: string, limit: number, ofWhat: string][] = [[key.developerId, MAX_PER_DEVELOPER, 'an account']];
    if (principal?.kind === 'developer' && principal.client)
      limits.push([principal.tokenHash.toString('base64'), MAX_PER_CLIENT_TOKEN, 'a client token']);
    for (const [who, limit, ofWhat] of limits)
      if ((this.#counts.get(who) ?? 0) >= limit)
        throw new AppError('RATE_LIMITED', {
          message: `At most ${limit} requests of ${ofWhat} may wait at once.`,
          retryAfterMs: RETRY_MS,
        });
    for (const [who] of limits) this.#counts.set(who, (this.#counts.get(who) ?? 0) + 1);
    const waiters = this.#waiting.get(key.id) ?? new Set();
    this.#waiting.set(key.id, waiters);
    this.#keys.set(key.id, key);
    this.#lookLater();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiters.add(resolve);
    const timer = setTimeout(resolve, waitMs);
    const giveUp = (): void => resolve();
    signal?.addEventListener('abort', giveUp);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      waiters.delete(resolve);
      if (waiters.size === 0) {
        this.#waiting.delete(key.id);
        this.#keys.delete(key.id);
      }
      for (const [who] of limits) {
        const left = this.#counts.get(who)! - 1;
        if (left > 0) this.#counts.set(who, left);
        else this.#counts.delete(who);
      }
    }
  }

  #wake(ids: readonly string[]): void {
    for (const id of ids) for (const resolve of this.#waiting.get(id) ?? []) resolve();
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
