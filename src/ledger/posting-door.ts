import { AppError } from '../core/errors.js';

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
  #queue: Waiting<Item, Result>[] = [];
  #running = 0;
  #planned = false;

  constructor(run: (items: Item[]) => Promise<Result[]>, { inFlight = 2, maxBatch = 128, retryForMs }: DoorOptions) {
    this.#run = run;
    this.#inFlight = inFlight;
    this.#maxBatch = maxBatch;
    this.#retryForMs = retryForMs;
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
    await this.#attempt(batch, Date.now() + this.#retryForMs, 0);
    this.#running--;
    this.#plan();
  }

  async #attempt(batch: Waiting<Item, Result>[], deadline: number, tries: number): Promise<void> {
    let results: Result[];
    try {
      results = await this.#run(batch.map(({ item }) => item));
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === 'away' && Date.now() < deadline) {
        await new Promise((resume) => setTimeout(resume, Math.min(20 * 2 ** Math.min(tries, 5), 500)));
        return this.#attempt(batch, deadline, tries + 1);
      }
      if (trouble === 'data' && batch.length > 1) {
        const middle = batch.length >> 1;
        await this.#attempt(batch.slice(0, middle), deadline, tries);
        return this.#attempt(batch.slice(middle), deadline, tries);
      }
      for (const { reject } of batch)
        reject(trouble === 'away' ? new AppError('DEPENDENCY_DOWN', { cause: error }) : error);
      return;
    }
    batch.forEach(({ resolve }, index) => resolve(results[index]!));
  }
}

/**
 * away  the connection or the server went, or the transaction lost against another one: repeat it as it is
 * data  a value that the database refuses (SQLSTATE 22, 23)
 * bug   anything else
 */
export function troubleOf(error: unknown): 'away' | 'data' | 'bug' {
  const { code, message } = error as { code?: string; message?: string };
  if (code && /^(08|40|53|57P|55P03|57014|25P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code)) return 'away';
  if (!code && /terminated|closed|timeout|ended/i.test(message ?? '')) return 'away';
  return code && /^2[23]/.test(code) ? 'data' : 'bug';
}
