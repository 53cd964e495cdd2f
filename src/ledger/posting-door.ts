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

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface DoorOptions {
  /** Batches under way at once. Two keep the database busy while the answers of one are handled. */
  inFlight?: number;
  maxBatch?: number;
  /** How long a batch is repeated while the database is away. Afterwards its items fail with DEPENDENCY_DOWN. */
  retryForMs: number;
  /** The same once it may have been committed, which only the database can tell. Afterwards they fail with PostedInDoubt. */
  retryInDoubtForMs: number;
}

/** What is known about a batch between its attempts. */
interface Progress {
  startedAt: number;
  tries: number;
  inDoubt: boolean;
}

/**
 * The one door to the money tables: everything that waits goes out as one statement and one commit. It flushes on
 * `setImmediate`, so an idle system answers at once and a busy one batches by itself.
 *
 * A batch whose connection was lost is repeated with the same ids: what had committed answers as a duplicate of itself.
 * A batch that the database refuses because of its data is cut in halves until only the broken item fails.
 */
export class PostingDoor<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #inFlight: number;
  readonly #maxBatch: number;
  readonly #retryForMs: number;
  readonly #retryInDoubtForMs: number;
  #queue: Waiting<Item, Result>[] = [];
  #running = 0;
  #planned = false;

  constructor(
    run: (items: Item[]) => Promise<Result[]>,
    { inFlight = 2, maxBatch = 128, retryForMs, retryInDoubtForMs }: DoorOptions,
  ) {
    this.#run = run;
    this.#inFlight = inFlight;
    this.#maxBatch = maxBatch;
    this.#retryForMs = retryForMs;
    this.#retryInDoubtForMs = retryInDoubtForMs;
  }

  /** Resolves after the commit that holds the item. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#plan();
    });
  }

  /** Items that wait for a batch: what admission control looks at. */
  get waiting(): number {
    return this.#queue.length;
  }

  #plan(): void {
    if (this.#planned || this.#running >= this.#inFlight || this.#queue.length === 0) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      while (this.#running < this.#inFlight && this.#queue.length > 0)
        void this.#flush(this.#queue.splice(0, this.#maxBatch));
    });
  }

  async #flush(batch: Waiting<Item, Result>[]): Promise<void> {
    this.#running++;
    await this.#attempt(batch, { startedAt: Date.now(), tries: 0, inDoubt: false });
    this.#running--;
    this.#plan();
  }

  async #attempt(batch: Waiting<Item, Result>[], { startedAt, tries, inDoubt }: Progress): Promise<void> {
    let results: Result[];
    try {
      results = await this.#run(batch.map(({ item }) => item));
    } catch (error) {
      const trouble = troubleOf(error);
      const progress = { startedAt, tries: tries + 1, inDoubt: inDoubt || trouble === 'doubt' };
      switch (trouble) {
        case 'away':
        case 'doubt': {
          const limitMs = progress.inDoubt ? this.#retryInDoubtForMs : this.#retryForMs;
          if (Date.now() - startedAt < limitMs) {
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
    batch.forEach(({ resolve }, index) => resolve(results[index]!));
  }
}
