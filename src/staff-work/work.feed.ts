import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { SessionPrincipal, StaffRole } from '../core/principal.js';
import { MAX_STREAM_MS } from '../orders/views/order-feed.js';
import type { WaitingPlaces } from '../orders/views/order-waiters.js';
import { kindsVisibleTo, type WorkKind } from './work.table.js';
import type { WorkItem } from './work.types.js';

/** Work list for one reader. It is delivered whenever it differs from the list sent last. */
export class WorkStream {
  #sent: WorkItem[] | undefined;
  #unread: WorkItem[] | undefined;
  #wake: () => void = () => {};
  #hasEnded = false;

  /** @param onEnd called once when the stream ends */
  constructor(
    private readonly kinds: readonly WorkKind[],
    private readonly onEnd: () => void,
  ) {}

  push(items: readonly WorkItem[]): void {
    const visible = items.filter(({ kind }) => this.kinds.includes(kind));
    if (this.#hasEnded || isDeepStrictEqual(visible, this.#sent)) return;
    this.#sent = visible;
    // replaces a list that was not read yet
    this.#unread = visible;
    this.#wake();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onEnd();
    this.#wake();
  }

  /** Waits for the next changed list. Returns undefined at the end. Supports only one reader. */
  async next(): Promise<WorkItem[] | undefined> {
    while (!this.#unread && !this.#hasEnded) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const unread = this.#hasEnded ? undefined : this.#unread;
    this.#unread = undefined;
    return unread;
  }
}

const READ_INTERVAL_MS = 2_000;

export interface WorkFeedParts {
  /** Reads work of all kinds with one statement. */
  read: () => Promise<WorkItem[]>;
  places: Pick<WaitingPlaces, 'take'>;
  log: Logger;
}

/**
 * Work list for open streams. It is read once for all streams of this process, at most every two seconds, and not at all
 * without streams.
 */
export class WorkFeed {
  readonly #streams = new Set<WorkStream>();
  /** Reads in a context of its own, detached from the request that happens to open the first stream. */
  readonly #readNow = AsyncLocalStorage.bind(() => void this.#read());
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #readAtMs = -READ_INTERVAL_MS;
  #latest: readonly WorkItem[] | undefined;
  #draining = false;

  constructor(private readonly parts: WorkFeedParts) {}

  get count(): number {
    return this.#streams.size;
  }

  /** Ends all streams with STREAM_ENDED as the last event. */
  stop(): void {
    this.#draining = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams) stream.end();
  }

  /**
   * Opens a stream with the current list and every change. It uses one of the user's stream slots until it ends. Throws
   * RATE_LIMITED if none is free, and STREAM_ENDED if the process is stopping.
   *
   * @param disconnectSignal aborted when the client has disconnected
   */
  open(caller: SessionPrincipal, disconnectSignal: AbortSignal | undefined): WorkStream {
    if (this.#draining) throw new AppError('STREAM_ENDED');
    const leave = this.parts.places.take(caller);
    const end = (): void => stream.end();
    const timer = setTimeout(end, MAX_STREAM_MS).unref();
    const stream = new WorkStream(kindsVisibleTo(caller.role as StaffRole), () => {
      clearTimeout(timer);
      disconnectSignal?.removeEventListener('abort', end);
      leave();
      this.#streams.delete(stream);
    });
    this.#streams.add(stream);
    disconnectSignal?.addEventListener('abort', end);
    if (disconnectSignal?.aborted) end();
    if (this.#latest && this.#waitMs() > 0) stream.push(this.#latest);
    this.#scheduleRead();
    return stream;
  }

  #waitMs(): number {
    return this.#readAtMs + READ_INTERVAL_MS - performance.now();
  }

  #scheduleRead(): void {
    if (this.#timer || this.#isReading || this.#draining || this.#streams.size === 0) return;
    this.#timer = setTimeout(() => this.#readNow(), Math.max(0, this.#waitMs())).unref();
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    if (this.#streams.size === 0) return;
    this.#isReading = true;
    this.#readAtMs = performance.now();
    try {
      this.#latest = await this.parts.read();
      for (const stream of this.#streams) stream.push(this.#latest);
    } catch (error) {
      // streams are updated by the next successful read
      this.parts.log.warn({ err: error as Error }, 'work list: reading failed, retrying in 2 s');
    } finally {
      this.#isReading = false;
      this.#scheduleRead();
    }
  }
}
