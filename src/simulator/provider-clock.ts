import type { Clock } from '../core/clock.js';

/** The providers' own clock: transactions are booked, and filed by day, at its time. It can be set ahead or back. */
export class ProviderClock implements Clock {
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /** @param aheadMs negative: behind */
  set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }
}
