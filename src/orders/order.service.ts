import type { KeptKey } from '../core/card-number.js';
import { timeLimit } from '../core/clock.js';
import { AppError, insufficientBalance, overloaded } from '../core/errors.js';
import { newId, timeOfId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import { forOrder, noteOrder, traced } from '../core/scope.js';
import { canonicalJson, keyedHash } from '../core/secret.js';
import { type Hold, type HoldResult, type LedgerService, PostedInDoubt } from '../ledger/ledger.service.js';
import type { Outcome } from '../providers/outcome.js';
import { CallsInProgress, EarlierOrders, likelyDuplicate, waitUntil } from './earlier-orders.js';
import { accountHash, OrderSearch, type OrderStore, referenceFor } from './order.store.js';
import { countResolved, type Outcomes } from './outcomes.js';
import type { OrderResult, OrderServiceOptions, Placement } from './placement.js';
import { isPayment } from './states.js';
import { OutcomeNotStored, UnstoredOutcomes } from './unstored-outcomes.js';

/**
 * Delay that the error suggests. It is one minute, because the status of pending payments is checked every few minutes and
 * manual review takes longer.
 */
const EXPOSURE_RETRY_MS = 60_000;
/** Maximum number of attempts to hold money for an idempotency key that was in use and then has no order. */
const MAX_ATTEMPTS = 3;
/** Message for callers while new orders are paused. */
const PAUSED_MESSAGE = 'New orders are paused while the ledger is checked. Nothing was charged.';
const PAUSED_RETRY_MS = 60_000;
const pauseMessage = (notice: string): string => `New orders are paused. Nothing was charged. Notice: ${notice}`;

const NO_FINAL_STATUS =
  'Part of the service is unavailable. Retry the same request within 10 minutes to get the result without a second fee; otherwise the fee is refunded.';

const neverSentOutcome: Outcome<never> = { kind: 'declined', evidence: { reason: 'never_sent' } };

/**
 * Lifecycle of every charged call: hold (T1: order and money), send, resolve (T2: settle or refund). If the process crashes in
 * between, the sweeper takes over. No database connection is held while sending, and no request is ever sent twice.
 */
export class OrderService {
  readonly #search: OrderSearch;
  readonly #calls = new CallsInProgress();
  readonly #unstored: UnstoredOutcomes;
  readonly earlierOrders: EarlierOrders;

  constructor(
    private readonly ledger: LedgerService,
    private readonly store: OrderStore,
    private readonly outcomes: Outcomes,
    private readonly options: OrderServiceOptions,
    private readonly log: Logger,
  ) {
    this.#search = new OrderSearch(options.pepper);
    this.#unstored = new UnstoredOutcomes(log, options.unstored);
    this.earlierOrders = new EarlierOrders(ledger, store, options.referenceSecret, this.#calls);
  }

  get inFlight(): number {
    return this.#calls.count;
  }

  /** Number of provider outcomes that are not stored yet. */
  get unstored(): number {
    return this.#unstored.count;
  }

  /** Resolves when every call in progress has returned or has been left to the sweeper. */
  drain(): Promise<void> {
    return this.#calls.drain();
  }

  /** Sets a time of the monotonic clock. After it, orders whose outcome is not stored are left to the sweeper. */
  storeUntil(instantMs: number): void {
    this.#unstored.endAt(instantMs);
  }

  /** Returns the keyed hash of a placement's identity, as stored in the order row. */
  fingerprintOf(identity: object): Buffer {
    return keyedHash(this.options.pepper, 'order-fingerprint', canonicalJson(identity));
  }

  /**
   * Places a charged call and waits for its outcome, but no longer than the synchronous window. Throws IDEMPOTENCY_KEY_REUSED,
   * PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE, OVERLOADED, DEPENDENCY_DOWN, and errors thrown by `request`. No money moves if
   * one of these errors is thrown.
   */
  place<Value, Request extends object = object>(placement: Placement<Value, Request>): Promise<OrderResult<Value>> {
    return this.#place(placement, 1);
  }

  async #place<Value, Request extends object>(
    placement: Placement<Value, Request>,
    attempt: number,
  ): Promise<OrderResult<Value>> {
    // Monotonic clock: if the wall clock jumped forward, the response would be "pending" for a known outcome; if it jumped back,
    // the call would wait too long.
    const respondBy = performance.now() + Math.min(this.options.syncWindowMs, placement.waitMs ?? Infinity);
    const { principal, operation, clientKey } = placement;
    // If preparing the request can fail or needs a query, an earlier order is looked up first. Otherwise the hold finds it.
    if (typeof placement.request === 'function') {
      const earlierOrder =
        clientKey === null
          ? await this.earlierOrders.withoutKey(placement, this.fingerprintOf(placement.identity))
          : await this.earlierOrders.byKey(principal, operation, clientKey);
      if (earlierOrder) return this.earlierOrders.replay(earlierOrder, placement, respondBy);
    }
    const request = await this.#admit(placement).catch((error: unknown) => this.earlierOrders.reject(placement, error));

    const id = newId();
    // this must be created before the hold: the lease begins in the hold, so it expires after the permit to send
    const isOver = timeLimit(this.options.sendLeaseMs);
    const hold = this.#holdOf(id, placement, request);
    const holdResult = await this.#hold(hold);
    switch (holdResult.outcome) {
      case 'insufficient':
      case 'no_wallet':
        throw cannotPay(placement, holdResult);
      case 'duplicate': {
        const holder = await this.earlierOrders
          .holderOf(hold, clientKey, holdResult.orderId)
          .catch((error: unknown) => this.#holdFailed(hold, error));
        if (holder === 'own') break;
        if (holder !== 'none') return this.earlierOrders.replay(holder, placement, respondBy);
        // The other request with this idempotency key was rejected or released at the same time. The limit ends the loop even if
        // the hold and the store permanently disagree on which keys are used.
        if (attempt === MAX_ATTEMPTS) throw overloaded('payments');
        return this.#place(placement, attempt + 1);
      }
      case 'repetition': {
        const earlierOrder = await this.earlierOrders.byId(principal, holdResult.orderId);
        return this.earlierOrders.replay(earlierOrder, placement, respondBy);
      }
      case 'likely_duplicate':
        throw likelyDuplicate(await this.earlierOrders.byId(principal, holdResult.orderId));
      case 'accepted':
        break;
    }

    this.options.metrics.counter('ordersPlaced').add(1, hold.operation, hold.provider, hold.environment);
    const order = { id, reference: hold.reference, createdAt: timeOfId(id) };
    noteOrder(order);
    const pending: OrderResult<Value> = pendingOrder(order, holdResult);
    const latest = { result: pending };
    const run = forOrder(order, () => this.#sendAndResolve(placement, request, pending, isOver)).then((result) => {
      latest.result = result;
    });
    // the work continues after the caller stops waiting
    await waitUntil(this.#calls.add(id, run), respondBy);
    const { result } = latest;
    if (holdResult.likelyDuplicateOf === undefined) return result;
    // this order is only needed for a warning, so a failed read must not replace a known outcome
    const earlierOrder = await this.store
      .byId(principal.developerId, holdResult.likelyDuplicateOf)
      .catch(() => undefined);
    return earlierOrder
      ? { ...result, likelyDuplicateOf: { orderId: earlierOrder.id, reference: earlierOrder.reference } }
      : result;
  }

  /** Returns the complete request if the call is allowed. Throws the same errors as `place`. */
  async #admit<Value, Request extends object>({
    principal,
    operation,
    provider,
    request,
  }: Placement<Value, Request>): Promise<Request> {
    if (this.options.paused)
      throw new AppError('DEPENDENCY_DOWN', { message: PAUSED_MESSAGE, retryAfterMs: PAUSED_RETRY_MS });
    const pause = this.options.switches?.pauseOf(principal.environment);
    if (pause)
      throw new AppError('DEPENDENCY_DOWN', { message: pauseMessage(pause.notice), retryAfterMs: PAUSED_RETRY_MS });
    const completeRequest = typeof request === 'function' ? await request() : request;
    if (isPayment(operation) && this.options.exposure?.isReached(provider))
      throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: EXPOSURE_RETRY_MS });
    if (this.#calls.count + this.ledger.backlog >= this.options.maxInFlight) throw overloaded('payments');
    return completeRequest;
  }

  #holdOf(id: string, placement: Omit<Placement<unknown>, 'request' | 'send'>, request: object): Hold {
    const { principal, operation, clientKey, identity, amountPaise, provider } = placement;
    const { account, keyless, operatorSpKey, cardLast4 } = placement;
    const { pepper, referenceSecret, sendLeaseMs } = this.options;
    const { developerId, environment } = principal;
    const scope = { developerId, environment, operation };
    const storedKey = clientKey === null ? null : this.earlierOrders.storedKeyOf(clientKey);
    // stores the original key if the row contains only its hash
    const keptKey: KeptKey = clientKey !== null && storedKey !== clientKey ? { clientKey } : {};
    return {
      ...scope,
      id,
      reference: referenceFor(referenceSecret, scope, clientKey, id),
      clientKey: storedKey,
      fingerprint: this.fingerprintOf(identity),
      amountPaise,
      provider,
      request: this.store.encrypt(id, { ...request, ...keptKey }),
      accountHash: accountHash(pepper, account),
      leaseMs: sendLeaseMs,
      keyless,
      operatorSpKey,
      search: cardLast4 === undefined ? undefined : this.#search.ofAll({ cardLast4 }),
    };
  }

  /** Stores the order and holds its money (T1). Throws DEPENDENCY_DOWN and other errors of the ledger. */
  #hold(hold: Hold): Promise<HoldResult> {
    const values = { 'order.id': hold.id, 'order.kind': hold.operation, 'provider.name': hold.provider };
    const holdResult = traced(
      'hold',
      'internal',
      values,
      () => this.ledger.hold(hold),
      ({ outcome }) => ({ outcome }),
    );
    return holdResult.catch((error: unknown) => this.#holdFailed(hold, error));
  }

  /** Refunds a hold that may exist although the database did not confirm it. Nothing was sent for it. */
  #holdFailed(hold: Hold, error: unknown): never {
    if (error instanceof PostedInDoubt) {
      void this.#calls.add(hold.id, this.outcomes.refundInDoubt(hold));
    }
    throw error;
  }

  /**
   * Sends the request once, then settles or refunds (T2) according to the provider's response. Never rejects. An order without
   * a known outcome is pending, and the sweeper takes over when the lease expires. A request that was not sent in time
   * (`isOver`) is refunded.
   */
  async #sendAndResolve<Value, Request extends object>(
    placement: Placement<Value, Request>,
    request: Request,
    pending: OrderResult<Value>,
    isOver: () => boolean,
  ): Promise<OrderResult<Value>> {
    const { operation, provider } = placement;
    const { developerId, environment } = placement.principal;
    const { orderId: id, reference } = pending;
    try {
      const permit = await this.outcomes.permitOf({ developerId, id, operation, provider }, isOver);
      if (!permit) return await this.#storedResult(developerId, pending);
      const sentAt = performance.now();
      // lookups skip this check, because a late lookup moves no money at the provider
      const outcome = permit.isOver() ? neverSentOutcome : await placement.send(reference, request, permit);
      const elapsedMs = Math.round(performance.now() - sentAt);
      const order = { developerId, id, operation, provider, environment };
      const sentOrder = { ...order, ageMs: 0, sentAgeMs: null, statusChecks: 0, notFound: 0 };
      const { state, resolved, decline } = await this.#unstored.store(
        { orderId: id, reference, operation, provider, account: placement.account },
        outcome,
        (onRetry) => this.outcomes.apply(sentOrder, outcome, 'response', { elapsedMs, onRetry }),
      );
      if (state === 'already') return await this.#storedResult(developerId, pending);
      const { providerTxnId } = outcome.evidence;
      if (!resolved) return { ...pending, providerTxnId };
      const { settledAt, balancePaise, version } = resolved;
      // a success uses the amount that was held, so the wallet state after the hold is also that after this call
      if (outcome.kind === 'accepted')
        return { ...pending, status: 'success', settledAt, value: outcome.value, providerTxnId };
      return { ...pending, status: 'failed', settledAt, decline, providerTxnId, balancePaise, version };
    } catch (error) {
      // The money is held, and the sweeper resolves the order when the lease expires. Any status except "pending" would be a
      // guess.
      if (!(error instanceof OutcomeNotStored))
        this.log.error({ err: error as Error, orderId: id, operation }, 'order left to the sweeper');
      return pending;
    }
  }

  async #storedResult<Value>(developerId: DeveloperId, pending: OrderResult<Value>): Promise<OrderResult<Value>> {
    const order = await this.store.byId(developerId, pending.orderId);
    return order ? { ...(await this.earlierOrders.resultOf<Value>(order)), replayed: false } : pending;
  }

  /**
   * Resolves a lookup that is still pending. If a response has been stored, it determines the result; otherwise the fee is
   * refunded. A later provider response has no effect. Throws DEPENDENCY_DOWN if the database is unavailable, because the
   * result is then unknown.
   */
  async resolve<Value>(
    developerId: DeveloperId,
    { orderId, replayed }: Pick<OrderResult<Value>, 'orderId' | 'replayed'>,
  ): Promise<OrderResult<Value>> {
    try {
      const isRefunded = await this.outcomes.refund(developerId, orderId, 'timeout');
      const order = await this.store.byId(developerId, orderId);
      if (isRefunded) countResolved(this.options.metrics, order!, 'failed');
      return { ...(await this.earlierOrders.resultOf<Value>(order!)), replayed };
    } catch (error) {
      throw new AppError('DEPENDENCY_DOWN', { message: NO_FINAL_STATUS, charged: 'unknown', cause: error });
    }
  }
}

/** Returns the result of an order whose money is held and whose outcome is unknown. */
const pendingOrder = <Value>(
  { id, reference, createdAt }: { id: string; reference: string; createdAt: Date },
  { balancePaise, version }: HoldResult,
): OrderResult<Value> => ({
  status: 'pending',
  orderId: id,
  reference,
  createdAt,
  settledAt: null,
  reversedAt: null,
  reversedBy: null,
  replayed: false,
  balancePaise,
  version,
});

/**
 * Returns the error for a call that the wallet cannot pay. It reveals nothing about the wallet to a caller with a client
 * token.
 */
function cannotPay(
  { principal, amountPaise }: Pick<Placement<unknown>, 'principal' | 'amountPaise'>,
  { outcome, balancePaise }: HoldResult,
): AppError {
  if (principal.client) return new AppError('INSUFFICIENT_BALANCE');
  const message = outcome === 'no_wallet' ? 'This account does not have a wallet in this environment yet.' : undefined;
  return insufficientBalance(amountPaise, balancePaise, { message });
}
