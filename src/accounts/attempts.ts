import { AppError } from '../core/errors.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { Counters } from '../counters/counters.js';

export type AttemptKind = 'sign-in' | 'exchange' | 'verify-email' | 'change-password' | 'reset-password';

/** Somebody tries a secret. */
export interface Attempt {
  kind: AttemptKind;
  /** Whose secret: an e-mail address, a client id, a link. It is never stored or logged in clear. */
  identifier: string;
  /** Where the caller is: the address, or the network that one subscriber has. */
  addressKey: string;
  requestId: string;
}

/** The secret was wrong. `reason` is for the log alone, the caller gets `refusal`. */
export class FailedAttempt extends Error {
  readonly reason: string;
  readonly refusal: AppError;
  /** The user that the identifier belongs to; undefined when there is none. */
  readonly userId: string | undefined;

  constructor(reason: string, refusal = new AppError('INVALID_CREDENTIALS'), userId?: string) {
    super(reason);
    this.name = 'FailedAttempt';
    this.reason = reason;
    this.refusal = refusal;
    this.userId = userId;
  }
}

/** Where failed attempts are written down. */
export interface AttemptLog {
  failed(attempt: Attempt, identifierHash: string, failure: { reason: string; userId: string | undefined }): void;
}

export const ATTEMPTS_WINDOW_S = 15 * 60;
/** Per identifier and address. */
export const ATTEMPTS_LIMIT = 10;
/** Of all kinds together from one address: one that tries many identifiers. */
export const ADDRESS_ATTEMPTS_LIMIT = 100;

/**
 * Every check of a secret. The attempt is counted before the check and given back when it succeeds, so that many at once get no
 * more checks than one after the other. Attempts of one identifier and address wait for each other: programs that exchange the
 * right secret in parallel are not refused.
 */
export class Attempts {
  readonly #counters: Counters;
  readonly #log: AttemptLog;
  readonly #pepper: Secret;
  readonly #last = new Map<string, Promise<void>>();

  constructor(counters: Counters, log: AttemptLog, pepper: Secret) {
    this.#counters = counters;
    this.#log = log;
    this.#pepper = pepper;
  }

  /**
   * Runs `check`, which throws FailedAttempt for a wrong secret; anything else that it throws is not counted.
   * Errors: TOO_MANY_FAILED_EXCHANGES, the refusal of the FailedAttempt, and those of `check`.
   */
  async guard<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    const identifierHash = this.identifierHash(attempt.identifier);
    const own = `attempts:${attempt.kind}:${identifierHash}:${attempt.addressKey}`;
    return this.#oneByOne(own, async () => {
      const giveBack = await this.#reserve(own, `attempts:address:${attempt.addressKey}`).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'TOO_MANY_FAILED_EXCHANGES')
          this.#log.failed(attempt, identifierHash, { reason: 'too many attempts', userId: undefined });
        throw error;
      });
      try {
        const result = await check();
        await giveBack();
        return result;
      } catch (error) {
        if (!(error instanceof FailedAttempt)) {
          // the error matters more than a counter that stays one too high
          await giveBack().catch(() => {});
          throw error;
        }
        this.#log.failed(attempt, identifierHash, error);
        throw error.refusal;
      }
    });
  }

  /** How logs name an e-mail address or client id. */
  identifierHash(identifier: string): string {
    return keyedHash(this.#pepper, 'attempt', identifier).toString('base64url');
  }

  async #reserve(own: string, address: string): Promise<() => Promise<void>> {
    await this.#take(own, ATTEMPTS_LIMIT);
    try {
      await this.#take(address, ADDRESS_ATTEMPTS_LIMIT);
    } catch (error) {
      await this.#counters.add(own, ATTEMPTS_WINDOW_S, -1).catch(() => {});
      throw error;
    }
    return async () => {
      await Promise.all([own, address].map((key) => this.#counters.add(key, ATTEMPTS_WINDOW_S, -1)));
    };
  }

  async #take(key: string, limit: number): Promise<void> {
    const { count, msLeft } = await this.#counters.add(key, ATTEMPTS_WINDOW_S);
    if (count > limit) throw new AppError('TOO_MANY_FAILED_EXCHANGES', { retryAfterMs: msLeft });
  }

  async #oneByOne<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const ended = mine.then(
      () => {},
      () => {},
    );
    this.#last.set(key, ended);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
