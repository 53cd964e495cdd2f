import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const RightDate = Date;
const rightId = crypto.randomUUIDv7;

/** An id of an instant, as a process whose clock shows that instant makes it. */
function idAt(instantMs: number): string {
  const hex = instantMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${rightId().slice(13)}`;
}

/**
 * Runs `work` in a process whose clock is `aheadMs` ahead, negative: behind. Dates and ids have the wrong time; timers, the database
 * and the simulator have the right one.
 */
export async function withSkewedClock<T>(aheadMs: number, work: () => Promise<T>): Promise<T> {
  const now = (): number => RightDate.now() + aheadMs;
  globalThis.Date = class extends RightDate {
    constructor(...parts: [] | [number | string | Date]) {
      if (parts.length === 0) super(now());
      else super(...parts);
    }
    static override now(): number {
      return now();
    }
  } as DateConstructor;
  crypto.randomUUIDv7 = () => idAt(now()) as ReturnType<typeof rightId>;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    globalThis.Date = RightDate;
    crypto.randomUUIDv7 = rightId;
    syncBuiltinESMExports();
  }
}
