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

/** A charged call before it is placed. */
export interface Placement<Value, Request extends object = object> {
  principal: DeveloperPrincipal;
  operation: Operation;
  /** > 0: the amount of a payment or the fee of a lookup. */
  amountPaise: Paise;
  /** The caller's idempotency key, at most 100 characters; null for none. */
  clientKey: string | null;
  /** Of a recharge without a key, which may repeat another one. Left out, it is performed whatever went before. */
  keyless?: KeylessRecharge | undefined;
  /** How long the caller wants to wait for the outcome, where that is shorter than the synchronous window. */
  waitMs?: number | undefined;
  /** What its fingerprint is made of. Of payments for one card bill, only one fingerprint may hold money. */
  identity: object;
  /** Whether an order that was placed with the same key is this one; left out where the key alone says so. */
  isSameAs?: (earlier: StoredOrder) => boolean;
  /** Mobile or subscriber number: found by keyed hash. */
  account: string;
  provider: string;
  /** Of a recharge: what lists are sifted by. */
  operatorSpKey?: number;
  /** Of a card payment: found by keyed hash. */
  cardLast4?: string;
  /**
   * What is sent, and what a status check needs later; stored encrypted. A function where the call may be refused without money, or
   * something has to be found out first: it runs after the idempotency check and before the hold.
   */
  request: Request | (() => Request | Promise<Request>);
  /** Sends once, and not once the permit is over. Never throws for a provider's fault. */
  send: (reference: string, request: Request, permit: SendPermit) => Promise<Outcome<Value>>;
}

/** What became of a charged call, with the wallet right after it. `pending`: nobody knows yet, the money is held. */
export interface Placed<Value> extends WalletState {
  status: 'success' | 'failed' | 'pending' | 'reversed';
  orderId: string;
  reference: string;
  createdAt: Date;
  /** Null while nobody knows the outcome. */
  settledAt: Date | null;
  reversedAt: Date | null;
  reversedBy: Reverser | null;
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

export interface PlacingOptions {
  pepper: Secret;
  /** What references and hashed keys follow from; never changed. */
  referenceSecret: Secret;
  /** This process accepts no orders; it responds for earlier ones. */
  paused?: boolean;
  /** Pauses by staff of the orders of an environment; absent in tests without them. */
  switches?: Pick<Switches, 'pauseOf'>;
  /** How long the first response waits for the provider before it says "pending". */
  syncWindowMs: number;
  /**
   * When a sweeper takes an order over whose process died while sending. What was not sent by then (a database that was away, a
   * process that was stopped) is given back instead.
   */
  sendLeaseMs: number;
  /** Calls under way in this process before new ones are refused. */
  maxInFlight: number;
  /** Outcomes that are kept while the database is unavailable; left out for the usual limits. */
  unstored?: UnstoredLimits;
  /** Whether the exposure limit of a provider is reached, so that it gets no new payments; left out where there is no limit. */
  exposure?: Pick<Exposure, 'isReached'>;
  metrics: Metrics;
}
