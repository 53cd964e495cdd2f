import { AppError } from '../core/errors.js';
import { troubleOf } from '../db/trouble.js';

/** The database stayed away after the statement had been handed to it: whether the item is posted is not known. */
export class PostedInDoubt extends AppError {
  constructor(cause: unknown) {
    const message =
      'A part of the service is not available at the moment. Nothing was sent; what was held for this request is given back.';
    super('DEPENDENCY_DOWN', { message, cause });
    this.name = 'PostedInDoubt';
  }
}

/** What an item's run answers when somebody else holds its wallet: nothing of it was done. */
export const BUSY = Symbol('busy');

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** An attempt before the lane may have posted it. */
  inDoubt?: boolean;
}

export interface BatcherOptions<Item> {
  /** Items of one wallet share a lane. */
  laneOf?: (item: Item) => string;
  /** Lanes that wait for their wallets at once; each takes a connection. */
  maxLanes?: number;
  /** Batches under way at once. */
  inFlight?: number;
  maxBatch?: number;
  /** Called with how many postings a statement takes along, for metrics. */
  onBatch?: (size: number) => void;
  /** How long a batch is repeated while the database is away. Afterwards its items fail with DEPENDENCY_DOWN. */
  retryForMs: number;
  /** The same once it may have been committed, which only the database knows. Afterwards they fail with PostedInDoubt. */
  retryInDoubtForMs: number;
}

/** What is known about a batch between its attempts. */
interface Progress {
  startedAt: number;
  tries: number;
  inDoubt: boolean;
  wait: boolean;
}

/** Longer than a batch takes: one that is under way since then waits for something itself. */
const PATIENCE_MS = 50;

/**
 * Batches the postings to the money tables: everything that waits goes out as one statement and one commit. It flushes on
 * `setImmediate`, so an idle system answers at once and a busy one batches by itself. A statement costs as much as a dozen of its
 * items: what comes in while a batch is under way waits for it, unless it takes long or half a batch waits.
 *
 * Nobody waits for another's wallet: an item that is BUSY goes into a lane with the others of its wallet, and the lane waits for
 * the lock apart from the batches. What comes in meanwhile for that wallet joins it.
 *
 * A batch whose connection was lost is repeated with the same ids: what had committed answers as a duplicate of itself.
 * A batch that the database refuses because of its data is cut in halves until only the broken item fails.
 */
export class PostingBatcher<Item, Result> {
  readonly #laneOf: (item: Item) => string;
  readonly #maxLanes: number;
  readonly #inFlight: number;
  readonly #maxBatch: number;
  readonly #onBatch: (size: number) => void;
  readonly #retryForMs: number;
  readonly #retryInDoubtForMs: number;
  #queue: Waiting<Item, Result>[] = [];
  /** By wallet, in the order in which they are taken up; gone when they are empty. */
  readonly #lanes = new Map<string, Waiting<Item, Result>[]>();
  readonly #runningLanes = new Set<string>();
  #running = 0;
  /** Of those, the ones that take long. */
  #slow = 0;
  #planned = false;

  /** @param run posts a batch; with `wait` it waits for locks, without it what is locked is BUSY */
  constructor(
    private readonly run: (items: Item[], wait: boolean) => Promise<(Result | typeof BUSY)[]>,
    {
      laneOf = String,
      maxLanes = 4,
      inFlight = 2,
      maxBatch = 128,
      onBatch = () => {},
      retryForMs,
      retryInDoubtForMs,
    }: BatcherOptions<Item>,
  ) {
    this.#laneOf = laneOf;
    this.#maxLanes = maxLanes;
    this.#inFlight = inFlight;
    this.#maxBatch = maxBatch;
    this.#onBatch = onBatch;
    this.#retryForMs = retryForMs;
    this.#retryInDoubtForMs = retryInDoubtForMs;
  }

  /** Resolves after the commit that holds the item. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const lane = this.#lanes.get(this.#laneOf(item));
      if (lane) return void lane.push(waiting);
      this.#queue.push(waiting);
      this.#plan();
    });
  }

  /** Items that wait for a batch: what admission control counts. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.length, this.#queue.length);
  }

  #plan(): void {
    if (this.#planned || !this.#mayFlush) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      const batches: Waiting<Item, Result>[][] = [];
      for (; this.#mayFlush; this.#running++) batches.push(this.#queue.splice(0, this.#maxBatch));
      for (const batch of batches) void this.#flush(batch);
    });
  }

  get #mayFlush(): boolean {
    const waiting = this.#queue.length;
    if (waiting === 0 || this.#running >= this.#inFlight) return false;
    return this.#running === this.#slow || waiting >= this.#maxBatch / 2;
  }

  /** Posts a batch that counts as running, and makes room for the next one. */
  async #flush(batch: Waiting<Item, Result>[]): Promise<void> {
    let isSlow = false;
    const patience = setTimeout(() => {
      isSlow = true;
      this.#slow++;
      this.#plan();
    }, PATIENCE_MS);
    await this.#attempt(batch, { startedAt: performance.now(), tries: 0, inDoubt: false, wait: false });
    clearTimeout(patience);
    this.#running--;
    if (isSlow) this.#slow--;
    if (this.#queue.length > 0) this.#plan();
  }

  #intoLane(waiting: Waiting<Item, Result>): void {
    const name = this.#laneOf(waiting.item);
    const lane = this.#lanes.get(name);
    if (lane) lane.push(waiting);
    else this.#lanes.set(name, [waiting]);
  }

  #startLanes(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#runningLanes.size >= this.#maxLanes) return;
      if (!this.#runningLanes.has(name)) void this.#runLane(name, lane);
    }
  }

  /** One batch after the other, until nothing waits for the wallet any more. */
  async #runLane(name: string, lane: Waiting<Item, Result>[]): Promise<void> {
    this.#runningLanes.add(name);
    while (lane.length > 0) {
      const batch = lane.splice(0, this.#maxBatch);
      const inDoubt = batch.some((waiting) => waiting.inDoubt);
      await this.#attempt(batch, { startedAt: performance.now(), tries: 0, inDoubt, wait: true });
    }
    this.#lanes.delete(name);
    this.#runningLanes.delete(name);
    this.#startLanes();
  }

  async #attempt(batch: Waiting<Item, Result>[], { startedAt, tries, inDoubt, wait }: Progress): Promise<void> {
    let results: (Result | typeof BUSY)[];
    this.#onBatch(batch.length);
    try {
      results = await this.run(
        batch.map(({ item }) => item),
        wait,
      );
    } catch (error) {
      const trouble = troubleOf(error);
      const progress = { startedAt, tries: tries + 1, inDoubt: inDoubt || trouble === 'doubt', wait };
      switch (trouble) {
        case 'away':
        case 'doubt': {
          const limitMs = progress.inDoubt ? this.#retryInDoubtForMs : this.#retryForMs;
          if (performance.now() - startedAt < limitMs) {
            await new Promise((resume) => setTimeout(resume, Math.min(20 * 2 ** Math.min(tries, 5), 500)));
            return this.#attempt(batch, progress);
          }
          const failure = progress.inDoubt
            ? new PostedInDoubt(error)
            : new AppError('DEPENDENCY_DOWN', { cause: error });
          for (const { reject } of batch) reject(failure);
          return;
        }
        case 'data':
          if (batch.length > 1) {
            const middle = batch.length >> 1;
            await this.#attempt(batch.slice(0, middle), progress);
            return this.#attempt(batch.slice(middle), progress);
          }
          break;
        case 'bug':
          break;
      }
      for (const { reject } of batch) reject(error);
      return;
    }
    batch.forEach((waiting, index) => {
      const result = results[index]!;
      if (result === BUSY) this.#intoLane({ ...waiting, inDoubt });
      else waiting.resolve(result);
    });
    this.#startLanes();
  }
}
