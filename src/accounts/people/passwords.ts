import { availableParallelism } from 'node:os';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { AppError } from '../../core/errors.js';
import { randomToken } from '../../core/secret.js';
import { PasswordThreads } from './password-threads.js';

/** What is stored of a password: argon2id with its salt. Made before a transaction begins, because it takes long on purpose. */
export type PasswordHash = string & { readonly __brand: 'PasswordHash' };

/** Each takes a whole core: half of the cores stay free even of what has a low priority. */
export const PASSWORDS_AT_ONCE = Math.min(2, Math.ceil(availableParallelism() / 2));
/** About a second of work; more callers are asked to come back instead of making everybody wait. */
const WAITING = 32;
const RETRY_AFTER_MS = 2_000;

/** The only place where passwords are hashed and compared: so many at once, the rest wait, and beyond that OVERLOADED. */
export class Passwords {
  readonly #bulkhead = bulkhead(PASSWORDS_AT_ONCE, WAITING);
  /** As many as the bulkhead lets in. */
  readonly #threads = new PasswordThreads();
  /** Compared when there is no hash, so that the time tells nothing. */
  #decoy: Promise<string> | undefined;

  /** Errors: OVERLOADED. */
  async hash(password: string): Promise<PasswordHash> {
    return (await this.#admit(() => this.#threads.run({ password }))) as PasswordHash;
  }

  /** Takes the same time without a stored hash, and is false then. Errors: OVERLOADED. */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const matches = await this.#admit(async () =>
      this.#threads.run({ password, stored: stored ?? (await this.#decoyHash()) }),
    );
    return stored !== undefined && matches === true;
  }

  /** Ends the threads. What is under way or waits is rejected, and so is everything later. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  async #decoyHash(): Promise<string> {
    this.#decoy ??= this.#threads.run({ password: randomToken('') }) as Promise<string>;
    try {
      return await this.#decoy;
    } catch (error) {
      // the next one tries again
      this.#decoy = undefined;
      throw error;
    }
  }

  async #admit<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#bulkhead.execute(work);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new AppError('OVERLOADED', { retryAfterMs: RETRY_AFTER_MS });
      throw error;
    }
  }
}
