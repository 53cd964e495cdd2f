import type { Circle } from '../../core/circles.js';
import type { Paise } from '../../core/money.js';
import type { OperatorType } from '../../core/operators.js';
import type { Caller, SimulatesOutage } from '../calls.js';
import type { SendPermit } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';

/** Looks up the circle of a mobile number, for recharges at a provider that needs one. */
export interface CircleFinder {
  /**
   * Looks up the circle. Returns undefined if the provider does not know the number, returns an unexpected response or fails;
   * never throws in these cases.
   * @param mobile 10 digits
   */
  findCircle(mobile: string): Promise<Circle | undefined>;
}

/** Validated recharge data for an adapter. `reference` is our unique reference with 25 characters. */
export interface RechargeOrder {
  reference: string;
  accountNumber: string;
  amountPaise: Paise;
  operatorSpKey: number;
  operatorType: OperatorType;
  /** Set for mobile recharges at a provider with `needsCircle`. */
  circle?: Circle;
  geocode?: string;
  pincode?: string;
  customerNumber?: string;
}

export interface RechargeReceipt {
  /** Transaction ID of the provider. It is empty if it returned none. */
  providerTxnId: string;
  /** Operator reference. It is empty if none was returned. */
  operatorRef: string;
}

export interface RechargeStatusCheck extends RechargeOrder {
  /** Time the order was placed, and time this status check began, both by the database clock. RoundPay requires the date. */
  placedAt: Date;
  checkedAt: Date;
  /** Time the success was recorded. The provider booked the recharge before this time. */
  settledAt?: Date;
  providerTxnId?: string;
  /** Number of this status check, starting with 1. */
  attempt: number;
}

/** Port for mobile and DTH recharges. */
export interface RechargePort<Name extends string = string> extends SimulatesOutage {
  readonly provider: Name;
  /** False while the breaker is open. Callers then reject the request before money moves. */
  readonly available: boolean;
  /** Whether mobile recharges need `circle`. */
  readonly needsCircle: boolean;
  /** Set if recharges are only simulated. Responses then contain warnings about requests that Production would not accept. */
  readonly isTrial?: true;
  /** Whether the provider has a status check. Without a status check, orders with an unknown outcome enter manual review. */
  readonly canCheckStatus: boolean;
  /**
   * Whether the contract with the provider makes "not found" after the visibility delay proof that the recharge was not
   * processed.
   */
  readonly notFoundIsFinal: boolean;
  /**
   * Returns the error text for the caller if `operatorSpKey` is known to be invalid before anything is sent. Returns undefined
   * if there is no problem.
   */
  operatorProblem(operatorSpKey: number, operatorType: OperatorType): string | undefined;
  /**
   * Sends the recharge once, never retries, and never sends after the permit has expired. Resolves within the provider timeout.
   * Never throws for a provider error.
   */
  recharge(order: RechargeOrder, caller?: Caller, permit?: SendPermit): Promise<Outcome<RechargeReceipt>>;
  checkStatus(order: RechargeStatusCheck): Promise<StatusCheckOutcome<RechargeReceipt>>;
  /**
   * Returns the balance of our deposit, for a provider that reports it. Returns undefined, and does not throw, if the response
   * contains no balance.
   */
  float?(): Promise<Paise | undefined>;
  /** Looks up the circle of a mobile number. Providers with `needsCircle` use the lookup of any provider that has one. */
  findCircle?: CircleFinder['findCircle'];
}
