import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { DeveloperPrincipal } from '../../core/principal.js';
import type { OrderStore } from '../order.store.js';
import type { ResolvedOrders } from '../resolved-orders.js';
import { isPayment } from '../states.js';
import type { OrderKey, StoredOrder } from '../stored-order.js';
import type { FeedPosition, OrderFeedStore } from './order-feed.store.js';
import type { WaitingPlaces } from './order-waiters.js';

/**
 * Maximum number of unread orders of one stream. A client that reads more slowly than its orders change must list them
 * instead.
 */
export const MAX_UNREAD_ORDERS = 1_000;

/**
 * Queue of changed orders for one stream. If an order changes again before it is read, only the latest state is kept, so the
 * queue cannot exceed the number of orders.
 */
export class OrderStream {
  readonly #queue = new Map<string, StoredOrder>();
  #wake: () => void = () => {};
  #hasEnded = false;

  /** @param onEnd called once when the stream ends */
  constructor(private readonly onEnd: () => void) {}

  push(orders: readonly StoredOrder[]): void {
    if (this.#hasEnded) return;
    for (const order of orders) this.#queue.set(order.id, order);
    if (this.#queue.size > MAX_UNREAD_ORDERS) {
      this.#queue.clear();
      this.end();
    } else this.#wake();
  }

  /** Ends the stream. Orders in the queue can still be read. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onEnd();
    this.#wake();
  }

  /** Waits for the next changed order. Returns undefined at the end of the stream. Supports only one reader. */
  async next(): Promise<StoredOrder | undefined> {
    while (this.#queue.size === 0 && !this.#hasEnded) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const [order] = this.#queue.values();
    if (order) this.#queue.delete(order.id);
    return order;
  }
}

/** Interval of the query that finds changes without a notification. */
const POLL_INTERVAL_MS = 1_000;
/** Time in which notifications are collected and then processed together. */
const DEBOUNCE_MS = 20;
/** Maximum number of postings, and of pending orders, that are read at once per account. */
const MAX_PER_POLL = 500;
/** Maximum duration of a stream. A client can then subscribe again. */
export const MAX_STREAM_MS = 15 * 60_000;

interface WatchedAccount extends FeedPosition {
  /** Pending payments, least recently checked first. */
  readonly open: Map<string, OrderKey>;
  readonly streams: Set<OrderStream>;
  /** Resolves when the current position of the account is known. */
  started: Promise<void>;
  isStarted: boolean;
}

export interface FeedParts {
  store: Pick<OrderStore, 'settledIdsOf' | 'byIds'>;
  feedStore: OrderFeedStore;
  resolvedOrders: ResolvedOrders;
  places: WaitingPlaces;
  log: Logger;
}

/**
 * Streams order changes of an account. This needs no writes and no notification within a transaction. Three queries per second
 * cover all subscribed accounts and find committed changes, and a notification from another process triggers the next read
 * immediately. A placed or refunded order has the next version of the wallet. Other final orders are found among those that
 * were pending.
 */
export class OrderFeed {
  readonly #accounts = new Map<string, WatchedAccount>();
  /** IDs of orders that were reported as final since the last read. */
  readonly #announced = new Set<string>();
  /** Reads in a context of its own. Otherwise it would run in the context of the first request that waits. */
  readonly #pollNow = AsyncLocalStorage.bind(() => void this.#poll());
  #timer: NodeJS.Timeout | undefined;
  #isSoon = false;
  #isPolling = false;
  #isDraining = false;

  constructor(private readonly parts: FeedParts) {
    parts.resolvedOrders.on((orders) => this.#onResolved(orders));
  }

  get count(): number {
    let count = 0;
    for (const { streams } of this.#accounts.values()) count += streams.size;
    return count;
  }

  stop(): void {
    this.#isDraining = true;
    clearTimeout(this.#timer);
    for (const { streams } of this.#accounts.values()) for (const stream of streams) stream.end();
  }

  /**
   * Streams the orders of the caller's account and environment that change from now on, in their current state. Changes
   * committed after this promise has resolved are never missed. The stream takes a waiting slot until it ends. Throws
   * RATE_LIMITED if no slot is free, and STREAM_ENDED when the process stops.
   *
   * @param signal aborted when the caller has disconnected
   */
  async open(caller: DeveloperPrincipal, signal: AbortSignal | undefined): Promise<OrderStream> {
    if (this.#isDraining) throw new AppError('STREAM_ENDED');
    const releasePlace = this.parts.places.take(caller);
    const account = this.#accountOf(caller);
    const end = (): void => stream.end();
    const timer = setTimeout(end, MAX_STREAM_MS).unref();
    const stream = new OrderStream(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      releasePlace();
      account.streams.delete(stream);
      if (account.streams.size === 0) this.#accounts.delete(keyOf(account));
    });
    account.streams.add(stream);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    try {
      await account.started;
    } catch (error) {
      end();
      throw error;
    }
    this.#schedulePoll();
    return stream;
  }

  #accountOf({ developerId, environment }: DeveloperPrincipal): WatchedAccount {
    const key = keyOf({ developerId, environment });
    const existing = this.#accounts.get(key);
    if (existing) return existing;
    const account: WatchedAccount = {
      developerId,
      environment,
      version: '0',
      open: new Map(),
      streams: new Set(),
      started: Promise.resolve(),
      isStarted: false,
    };
    this.#accounts.set(key, account);
    account.started = this.#startAccount(account);
    return account;
  }

  async #startAccount(account: WatchedAccount): Promise<void> {
    const { version, open } = await this.parts.feedStore.positionOf(account);
    account.version = version;
    for (const id of open) account.open.set(id, { developerId: account.developerId, id });
    account.isStarted = true;
  }

  #onResolved(orders: readonly OrderKey[]): void {
    if (this.#accounts.size === 0) return;
    const watchedDevelopers = new Set(this.#accounts.values().map(({ developerId }) => developerId));
    const watchedOrders = orders.filter(({ developerId }) => watchedDevelopers.has(developerId));
    for (const { id } of watchedOrders) this.#announced.add(id);
    if (watchedOrders.length > 0) this.#schedulePoll({ soon: true });
  }

  #schedulePoll({ soon = false } = {}): void {
    this.#isSoon ||= soon;
    if (this.#isPolling || this.#isDraining || this.#accounts.size === 0) return;
    if (this.#timer && !soon) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#pollNow(), this.#isSoon ? DEBOUNCE_MS : POLL_INTERVAL_MS).unref();
  }

  async #poll(): Promise<void> {
    this.#timer = undefined;
    this.#isSoon = false;
    this.#isPolling = true;
    let hasMore = false;
    try {
      hasMore = await this.#findChanges([...this.#accounts.values()].filter(({ isStarted }) => isStarted));
    } catch (error) {
      // the positions are unchanged, so the next read finds the changes
      this.parts.log.warn({ err: error as Error }, 'order feed: reading changes failed, retrying');
    } finally {
      this.#isPolling = false;
      this.#schedulePoll({ soon: hasMore || this.#isSoon });
    }
  }

  /** Finds changes. Returns whether there are more than one read returns. */
  async #findChanges(accounts: readonly WatchedAccount[]): Promise<boolean> {
    if (accounts.length === 0) return false;
    const { store, feedStore } = this.parts;
    const postings = await feedStore.postingsAfter(accounts, MAX_PER_POLL);
    const announced = new Set(this.#announced);
    this.#announced.clear();
    const pending = accounts.flatMap(({ open }) => nextChecks(open, announced));
    const settledIds = new Set(pending.length > 0 ? await store.settledIdsOf(pending) : []);
    const changed = accounts.map(({ developerId, open }, index) => {
      const ids = new Set([...settledIds].filter((id) => open.has(id)));
      for (const { orderId, kind, operation } of postings[index]!) {
        if (operation === null || !isPayment(operation)) continue;
        // an order that was read after its refund has already been streamed
        if (kind !== 'refund' || open.has(orderId)) ids.add(orderId);
      }
      return [...ids].map((id): OrderKey => ({ developerId, id }));
    });
    const orders = changed.flat().length > 0 ? await store.byIds(changed.flat()) : [];
    accounts.forEach((account, index) => {
      account.version = postings[index]!.at(-1)?.version ?? account.version;
      const accountOrders = orders.splice(0, changed[index]!.length).filter((order) => order !== undefined);
      for (const order of accountOrders) noteStateOf(order, account.open);
      for (const stream of account.streams) stream.push(accountOrders);
    });
    return postings.some(({ length }) => length === MAX_PER_POLL);
  }
}

const keyOf = ({ developerId, environment }: Pick<FeedPosition, 'developerId' | 'environment'>): string =>
  `${developerId}:${environment}`;

/** Returns the pending orders for the next read: those reported as final, and some of the others in turn. */
function nextChecks(open: Map<string, OrderKey>, announced: ReadonlySet<string>): OrderKey[] {
  const reported = [...announced].flatMap((id) => open.get(id) ?? []);
  const rotation = [...open.values().take(MAX_PER_POLL)];
  if (open.size > MAX_PER_POLL) {
    for (const key of rotation) {
      open.delete(key.id);
      open.set(key.id, key);
    }
  }
  return [...new Set([...reported, ...rotation])];
}

function noteStateOf({ developerId, id, settledAt }: StoredOrder, open: Map<string, OrderKey>): void {
  if (settledAt) open.delete(id);
  else if (!open.has(id)) open.set(id, { developerId, id });
}
