import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import { failureKindOf } from '../db/database-errors.js';
import type { Operation } from '../ledger/ledger.service.js';
import { lineOf } from '../providers/observed.js';
import type { Outcome } from '../providers/outcome.js';

/** Order whose outcome must be stored. */
export interface OutcomeOwner {
  orderId: string;
  reference: string;
  operation: Operation;
  provider: string;
  /** Account number of the payment. It is never logged. */
  account: string;
}

export interface UnstoredLimits {
  outcomes: number;
  /** Total size of the kept outcomes as JSON. */
  bytes: number;
}

/**
 * Limits that protect memory, mainly from the responses of large lookups. MAX_IN_FLIGHT limits the number of orders in progress.
 */
const LIMITS: UnstoredLimits = { outcomes: 10_000, bytes: 64 * 1024 * 1024 };
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

type GiveUpReason = 'the process stops' | 'too many outcomes are kept' | 'the database rejects it';

/** Error for an outcome that could not be stored. A sweeper finds its order when the lease expires. */
export class OutcomeNotStored extends Error {
  constructor(reason: GiveUpReason, cause?: unknown) {
    super(reason, { cause });
    this.name = 'OutcomeNotStored';
  }
}

/**
 * Stores provider outcomes, and retries while the process runs. A provider without a status check returns an outcome only
 * once, so a database outage must not lose it. The outcome is logged before the first retry, because only the log remains if
 * the process crashes.
 */
export class UnstoredOutcomes {
  /** Functions that are called when all retries end. */
  readonly #waiters = new Set<() => void>();
  #outcomes = 0;
  #bytes = 0;
  #hasEnded = false;
  #end: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Logger,
    private readonly limits: UnstoredLimits = LIMITS,
  ) {}

  /** Number of outcomes that are being retried. */
  get count(): number {
    return this.#outcomes;
  }

  /** Sets the time of the monotonic clock at which all retries end because the process stops. */
  endAt(instantMs: number): void {
    clearTimeout(this.#end);
    this.#end = setTimeout(
      () => {
        this.#hasEnded = true;
        for (const end of this.#waiters) end();
      },
      Math.max(0, instantMs - performance.now()),
    ).unref();
  }

  /**
   * Calls `store` until the outcome is stored. `store` reports each of its own retries to `onRetry` and can be repeated
   * safely. If the outcome cannot be stored, logs the error and throws OutcomeNotStored.
   */
  async store<T>(
    owner: OutcomeOwner,
    outcome: Outcome<unknown>,
    store: (onRetry: (error: unknown) => unknown) => Promise<T>,
  ): Promise<T> {
    const logFields = () => outcomeLogFields(owner, outcome);
    let reservation: { bytes: number; mayBeKept: boolean } | undefined;
    const onRetry = (err: unknown): boolean => {
      if (!reservation) {
        reservation = this.#reserve(Buffer.byteLength(JSON.stringify(outcome)));
        this.log.error({ err, ...logFields() }, 'outcome not stored yet, retrying');
      }
      return reservation.mayBeKept;
    };
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        try {
          const stored = await this.#untilEnd(store(onRetry));
          if (reservation) this.log.info({ orderId: owner.orderId }, 'outcome stored');
          return stored;
        } catch (error) {
          if (error instanceof OutcomeNotStored) throw error;
          if (!isTransient(error)) throw new OutcomeNotStored('the database rejects it', error);
          if (!onRetry(error)) throw new OutcomeNotStored('too many outcomes are kept', error);
        }
        // spreads the retries after an outage
        await this.#untilEnd(sleep(pauseMs * (0.5 + Math.random())));
      }
    } catch (err) {
      this.log.error({ err: err as Error, why: (err as Error).message, ...logFields() }, 'outcome not stored');
      throw err;
    } finally {
      if (reservation) {
        this.#outcomes--;
        this.#bytes -= reservation.bytes;
      }
    }
  }

  /** Counts an outcome and returns whether it can be kept within the limits. */
  #reserve(bytes: number): { bytes: number; mayBeKept: boolean } {
    this.#outcomes++;
    this.#bytes += bytes;
    return { bytes, mayBeKept: this.#outcomes <= this.limits.outcomes && this.#bytes <= this.limits.bytes };
  }

  /** Returns the result of the work, unless the retries end first. The work then continues, and its result is ignored. */
  #untilEnd<T>(operation: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new OutcomeNotStored('the process stops'));
      this.#waiters.add(end);
      operation.then(resolve, reject).finally(() => this.#waiters.delete(end));
      if (this.#hasEnded) end();
    });
  }
}

/** Whether a retry can succeed after this error. */
function isTransient(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'DEPENDENCY_DOWN';
  const trouble = failureKindOf(error);
  return trouble === 'away' || trouble === 'doubt';
}

/**
 * Returns the log fields of an outcome: the status and the transaction ID as returned by the provider, for a search in its
 * panel.
 */
function outcomeLogFields(
  { orderId, reference, operation, provider, account }: OutcomeOwner,
  outcome: Outcome<unknown>,
) {
  const { providerTxnId } = outcome.evidence;
  // some providers use the account number as the transaction ID
  const isPersonal = providerTxnId?.includes(account.slice(-10));
  return {
    orderId,
    apiRequestId: reference,
    operation,
    provider,
    ...lineOf(provider, outcome),
    ...(providerTxnId === undefined ? {} : { providerTxnId: isPersonal ? '[redacted]' : providerTxnId }),
  };
}
