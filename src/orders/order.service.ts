import { setTimeout as pause } from 'node:timers/promises';
import { canonicalJson } from '../core/canonical-json.js';
import type { KeptKey } from '../core/client-key.js';
import { elapsedMeter } from '../core/elapsed.js';
import { AppError, insufficientBalance } from '../core/errors.js';
import { newId, timeOfId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import { forOrder, noteOrder, traced } from '../core/scope.js';
import { keyedHash } from '../core/secret.js';
import { type Hold, type HoldResult, type LedgerService, PostedInDoubt } from '../ledger/ledger.service.js';
import type { SendPermit } from '../providers/send-permit.js';
import { keyArchived } from './archived-orders.js';
import { CallsUnderWay, firstOf } from './calls-under-way.js';
import { EarlierOrders, type Placed, statusOf } from './earlier-orders.js';
import { GiveBack } from './give-back.js';
import { accountHash, OrderSearch, referenceFor } from './identifiers.js';
import type { OrderStore } from './order.store.js';
import type { Outcomes } from './outcomes.js';
import type { OrderOptions, Placement } from './placement.js';
import { Repeating } from './repeating.js';
import { pendingOrder, Sending } from './sending.js';
import { isPayment } from './states.js';
import type { StoredOrder } from './stored-order.js';

/** Undecided payments are asked about on a schedule of minutes, and people take longer. */
const EXPOSED_RETRY_MS = 60_000;
/** How often a hold is tried whose key is neither free nor anybody's. */
const MAX_ATTEMPTS = 3;
/** Longer than it takes to note that an answer was received: who has it may at once send an equal request that is meant. */
const ANSWER_NOTED_MS = 100;
/** For callers while nothing new is placed. */
const ON_HOLD = 'Nothing new is accepted for the moment: the books are being checked. Nothing was charged.';
const ON_HOLD_RETRY_MS = 60_000;

const UNDECIDED =
  'A part of the service is not available at the moment. The same request within ten minutes gets the answer without another fee, or the fee goes back.';

/**
 * The life of every charged call: T1 (order and hold), send, T2 (resolution). Whatever dies in between is found by the
 * sweeper. No database connection is held while sending, and nothing is ever sent twice.
 */
export class OrderService {
  readonly #ledger: LedgerService;
  readonly #store: OrderStore;
  readonly #sending: Sending;
  readonly #giveBack: GiveBack;
  readonly #options: OrderOptions;
  readonly #search: OrderSearch;
  readonly #calls = new CallsUnderWay();
  readonly #repeating: Repeating;
  readonly earlier: EarlierOrders;

  constructor(ledger: LedgerService, store: OrderStore, outcomes: Outcomes, options: OrderOptions, log: Logger) {
    this.#ledger = ledger;
    this.#store = store;
    this.#options = options;
    this.#search = new OrderSearch(options.pepper);
    this.earlier = new EarlierOrders(ledger, store, options.referenceSecret);
    this.#sending = new Sending(store, outcomes, this.earlier, log);
    this.#repeating = new Repeating(store, this.earlier, this.#calls);
    this.#giveBack = new GiveBack(ledger, store);
  }

  get inFlight(): number {
    return this.#calls.count;
  }

  /** Resolves when every call under way is answered or held for the sweeper. */
  drain(): Promise<void> {
    return this.#calls.drain();
  }

  /** The keyed hash of a placement's identity, as the order row holds it. */
  fingerprintOf(identity: object): Buffer {
    return keyedHash(this.#options.pepper, 'order-fingerprint', canonicalJson(identity));
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
    const answerBy = performance.now() + Math.min(this.#options.syncWindowMs, placement.waitMs ?? Infinity);
    const { principal, operation, clientKey } = placement;
    if (typeof placement.request === 'function') {
      const earlier =
        clientKey === null
          ? await this.#repeatedBy(placement)
          : await this.earlier.byKey(principal, operation, clientKey);
      if (earlier) return this.#repeating.answer(earlier, placement, answerBy);
    }
    const request = await this.#admitted(placement).catch((error: unknown) => this.#refused(placement, error));
    const id = newId();
    // before the hold: the lease, which begins in it, ends later than the permit to send
    const elapsedMs = elapsedMeter();
    const hold = this.#holdOf(id, placement, request);
    const held = await this.#hold(hold);
    switch (held.outcome) {
      case 'insufficient':
      case 'no_wallet':
        throw cannotPay(placement, held);
      case 'duplicate': {
        const holder = await this.#holderOf(hold, clientKey, held.orderId);
        if (holder === 'own') break;
        if (holder !== 'nobody') return this.#repeating.answer(holder, placement, answerBy);
        // The other request with this key was refused or released in the same instant. Should the two ever disagree for good
        // about which keys are free, this ends all the same.
        if (attempt === MAX_ATTEMPTS) throw new AppError('OVERLOADED');
        return this.#place(placement, attempt + 1);
      }
      case 'repetition': {
        const earlier = await this.#earlierOf(placement, held);
        // perhaps its caller has its answer since this moment
        if (earlier.settledAt === null || attempt > 1) return this.#repeating.answer(earlier, placement, answerBy);
        await pause(ANSWER_NOTED_MS);
        return this.#place(placement, attempt + 1);
      }
      case 'likely_duplicate':
        throw likelyDuplicate(await this.#earlierOf(placement, held));
      case 'accepted':
        break;
    }

    this.#options.counts?.placed(hold);
    const { reference } = hold;
    const order = { id, reference, createdAt: timeOfId(id) };
    noteOrder(order);
    const isOver = (): boolean => elapsedMs() >= this.#options.sendLeaseMs;
    const send = (permit: SendPermit) => placement.send(reference, request, permit);
    const answered: { placed?: Placed<Value> } = {};
    const run = forOrder(order, () => this.#sending.send(placement, order, { send, isOver }, held)).then((placed) => {
      answered.placed = placed;
    });
    await firstOf(this.#calls.add(id, run), answerBy);
    const placed = answered.placed ?? pendingOrder<Value>(order, held);
    if (held.likelyDuplicateOf === undefined) return placed;
    // the answer is known, and a warning is not worth its loss
    const earlier = await this.#store.byId(principal.developerId, held.likelyDuplicateOf).catch(() => undefined);
    return earlier ? { ...placed, likelyDuplicateOf: { orderId: earlier.id, reference: earlier.reference } } : placed;
  }

  /** The order whose answer a request without a key gets, whatever it would be refused for. */
  async #repeatedBy({
    principal,
    identity,
    duplicateGuardS,
  }: Pick<Placement<unknown>, 'principal' | 'identity' | 'duplicateGuardS'>): Promise<StoredOrder | undefined> {
    if (duplicateGuardS === undefined) return undefined;
    const find = () => this.#store.repeatedBy(principal, this.fingerprintOf(identity), duplicateGuardS);
    const earlier = await find();
    if (!earlier?.settledAt) return earlier;
    await pause(ANSWER_NOTED_MS);
    return find();
  }

  /** The order that a recharge without a key repeats. */
  async #earlierOf(
    { principal }: Pick<Placement<unknown>, 'principal'>,
    { orderId }: HoldResult,
  ): Promise<StoredOrder> {
    const earlier = (await this.#store.byId(principal.developerId, orderId))!;
    noteOrder(earlier);
    return earlier;
  }

  /** The request of a call that nothing refuses. Errors: as `place`. */
  async #admitted<Value, Request extends object>({
    operation,
    provider,
    request,
  }: Placement<Value, Request>): Promise<Request> {
    if (this.#options.hold) throw new AppError('DEPENDENCY_DOWN', { message: ON_HOLD, retryAfterMs: ON_HOLD_RETRY_MS });
    const complete = typeof request === 'function' ? await request() : request;
    if (isPayment(operation) && this.#options.isExposed?.(provider))
      throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: EXPOSED_RETRY_MS });
    if (this.#calls.count + this.#ledger.backlog >= this.#options.maxInFlight) throw new AppError('OVERLOADED');
    return complete;
  }

  /** No refusal is a verdict about the archived order that the key of a payment stands for. Errors: always, `error` or that of `keyArchived`. */
  async #refused(
    { principal, operation, clientKey }: Pick<Placement<unknown>, 'principal' | 'operation' | 'clientKey'>,
    error: unknown,
  ): Promise<never> {
    const isVerdict = error instanceof AppError && error.entry.onRecharge === 'failed';
    if (!isVerdict || clientKey === null || !isPayment(operation)) throw error;
    const archived = await this.earlier.archivedByKey(principal, operation, clientKey);
    throw archived ? keyArchived({ operation, clientKey }, archived) : error;
  }

  /** Errors: DEPENDENCY_DOWN and what else the ledger throws. */
  #hold(hold: Hold): Promise<HoldResult> {
    const values = { 'order.id': hold.id, 'order.kind': hold.operation, 'provider.name': hold.provider };
    const held = traced(
      'hold',
      'internal',
      values,
      () => this.#ledger.hold(hold),
      ({ outcome }) => ({ outcome }),
    );
    return held.catch((error: unknown) => this.#holdFailed(hold, error));
  }

  #holdOf(
    id: string,
    {
      principal,
      operation,
      clientKey,
      identity,
      amountPaise,
      provider,
      account,
      duplicateGuardS,
      operatorSpKey,
      cardLast4,
    }: Omit<Placement<unknown>, 'request' | 'send' | 'isSameAs'>,
    request: object,
  ): Hold {
    const { pepper, referenceSecret, sendLeaseMs } = this.#options;
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
      request: this.#store.encrypt(id, { ...request, ...kept }),
      accountHash: accountHash(pepper, account),
      leaseMs: sendLeaseMs,
      duplicateGuardS,
      operatorSpKey,
      search: cardLast4 === undefined ? undefined : this.#search.ofAll({ cardLast4 }),
    };
  }

  /**
   * Whose order holds the key of a hold that found it taken: `own` is the hold itself, repeated after a lost connection.
   * Errors: those of `keyArchived` for a payment's key that is nobody's: it is never given back, so its order has been archived.
   */
  async #holderOf(hold: Hold, clientKey: string | null, heldBy: string): Promise<StoredOrder | 'own' | 'nobody'> {
    const { id, operation, reference } = hold;
    if (clientKey === null && heldBy === id) return 'own';
    const earlier =
      clientKey === null
        ? undefined
        : await this.earlier
            .byKey(hold, operation, clientKey)
            .catch((error: unknown) => this.#holdFailed(hold, new PostedInDoubt(error)));
    if (earlier) return earlier.id === id ? 'own' : earlier;
    if (heldBy === id || clientKey === null || !isPayment(operation)) return 'nobody';
    const archived = await this.earlier.archivedByKey(hold, operation, clientKey);
    throw keyArchived({ operation, clientKey }, archived ?? { reference });
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
      const refunded = await this.#giveBack.refund(developerId, orderId, { reason: 'timeout' });
      const order = await this.#store.byId(developerId, orderId);
      if (refunded) this.#options.counts?.decided(order!, 'failed');
      return { ...(await this.earlier.answerOf<Value>(order!)), replayed };
    } catch (error) {
      throw new AppError('DEPENDENCY_DOWN', { message: UNDECIDED, charged: 'unknown', cause: error });
    }
  }

  /** A hold that may be there although the database never said so is given back: nothing was sent for it. */
  #holdFailed(hold: Hold, error: unknown): never {
    if (error instanceof PostedInDoubt) {
      void this.#calls.add(hold.id, this.#giveBack.whenItIsThere(hold));
    }
    throw error;
  }
}

const likelyDuplicate = (earlier: StoredOrder): AppError =>
  new AppError('LIKELY_DUPLICATE', { apiRequestId: earlier.reference, orderStatus: statusOf(earlier) });

/** A client token's bearer learns nothing of the wallet. */
function cannotPay(
  { principal, amountPaise }: Pick<Placement<unknown>, 'principal' | 'amountPaise'>,
  { outcome, balancePaise }: HoldResult,
): AppError {
  if (principal.client) return new AppError('INSUFFICIENT_BALANCE');
  const message = outcome === 'no_wallet' ? 'There is no wallet in this environment yet.' : undefined;
  return insufficientBalance(amountPaise, balancePaise, { message });
}
