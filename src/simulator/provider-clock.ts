import type { Clock } from '../core/clock.js';

/** Clock of the providers. Transactions are booked and filed by day at its time. It can be set forward or back. */
export class ProviderClock implements Clock {
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /**
   * Sets the clock.
   * @param aheadMs negative values set the clock back
   */
  set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }
}
