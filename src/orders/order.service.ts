import { canonicalJson } from '../core/canonical-json.js';
import type { KeptKey } from '../core/client-key.js';
import { AppError } from '../core/errors.js';
import { newId, timeOfId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash } from '../core/secret.js';
import { type Hold, type LedgerService, PostedInDoubt } from '../ledger/ledger.service.js';
import type { Outcome } from '../providers/outcome.js';
import { EarlierOrders, keyReused, type Placed } from './earlier-orders.js';
import { GiveBack } from './give-back.js';
import type { OrderStore, StoredOrder } from './order.store.js';
import { accountHash } from './order-search.js';
import type { Outcomes } from './outcomes.js';
import type { OrderOptions, Placement } from './placement.js';
import { referenceFor } from './references.js';
import { Sending } from './sending.js';
import { isPayment } from './states.js';

/** Undecided payments are asked about on a schedule of minutes, and people take longer. */
const EXPOSED_RETRY_MS = 60_000;
/** How often a hold is tried whose key is neither free nor anybody's. */
const MAX_ATTEMPTS = 3;
/** For callers while nothing new is placed. */
const ON_HOLD = 'Nothing new is accepted for the moment: the books are being checked. Nothing was charged.';
const ON_HOLD_RETRY_MS = 60_000;

const ARCHIVED =
  'This key stands for an order that is so old that it is archived. Nothing was charged; a new order needs a new key.';

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
  readonly earlier: EarlierOrders;
  /** Calls under way here: a simultaneous duplicate waits for the same promise. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(ledger: LedgerService, store: OrderStore, outcomes: Outcomes, options: OrderOptions, log: Logger) {
    this.#ledger = ledger;
    this.#store = store;
    this.#options = options;
    this.earlier = new EarlierOrders(ledger, store, options.referenceSecret);
    this.#sending = new Sending(store, outcomes, this.earlier, log);
    this.#giveBack = new GiveBack(ledger, store);
  }

  get inFlight(): number {
    return this.#running.size;
  }

  /** Resolves when every call under way is answered or held for the sweeper. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  /** The keyed hash of a placement's identity, as the order row holds it. */
  fingerprintOf(identity: object): Buffer {
    return keyedHash(this.#options.pepper, 'order-fingerprint', canonicalJson(identity));
  }

  /**
   * Places a charged call and waits for its outcome, at most the synchronous window.
   * Errors: IDEMPOTENCY_KEY_REUSED, PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE, OVERLOADED, DEPENDENCY_DOWN, and what `prepare`
   * throws; none of them moved money.
   */
  place<Value>(placement: Placement<Value>): Promise<Placed<Value>> {
    return this.#place(placement, 1);
  }

  async #place<Value>(placement: Placement<Value>, attempt: number): Promise<Placed<Value>> {
    // no wall clock here: a step forward would say "pending" of what is known, a step back would wait for it
    const answerBy = performance.now() + this.#options.syncWindowMs;
    const fingerprint = this.fingerprintOf(placement.identity);
    const { principal, operation, clientKey } = placement;
    const storedKey = clientKey === null ? null : this.earlier.storedKeyOf(clientKey);
    if (placement.prepare) {
      const earlier = clientKey === null ? undefined : await this.earlier.byKey(principal, operation, clientKey);
      if (earlier) return this.#replay(earlier, placement, answerBy);
    }
    if (this.#options.hold) throw new AppError('DEPENDENCY_DOWN', { message: ON_HOLD, retryAfterMs: ON_HOLD_RETRY_MS });
    await placement.prepare?.();
    if (isPayment(operation) && this.#options.isExposed?.(placement.provider))
      throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: EXPOSED_RETRY_MS });
    if (this.#running.size + this.#ledger.backlog >= this.#options.maxInFlight) throw new AppError('OVERLOADED');

    const id = newId();
    const { developerId, environment } = principal;
    const scope = { developerId, environment, operation };
    const reference = referenceFor(this.#options.referenceSecret, scope, clientKey, id);
    // where the row has a hash, the key itself
    const kept: KeptKey = clientKey !== null && storedKey !== clientKey ? { clientKey } : {};
    // no wall clock: a step back would hide a late hold
    const startedAt = performance.now();
    const request: Hold = {
      ...scope,
      id,
      reference,
      clientKey: storedKey,
      fingerprint,
      amountPaise: placement.amountPaise,
      provider: placement.provider,
      request: this.#store.encrypt(id, { ...placement.request, ...kept }),
      accountHash: accountHash(this.#options.pepper, placement.account),
      leaseMs: this.#options.sendLeaseMs,
    };
    const hold = await this.#ledger.hold(request).catch((error: unknown) => this.#holdFailed(request, error));
    switch (hold.outcome) {
      case 'insufficient':
        throw new AppError('INSUFFICIENT_BALANCE');
      case 'no_wallet':
        throw new AppError('INSUFFICIENT_BALANCE', { message: 'There is no wallet in this environment yet.' });
      case 'duplicate':
        // a hold that was repeated after a lost connection finds itself
        if (hold.orderId !== id || clientKey !== null) {
          const earlier =
            clientKey === null
              ? undefined
              : await this.earlier
                  .byKey(principal, operation, clientKey)
                  .catch((error: unknown) => this.#holdFailed(request, new PostedInDoubt(error)));
          if (earlier && earlier.id !== id) return this.#replay(earlier, placement, answerBy);
          // a payment's key is never given back: its order has been archived
          if (!earlier && hold.orderId !== id && isPayment(operation))
            throw new AppError('IDEMPOTENCY_KEY_REUSED', { message: ARCHIVED, apiRequestId: reference });
          if (!earlier) {
            // The other request with this key was refused or released in the same instant. Should the two ever disagree for good
            // about which keys are free, this ends all the same.
            if (attempt === MAX_ATTEMPTS) throw new AppError('OVERLOADED');
            return this.#place(placement, attempt + 1);
          }
        }
        break;
      case 'accepted':
        break;
    }

    const createdAt = timeOfId(id);
    const outcome: { placed?: Placed<Value> } = {};
    const late = performance.now() - startedAt > this.#options.sendWithinMs;
    const send = late ? neverSent : placement.send;
    const run = this.#sending
      .send({ ...placement, send }, { id, reference, createdAt }, hold.balancePaise)
      .then((placed) => {
        outcome.placed = placed;
      });
    this.#running.set(id, run);
    await firstOf(
      run.finally(() => this.#running.delete(id)),
      answerBy,
    );
    return (
      outcome.placed ?? {
        status: 'pending',
        orderId: id,
        reference,
        createdAt,
        balancePaise: hold.balancePaise,
        replayed: false,
      }
    );
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
      await this.#giveBack.refund(developerId, orderId, { reason: 'timeout' });
      const order = await this.#store.byId(developerId, orderId);
      return { ...(await this.earlier.answerOf<Value>(order!)), replayed };
    } catch (error) {
      throw new AppError('DEPENDENCY_DOWN', { message: UNDECIDED, cause: error });
    }
  }

  /** A hold that may be there although the database never said so is given back: nothing was sent for it. */
  #holdFailed(hold: Hold, error: unknown): never {
    if (error instanceof PostedInDoubt) {
      const work = this.#giveBack.whenItIsThere(hold).finally(() => this.#running.delete(hold.id));
      this.#running.set(hold.id, work);
    }
    throw error;
  }

  /** The answer to a repetition: wait for the first send while it is under way, else what is stored. */
  async #replay<Value>(
    order: StoredOrder,
    { isSameAs }: Pick<Placement<Value>, 'isSameAs'>,
    answerBy: number,
  ): Promise<Placed<Value>> {
    if (isSameAs && !isSameAs(order)) throw keyReused(order);
    if (order.operation === 'card_payment') return this.earlier.answerOf(order);
    return this.earlier.answerOf(await this.#join(order, answerBy));
  }

  async #join(order: StoredOrder, answerBy: number): Promise<StoredOrder> {
    let current = order;
    for (
      let pauseMs = 50;
      current.state === 'open' && current.unknownSince === null && performance.now() < answerBy;
      pauseMs = Math.min(pauseMs * 2, 500)
    ) {
      const here = this.#running.get(order.id);
      await (here ? firstOf(here, answerBy) : pause(Math.min(pauseMs, answerBy - performance.now())));
      current = (await this.#store.byId(order.developerId, order.id)) ?? current;
    }
    return current;
  }
}

const neverSent = async (): Promise<Outcome<never>> => ({ kind: 'declined', evidence: { reason: 'never_sent' } });

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

/** Waits for the work, at most until an instant of the monotonic clock; the timer goes with whichever comes first. */
async function firstOf(work: Promise<void>, instantMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resume) => {
    timer = setTimeout(resume, Math.max(0, instantMs - performance.now()));
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
