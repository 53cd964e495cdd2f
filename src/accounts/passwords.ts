import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { AppError } from '../core/errors.js';
import { randomToken } from '../core/secret.js';

/** What is stored of a password: argon2id with its salt. Made before a transaction begins, because it takes long on purpose. */
export type PasswordHash = string & { readonly __brand: 'PasswordHash' };

/**
 * argon2 runs in libuv's four threads, which resolve the providers' names too, and takes a whole core: half of the threads and of
 * the cores stay free for everybody else.
 */
export const PASSWORDS_AT_ONCE = Math.min(2, Math.ceil(availableParallelism() / 2));
/** About a second of work; whoever comes on top is told to come back instead of making everybody wait. */
const WAITING = 32;
const RETRY_AFTER_MS = 2_000;

/** The only place where passwords are hashed and compared: so many at once, the rest wait, and beyond that OVERLOADED. */
export class Passwords {
  readonly #bulkhead = bulkhead(PASSWORDS_AT_ONCE, WAITING);
  /** Compared when there is no hash, so that the time tells nothing. */
  #decoy: Promise<string> | undefined;

  /** Errors: OVERLOADED. */
  async hash(password: string): Promise<PasswordHash> {
    return (await this.#admit(() => hash(password))) as PasswordHash;
  }

  /** Takes the same time without a stored hash, and is false then. Errors: OVERLOADED. */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const matches = await this.#admit(async () => verify(stored ?? (await this.#decoyHash()), password));
    return stored !== undefined && matches;
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= hash(randomToken(''));
    return this.#decoy;
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
