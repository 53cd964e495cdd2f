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
import type { OrderResult, Placement } from './placement.js';
import { isPayment, statusOf } from './states.js';
import type { StoredOrder } from './stored-order.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

type Owner = Pick<DeveloperPrincipal, 'developerId' | 'environment'>;

/** Existing order with the idempotency key of a request that is about to be rejected. */
export interface KnownOrder {
  id: string;
  apiRequestId: string;
  status: OrderResult<unknown>['status'];
  /**
   * Returns the response of the call for this order. Throws IDEMPOTENCY_KEY_REUSED if the request does not match the order or
   * the order is archived, and the error of the order if it failed.
   */
  replay: () => Promise<unknown>;
}

/**
 * Finds the order that a request repeats, and returns its result. The request has the same idempotency key, or both are identical
 * recharges without a key.
 */
export class EarlierOrders {
  /** @param keySecret secret for hashing keys. It never changes, because used keys would otherwise no longer be found. */
  constructor(
    private readonly ledger: LedgerService,
    private readonly store: OrderStore,
    private readonly keySecret: Secret,
    private readonly calls: Pick<CallsInProgress, 'of'>,
  ) {}

  /** Returns an idempotency key in the form stored in the order row. */
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

  async archivedByKey(
    { developerId, environment }: Owner,
    operation: Operation,
    clientKey: string,
  ): Promise<ArchivedOrder | undefined> {
    return this.store.archived.byKey({ developerId, environment, operation, storedKey: this.storedKeyOf(clientKey) });
  }

  /** Returns the order whose result a recharge without an idempotency key returns, even if the recharge would be rejected. */
  async withoutKey(
    { principal, keyless }: Pick<Placement<unknown>, 'principal' | 'keyless'>,
    fingerprint: Buffer,
  ): Promise<StoredOrder | undefined> {
    return keyless && this.store.findDuplicate(principal, fingerprint, keyless);
  }

  async byId({ developerId }: Owner, orderId: string): Promise<StoredOrder> {
    const order = (await this.store.byId(developerId, orderId))!;
    noteOrder(order);
    return order;
  }

  /**
   * Returns the order that has the key of a hold that found the key taken. `own` is the hold itself, repeated after a lost
   * connection. Throws the errors of `keyArchived` for a payment key without an order, because the keys of archived orders are
   * never released. Throws PostedInDoubt if the database became unavailable, so that the hold may exist.
   */
  async holderOf(hold: Hold, clientKey: string | null, holderId: string): Promise<StoredOrder | 'own' | 'none'> {
    const { id, operation, reference } = hold;
    if (clientKey === null) return holderId === id ? 'own' : 'none';
    const order = await this.byKey(hold, operation, clientKey).catch((error: unknown) => {
      throw new PostedInDoubt(error);
    });
    if (order) return order.id === id ? 'own' : order;
    if (holderId === id || !isPayment(operation)) return 'none';
    const archived = await this.archivedByKey(hold, operation, clientKey);
    throw keyArchived({ operation, clientKey }, archived ?? { reference });
  }

  /**
   * Throws `error`, or the error of `keyArchived` if the payment key belongs to an archived order. Otherwise the rejection could
   * be mistaken for the final status of that order.
   */
  async reject(
    { principal, operation, clientKey }: Pick<Placement<unknown>, 'principal' | 'operation' | 'clientKey'>,
    error: unknown,
  ): Promise<never> {
    const looksFinal = error instanceof AppError && error.entry.onRecharge === 'failed';
    if (!looksFinal || clientKey === null || !isPayment(operation)) throw error;
    const archived = await this.archivedByKey(principal, operation, clientKey);
    throw archived ? keyArchived({ operation, clientKey }, archived) : error;
  }

  /**
   * Returns the result for a request that repeats an order. Moves no money and sends no request. If the first request is still
   * in progress, waits for it, but no longer than until `respondBy`. Throws IDEMPOTENCY_KEY_REUSED if the request does not
   * match the order.
   */
  async replay<Value>(
    order: StoredOrder,
    { isSameAs }: Pick<Placement<Value>, 'isSameAs'>,
    respondBy: number,
  ): Promise<OrderResult<Value>> {
    if (isSameAs && !isSameAs(order)) throw keyReused(order);
    if (order.operation === 'card_payment') return this.resultOf(order);
    return this.resultOf(await this.#join(order, respondBy));
  }

  async #join(order: StoredOrder, respondBy: number): Promise<StoredOrder> {
    let current = order;
    for (
      let pauseMs = FIRST_PAUSE_MS;
      current.state === 'open' && current.unknownSince === null && performance.now() < respondBy;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      const callInProgress = this.calls.of(order.id);
      await (callInProgress
        ? waitUntil(callInProgress, respondBy)
        : pause(Math.min(pauseMs, respondBy - performance.now())));
      current = (await this.store.byId(order.developerId, order.id)) ?? current;
    }
    return current;
  }

  /** Returns the request that the order was placed with, and the idempotency key of the client. */
  requestOf<Request extends object>(order: StoredOrder): { request: Request; clientKey: string | null } {
    const { clientKey: kept, ...request } = this.store.decrypt<Request & KeptKey>(order.id, order.request);
    return { request: request as Request, clientKey: clientKeyOf(order.storedKey, () => ({ clientKey: kept })) };
  }

  /**
   * Returns the result of a stored order. It is `failed` only after the refund is committed, and `success` only after the
   * debit is final.
   */
  async resultOf<Value>(order: StoredOrder): Promise<OrderResult<Value>> {
    const { value, decline } = this.store.resultOf<Value>(order);
    return {
      status: statusOf(order),
      orderId: order.id,
      reference: order.reference,
      // this is the same value as in the first response, because the row contains the time of the database
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

export const keyReused = ({ reference }: StoredOrder): AppError =>
  new AppError('IDEMPOTENCY_KEY_REUSED', { apiRequestId: reference });

/** Returns the error for a recharge without an idempotency key that appears to duplicate an earlier one. */
export const likelyDuplicate = (earlierOrder: StoredOrder): AppError =>
  new AppError('LIKELY_DUPLICATE', { apiRequestId: earlierOrder.reference, orderStatus: statusOf(earlierOrder) });

/** Calls in progress in this process. A concurrent duplicate waits for the same promise, and a shutdown waits for all calls. */
export class CallsInProgress {
  readonly #calls = new Map<string, Promise<void>>();

  get count(): number {
    return this.#calls.size;
  }

  /** Returns the work on an order if it is in progress in this process. */
  of(orderId: string): Promise<void> | undefined {
    return this.#calls.get(orderId);
  }

  /** Tracks work until it ends. The returned promise settles in the same way. */
  add(orderId: string, call: Promise<void>): Promise<void> {
    const trackedCall = call.finally(() => this.#calls.delete(orderId));
    this.#calls.set(orderId, trackedCall);
    return trackedCall;
  }

  /** Resolves when no calls are in progress. */
  async drain(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls.values());
  }
}

/** Waits for the work, but no longer than until a time of the monotonic clock. The timer is always cleared. */
export async function waitUntil(call: Promise<void>, instantMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, instantMs - performance.now()));
  });
  await Promise.race([call, limit]).finally(() => clearTimeout(timer));
}
