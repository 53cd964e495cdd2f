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
import { accountHash, OrderSearch, type OrderStore, referenceFor } from './order.store.js';
import { countDecided, type Outcomes } from './outcomes.js';
import type { Placed, Placement, PlacingOptions } from './placement.js';
import { CallsUnderWay, EarlierOrders, firstOf, likelyDuplicate } from './repetition.js';
import { isPayment } from './states.js';
import { OutcomeNotStored, UnstoredOutcomes } from './unstored-outcomes.js';

/** The status of pending payments is checked on a schedule of minutes, and manual review takes longer. */
const EXPOSED_RETRY_MS = 60_000;
/** How often a hold is tried whose key is neither free nor anybody's. */
const MAX_ATTEMPTS = 3;
/** For callers while nothing new is placed. */
const PAUSED = 'New orders are paused while the ledger is checked. Nothing was charged.';
const PAUSED_RETRY_MS = 60_000;
const pausedFor = (notice: string): string => `New orders are paused. Nothing was charged. Notice: ${notice}`;

const NO_FINAL_STATUS =
  'A part of the service is not available at the moment. The same request within ten minutes gets the answer without another fee, or the fee goes back.';

const neverSent: Outcome<never> = { kind: 'declined', evidence: { reason: 'never_sent' } };

/**
 * The life of every charged call: hold (T1: order and money), send, resolve (T2: settle or refund). Whatever dies in between is found
 * by the sweeper. No database connection is held while sending, and nothing is ever sent twice.
 */
export class Placing {
  readonly #search: OrderSearch;
  readonly #calls = new CallsUnderWay();
  readonly #unstored: UnstoredOutcomes;
  readonly earlier: EarlierOrders;

  constructor(
    private readonly ledger: LedgerService,
    private readonly store: OrderStore,
    private readonly outcomes: Outcomes,
    private readonly options: PlacingOptions,
    private readonly log: Logger,
  ) {
    this.#search = new OrderSearch(options.pepper);
    this.#unstored = new UnstoredOutcomes(log, options.unstored);
    this.earlier = new EarlierOrders(ledger, store, options.referenceSecret, this.#calls);
  }

  get inFlight(): number {
    return this.#calls.count;
  }

  /** Number of provider outcomes that are not stored yet. */
  get unstored(): number {
    return this.#unstored.count;
  }

  /** Resolves when every call under way is answered or held for the sweeper. */
  drain(): Promise<void> {
    return this.#calls.drain();
  }

  /** After this time of the monotonic clock, the order of an outcome that is not stored is left to the sweeper. */
  storeUntil(instantMs: number): void {
    this.#unstored.endAt(instantMs);
  }

  /** The keyed hash of a placement's identity, as the order row holds it. */
  fingerprintOf(identity: object): Buffer {
    return keyedHash(this.options.pepper, 'order-fingerprint', canonicalJson(identity));
  }

  /**
   * Places a charged call and waits for its outcome, at most the synchronous window.
   * Errors: IDEMPOTENCY_KEY_REUSED, PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE, OVERLOADED, DEPENDENCY_DOWN, and what `request`
   * throws; none of them moved money.
   */
  place<Value, Request extends object = object>(placement: Placement<Value, Request>): Promise<Placed<Value>> {
    return this.#place(placement, 1);
  }

  async #place<Value, Request extends object>(
    placement: Placement<Value, Request>,
    attempt: number,
  ): Promise<Placed<Value>> {
    // no wall clock here: a step forward would say "pending" of what is known, a step back would wait for it
    const answerBy = performance.now() + Math.min(this.options.syncWindowMs, placement.waitMs ?? Infinity);
    const { principal, operation, clientKey } = placement;
    // where something has to be found out or may refuse it, an earlier order comes first; else the hold finds it
    if (typeof placement.request === 'function') {
      const earlier =
        clientKey === null
          ? await this.earlier.withoutKey(placement, this.fingerprintOf(placement.identity))
          : await this.earlier.byKey(principal, operation, clientKey);
      if (earlier) return this.earlier.answer(earlier, placement, answerBy);
    }
    const request = await this.#admitted(placement).catch((error: unknown) => this.earlier.refuse(placement, error));

    const id = newId();
    // before the hold: the lease, which begins in it, ends later than the permit to send
    const isOver = timeLimit(this.options.sendLeaseMs);
    const hold = this.#holdOf(id, placement, request);
    const held = await this.#hold(hold);
    switch (held.outcome) {
      case 'insufficient':
      case 'no_wallet':
        throw cannotPay(placement, held);
      case 'duplicate': {
        const holder = await this.earlier
          .holderOf(hold, clientKey, held.orderId)
          .catch((error: unknown) => this.#holdFailed(hold, error));
        if (holder === 'own') break;
        if (holder !== 'nobody') return this.earlier.answer(holder, placement, answerBy);
        // The other request with this key was refused or released in the same instant. Should the two ever disagree for good
        // about which keys are free, this ends all the same.
        if (attempt === MAX_ATTEMPTS) throw overloaded('payments');
        return this.#place(placement, attempt + 1);
      }
      case 'repetition': {
        const earlier = await this.earlier.byId(principal, held.orderId);
        return this.earlier.answer(earlier, placement, answerBy);
      }
      case 'likely_duplicate':
        throw likelyDuplicate(await this.earlier.byId(principal, held.orderId));
      case 'accepted':
        break;
    }

    this.options.metrics.counter('ordersPlaced').add(1, hold.operation, hold.provider, hold.environment);
    const order = { id, reference: hold.reference, createdAt: timeOfId(id) };
    noteOrder(order);
    const pending: Placed<Value> = pendingOrder(order, held);
    const answered = { placed: pending };
    const run = forOrder(order, () => this.#sendAndResolve(placement, request, pending, isOver)).then((placed) => {
      answered.placed = placed;
    });
    // it goes on when its caller waits no longer
    await firstOf(this.#calls.add(id, run), answerBy);
    const { placed } = answered;
    if (held.likelyDuplicateOf === undefined) return placed;
    // the answer is known, and a warning is not worth its loss
    const earlier = await this.store.byId(principal.developerId, held.likelyDuplicateOf).catch(() => undefined);
    return earlier ? { ...placed, likelyDuplicateOf: { orderId: earlier.id, reference: earlier.reference } } : placed;
  }

  /** The request of a call that nothing refuses. Errors: as `place`. */
  async #admitted<Value, Request extends object>({
    principal,
    operation,
    provider,
    request,
  }: Placement<Value, Request>): Promise<Request> {
    if (this.options.paused) throw new AppError('DEPENDENCY_DOWN', { message: PAUSED, retryAfterMs: PAUSED_RETRY_MS });
    const pause = this.options.switches?.pauseOf(principal.environment);
    if (pause)
      throw new AppError('DEPENDENCY_DOWN', { message: pausedFor(pause.notice), retryAfterMs: PAUSED_RETRY_MS });
    const complete = typeof request === 'function' ? await request() : request;
    if (isPayment(operation) && this.options.exposure?.isReached(provider))
      throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: EXPOSED_RETRY_MS });
    if (this.#calls.count + this.ledger.backlog >= this.options.maxInFlight) throw overloaded('payments');
    return complete;
  }

  #holdOf(id: string, placement: Omit<Placement<unknown>, 'request' | 'send'>, request: object): Hold {
    const { principal, operation, clientKey, identity, amountPaise, provider } = placement;
    const { account, keyless, operatorSpKey, cardLast4 } = placement;
    const { pepper, referenceSecret, sendLeaseMs } = this.options;
    const { developerId, environment } = principal;
    const scope = { developerId, environment, operation };
    const storedKey = clientKey === null ? null : this.earlier.storedKeyOf(clientKey);
    // where the row has a hash, the key itself
    const kept: KeptKey = clientKey !== null && storedKey !== clientKey ? { clientKey } : {};
    return {
      ...scope,
      id,
      reference: referenceFor(referenceSecret, scope, clientKey, id),
      clientKey: storedKey,
      fingerprint: this.fingerprintOf(identity),
      amountPaise,
      provider,
      request: this.store.encrypt(id, { ...request, ...kept }),
      accountHash: accountHash(pepper, account),
      leaseMs: sendLeaseMs,
      keyless,
      operatorSpKey,
      search: cardLast4 === undefined ? undefined : this.#search.ofAll({ cardLast4 }),
    };
  }

  /** T1: the order, and its money. Errors: DEPENDENCY_DOWN and what else the ledger throws. */
  #hold(hold: Hold): Promise<HoldResult> {
    const values = { 'order.id': hold.id, 'order.kind': hold.operation, 'provider.name': hold.provider };
    const held = traced(
      'hold',
      'internal',
      values,
      () => this.ledger.hold(hold),
      ({ outcome }) => ({ outcome }),
    );
    return held.catch((error: unknown) => this.#holdFailed(hold, error));
  }

  /** A hold that may be there although the database never said so is given back: nothing was sent for it. */
  #holdFailed(hold: Hold, error: unknown): never {
    if (error instanceof PostedInDoubt) {
      void this.#calls.add(hold.id, this.outcomes.giveBackInDoubt(hold));
    }
    throw error;
  }

  /**
   * Sends once; then T2: settles or gives back what the provider's answer proves. Never throws: an order whose end is not known is
   * pending, and a sweeper's when its lease ends. What is not sent by then (`isOver`) is given back.
   */
  async #sendAndResolve<Value, Request extends object>(
    placement: Placement<Value, Request>,
    request: Request,
    pending: Placed<Value>,
    isOver: () => boolean,
  ): Promise<Placed<Value>> {
    const { operation, provider } = placement;
    const { developerId, environment } = placement.principal;
    const { orderId: id, reference } = pending;
    try {
      const permit = await this.outcomes.permitOf({ developerId, id, operation, provider }, isOver);
      if (!permit) return await this.#decided(developerId, pending);
      const sentAt = performance.now();
      // a lookup asks no later: one that is sent late performs nothing
      const outcome = permit.isOver() ? neverSent : await placement.send(reference, request, permit);
      const elapsedMs = Math.round(performance.now() - sentAt);
      const order = { developerId, id, operation, provider, environment };
      const answered = { ...order, ageMs: 0, sentAgeMs: null, statusChecks: 0, notFound: 0 };
      const { state, resolved, decline } = await this.#unstored.store(
        { orderId: id, reference, operation, provider, account: placement.account },
        outcome,
        (onRetry) => this.outcomes.apply(answered, outcome, 'response', { elapsedMs, onRetry }),
      );
      if (state === 'already') return await this.#decided(developerId, pending);
      const { providerTxnId } = outcome.evidence;
      if (!resolved) return { ...pending, providerTxnId };
      const { settledAt, balancePaise, version } = resolved;
      // a success takes what the hold has taken: its state of the wallet is the one that this call made
      if (outcome.kind === 'accepted')
        return { ...pending, status: 'success', settledAt, value: outcome.value, providerTxnId };
      return { ...pending, status: 'failed', settledAt, decline, providerTxnId, balancePaise, version };
    } catch (error) {
      // The money is held and the lease ends: a sweeper finds out. Saying anything but "pending" would be a guess.
      if (!(error instanceof OutcomeNotStored))
        this.log.error({ err: error as Error, orderId: id, operation }, 'order left to the sweeper');
      return pending;
    }
  }

  /** The answer of an order that somebody else has decided. */
  async #decided<Value>(developerId: DeveloperId, pending: Placed<Value>): Promise<Placed<Value>> {
    const order = await this.store.byId(developerId, pending.orderId);
    return order ? { ...(await this.earlier.answerOf<Value>(order)), replayed: false } : pending;
  }

  /**
   * Ends a lookup that is still pending: its fee goes back, unless an answer was stored first, which then counts. Whatever the
   * provider says later finds it decided.
   * Errors: DEPENDENCY_DOWN when the database stays away, so that nobody knows which of the two it will be.
   */
  async decide<Value>(
    developerId: DeveloperId,
    { orderId, replayed }: Pick<Placed<Value>, 'orderId' | 'replayed'>,
  ): Promise<Placed<Value>> {
    try {
      const refunded = await this.outcomes.giveBack(developerId, orderId, 'timeout');
      const order = await this.store.byId(developerId, orderId);
      if (refunded) countDecided(this.options.metrics, order!, 'failed');
      return { ...(await this.earlier.answerOf<Value>(order!)), replayed };
    } catch (error) {
      throw new AppError('DEPENDENCY_DOWN', { message: NO_FINAL_STATUS, charged: 'unknown', cause: error });
    }
  }
}

/** What is answered about an order of which nobody knows more yet than that its money is held. */
const pendingOrder = <Value>(
  { id, reference, createdAt }: { id: string; reference: string; createdAt: Date },
  { balancePaise, version }: HoldResult,
): Placed<Value> => ({
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

/** A client token's bearer learns nothing of the wallet. */
function cannotPay(
  { principal, amountPaise }: Pick<Placement<unknown>, 'principal' | 'amountPaise'>,
  { outcome, balancePaise }: HoldResult,
): AppError {
  if (principal.client) return new AppError('INSUFFICIENT_BALANCE');
  const message = outcome === 'no_wallet' ? 'There is no wallet in this environment yet.' : undefined;
  return insufficientBalance(amountPaise, balancePaise, { message });
}
