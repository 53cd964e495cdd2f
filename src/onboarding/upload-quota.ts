import { AppError } from '../core/errors.js';
import type { Counters } from '../db/counters/counters.js';

const WINDOW_S = 24 * 3_600;
export const MAX_DOCUMENTS_PER_DAY = 30;
export const MAX_KIB_PER_DAY = 60 * 1_024;

/** Daily upload limit per network, across accounts. A limit per account would not help, because accounts are free. */
export class UploadQuota {
  constructor(private readonly counters: Counters) {}

  /** Counts an upload. Throws RATE_LIMITED. */
  async take(addressKey: string, sizeBytes: number): Promise<void> {
    const usage = await Promise.all([
      this.counters.add(`kyc-documents:${addressKey}`, WINDOW_S),
      this.counters.add(`kyc-kib:${addressKey}`, WINDOW_S, Math.ceil(sizeBytes / 1_024)),
    ]);
    const limits = [MAX_DOCUMENTS_PER_DAY, MAX_KIB_PER_DAY];
    const exceeded = usage.filter(({ count }, index) => count > limits[index]!);
    if (exceeded.length > 0) {
      throw new AppError('RATE_LIMITED', {
        message: 'Daily upload limit for this address reached. Retry after the time in Retry-After.',
        retryAfterMs: Math.max(...exceeded.map(({ msLeft }) => msLeft)),
      });
    }
  }
}
