import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const RightDate = Date;
const rightId = crypto.randomUUIDv7;

/** An id of an instant, as a process whose clock shows that instant makes it. */
function idAt(instantMs: number): string {
  const hex = instantMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${rightId().slice(13)}`;
}

/** Gives dates and ids another clock; timers keep theirs. Returns what puts the right one back. */
function replaceClock(aheadMs: () => number): () => void {
  const now = (): number => RightDate.now() + aheadMs();
  globalThis.Date = class extends RightDate {
    constructor(...parts: [] | [number | string | Date]) {
      if (parts.length === 0) super(now());
      else super(...parts);
    }
    static override now(): number {
      return now();
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(RightDate, value);
    }
  } as DateConstructor;
  crypto.randomUUIDv7 = () => idAt(now()) as ReturnType<typeof rightId>;
  syncBuiltinESMExports();
  return () => {
    globalThis.Date = RightDate;
    crypto.randomUUIDv7 = rightId;
    syncBuiltinESMExports();
  };
}

/**
 * Runs `work` in a process whose clock is `aheadMs` ahead, negative: behind. Dates and ids have the wrong time; timers, the database
 * and the simulator have the right one.
 */
export async function withSkewedClock<T>(aheadMs: number, work: () => Promise<T>): Promise<T> {
  const restore = replaceClock(() => aheadMs);
  try {
    return await work();
  } finally {
    restore();
  }
}

/** The clock of one of several processes that are played side by side: set it whenever it should make a step. */
export interface ProcessClock {
  aheadMs: number;
}

/** Lets everything that `run` begins see a clock of its own. */
export class ProcessClocks {
  readonly #current = new AsyncLocalStorage<ProcessClock>();
  readonly #restore = replaceClock(() => this.#current.getStore()?.aheadMs ?? 0);

  run<T>(clock: ProcessClock, work: () => Promise<T>): Promise<T> {
    return this.#current.run(clock, work);
  }

  /** Puts the right clock back. */
  close(): void {
    this.#restore();
  }
}
