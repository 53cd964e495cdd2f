import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { Metrics } from '../core/metrics.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Connectable } from '../db/pool.js';
import {
  BooksCheck,
  type BooksSize,
  type CheckStep,
  type FullCheck,
  type ProviderPayable,
  type StepPace,
  type Violation,
} from './books-check.js';
import { PostedWallets, PostingBatcher } from './posting-batcher.js';
import {
  type Hold,
  type HoldResult,
  type LedgerResolution,
  postHolds,
  postResolutions,
  type ResolutionResult,
  type ResolutionRow,
  resolutionOf,
  type StateRow,
  stateOf,
  type WalletState,
} from './postings.js';
import { type WalletKey, walletStates } from './wallet.reader.js';

export { PostedInDoubt } from './posting-batcher.js';
export type { Hold, HoldResult, LedgerResolution, Operation, ResolutionResult, WalletState } from './postings.js';

export interface Posting {
  developerId: DeveloperId;
  environment: Environment;
  /** ID of the lead, top-up or debit. Each subject is posted only once. */
  subjectId: string;
  kind: 'lead_fee' | 'top_up' | 'debit';
  amountPaise: Paise;
  /** Lead code, or reference of a top-up or debit. Each wallet accepts a reference only once. */
  reference: string;
}

export interface PostingResult extends WalletState {
  outcome: 'posted' | 'duplicate' | 'insufficient' | 'no_wallet';
}

/** Posting that undoes the outcome of a payment: `reversal` refunds its amount, `refund_reversal` charges it again. */
export interface Correction {
  developerId: DeveloperId;
  orderId: string;
  kind: 'reversal' | 'refund_reversal';
  /** ID of the audit entry that the transaction must contain. */
  postingId: string;
  /** New stored response, encrypted. If undefined, the existing response is kept. */
  answer: Buffer | undefined;
  detail: object;
}

/** Result of a reversal. Nothing changed unless it is `reversed`. */
export type ReversalOutcome = 'reversed' | 'already' | 'not_success' | 'missing' | 'decided_by_people';

/** Result of a correction. Nothing changed unless it is `posted`. `bill_paid`: another payment for the same card bill exists. */
export type CorrectionOutcome = 'posted' | 'missing' | 'not_charged' | 'not_given_back' | 'insufficient' | 'bill_paid';

/** Result of reopening a wallet; see ledger_reopen. Nothing changed unless it is `posted`. */
export interface ReopenResult {
  outcome:
    | 'posted'
    | 'missing'
    | 'not_approved'
    | 'already'
    | 'no_wallet'
    | 'incomplete'
    | 'changed'
    | 'insufficient'
    | 'busy';
  developerId: DeveloperId;
  environment: Environment;
  /**
   * Amount that the correction added to the wallet; negative if it was debited. It is zero if only opening records were posted.
   */
  changePaise: Paise;
  /** Balance after the correction. */
  balancePaise: Paise;
  version: string;
  firstVersion: string;
  /** Number of entries with a wrong balance, which are no longer a violation. */
  entries: number;
}

/** Kinds of postings that are batched. */
export type PostingKind = 'hold' | 'resolution';

export interface LedgerOptions {
  retryHoldForMs?: number;
  retryInDoubtForMs?: number;
  metrics?: Metrics;
}

interface ReopenRow extends Omit<ReopenResult, 'changePaise' | 'balancePaise'> {
  change: string;
  balance: string;
}

/**
 * Timeout of checks started by users. The first check after a restore reads the whole ledger in one statement, which takes
 * minutes for five million orders.
 */
const CHECK_LIMIT_MS = 6 * 3_600_000;

/**
 * Service for all money movements. Only this class calls the posting functions. Their guarantees are documented in
 * db/sql/repeatable.
 */
export class LedgerService {
  readonly #holds: PostingBatcher<Hold, HoldResult>;
  readonly #resolutions: PostingBatcher<LedgerResolution, ResolutionResult>;
  readonly #wallets: Loader<WalletKey, WalletState | undefined>;

  constructor(
    private readonly db: Connectable,
    { retryHoldForMs = 4_000, retryInDoubtForMs = 15_000, metrics = new Metrics() }: LedgerOptions = {},
  ) {
    const batchSizes = metrics.histogram('batchSizes');
    this.#wallets = batchedLoader((keys) => walletStates(db, keys));
    // these options are shared; the key of a resolution does not contain the environment
    const shared = {
      posted: new PostedWallets(),
      walletOf: ({ developerId }: Pick<Hold, 'developerId'>) => developerId,
    };
    this.#holds = new PostingBatcher<Hold, HoldResult>((batch) => postHolds(db, batch), {
      ...shared,
      laneOf: ({ developerId, environment }) => `${developerId} ${environment}`,
      retryForMs: retryHoldForMs,
      retryInDoubtForMs,
      onBatch: (size) => batchSizes.observe(size, 'hold'),
    });
    this.#resolutions = new PostingBatcher<LedgerResolution, ResolutionResult>((batch) => postResolutions(db, batch), {
      ...shared,
      // there is one lane per order, because its row can be locked as well as its wallet
      laneOf: ({ id }) => id,
      onRetry: ({ onRetry }, error) => onRetry?.(error),
      retryForMs: retryInDoubtForMs,
      retryInDoubtForMs,
      onBatch: (size) => batchSizes.observe(size, 'resolution'),
    });
  }

  /**
   * Creates (T1) the order row and its hold in one commit. Throws DEPENDENCY_DOWN if the database remains unavailable;
   * PostedInDoubt if the hold may have been posted.
   */
  hold(hold: Hold): Promise<HoldResult> {
    return this.#holds.add(hold);
  }

  /** Posts (T2) the only resolution of an order with its evidence and stored response in one commit. */
  resolve(resolution: LedgerResolution): Promise<ResolutionResult> {
    return this.#resolutions.add(resolution);
  }

  /**
   * Posts a resolution in the transaction of `em`. It commits or rolls back together with the record of the user who resolved the
   * order.
   */
  async resolveWith(resolution: LedgerResolution, em: EntityManager): Promise<ResolutionResult> {
    const { developerId, id, success, result, providerTxnId, event, detail, recheckAfterMs } = resolution;
    const { rows } = await sql<ResolutionRow>`
      select * from ledger_resolve(array[${developerId}::uuid], array[${id}::uuid], array[${success}::boolean], array[${result}::bytea],
        array[${providerTxnId}::text], array[${event}::text], array[${JSON.stringify(detail)}::jsonb], array[${recheckAfterMs}::integer])`.execute(
      em.getKysely(),
    );
    return resolutionOf(rows[0]!);
  }

  /**
   * Posts several resolutions in one statement, in the transaction of `em`, which has locked the orders. Returns the results in
   * order.
   */
  async resolveAllWith(
    resolutions: readonly LedgerResolution[],
    em: EntityManager,
  ): Promise<ResolutionResult['outcome'][]> {
    const valuesOf = <T>(select: (resolution: LedgerResolution) => T): T[] => resolutions.map(select);
    const { rows } = await sql<{ outcome: ResolutionResult['outcome'] }>`
      select outcome from ledger_resolve(${valuesOf(({ developerId }) => developerId)}::uuid[], ${valuesOf(({ id }) => id)}::uuid[],
        ${valuesOf(({ success }) => success)}::boolean[], ${valuesOf(({ result }) => result)}::bytea[],
        ${valuesOf(({ providerTxnId }) => providerTxnId)}::text[], ${valuesOf(({ event }) => event)}::text[],
        ${valuesOf(({ detail }) => JSON.stringify(detail))}::jsonb[], ${valuesOf(({ recheckAfterMs }) => recheckAfterMs)}::integer[]) order by ord`.execute(
      em.getKysely(),
    );
    return rows.map(({ outcome }) => outcome);
  }

  /** Number of queued holds. */
  get backlog(): number {
    return this.#holds.queueLength;
  }

  /** Number of queued postings by kind. */
  get waiting(): Record<PostingKind, number> {
    return { hold: this.#holds.queueLength, resolution: this.#resolutions.queueLength };
  }

  /** Posts an entry without an order, in the transaction of `em`. The amount must be positive. */
  async post(posting: Posting, em: EntityManager): Promise<PostingResult> {
    const { developerId, environment, subjectId, kind, amountPaise, reference } = posting;
    const { rows } = await sql<{ outcome: PostingResult['outcome'] } & StateRow>`
      select * from ledger_post(${developerId}, ${environment}, ${subjectId}, ${kind}, ${String(amountPaise)}::bigint, ${reference})`.execute(
      em.getKysely(),
    );
    return { outcome: rows[0]!.outcome, ...stateOf(rows[0]!) };
  }

  /**
   * Undoes the outcome of a payment in the transaction of `em`. The transaction commits only with the audit entry of the posting.
   */
  async correct(correction: Correction, em: EntityManager): Promise<CorrectionOutcome> {
    const { developerId, orderId, kind, postingId, answer, detail } = correction;
    const { rows } = await sql<{ outcome: CorrectionOutcome }>`
      select outcome from ledger_correct(${developerId}, ${orderId}::uuid, ${kind}, ${postingId}::uuid, ${answer ?? null}::bytea,
        ${JSON.stringify(detail)}::jsonb)`.execute(em.getKysely());
    return rows[0]!.outcome;
  }

  /**
   * Posts the approved correction of a wallet whose balance changed without a transfer, in the transaction of `em`. The
   * transaction commits only with the audit entry of the posting. Only the owner of the tables can call it.
   */
  async reopen(approvalRequestId: string, postingId: string, em: EntityManager): Promise<ReopenResult> {
    const { rows } = await sql<ReopenRow>`
      select outcome, developer_id as "developerId", environment, coalesce(change_paise, 0)::text as change,
        coalesce(balance_paise, 0)::text as balance, version::text, first_version::text as "firstVersion", entries::float8 as entries
      from ledger_reopen(${approvalRequestId}::uuid, ${postingId}::uuid)`.execute(em.getKysely());
    const { change, balance, ...fields } = rows[0]!;
    return { ...fields, changePaise: paise(change), balancePaise: paise(balance) };
  }

  /** Creates both empty wallets of a developer, in the transaction of `em`. It is safe to repeat. */
  async openWallets(developerId: DeveloperId, em: EntityManager): Promise<void> {
    await sql`insert into wallet (developer_id, environment) values (${developerId}, 'uat'), (${developerId}, 'production') on conflict do nothing`.execute(
      em.getKysely(),
    );
  }

  /**
   * Reverses a success that the provider reversed, and credits the amount to the wallet. `decided_by_people`: staff have resolved
   * the order, which takes precedence; see `reversal_is_proven`.
   *
   * @param checkedAt earliest possible time of the status check that proves the reversal, by the database clock; default: now
   */
  async reverse(developerId: DeveloperId, orderId: string, detail: object, checkedAt?: Date): Promise<ReversalOutcome> {
    const { rows } = await this.db.query<{ outcome: ReversalOutcome }>({
      text: 'select ledger_reverse($1, $2, $3, coalesce($4::timestamptz, now())) as outcome',
      values: [developerId, orderId, JSON.stringify(detail), checkedAt?.toISOString() ?? null],
    });
    return rows[0]!.outcome;
  }

  /**
   * Returns the current wallet. Concurrent reads are combined into one statement. Throws RECORD_NOT_FOUND if the wallet does not
   * exist.
   */
  async wallet(developerId: DeveloperId, environment: Environment): Promise<WalletState> {
    const state = await this.findWallet(developerId, environment);
    if (!state) throw new AppError('RECORD_NOT_FOUND', { message: 'The wallet does not exist yet.' });
    return state;
  }

  /** Returns the current wallet, or undefined if it does not exist. */
  findWallet(developerId: DeveloperId, environment: Environment): Promise<WalletState | undefined> {
    return this.#wallets.load({ developerId, environment });
  }

  /**
   * Returns all violations of the ledger rules. The result is empty if the ledger is correct. Reads the whole ledger, which can
   * take minutes.
   */
  check(limitMs = CHECK_LIMIT_MS, workers = 1): Promise<Violation[]> {
    return new BooksCheck(this.db, limitMs).allViolations(workers);
  }

  /** Returns the violations in entries posted since the last check without findings. The check runs in its own transaction. */
  checkNew(limitMs = CHECK_LIMIT_MS, signal?: AbortSignal): Promise<Violation[]> {
    return new BooksCheck(this.db, limitMs).newViolations(signal);
  }

  /** Runs one step of the automatic full check, if one is due. */
  checkStep({ rows = 500, forMs = 500, share = 100, workers = 1 }: Partial<StepPace> = {}): Promise<CheckStep> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).step({ rows, forMs, share, workers });
  }

  /** Starts a run of the full check immediately. */
  fullCheckNow(): Promise<void> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).fullCheckNow();
  }

  /**
   * Returns whether the server was restored to a point in time since the last full check. Returns false for a restored dump,
   * which no check has read yet.
   */
  restoredToInstant(): Promise<boolean> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).restoredToInstant();
  }

  /** Returns the number of entries to check. */
  size(): Promise<BooksSize> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).size();
  }

  /** Returns the state of the full check, with the findings of the last run. */
  lastFullCheck(limitMs = CHECK_LIMIT_MS): Promise<FullCheck> {
    return new BooksCheck(this.db, limitMs).lastFull();
  }

  /** Returns the Unix time in seconds up to which the ledger is verified, or 0 if it has never been verified. */
  verifiedAtS(limitMs = CHECK_LIMIT_MS): Promise<number> {
    return new BooksCheck(this.db, limitMs).verifiedAtS();
  }

  /** Returns the amounts owed to each provider, as of the last incremental check. */
  owed(limitMs = CHECK_LIMIT_MS): Promise<ProviderPayable[]> {
    return new BooksCheck(this.db, limitMs).owed();
  }
}
