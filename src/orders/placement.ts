import type { Metrics } from '../core/metrics.js';
import type { Paise } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { Secret } from '../core/secret.js';
import type { Operation, WalletState } from '../ledger/ledger.service.js';
import type { KeylessRecharge } from '../ledger/postings.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import type { SendPermit } from '../providers/http-client.js';
import type { Outcome } from '../providers/outcome.js';
import type { Switches } from '../providers/switches.js';
import type { Exposure } from './exposure.js';
import type { Reverser, StoredOrder } from './stored-order.js';
import type { UnstoredLimits } from './unstored-outcomes.js';

/** Charged call before it is placed. */
export interface Placement<Value, Request extends object = object> {
  principal: DeveloperPrincipal;
  operation: Operation;
  /** Amount of a payment, or fee of a lookup. It is greater than 0. */
  amountPaise: Paise;
  /** Idempotency key of the caller, at most 100 characters. Null if there is none. */
  clientKey: string | null;
  /** Duplicate check of a recharge without an idempotency key. If omitted, the recharge is always placed. */
  keyless?: KeylessRecharge | undefined;
  /** Maximum time that the caller wants to wait for the outcome, if it is shorter than the synchronous window. */
  waitMs?: number | undefined;
  /** Values that determine the fingerprint. Among all payments for one card bill, only one fingerprint can hold money. */
  identity: object;
  /** Whether an order placed with the same key is the same order. Omitted if the key is sufficient. */
  isSameAs?: (earlier: StoredOrder) => boolean;
  /** Mobile or subscriber number. It can be found by its keyed hash. */
  account: string;
  provider: string;
  /** Operator of a recharge. Order lists can be filtered by this value. */
  operatorSpKey?: number;
  /** Last 4 characters of the card of a card bill payment. They can be found by their keyed hash. */
  cardLast4?: string;
  /**
   * Data that is sent and that a later status check needs. It is stored encrypted. It is a function if the call may be
   * rejected before money moves or needs a query first; the function runs after the idempotency check and before the hold.
   */
  request: Request | (() => Request | Promise<Request>);
  /** Sends the request once, and never after the permit has expired. Does not throw for a provider error. */
  send: (reference: string, request: Request, permit: SendPermit) => Promise<Outcome<Value>>;
}

/**
 * Result of a charged call, and the wallet state right after it. `pending` means that the outcome is unknown and the money is
 * held.
 */
export interface OrderResult<Value> extends WalletState {
  status: 'success' | 'failed' | 'pending' | 'reversed';
  orderId: string;
  reference: string;
  createdAt: Date;
  /** Time of the outcome. Null while the outcome is unknown. */
  settledAt: Date | null;
  reversedAt: Date | null;
  reversedBy: Reverser | null;
  /** Result of a successful call. */
  value?: Value;
  /** Reason why the call failed. */
  decline?: DeclineReason;
  /** Transaction ID of the provider, if it is known. It can be known before the outcome. */
  providerTxnId?: string;
  /** Whether this is the result of an earlier, identical request. */
  replayed: boolean;
  /** Successful recharge of the last minutes that is identical to this one. Neither recharge has an idempotency key. */
  likelyDuplicateOf?: EarlierPayment;
}

/** Payment that a new one appears to duplicate. */
export interface EarlierPayment {
  orderId: string;
  reference: string;
}

export interface OrderServiceOptions {
  pepper: Secret;
  /** Secret from which references and hashed keys are derived. It never changes. */
  referenceSecret: Secret;
  /** Whether this process accepts no new orders. It still returns earlier ones. */
  paused?: boolean;
  /** Pauses of orders by staff, per environment. Omitted in tests without pauses. */
  switches?: Pick<Switches, 'pauseOf'>;
  /** Time that the first response waits for the provider before it reports "pending". */
  syncWindowMs: number;
  /**
   * Time after which a sweeper takes over an order whose process crashed while sending. A request that was not sent within this
   * time, because the database was unavailable or the process was suspended, is refunded.
   */
  sendLeaseMs: number;
  /** Maximum number of calls in progress in this process. Further calls are rejected. */
  maxInFlight: number;
  /** Limits for outcomes that are kept in memory while the database is unavailable. Defaults are used if omitted. */
  unstored?: UnstoredLimits;
  /**
   * Whether the exposure limit of a provider has been reached, so that it receives no new payments. Omitted if there is no
   * limit.
   */
  exposure?: Pick<Exposure, 'isReached'>;
  metrics: Metrics;
}
