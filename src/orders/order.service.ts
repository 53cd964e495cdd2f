import { canonicalJson } from '../core/canonical-json.js';
import { AppError } from '../core/errors.js';
import { newId, referenceOf, timeOfId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import type { Paise } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { LedgerService, Operation } from '../ledger/ledger.service.js';
import type { EnquiryOutcome, Evidence, Outcome } from '../providers/outcome.js';
import type { EnquiryRegistry } from './enquiries.js';
import type { OrderStore, StoredOrder } from './order.store.js';
import { countsAsNotFound, type EnquiryPolicy, isPayment, nextStep } from './states.js';

/** A charged call before it is placed. */
export interface Placement<Value> {
  principal: DeveloperPrincipal;
  operation: Operation;
  /** > 0: the amount of a payment or the fee of a lookup. */
  amountPaise: Paise;
  /** The caller's idempotency key, at most 100 characters; null for none. */
  clientKey: string | null;
  /** What a repetition with the same key must agree in. */
  identity: object;
  /** Account, card or subscriber number: found by keyed hash. */
  account: string;
  provider: string;
  /** What an enquiry needs later; stored encrypted. */
  request: object;
  /** Anything that may refuse without money: runs after the idempotency check, before the hold. */
  prepare?: () => Promise<void> | void;
  /** Sends once. Never throws for a provider's fault. */
  send: (reference: string, placedAt: Date) => Promise<Outcome<Value>>;
}

/** What became of a charged call. `pending`: nobody knows yet, the money is held. */
export interface Placed<Value> {
  status: 'success' | 'failed' | 'pending' | 'reversed';
  orderId: string;
  reference: string;
  createdAt: Date;
  /** Present on success. */
  value?: Value;
  balancePaise: Paise;
  /** The answer to an earlier, equal request. */
  replayed: boolean;
}

export interface OrderOptions {
  pepper: Secret;
  policy: EnquiryPolicy;
  /** How long the first response waits for the provider before it says "pending". */
  syncWindowMs: number;
  /** When a sweeper takes an order over whose process died while sending. */
  sendLeaseMs: number;
  /** Calls under way in this process before new ones are refused. */
  maxInFlight: number;
}

/**
 * The life of every charged call: T1 (order and hold), send, T2 (resolution). Whatever dies in between is found by the
 * sweeper. No database connection is held while sending, and nothing is ever sent twice.
 */
export class OrderService {
  readonly #ledger: LedgerService;
  readonly #store: OrderStore;
  readonly #enquiries: EnquiryRegistry;
  readonly #options: OrderOptions;
  readonly #log: Logger;
  /** Calls under way here: a simultaneous duplicate waits for the same promise. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    ledger: LedgerService,
    store: OrderStore,
    enquiries: EnquiryRegistry,
    options: OrderOptions,
    log: Logger,
  ) {
    this.#ledger = ledger;
    this.#store = store;
    this.#enquiries = enquiries;
    this.#options = options;
    this.#log = log;
  }

  get inFlight(): number {
    return this.#running.size;
  }

  /** Resolves when every call under way is answered or held for the sweeper. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  /**
   * Places a charged call and waits for its outcome, at most the synchronous window.
   * Errors: IDEMPOTENCY_KEY_REUSED, INSUFFICIENT_BALANCE, OVERLOADED, DEPENDENCY_DOWN, and what `prepare` throws; none of them moved money.
   */
  async place<Value>(placement: Placement<Value>): Promise<Placed<Value>> {
    const answerBy = Date.now() + this.#options.syncWindowMs;
    const fingerprint = keyedHash(this.#options.pepper, 'order-fingerprint', canonicalJson(placement.identity));
    const { principal, operation, clientKey } = placement;
    if (placement.prepare) {
      const earlier =
        clientKey === null
          ? undefined
          : await this.#store.byKey(principal.developerId, principal.environment, operation, clientKey);
      if (earlier) return this.#replay(earlier, fingerprint, answerBy);
      await placement.prepare();
    }
    if (this.#running.size >= this.#options.maxInFlight) throw new AppError('OVERLOADED', { retryAfterMs: 1_000 });

    const id = newId();
    const hold = await this.#ledger.hold({
      developerId: principal.developerId,
      environment: principal.environment,
      operation,
      id,
      clientKey,
      fingerprint,
      amountPaise: placement.amountPaise,
      provider: placement.provider,
      request: this.#store.seal(id, placement.request),
      accountHash: keyedHash(this.#options.pepper, 'account', placement.account),
      leaseMs: this.#options.sendLeaseMs,
    });
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
              : await this.#store.byKey(principal.developerId, principal.environment, operation, clientKey);
          if (earlier && earlier.id !== id) return this.#replay(earlier, fingerprint, answerBy);
          // the other request with this key was refused or released in the same instant
          if (!earlier) return this.place(placement);
        }
        break;
      case 'accepted':
        break;
    }

    const createdAt = timeOfId(id);
    const outcome: { placed?: Placed<Value> } = {};
    const run = this.#sendAndResolve(placement, id, createdAt, hold.balancePaise).then((placed) => {
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
        reference: referenceOf(id),
        createdAt,
        balancePaise: hold.balancePaise,
        replayed: false,
      }
    );
  }

  async #sendAndResolve<Value>(
    placement: Placement<Value>,
    id: string,
    createdAt: Date,
    balancePaise: Paise,
  ): Promise<Placed<Value>> {
    const { developerId } = placement.principal;
    const base = { orderId: id, reference: referenceOf(id), createdAt, replayed: false };
    const pending: Placed<Value> = { ...base, status: 'pending', balancePaise };
    try {
      const sentAt = Date.now();
      const outcome = await placement.send(base.reference, createdAt);
      const { state, balance } = await this.apply(
        {
          developerId,
          id,
          operation: placement.operation,
          provider: placement.provider,
          createdAt,
          enquiries: 0,
          notFound: 0,
        },
        outcome,
        'answer',
        { elapsedMs: Date.now() - sentAt },
      );
      if (state === 'already') {
        const order = await this.#store.byId(developerId, id);
        return order ? { ...(await this.#answerOf<Value>(order)), replayed: false } : pending;
      }
      if (state === 'success')
        return { ...base, status: 'success', value: (outcome as { value: Value }).value, balancePaise };
      if (state === 'failed') return { ...base, status: 'failed', balancePaise: balance ?? balancePaise };
      return pending;
    } catch (error) {
      // The money is held and the lease ends: a sweeper finds out. Saying anything but "pending" would be a guess.
      this.#log.error(
        { err: error as Error, orderId: id, operation: placement.operation },
        'order left to the sweeper',
      );
      return pending;
    }
  }

  /**
   * Applies a provider's answer to an open order: the only way from an answer to money. Used by the call itself, by the
   * sweeper and by callbacks; an order that was decided before stays as it is.
   */
  async apply(
    order: Pick<StoredOrder, 'developerId' | 'id' | 'operation' | 'provider' | 'createdAt' | 'enquiries' | 'notFound'>,
    outcome: EnquiryOutcome<unknown>,
    event: 'answer' | 'enquiry',
    more: object = {},
  ): Promise<{ state: 'success' | 'failed' | 'open' | 'review' | 'already'; balance?: Paise }> {
    const { developerId, id } = order;
    const { policy } = this.#options;
    const capabilities = this.#enquiries.of(order.operation, order.provider) ?? {
      canEnquire: false,
      notFoundIsFinal: false,
    };
    const ageMs = Date.now() - order.createdAt.getTime();
    const step = nextStep(
      outcome.kind,
      {
        operation: order.operation,
        ...capabilities,
        notFoundBefore: order.notFound,
        ageMs,
        enquiries: order.enquiries + (event === 'enquiry' ? 1 : 0),
      },
      policy,
    );
    const detail: Evidence = { ...more, ...outcome.evidence };
    const providerTxnId = outcome.evidence.providerTxnId ?? '';
    switch (step.kind) {
      case 'settle':
      case 'refund': {
        const success = step.kind === 'settle';
        const value = outcome.kind === 'accepted' ? outcome.value : null;
        const result = await this.#ledger.resolve({
          developerId,
          id,
          success,
          answer: this.#store.seal(id, { value }),
          providerTxnId,
          event,
          detail,
        });
        if (result.outcome === 'already') return { state: 'already' };
        return { state: success ? 'success' : 'failed', balance: result.balancePaise };
      }
      case 'wait':
      case 'review': {
        const state = await this.#store.markUndecided(order, {
          dueMs: step.kind === 'wait' ? step.dueMs : 0,
          review: step.kind === 'review',
          enquiry: event === 'enquiry',
          notFound: countsAsNotFound(outcome.kind, ageMs, policy),
          providerTxnId,
          detail,
        });
        return { state };
      }
    }
  }

  /** The answer to a repetition: wait for the first send while it is under way, else what is stored. */
  async #replay<Value>(order: StoredOrder, fingerprint: Buffer, answerBy: number): Promise<Placed<Value>> {
    if (order.operation === 'recharge' && !order.fingerprint.equals(fingerprint))
      throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (order.operation === 'card_payment') return this.#answerOf(order);
    return this.#answerOf(await this.#join(order, answerBy));
  }

  async #join(order: StoredOrder, answerBy: number): Promise<StoredOrder> {
    let current = order;
    for (
      let pauseMs = 50;
      current.state === 'open' && current.unknownSince === null && Date.now() < answerBy;
      pauseMs = Math.min(pauseMs * 2, 500)
    ) {
      const here = this.#running.get(order.id);
      await (here ? firstOf(here, answerBy) : pause(Math.min(pauseMs, answerBy - Date.now())));
      current = (await this.#store.byId(order.developerId, order.id)) ?? current;
    }
    return current;
  }

  /** A stored order as an answer: `failed` only when the refund is committed, `success` only when the debit is final. */
  async #answerOf<Value>(order: StoredOrder): Promise<Placed<Value>> {
    const base = {
      orderId: order.id,
      reference: referenceOf(order.id),
      createdAt: order.createdAt,
      replayed: true,
      balancePaise: await this.#ledger.balance(order.developerId, order.environment),
    };
    switch (order.state) {
      case 'success': {
        if (order.reversedAt) return { ...base, status: 'reversed' };
        const value = order.answer ? this.#store.open<{ value: Value }>(order.id, order.answer).value : undefined;
        return { ...base, status: 'success', value };
      }
      case 'failed':
        return { ...base, status: 'failed' };
      case 'open':
      case 'review':
        return { ...base, status: 'pending' };
    }
  }

  /** Asks the provider about one leased order and applies what it says. */
  async enquire(order: StoredOrder): Promise<void> {
    if (!isPayment(order.operation)) {
      // its process died while sending: nothing was performed that could be lost
      await this.apply(order, { kind: 'unknown', evidence: { reason: 'connection_lost' } }, 'enquiry');
      return;
    }
    const enquiries = this.#enquiries.of(order.operation, order.provider);
    if (!enquiries?.canEnquire) {
      await this.apply(order, { kind: 'unknown', evidence: { reason: 'connection_lost' } }, 'enquiry');
      return;
    }
    await this.apply(order, await enquiries.enquire(order, this.#store.open(order.id, order.request)), 'enquiry');
  }
}

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

/** Waits for the work, at most until an instant; the timer goes with whichever comes first. */
async function firstOf(work: Promise<void>, instantMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resume) => {
    timer = setTimeout(resume, Math.max(0, instantMs - Date.now()));
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
