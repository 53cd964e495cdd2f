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

/** Attempt to use a secret. */
export interface Attempt {
  kind: AttemptKind;
  /** Owner of the secret: an email address, a client ID or a link. It is never stored or logged in clear text. */
  identifier: string;
  /** IP address of the caller, or its network for IPv6. */
  addressKey: string;
  requestId: string;
}

/** Error for a wrong secret. `reason` is only for the log; the caller gets `refusal`. */
export class FailedAttempt extends Error {
  readonly reason: string;
  readonly refusal: AppError;
  /** User to whom the identifier belongs. Undefined if there is none. */
  readonly userId: string | undefined;

  constructor(reason: string, refusal = new AppError('INVALID_CREDENTIALS'), userId?: string) {
    super(reason);
    this.name = 'FailedAttempt';
    this.reason = reason;
    this.refusal = refusal;
    this.userId = userId;
  }
}

/** Log of failed attempts. */
export interface AttemptLog {
  failed(attempt: Attempt, identifierHash: string, failure: { reason: string; userId: string | undefined }): void;
}

/** Reason that is logged for attempts over a limit. Their secret was not compared, unless it is an API secret. */
export const TOO_MANY = 'too many attempts';

export const ATTEMPTS_WINDOW_S = 15 * 60;
/** Maximum number of failed attempts per identifier and address. */
export const ATTEMPTS_LIMIT = 10;
/**
 * Maximum number of failed attempts per address, which limits attempts at many identifiers. Token exchanges and user attempts are
 * counted separately.
 */
export const ADDRESS_ATTEMPTS_LIMIT = 100;
/** Maximum number of failed attempts per IPv6 /48 network, because one subscriber may have 65,536 /64 networks. */
export const WIDE_ATTEMPTS_LIMIT = 4 * ADDRESS_ATTEMPTS_LIMIT;
/**
 * Number of attempts allowed beyond the limits of an address, for an identifier that succeeded from this address within the last
 * day.
 */
export const KNOWN_ATTEMPTS_LIMIT = 5;

const DAY_S = 86_400;
/**
 * Reusable secrets. Links are not included, because they are single-use. API secrets are always compared; see `countFailures`.
 */
const USED_AGAIN: ReadonlySet<AttemptKind> = new Set(['sign-in']);

type GiveBack = () => Promise<void>;

interface Place {
  key: string;
  limit: number;
}

/**
 * Checks secrets and limits failed attempts. For secrets chosen by users, the attempt is counted before the check and the
 * count is undone on success, so that parallel attempts get no more checks than sequential ones. Attempts for one identifier
 * and address run one at a time, so that applications that exchange the right secret in parallel are not rejected.
 *
 * Many users may share an address (an office, servers behind one NAT), and the failures of one would lock out all. An
 * identifier that succeeded from the address within the last day therefore gets a few attempts beyond the address limit. An
 * attacker at the same address gains only those guesses, only for identifiers in use there, and never more than the limit of
 * an identifier.
 */
export class Attempts {
  readonly #last = new Map<string, Promise<void>>();

  constructor(
    private readonly counters: Counters,
    private readonly log: AttemptLog,
    private readonly pepper: Secret,
  ) {}

  /**
   * Runs `check`, which throws FailedAttempt for a wrong secret. Other errors are not counted. Throws
   * TOO_MANY_FAILED_EXCHANGES, the error of the FailedAttempt, and the errors of `check`.
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
          // the original error is more important than a counter that is one too high
          await giveBack().catch(() => {});
          throw error;
        }
        this.log.failed(attempt, identifierHash, error);
        throw error.refusal;
      }
    });
  }

  /**
   * Always runs `check` and limits only failures. A right secret is never rejected, so that a client that shares the address
   * cannot lock out another one. Use it only for secrets that cannot be guessed and are cheap to compare, because the limit
   * then only selects the error for a wrong secret. Throws the same errors as `guard`.
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

  /** Returns the identifier in the form used in logs. */
  identifierHash(identifier: string): string {
    return keyedHash(this.pepper, 'attempt', identifier).toString('base64url');
  }

  /**
   * Counts an attempt, or logs that there were too many. Returns a function that undoes the count. Throws
   * TOO_MANY_FAILED_EXCHANGES.
   */
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

  /** Counts against all limits or none: an attempt rejected for its /64 network must not count against its /48 network. */
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

  /** Whether the identifier succeeded recently. Checks today and yesterday, because the window of a counter does not slide. */
  async #isKnown(own: string): Promise<boolean> {
    const today = dayNow();
    // adding 0 creates a missing counter, which then expires after a second
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
