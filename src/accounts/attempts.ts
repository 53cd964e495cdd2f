import { wideNetworkOf } from '../core/addresses.js';
import { AppError } from '../core/errors.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { Counters } from '../db/counters/counters.js';

export type AttemptKind =
  | 'sign-in'
  | 'exchange'
  | 'verify-email'
  | 'change-password'
  | 'reset-password'
  | 'second-factor'
  | 'accept-invitation'
  | 'confirm-email';

/** Somebody tries a secret. */
export interface Attempt {
  kind: AttemptKind;
  /** Whose secret: an email address, a client id, a link. It is never stored or logged in clear. */
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

/** Why an attempt failed that was over a limit; but for an API secret, its secret was not compared. */
export const TOO_MANY = 'too many attempts';

export const ATTEMPTS_WINDOW_S = 15 * 60;
/** Per identifier and address. */
export const ATTEMPTS_LIMIT = 10;
/** From one address: one that tries many identifiers. Exchanges and what people do are counted apart. */
export const ADDRESS_ATTEMPTS_LIMIT = 100;
/** From one IPv6 network of 48 bits, of which a customer of a provider may have 65,536 of 64. */
export const WIDE_ATTEMPTS_LIMIT = 4 * ADDRESS_ATTEMPTS_LIMIT;
/** Beyond the limits of addresses, for an identifier whose secret was right from there within the last day. */
export const KNOWN_ATTEMPTS_LIMIT = 5;

const DAY_S = 86_400;
/** Secrets that are used again and again; a link is used once. An API secret is compared in any case, see `countFailures`. */
const USED_AGAIN: ReadonlySet<AttemptKind> = new Set(['sign-in']);

type GiveBack = () => Promise<void>;

interface Place {
  key: string;
  limit: number;
}

/**
 * Every check of a secret. Of a secret that a person chose, the attempt is counted before the check and given back when it succeeds, so that many at once get no
 * more checks than one after the other. Attempts of one identifier and address wait for each other: programs that exchange the
 * right secret in parallel are not refused.
 *
 * An address may be shared by many (an office, the servers behind one NAT), and the failures of one of them would shut all out. So who
 * was right from there within the last day has a few places beyond the limit of the address, for that identifier alone. A stranger at
 * the same address gains at most those guesses, only at what is in use there, and never more than the limit of an identifier.
 */
export class Attempts {
  readonly #last = new Map<string, Promise<void>>();

  constructor(
    private readonly counters: Counters,
    private readonly log: AttemptLog,
    private readonly pepper: Secret,
  ) {}

  /**
   * Runs `check`, which throws FailedAttempt for a wrong secret; anything else that it throws is not counted.
   * Errors: TOO_MANY_FAILED_EXCHANGES, the refusal of the FailedAttempt, and those of `check`.
   */
  async guard<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    const identifierHash = this.identifierHash(attempt.identifier);
    const own = `${attempt.kind}:${identifierHash}:${attempt.addressKey}`;
    return this.#oneByOne(own, async () => {
      const giveBack = await this.#reserve(attempt, own, identifierHash);
      try {
        const result = await check();
        await Promise.all([giveBack(), USED_AGAIN.has(attempt.kind) && this.#remember(own)]);
        return result;
      } catch (error) {
        if (!(error instanceof FailedAttempt)) {
          // the error matters more than a counter that stays one too high
          await giveBack().catch(() => {});
          throw error;
        }
        this.log.failed(attempt, identifierHash, error);
        throw error.refusal;
      }
    });
  }

  /**
   * Runs `check` whatever failed before, and limits failures only: a right secret is never refused, so that whoever shares an address
   * with a client cannot shut it out. Only for secrets that nobody can guess and that cost little to compare: the limit then decides
   * what a wrong secret is answered with, and no longer protects the secret. Errors: as those of `guard`.
   */
  async countFailures<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof FailedAttempt)) throw error;
      const identifierHash = this.identifierHash(attempt.identifier);
      await this.#reserve(attempt, `${attempt.kind}:${identifierHash}:${attempt.addressKey}`, identifierHash);
      this.log.failed(attempt, identifierHash, error);
      throw error.refusal;
    }
  }

  /** How logs name an email address or client id. */
  identifierHash(identifier: string): string {
    return keyedHash(this.pepper, 'attempt', identifier).toString('base64url');
  }

  /** Counts an attempt, or logs that there were too many; returns how it is taken back. Errors: TOO_MANY_FAILED_EXCHANGES. */
  async #reserve(attempt: Attempt, own: string, identifierHash: string): Promise<GiveBack> {
    try {
      return await this.#takeAll(attempt, own);
    } catch (error) {
      if (error instanceof AppError && error.code === 'TOO_MANY_FAILED_EXCHANGES')
        this.log.failed(attempt, identifierHash, { reason: TOO_MANY, userId: undefined });
      throw error;
    }
  }

  async #takeAll({ kind, addressKey }: Attempt, own: string): Promise<GiveBack> {
    const giveOwnBack = await this.#take([{ key: `attempts:${own}`, limit: ATTEMPTS_LIMIT }]);
    try {
      const giveBack = await this.#takeOfAddress(kind === 'exchange' ? 'programs' : 'people', addressKey, own);
      return async () => {
        await Promise.all([giveOwnBack(), giveBack()]);
      };
    } catch (error) {
      await giveOwnBack().catch(() => {});
      throw error;
    }
  }

  async #takeOfAddress(who: string, addressKey: string, own: string): Promise<GiveBack> {
    const wide = wideNetworkOf(addressKey);
    try {
      return await this.#take([
        { key: `attempts:address:${who}:${addressKey}`, limit: ADDRESS_ATTEMPTS_LIMIT },
        ...(wide === undefined ? [] : [{ key: `attempts:address:${who}:${wide}`, limit: WIDE_ATTEMPTS_LIMIT }]),
      ]);
    } catch (error) {
      const isOver = error instanceof AppError && error.code === 'TOO_MANY_FAILED_EXCHANGES';
      if (!isOver || !(await this.#isKnown(own))) throw error;
      return this.#take([{ key: `attempts:known:${own}`, limit: KNOWN_ATTEMPTS_LIMIT }]);
    }
  }

  /** One of each or none: what is refused in a network of 64 bits must not use up the one of 48 bits. */
  async #take(places: readonly Place[]): Promise<GiveBack> {
    const add = (points: number) =>
      Promise.all(places.map(({ key }) => this.counters.add(key, ATTEMPTS_WINDOW_S, points)));
    const counts = await add(1);
    const giveBack = async (): Promise<void> => void (await add(-1));
    const over = counts.filter(({ count }, index) => count > places[index]!.limit);
    if (over.length === 0) return giveBack;
    await giveBack();
    throw new AppError('TOO_MANY_FAILED_EXCHANGES', { retryAfterMs: Math.max(...over.map(({ msLeft }) => msLeft)) });
  }

  /** By the day and the one before it: a counter's window does not move. */
  async #isKnown(own: string): Promise<boolean> {
    const today = dayNow();
    // what is not there would be kept for a second
    const counts = await Promise.all(
      [today, today - 1].map((day) => this.counters.add(`attempts:right:${own}:${day}`, 1, 0)),
    );
    return counts.some(({ count }) => count > 0);
  }

  async #remember(own: string): Promise<void> {
    await this.counters.add(`attempts:right:${own}:${dayNow()}`, 2 * DAY_S);
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

const dayNow = (): number => Math.floor(Date.now() / (DAY_S * 1_000));
