import { setTimeout as pause } from 'node:timers/promises';
import { clientKeyOf, type KeptKey, storedKeyOf } from '../core/card-number.js';
import { AppError } from '../core/errors.js';
import { timeOfId } from '../core/ids.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { noteOrder } from '../core/scope.js';
import type { Secret } from '../core/secret.js';
import { type Hold, type LedgerService, type Operation, PostedInDoubt } from '../ledger/ledger.service.js';
import { type ArchivedOrder, keyArchived } from './archived-orders.js';
import type { OrderStore } from './order.store.js';
import type { Placed, Placement } from './placement.js';
import { isPayment, statusOf } from './states.js';
import type { StoredOrder } from './stored-order.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

type Owner = Pick<DeveloperPrincipal, 'developerId' | 'environment'>;

/** An order that was placed with the key of a request that is about to be refused. */
export interface KnownOrder {
  id: string;
  apiRequestId: string;
  status: Placed<unknown>['status'];
  /**
   * What the call gives for it. Errors: IDEMPOTENCY_KEY_REUSED when the request says another order or the order is archived, and the
   * order's verdict.
   */
  answer: () => Promise<unknown>;
}

/** Orders that a request comes back to, by its own key or as an equal recharge without one: how they are found, and what it is answered. */
export class EarlierOrders {
  /** @param keySecret what keys are hashed with; never changed, or no key of before would be known */
  constructor(
    private readonly ledger: LedgerService,
    private readonly store: OrderStore,
    private readonly keySecret: Secret,
    private readonly calls: Pick<CallsUnderWay, 'of'>,
  ) {}

  /** A client's key as the order row holds it. */
  storedKeyOf(clientKey: string): string {
    return storedKeyOf(this.keySecret, clientKey);
  }

  async byKey(
    { developerId, environment }: Owner,
    operation: Operation,
    clientKey: string,
  ): Promise<StoredOrder | undefined> {
    const order = await this.store.byStoredKey(developerId, environment, operation, this.storedKeyOf(clientKey));
    if (order) noteOrder(order);
    return order;
  }

  /** A payment of the key that has left for the archive. */
  async archivedByKey(
    { developerId, environment }: Owner,
    operation: Operation,
    clientKey: string,
  ): Promise<ArchivedOrder | undefined> {
    return this.store.archived.byKey({ developerId, environment, operation, storedKey: this.storedKeyOf(clientKey) });
  }

  /** The order whose answer a recharge without a key gets, whatever it would be refused for. */
  async withoutKey(
    { principal, keyless }: Pick<Placement<unknown>, 'principal' | 'keyless'>,
    fingerprint: Buffer,
  ): Promise<StoredOrder | undefined> {
    return keyless && this.store.repeatedBy(principal, fingerprint, keyless);
  }

  /** The order that a hold without a key found. */
  async byId({ developerId }: Owner, orderId: string): Promise<StoredOrder> {
    const earlier = (await this.store.byId(developerId, orderId))!;
    noteOrder(earlier);
    return earlier;
  }

  /**
   * Whose order holds the key of a hold that found it taken: `own` is the hold itself, repeated after a lost connection.
   * Errors: those of `keyArchived` for a payment's key that is nobody's: it is never given back, so its order has been archived;
   * PostedInDoubt when the database went away, so that the hold may be there.
   */
  async holderOf(hold: Hold, clientKey: string | null, heldBy: string): Promise<StoredOrder | 'own' | 'nobody'> {
    const { id, operation, reference } = hold;
    if (clientKey === null) return heldBy === id ? 'own' : 'nobody';
    const earlier = await this.byKey(hold, operation, clientKey).catch((error: unknown) => {
      throw new PostedInDoubt(error);
    });
    if (earlier) return earlier.id === id ? 'own' : earlier;
    if (heldBy === id || !isPayment(operation)) return 'nobody';
    const archived = await this.archivedByKey(hold, operation, clientKey);
    throw keyArchived({ operation, clientKey }, archived ?? { reference });
  }

  /** No refusal is a verdict about the archived order that the key of a payment stands for. Errors: always, `error` or that of `keyArchived`. */
  async refuse(
    { principal, operation, clientKey }: Pick<Placement<unknown>, 'principal' | 'operation' | 'clientKey'>,
    error: unknown,
  ): Promise<never> {
    const isVerdict = error instanceof AppError && error.entry.onRecharge === 'failed';
    if (!isVerdict || clientKey === null || !isPayment(operation)) throw error;
    const archived = await this.archivedByKey(principal, operation, clientKey);
    throw archived ? keyArchived({ operation, clientKey }, archived) : error;
  }

  /**
   * The answer to a request that comes back to an order; it moves nothing and sends nothing. It waits for the first send while that is
   * under way, at most until `answerBy`.
   * Errors: IDEMPOTENCY_KEY_REUSED when the request is not the one that the order was placed with.
   */
  async answer<Value>(
    order: StoredOrder,
    { isSameAs }: Pick<Placement<Value>, 'isSameAs'>,
    answerBy: number,
  ): Promise<Placed<Value>> {
    if (isSameAs && !isSameAs(order)) throw keyReused(order);
    if (order.operation === 'card_payment') return this.answerOf(order);
    return this.answerOf(await this.#join(order, answerBy));
  }

  async #join(order: StoredOrder, answerBy: number): Promise<StoredOrder> {
    let current = order;
    for (
      let pauseMs = FIRST_PAUSE_MS;
      current.state === 'open' && current.unknownSince === null && performance.now() < answerBy;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      const here = this.calls.of(order.id);
      await (here ? firstOf(here, answerBy) : pause(Math.min(pauseMs, answerBy - performance.now())));
      current = (await this.store.byId(order.developerId, order.id)) ?? current;
    }
    return current;
  }

  /** What the order was placed with, and the client's key. */
  requestOf<Request extends object>(order: StoredOrder): { request: Request; clientKey: string | null } {
    const { clientKey: kept, ...request } = this.store.decrypt<Request & KeptKey>(order.id, order.request);
    return { request: request as Request, clientKey: clientKeyOf(order.storedKey, () => ({ clientKey: kept })) };
  }

  /** A stored order as an answer: `failed` only when the refund is committed, `success` only when the debit is final. */
  async answerOf<Value>(order: StoredOrder): Promise<Placed<Value>> {
    const { value, decline } = this.store.answerOf<Value>(order);
    return {
      status: statusOf(order),
      orderId: order.id,
      reference: order.reference,
      // as the first answer said it: the row's own time is the database's
      createdAt: timeOfId(order.id),
      settledAt: order.settledAt,
      reversedAt: order.reversedAt,
      reversedBy: order.reversedBy,
      ...(value === null ? {} : { value }),
      ...(decline === undefined ? {} : { decline }),
      providerTxnId: order.providerTxnId,
      replayed: true,
      ...(await this.ledger.wallet(order.developerId, order.environment)),
    };
  }
}

/** The refusal of a request that says something else than the order that its key stands for. */
export const keyReused = ({ reference }: StoredOrder): AppError =>
  new AppError('IDEMPOTENCY_KEY_REUSED', { apiRequestId: reference });

/** The refusal of a recharge without a key that seems to be an earlier one once more. */
export const likelyDuplicate = (earlier: StoredOrder): AppError =>
  new AppError('LIKELY_DUPLICATE', { apiRequestId: earlier.reference, orderStatus: statusOf(earlier) });

/** Calls under way in this process. A simultaneous duplicate waits for the same promise, and a stop for all of them. */
export class CallsUnderWay {
  readonly #calls = new Map<string, Promise<void>>();

  get count(): number {
    return this.#calls.size;
  }

  /** The work on an order, when it is under way here. */
  of(orderId: string): Promise<void> | undefined {
    return this.#calls.get(orderId);
  }

  /** Remembers work until it ends; resolves and rejects as it does. */
  add(orderId: string, work: Promise<void>): Promise<void> {
    const forgotten = work.finally(() => this.#calls.delete(orderId));
    this.#calls.set(orderId, forgotten);
    return forgotten;
  }

  /** Resolves when none is left. */
  async drain(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls.values());
  }
}

/** Waits for the work, at most until an instant of the monotonic clock; the timer goes with whichever comes first. */
export async function firstOf(work: Promise<void>, instantMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resume) => {
    timer = setTimeout(resume, Math.max(0, instantMs - performance.now()));
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
