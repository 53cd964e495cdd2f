import { AppError } from '../core/errors.js';
import { failureKindOf } from '../db/database-errors.js';

/** Error if the database became unavailable after the statement was sent, so it is unknown whether the item was posted. */
export class PostedInDoubt extends AppError {
  constructor(cause: unknown) {
    const message =
      'Part of the service is temporarily unavailable. Nothing was sent to the provider. If an amount was held for this request, it is refunded.';
    super('DEPENDENCY_DOWN', { message, cause });
    this.name = 'PostedInDoubt';
  }
}

/** Cause of DEPENDENCY_DOWN if another transaction locked the wallet for the maximum wait time of the item. */
class StayedLocked extends Error {}

/** Result of an item that was not posted because another transaction has locked its wallet. */
export const BUSY = Symbol('busy');

interface Planner {
  plan(): void;
}

/**
 * Wallets to which batches are being posted, except slow batches, which are themselves waiting. Batchers that share an instance
 * take turns with a wallet while their queues are short, because a refund concurrent with a hold would be BUSY. A settlement does
 * not lock a wallet, but waiting for a batch makes the next one larger, which saves statements.
 */
export class PostedWallets {
  readonly #posted = new Map<Planner, Set<string>>();
  /** Batcher that waits for a wallet and gets it next. */
  readonly #next = new Map<string, Planner>();

  join(batcher: Planner): void {
    this.#posted.set(batcher, new Set());
  }

  /**
   * Returns whether this batcher can post to the wallet now. If a batch of another batcher is posting to it, this batcher gets
   * it next.
   * @param ignoresOthers ignores the batches of other batchers
   */
  isFreeFor(batcher: Planner, wallet: string, ignoresOthers: boolean): boolean {
    if (this.#posted.get(batcher)!.has(wallet)) return false;
    if (ignoresOthers) return true;
    const next = this.#next.get(wallet);
    if (next !== undefined) return next === batcher && !this.#isPosted(wallet);
    if (!this.#isPosted(wallet)) return true;
    this.#next.set(wallet, batcher);
    return false;
  }

  #isPosted(wallet: string): boolean {
    for (const wallets of this.#posted.values()) if (wallets.has(wallet)) return true;
    return false;
  }

  take(wallets: Iterable<string>, batcher: Planner): void {
    const posted = this.#posted.get(batcher)!;
    for (const wallet of wallets) {
      posted.add(wallet);
      if (this.#next.get(wallet) === batcher) this.#next.delete(wallet);
    }
  }

  free(wallets: Iterable<string>, batcher: Planner): void {
    const posted = this.#posted.get(batcher)!;
    for (const wallet of wallets) posted.delete(wallet);
    for (const planner of this.#posted.keys()) planner.plan();
  }
}

interface QueuedItem<Item, Result> {
  item: Item;
  lane: string;
  wallet: string;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Time of the first attempt, or time the item joined the lane of a locked wallet. It is measured by the monotonic clock. */
  since: number | undefined;
  /** Whether an earlier attempt may have posted the item. */
  inDoubt: boolean;
}

/** Items that wait for the same locked wallet. */
interface Lane<Item, Result> {
  waiting: QueuedItem<Item, Result>[];
  /** Number of items at the front that were in the last batch. Newer items follow them. */
  tried: number;
  busySince: number;
  pauseMs: number;
  /** Time of the next attempt; Infinity while items of the lane are in a batch. */
  dueAt: number;
}

export interface BatcherOptions<Item> {
  /** Returns the name of the lane of an item. Items that wait for the same lock share a lane. */
  laneOf?: (item: Item) => string;
  /** Returns the name of the item's wallet in `posted`. The default is its lane. */
  walletOf?: (item: Item) => string;
  /** Shared by batchers that post to the same wallets. */
  posted?: PostedWallets;
  /** Maximum number of concurrent batches. */
  inFlight?: number;
  maxBatch?: number;
  /** Called with the number of postings of each statement, for metrics. */
  onBatch?: (size: number) => void;
  /** Called for each item that is posted again because the database was unavailable. */
  onRetry?: (item: Item, error: unknown) => void;
  /**
   * Time during which an item is retried if the database is unavailable or the wallet is locked. After that, it fails with
   * DEPENDENCY_DOWN.
   */
  retryForMs: number;
  /** Time during which an item that may already be committed is retried. After that, it fails with PostedInDoubt. */
  retryInDoubtForMs: number;
}

/** Time after which a batch is slow. It is longer than a normal batch takes. A batch that takes longer is itself waiting. */
const SLOW_AFTER_MS = 50;
/**
 * First pause before a retry. Batches of other processes lock a wallet for milliseconds; a manual session or a stopped process
 * can lock it for seconds.
 */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 100;
/**
 * Returns the time until the next attempt for a lane: one eighth of the time it has waited, so that a lock that is soon released
 * causes little delay.
 */
const pauseAfter = (busyMs: number): number => Math.min(Math.max(busyMs / 8, FIRST_PAUSE_MS), MAX_PAUSE_MS);

/**
 * Batches the postings to the money tables: all queued items are sent as one statement and one commit. The queue is flushed with
 * `setImmediate`, so an idle system responds immediately and a busy one forms batches. The fixed cost of a statement equals that
 * of about a dozen items, so items that arrive while a batch is running wait for it to finish. Exceptions: the batch is slow, or
 * half a batch is queued for wallets that the running batch does not post to.
 *
 * No statement waits for a locked wallet, so locked wallets do not delay other wallets. An item that is BUSY joins the lane of
 * its wallet in this process. Due lanes are retried together, in one batch with new items. A new item for a wallet with a lane
 * joins the lane.
 *
 * A batch whose connection was lost is retried with the same IDs. Items that were committed are then returned as duplicates. A
 * batch that the database rejects because of its data is split in halves until only the invalid item fails.
 */
export class PostingBatcher<Item, Result> implements Planner {
  readonly #laneOf: (item: Item) => string;
  readonly #walletOf: (item: Item) => string;
  readonly #posted: PostedWallets;
  readonly #inFlight: number;
  readonly #maxBatch: number;
  readonly #onBatch: (size: number) => void;
  readonly #onRetry: (item: Item, error: unknown) => void;
  readonly #retryForMs: number;
  readonly #retryInDoubtForMs: number;
  #queue: QueuedItem<Item, Result>[] = [];
  readonly #lanes = new Map<string, Lane<Item, Result>>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #running = 0;
  /** Number of slow running batches. */
  #slow = 0;
  #isPlanned = false;

  /**
   * Creates the batcher.
   * @param run posts a batch; returns BUSY for an item whose wallet is locked
   */
  constructor(
    private readonly run: (items: Item[]) => Promise<(Result | typeof BUSY)[]>,
    {
      laneOf = String,
      walletOf = laneOf,
      posted = new PostedWallets(),
      inFlight = 2,
      maxBatch = 128,
      onBatch = () => {},
      onRetry = () => {},
      retryForMs,
      retryInDoubtForMs,
    }: BatcherOptions<Item>,
  ) {
    this.#laneOf = laneOf;
    this.#walletOf = walletOf;
    this.#posted = posted;
    posted.join(this);
    this.#inFlight = inFlight;
    this.#maxBatch = maxBatch;
    this.#onBatch = onBatch;
    this.#onRetry = onRetry;
    this.#retryForMs = retryForMs;
    this.#retryInDoubtForMs = retryInDoubtForMs;
  }

  /** Resolves after the commit that contains the item. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const name = this.#laneOf(item);
      const lane = this.#lanes.get(name);
      const since = lane && performance.now();
      const entry = { item, lane: name, wallet: this.#walletOf(item), resolve, reject, since, inDoubt: false };
      if (lane) return void lane.waiting.push(entry);
      this.#queue.push(entry);
      this.plan();
    });
  }

  /** Number of queued items, used by admission control. */
  get queueLength(): number {
    let sum = this.#queue.length;
    for (const { waiting } of this.#lanes.values()) sum += waiting.length;
    return sum;
  }

  /** Sends a batch in the current event loop turn if possible. */
  plan(): void {
    if (this.#isPlanned || !this.#canFlush) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      while (this.#canFlush) {
        const batch = this.#take();
        if (!batch) return;
        void this.#flush(batch);
      }
    });
  }

  /** Takes the next batch from the queue, excluding the wallets of running batches. */
  #take(): QueuedItem<Item, Result>[] | undefined {
    const batch: QueuedItem<Item, Result>[] = [];
    const remaining: QueuedItem<Item, Result>[] = [];
    const ignoresOthers = this.#queue.length >= this.#maxBatch / 2;
    for (const entry of this.#queue)
      (batch.length < this.#maxBatch && this.#posted.isFreeFor(this, entry.wallet, ignoresOthers)
        ? batch
        : remaining
      ).push(entry);
    if (batch.length === 0 || (this.#running > this.#slow && batch.length < this.#maxBatch / 2)) return undefined;
    this.#queue = remaining;
    return batch;
  }

  get #canFlush(): boolean {
    const length = this.#queue.length;
    if (length === 0 || this.#running >= this.#inFlight) return false;
    return this.#running === this.#slow || length >= this.#maxBatch / 2;
  }

  /** Posts a batch, then triggers the next one. */
  async #flush(batch: QueuedItem<Item, Result>[]): Promise<void> {
    const wallets = new Set(batch.map(({ wallet }) => wallet));
    this.#running++;
    this.#posted.take(wallets, this);
    let isSlow = false;
    const slowTimer = setTimeout(() => {
      isSlow = true;
      this.#slow++;
      this.#posted.free(wallets, this);
    }, SLOW_AFTER_MS);
    await this.#attempt(batch, 0);
    clearTimeout(slowTimer);
    this.#running--;
    if (isSlow) this.#slow--;
    else this.#posted.free(wallets, this);
    if (this.#queue.length > 0) this.plan();
  }

  async #attempt(batch: QueuedItem<Item, Result>[], attempt: number): Promise<void> {
    const now = performance.now();
    for (const entry of batch) entry.since ??= now;
    let results: (Result | typeof BUSY)[];
    this.#onBatch(batch.length);
    try {
      results = await this.run(batch.map(({ item }) => item));
    } catch (error) {
      const trouble = failureKindOf(error);
      switch (trouble) {
        case 'away':
        case 'doubt': {
          if (trouble === 'doubt') for (const entry of batch) entry.inDoubt = true;
          const remaining = batch.filter((entry) => {
            const failure = this.#failureOf(entry, error);
            if (failure) this.#fail(entry, failure);
            return !failure;
          });
          if (remaining.length === 0) return;
          for (const { item } of remaining) this.#onRetry(item, error);
          await new Promise((resume) => setTimeout(resume, Math.min(20 * 2 ** Math.min(attempt, 5), 500)));
          return this.#attempt(remaining, attempt + 1);
        }
        case 'data':
          if (batch.length > 1) {
            const middle = batch.length >> 1;
            await this.#attempt(batch.slice(0, middle), attempt);
            return this.#attempt(batch.slice(middle), attempt);
          }
          break;
        case 'bug':
          break;
      }
      for (const entry of batch) this.#fail(entry, error);
      return;
    }
    batch.forEach((entry, index) => {
      const result = results[index]!;
      if (result === BUSY) return this.#park(entry);
      entry.resolve(result);
      this.#release(entry.lane);
    });
    this.#wakeForLanes();
  }

  #fail({ reject, lane }: QueuedItem<Item, Result>, error: unknown): void {
    reject(error);
    this.#release(lane);
  }

  /** Returns the error of an item whose retry time has passed, or undefined if it can be retried. */
  #failureOf({ inDoubt, since }: QueuedItem<Item, Result>, cause: unknown): AppError | undefined {
    if (performance.now() - since! < (inDoubt ? this.#retryInDoubtForMs : this.#retryForMs)) return undefined;
    return inDoubt ? new PostedInDoubt(cause) : new AppError('DEPENDENCY_DOWN', { cause });
  }

  /** Moves an item to the lane of its wallet. */
  #park(entry: QueuedItem<Item, Result>): void {
    const now = performance.now();
    const lane = this.#lanes.get(entry.lane);
    if (!lane) {
      const pauseMs = FIRST_PAUSE_MS;
      this.#lanes.set(entry.lane, { waiting: [entry], tried: 1, busySince: now, pauseMs, dueAt: now + pauseMs });
      return;
    }
    lane.waiting.splice(lane.tried++, 0, entry);
    if (lane.dueAt !== Infinity) return;
    lane.pauseMs = pauseAfter(now - lane.busySince);
    lane.dueAt = now + lane.pauseMs;
  }

  /** Removes a lane after one of its items was posted or failed, because the wallet may be unlocked. */
  #release(name: string): void {
    const lane = this.#lanes.get(name);
    if (!lane) return;
    this.#lanes.delete(name);
    this.#queue = lane.waiting.concat(this.#queue);
  }

  /** Sets the shared timer of all lanes. */
  #wakeForLanes(): void {
    let dueAt = Infinity;
    for (const lane of this.#lanes.values()) dueAt = Math.min(dueAt, lane.dueAt);
    if (dueAt === this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = dueAt;
    if (dueAt !== Infinity) this.#timer = setTimeout(() => this.#tryLanes(), Math.max(0, dueAt - performance.now()));
  }

  /**
   * Moves due lanes to the front of the queue. Lanes that are almost due are included, so that many locked wallets cost only one
   * statement.
   */
  #tryLanes(): void {
    this.#timerAt = Infinity;
    const now = performance.now();
    const dueEntries: QueuedItem<Item, Result>[] = [];
    for (const [name, lane] of this.#lanes) {
      if (lane.dueAt - now > lane.pauseMs / 2) continue;
      const remaining = lane.waiting.filter((entry) => {
        const failure = this.#failureOf(entry, new StayedLocked());
        if (failure) entry.reject(failure);
        return !failure;
      });
      if (remaining.length === 0) this.#lanes.delete(name);
      dueEntries.push(...remaining.splice(0, this.#maxBatch));
      Object.assign(lane, { waiting: remaining, tried: 0, dueAt: Infinity });
    }
    this.#queue = dueEntries.concat(this.#queue);
    this.plan();
    this.#wakeForLanes();
  }
}
