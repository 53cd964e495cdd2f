import type { Circle } from '../../core/circles.js';
import type { Paise } from '../../core/money.js';
import type { OperatorType } from '../../core/operators.js';
import type { Caller, SimulatesOutage } from '../calls.js';
import type { SendPermit } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';

/** Finds the circle of a mobile number, for recharges at a provider that needs one. */
export interface CircleFinder {
  /**
   * @param mobile 10 digits. Undefined if the provider does not know the number, returns an unexpected response or fails; never
   * throws for these.
   */
  findCircle(mobile: string): Promise<Circle | undefined>;
}

/** Data of a recharge for an adapter. Validated. `reference` is our unique reference, 25 characters. */
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
  /** Transaction ID of the provider. Empty if it returned none. */
  providerTxnId: string;
  /** Reference of the operator. Empty if none was returned. */
  operatorRef: string;
}

export interface RechargeStatusCheck extends RechargeOrder {
  /**
   * Time the order was placed, and time this status check began, both by the clock of the database. RoundPay requires the date.
   */
  placedAt: Date;
  askedAt: Date;
  /** Time the success was known. The provider booked the recharge before this time. */
  settledAt?: Date;
  providerTxnId?: string;
  /** 1 for the first status check of this order. */
  attempt: number;
}

/** Provider of mobile and DTH recharges. */
export interface RechargePort<Name extends string = string> extends SimulatesOutage {
  readonly provider: Name;
  /** False while the breaker is open. Callers then reject the request before money moves. */
  readonly available: boolean;
  /** Mobile recharges need `circle`. */
  readonly needsCircle: boolean;
  /** Simulates recharges for testing. Responses contain warnings about requests that Production would not accept. */
  readonly isTrial?: true;
  /** Whether the provider has a status check. Without one, unknown outcomes go to manual review. */
  readonly canCheckStatus: boolean;
  /** Whether the provider's contract makes "not found", after the visibility delay, proof that the recharge was not processed. */
  readonly notFoundIsFinal: boolean;
  /** Problem with `operatorSpKey` that is known before anything is sent, worded for the caller. Undefined if there is none. */
  operatorProblem(operatorSpKey: number, operatorType: OperatorType): string | undefined;
  /**
   * Sends once, never retries, and does not send after the permit has expired. Resolves within the provider timeout. Never throws
   * for a fault of the provider.
   */
  recharge(order: RechargeOrder, caller?: Caller, permit?: SendPermit): Promise<Outcome<RechargeReceipt>>;
  checkStatus(order: RechargeStatusCheck): Promise<StatusCheckOutcome<RechargeReceipt>>;
  /** Balance of our deposit, for a provider that reports it. Undefined if the response has no balance; never throws for that. */
  float?(): Promise<Paise | undefined>;
  /** Circle of a mobile number, for a provider that can look it up. Used by all providers with `needsCircle`. */
  findCircle?: CircleFinder['findCircle'];
}
