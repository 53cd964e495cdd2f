import { AppError } from '../core/errors.js';

/** Each holds a file and its encryption in memory, some 10 MiB. */
const AT_ONCE = 2;
/** A file of 5 MiB takes some seconds. */
const RETRY_AFTER_MS = 5_000;

/** How many files a process takes at once, one of each account. A place is taken before anything of the file is read. */
export class UploadPlaces {
  readonly #accounts = new Set<string>();

  /**
   * Returns what gives the place back, to be called once. Errors: RATE_LIMITED, because the account has to wait for its own other
   * upload and then send the same again, which a CONFLICT would deny; OVERLOADED.
   */
  enter(accountId: string): () => void {
    if (this.#accounts.has(accountId))
      throw new AppError('RATE_LIMITED', {
        message: 'Another upload of this account is under way. Retry after the time in Retry-After.',
        retryAfterMs: RETRY_AFTER_MS,
      });
    if (this.#accounts.size >= AT_ONCE)
      throw new AppError('OVERLOADED', {
        message: 'Other uploads are under way. Retry after the time in Retry-After.',
        retryAfterMs: RETRY_AFTER_MS,
      });
    this.#accounts.add(accountId);
    return () => void this.#accounts.delete(accountId);
  }
}
