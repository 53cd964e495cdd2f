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
  type Owed,
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
  /** The lead, top-up or debit this belongs to: a subject is posted once. */
  subjectId: string;
  kind: 'lead_fee' | 'top_up' | 'debit';
  amountPaise: Paise;
  /** Lead code, or the reference of a top-up or debit (each of which is also accepted once per wallet). */
  reference: string;
}

export interface PostingResult extends WalletState {
  outcome: 'posted' | 'duplicate' | 'insufficient' | 'no_wallet';
}

/** Postings that undo the outcome of a payment: `reversal` refunds its amount, `refund_reversal` charges it again. */
export interface Correction {
  developerId: DeveloperId;
  orderId: string;
  kind: 'reversal' | 'refund_reversal';
  /** Names the audit entry that the transaction has to hold. */
  postingId: string;
  /** The stored answer from now on, encrypted; undefined leaves it as it is. */
  answer: Buffer | undefined;
  detail: object;
}

/** Everything but `reversed` changed nothing. */
export type ReversalOutcome = 'reversed' | 'already' | 'not_success' | 'missing' | 'decided_by_people';

/** Everything but `posted` changed nothing. `bill_paid`: another payment of the same card bill is there. */
export type CorrectionOutcome = 'posted' | 'missing' | 'not_charged' | 'not_given_back' | 'insufficient' | 'bill_paid';

/** Outcomes other than `posted` changed nothing; see ledger_reopen. */
export interface Reopened {
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
  /** Amount that the correction added to the wallet; negative if it left the wallet. Zero: only opening records were posted. */
  changePaise: Paise;
  /** Balance after the correction. */
  balancePaise: Paise;
  version: string;
  firstVersion: string;
  /** Entries with a wrong balance, which are no longer a violation. */
  entries: number;
}

/** What is posted in batches. */
export type PostingKind = 'hold' | 'resolution';

export interface LedgerOptions {
  retryHoldForMs?: number;
  retryInDoubtForMs?: number;
  metrics?: Metrics;
}

interface RowOfReopened extends Omit<Reopened, 'changePaise' | 'balancePaise'> {
  change: string;
  balance: string;
}

/** For people who wait for it. The first check of restored books reads all of them in one statement: five million orders are minutes. */
const CHECK_LIMIT_MS = 6 * 3_600_000;

/** All money. Nothing else calls the functions that post; see db/sql/repeatable for what each of them guarantees. */
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
    // a resolution does not name its environment
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
      // one lane for each order: its row can be locked as well as its wallet
      laneOf: ({ id }) => id,
      onRetry: ({ onRetry }, error) => onRetry?.(error),
      retryForMs: retryInDoubtForMs,
      retryInDoubtForMs,
      onBatch: (size) => batchSizes.observe(size, 'resolution'),
    });
  }

  /**
   * T1: the order row and its hold, in one commit. Errors: DEPENDENCY_DOWN when the database stays away; PostedInDoubt when
   * the hold may be there all the same.
   */
  hold(hold: Hold): Promise<HoldResult> {
    return this.#holds.add(hold);
  }

  /** T2: the order's one resolution with its evidence and stored answer, in one commit. */
  resolve(resolution: LedgerResolution): Promise<ResolutionResult> {
    return this.#resolutions.add(resolution);
  }

  /** One resolution in the transaction of `em`: it commits or rolls back with whatever says who decided it. */
  async resolveWith(resolution: LedgerResolution, em: EntityManager): Promise<ResolutionResult> {
    const { developerId, id, success, answer, providerTxnId, event, detail, askAgainMs } = resolution;
    const { rows } = await sql<ResolutionRow>`
      select * from ledger_resolve(array[${developerId}::uuid], array[${id}::uuid], array[${success}::boolean], array[${answer}::bytea],
        array[${providerTxnId}::text], array[${event}::text], array[${JSON.stringify(detail)}::jsonb], array[${askAgainMs}::integer])`.execute(
      em.getKysely(),
    );
    return resolutionOf(rows[0]!);
  }

  /** Many of them in one statement, in the transaction of `em`, which has locked the orders; the outcomes in their order. */
  async resolveAllWith(
    resolutions: readonly LedgerResolution[],
    em: EntityManager,
  ): Promise<ResolutionResult['outcome'][]> {
    const all = <T>(valueOf: (resolution: LedgerResolution) => T): T[] => resolutions.map(valueOf);
    const { rows } = await sql<{ outcome: ResolutionResult['outcome'] }>`
      select outcome from ledger_resolve(${all(({ developerId }) => developerId)}::uuid[], ${all(({ id }) => id)}::uuid[],
        ${all(({ success }) => success)}::boolean[], ${all(({ answer }) => answer)}::bytea[],
        ${all(({ providerTxnId }) => providerTxnId)}::text[], ${all(({ event }) => event)}::text[],
        ${all(({ detail }) => JSON.stringify(detail))}::jsonb[], ${all(({ askAgainMs }) => askAgainMs)}::integer[]) order by ord`.execute(
      em.getKysely(),
    );
    return rows.map(({ outcome }) => outcome);
  }

  /** Holds that wait for the database. */
  get backlog(): number {
    return this.#holds.waiting;
  }

  /** What waits for a batch. */
  get waiting(): Record<PostingKind, number> {
    return { hold: this.#holds.waiting, resolution: this.#resolutions.waiting };
  }

  /** A posting without an order, in the transaction of `em`: it commits or rolls back with it. Amount > 0. */
  async post(posting: Posting, em: EntityManager): Promise<PostingResult> {
    const { developerId, environment, subjectId, kind, amountPaise, reference } = posting;
    const { rows } = await sql<{ outcome: PostingResult['outcome'] } & StateRow>`
      select * from ledger_post(${developerId}, ${environment}, ${subjectId}, ${kind}, ${String(amountPaise)}::bigint, ${reference})`.execute(
      em.getKysely(),
    );
    return { outcome: rows[0]!.outcome, ...stateOf(rows[0]!) };
  }

  /** A payment's outcome undone, in the transaction of `em`: it commits only with the audit entry of its posting. */
  async correct(correction: Correction, em: EntityManager): Promise<CorrectionOutcome> {
    const { developerId, orderId, kind, postingId, answer, detail } = correction;
    const { rows } = await sql<{ outcome: CorrectionOutcome }>`
      select outcome from ledger_correct(${developerId}, ${orderId}::uuid, ${kind}, ${postingId}::uuid, ${answer ?? null}::bytea,
        ${JSON.stringify(detail)}::jsonb)`.execute(em.getKysely());
    return rows[0]!.outcome;
  }

  /**
   * Posts the approved correction of a wallet whose balance changed without a transfer, in the transaction of `em`, which commits only
   * with the audit entry of the posting. Only the owner of the tables may call it.
   */
  async reopen(approvalRequestId: string, postingId: string, em: EntityManager): Promise<Reopened> {
    const { rows } = await sql<RowOfReopened>`
      select outcome, developer_id as "developerId", environment, coalesce(change_paise, 0)::text as change,
        coalesce(balance_paise, 0)::text as balance, version::text, first_version::text as "firstVersion", entries::float8 as entries
      from ledger_reopen(${approvalRequestId}::uuid, ${postingId}::uuid)`.execute(em.getKysely());
    const { change, balance, ...reopened } = rows[0]!;
    return { ...reopened, changePaise: paise(change), balancePaise: paise(balance) };
  }

  /** Both wallets of a developer, empty, in the transaction of `em`. Safe to repeat. */
  async openWallets(developerId: DeveloperId, em: EntityManager): Promise<void> {
    await sql`insert into wallet (developer_id, environment) values (${developerId}, 'uat'), (${developerId}, 'production') on conflict do nothing`.execute(
      em.getKysely(),
    );
  }

  /**
   * A success that the provider took back: amount → wallet. `decided_by_people`: it proves nothing beside a decision of people, see
   * `reversal_is_proven`.
   *
   * @param askedAt not after the status check that says so, by the database's clock; by default now
   */
  async reverse(developerId: DeveloperId, orderId: string, detail: object, askedAt?: Date): Promise<ReversalOutcome> {
    const { rows } = await this.db.query<{ outcome: ReversalOutcome }>({
      text: 'select ledger_reverse($1, $2, $3, coalesce($4::timestamptz, now())) as outcome',
      values: [developerId, orderId, JSON.stringify(detail), askedAt?.toISOString() ?? null],
    });
    return rows[0]!.outcome;
  }

  /** The wallet now; those asked for in one turn with one statement. Errors: RECORD_NOT_FOUND when there is none. */
  async wallet(developerId: DeveloperId, environment: Environment): Promise<WalletState> {
    const state = await this.walletIfThere(developerId, environment);
    if (!state) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no wallet yet.' });
    return state;
  }

  /** The same, undefined when there is none. */
  walletIfThere(developerId: DeveloperId, environment: Environment): Promise<WalletState | undefined> {
    return this.#wallets.load({ developerId, environment });
  }

  /** Every violated invariant of the books; empty when they are right. Reads all of them: minutes, when they are long. */
  check(limitMs = CHECK_LIMIT_MS, workers = 1): Promise<Violation[]> {
    return new BooksCheck(this.db, limitMs).everything(workers);
  }

  /** The same of what was posted since this last found nothing. In a transaction of its own. */
  checkNew(limitMs = CHECK_LIMIT_MS, signal?: AbortSignal): Promise<Violation[]> {
    return new BooksCheck(this.db, limitMs).whatIsNew(signal);
  }

  /** One step of the check of everything that goes by itself, when one is due. */
  checkStep({ rows = 500, forMs = 500, share = 100, workers = 1 }: Partial<StepPace> = {}): Promise<CheckStep> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).step({ rows, forMs, share, workers });
  }

  /** A run of these steps begins at once. */
  fullCheckNow(): Promise<void> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).fullCheckNow();
  }

  /** Whether the server was restored to an instant since a run last ended. False for a restored dump, which no check has read. */
  restoredToInstant(): Promise<boolean> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).restoredToInstant();
  }

  /** How much there is to check. */
  size(): Promise<BooksSize> {
    return new BooksCheck(this.db, CHECK_LIMIT_MS).size();
  }

  /** When that last came to an end, and what it found. */
  lastFullCheck(limitMs = CHECK_LIMIT_MS): Promise<FullCheck> {
    return new BooksCheck(this.db, limitMs).lastFull();
  }

  /** Up to when that of what is new last found nothing, in Unix seconds; 0: never. */
  verifiedAtS(limitMs = CHECK_LIMIT_MS): Promise<number> {
    return new BooksCheck(this.db, limitMs).verifiedAtS();
  }

  /** What each provider is owed, as of the last check of what is new. */
  owed(limitMs = CHECK_LIMIT_MS): Promise<Owed[]> {
    return new BooksCheck(this.db, limitMs).owed();
  }
}
