import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { SessionPrincipal, StaffRole } from '../core/principal.js';
import { LONGEST_STREAM_MS } from '../orders/views/order-feed.js';
import type { WaitingPlaces } from '../orders/views/order-waiters.js';
import { kindsSeenBy, type WorkKind } from './work.table.js';
import type { WorkItem } from './work.types.js';

/** What a list looks like to one reader, whenever it is another one than the last that they got. */
export class WorkStream {
  #sent: WorkItem[] | undefined;
  #news: WorkItem[] | undefined;
  #wake: () => void = () => {};
  #isOver = false;

  /** @param onEnd called once */
  constructor(
    private readonly kinds: readonly WorkKind[],
    private readonly onEnd: () => void,
  ) {}

  push(all: readonly WorkItem[]): void {
    const seen = all.filter(({ kind }) => this.kinds.includes(kind));
    if (this.#isOver || isDeepStrictEqual(seen, this.#sent)) return;
    this.#sent = seen;
    // what nobody has read yet is not sent any more
    this.#news = seen;
    this.#wake();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd();
    this.#wake();
  }

  /** The list once it is another one; undefined at the end. One reader alone. */
  async next(): Promise<WorkItem[] | undefined> {
    while (!this.#news && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const news = this.#isOver ? undefined : this.#news;
    this.#news = undefined;
    return news;
  }
}

const LOOK_EVERY_MS = 2_000;

export interface WorkFeedParts {
  /** The work of every kind, with one statement. */
  read: () => Promise<WorkItem[]>;
  places: Pick<WaitingPlaces, 'take'>;
  log: Logger;
}

/**
 * What waits for staff, for those who want to hear of it. It is read once for all who listen in this process, at most every two seconds,
 * and not at all while nobody does.
 */
export class WorkFeed {
  readonly #streams = new Set<WorkStream>();
  /** On behalf of nobody: not of the request that happens to listen first. */
  readonly #lookNow = AsyncLocalStorage.bind(() => void this.#look());
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #lookedAtMs = -LOOK_EVERY_MS;
  #latest: readonly WorkItem[] | undefined;
  #draining = false;

  constructor(private readonly parts: WorkFeedParts) {}

  get count(): number {
    return this.#streams.size;
  }

  /** Every stream ends, with STREAM_ENDED as its last event. */
  stop(): void {
    this.#draining = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams) stream.end();
  }

  /**
   * The list as it is, and then whenever it changes. It takes a place of the user until it ends. Errors: RATE_LIMITED when none is left;
   * STREAM_ENDED when the process ends.
   *
   * @param gone aborted when the caller has gone away
   */
  open(caller: SessionPrincipal, gone: AbortSignal | undefined): WorkStream {
    if (this.#draining) throw new AppError('STREAM_ENDED');
    const leave = this.parts.places.take(caller);
    const end = (): void => stream.end();
    const timer = setTimeout(end, LONGEST_STREAM_MS).unref();
    const stream = new WorkStream(kindsSeenBy(caller.role as StaffRole), () => {
      clearTimeout(timer);
      gone?.removeEventListener('abort', end);
      leave();
      this.#streams.delete(stream);
    });
    this.#streams.add(stream);
    gone?.addEventListener('abort', end);
    if (gone?.aborted) end();
    if (this.#latest && this.#waitMs() > 0) stream.push(this.#latest);
    this.#lookLater();
    return stream;
  }

  #waitMs(): number {
    return this.#lookedAtMs + LOOK_EVERY_MS - performance.now();
  }

  #lookLater(): void {
    if (this.#timer || this.#looking || this.#draining || this.#streams.size === 0) return;
    this.#timer = setTimeout(() => this.#lookNow(), Math.max(0, this.#waitMs())).unref();
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    if (this.#streams.size === 0) return;
    this.#looking = true;
    this.#lookedAtMs = performance.now();
    try {
      this.#latest = await this.parts.read();
      for (const stream of this.#streams) stream.push(this.#latest);
    } catch (error) {
      // who waits hears it with the next reading
      this.parts.log.warn({ err: error as Error }, 'nobody could look after what waits for staff');
    } finally {
      this.#looking = false;
      this.#lookLater();
    }
  }
}
