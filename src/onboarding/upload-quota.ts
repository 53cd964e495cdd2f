import { AppError } from '../core/errors.js';

/** Adds to a counter in a store that all processes share; the window begins with the first. Implemented by the rate limiter. */
export interface UsageCounter {
  add(key: string, points: number, windowS: number): Promise<{ total: number; msLeft: number }>;
}

const WINDOW_S = 24 * 3_600;
const MAX_DOCUMENTS_PER_DAY = 30;
const MAX_KIB_PER_DAY = 60 * 1_024;

/** What one place may upload in a day, over all accounts: accounts are free, so a bound per account is none. */
export class UploadQuota {
  readonly #counter: UsageCounter;

  constructor(counter: UsageCounter) {
    this.#counter = counter;
  }

  /** Errors: RATE_LIMITED. */
  async take(place: string, sizeBytes: number): Promise<void> {
    const used = await Promise.all([
      this.#counter.add(`kyc-documents:${place}`, 1, WINDOW_S),
      this.#counter.add(`kyc-kib:${place}`, Math.ceil(sizeBytes / 1_024), WINDOW_S),
    ]);
    const limits = [MAX_DOCUMENTS_PER_DAY, MAX_KIB_PER_DAY];
    const over = used.filter(({ total }, index) => total > limits[index]!);
    if (over.length > 0) {
      throw new AppError('RATE_LIMITED', {
        message: 'Too many documents from this address in one day. Retry after the time in Retry-After.',
        retryAfterMs: Math.max(...over.map(({ msLeft }) => msLeft)),
      });
    }
  }
}
