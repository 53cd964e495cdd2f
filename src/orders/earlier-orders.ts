import { clientKeyOf, type KeptKey, storedKeyOf } from '../core/client-key.js';
import { AppError } from '../core/errors.js';
import { timeOfId } from '../core/ids.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { noteOrder } from '../core/scope.js';
import type { Secret } from '../core/secret.js';
import type { LedgerService, Operation, WalletState } from '../ledger/ledger.service.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import type { ArchivedOrder } from './archived-orders.js';
import type { OrderStore } from './order.store.js';
import type { StoredOrder } from './stored-order.js';

/** What became of a charged call, with the wallet right after it. `pending`: nobody knows yet, the money is held. */
export interface Placed<Value> extends WalletState {
  status: 'success' | 'failed' | 'pending' | 'reversed';
  orderId: string;
  reference: string;
  createdAt: Date;
  /** Null while nobody knows the outcome. */
  settledAt: Date | null;
  reversedAt: Date | null;
  /** Present once it succeeded. */
  value?: Value;
  /** Of one that failed. */
  decline?: DeclineReason;
  /** The provider's transaction id as far as it is known, which may be while the outcome is not. */
  providerTxnId?: string;
  /** The answer to an earlier, equal request. */
  replayed: boolean;
  /** A performed recharge of the last minutes that this one is equal to; neither has a key. */
  likelyDuplicateOf?: EarlierPayment;
}

/** A payment that another one seems to repeat. */
export interface EarlierPayment {
  orderId: string;
  reference: string;
}

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

/** Orders that a caller names again by its own key: how they are found, and what is answered about them. */
export class EarlierOrders {
  readonly #ledger: LedgerService;
  readonly #store: OrderStore;
  readonly #keySecret: Secret;

  /** @param keySecret what keys are hashed with; never changed, or no key of before would be known */
  constructor(ledger: LedgerService, store: OrderStore, keySecret: Secret) {
    this.#ledger = ledger;
    this.#store = store;
    this.#keySecret = keySecret;
  }

  /** A client's key as the order row holds it. */
  storedKeyOf(clientKey: string): string {
    return storedKeyOf(this.#keySecret, clientKey);
  }

  async byKey(
    { developerId, environment }: Pick<DeveloperPrincipal, 'developerId' | 'environment'>,
    operation: Operation,
    clientKey: string,
  ): Promise<StoredOrder | undefined> {
    const order = await this.#store.byStoredKey(developerId, environment, operation, this.storedKeyOf(clientKey));
    if (order) noteOrder(order);
    return order;
  }

  /** A payment of the key that has left for the archive. */
  async archivedByKey(
    { developerId, environment }: Pick<DeveloperPrincipal, 'developerId' | 'environment'>,
    operation: Operation,
    clientKey: string,
  ): Promise<ArchivedOrder | undefined> {
    return this.#store.archived.byKey({ developerId, environment, operation, storedKey: this.storedKeyOf(clientKey) });
  }

  /** What the order was placed with, and the client's key. */
  requestOf<Request extends object>(order: StoredOrder): { request: Request; clientKey: string | null } {
    const { clientKey: kept, ...request } = this.#store.decrypt<Request & KeptKey>(order.id, order.request);
    return { request: request as Request, clientKey: clientKeyOf(order.storedKey, () => ({ clientKey: kept })) };
  }

  /** A stored order as an answer: `failed` only when the refund is committed, `success` only when the debit is final. */
  async answerOf<Value>(order: StoredOrder): Promise<Placed<Value>> {
    const { value, decline } = this.#store.answerOf<Value>(order);
    return {
      status: statusOf(order),
      orderId: order.id,
      reference: order.reference,
      // as the first answer said it: the row's own time is the database's
      createdAt: timeOfId(order.id),
      settledAt: order.settledAt,
      reversedAt: order.reversedAt,
      ...(value === null ? {} : { value }),
      ...(decline === undefined ? {} : { decline }),
      providerTxnId: order.providerTxnId,
      replayed: true,
      ...(await this.#ledger.wallet(order.developerId, order.environment)),
    };
  }
}

export function statusOf({ state, reversedAt }: Pick<StoredOrder, 'state' | 'reversedAt'>): Placed<unknown>['status'] {
  switch (state) {
    case 'success':
      return reversedAt ? 'reversed' : 'success';
    case 'failed':
      return 'failed';
    case 'open':
    case 'review':
      return 'pending';
  }
}

/** The refusal of a request that says something else than the order that its key stands for. */
export const keyReused = ({ reference }: StoredOrder): AppError =>
  new AppError('IDEMPOTENCY_KEY_REUSED', { apiRequestId: reference });
