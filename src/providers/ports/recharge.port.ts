import type { Circle } from '../../core/circles.js';
import type { Paise } from '../../core/money.js';
import type { OperatorType } from '../../core/operators.js';
import type { Caller, MayBeAway } from '../calls.js';
import type { SendPermit } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';

/** Finds the circle of a mobile number, for recharges at a provider that needs one. */
export interface CircleFinder {
  /** @param mobile 10 digits. Undefined when the provider does not know it, answers oddly or fails; never throws for that. */
  findCircle(mobile: string): Promise<Circle | undefined>;
}

/** One recharge as an adapter needs it. Validated; `reference` is ours, unique, 25 characters. */
export interface RechargeOrder {
  reference: string;
  accountNumber: string;
  amountPaise: Paise;
  operatorSpKey: number;
  operatorType: OperatorType;
  /** Set for providers that `needsCircle`, for mobile recharges. */
  circle?: Circle;
  geocode?: string;
  pincode?: string;
  customerNumber?: string;
}

export interface RechargeReceipt {
  /** The provider's transaction id; empty when it named none. */
  providerTxnId: string;
  /** The operator's reference; empty when it named none. */
  operatorRef: string;
}

export interface RechargeStatusCheck extends RechargeOrder {
  /** When the order was placed, and when this status check began, by one clock: the database's. RoundPay wants the date. */
  placedAt: Date;
  askedAt: Date;
  /** When a success was known to be one: what was booked was booked before. */
  settledAt?: Date;
  providerTxnId?: string;
  /** 1 for the first status check of this order. */
  attempt: number;
}

/** A provider of mobile and DTH recharges. */
export interface RechargePort<Name extends string = string> extends MayBeAway {
  readonly provider: Name;
  /** False while the breaker is open; callers then refuse before money moves. */
  readonly available: boolean;
  /** Mobile recharges need `circle`. */
  readonly needsCircle: boolean;
  /** Simulated recharges for testing: responses warn of what production would not accept. */
  readonly isTrial?: true;
  /** The provider can be asked what became of a recharge. When it cannot, unknown outcomes go to review. */
  readonly canCheckStatus: boolean;
  /** The provider's contract makes "not found", past the visibility delay, a proof that nothing was performed. */
  readonly notFoundIsFinal: boolean;
  /** A problem with `operatorSpKey` that is known before anything is sent, in words for the caller; undefined when there is none. */
  operatorProblem(operatorSpKey: number, operatorType: OperatorType): string | undefined;
  /**
   * Sends once, never retries, and not once the permit is over. Resolves within the provider timeout; never throws for a provider's
   * fault.
   */
  recharge(order: RechargeOrder, caller?: Caller, permit?: SendPermit): Promise<Outcome<RechargeReceipt>>;
  checkStatus(order: RechargeStatusCheck): Promise<StatusCheckOutcome<RechargeReceipt>>;
  /** Only of a provider that reports it: what is left of our deposit there. Undefined when it does not say; never throws for that. */
  float?(): Promise<Paise | undefined>;
  /** Only of a provider that can: the circle of a mobile number, for all that `needsCircle`. */
  findCircle?: CircleFinder['findCircle'];
}
