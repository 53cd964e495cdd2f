import type { Caller } from '../calls.js';
import type { Outcome } from '../outcome.js';

export interface OperatorDetection {
  /** As the provider masks it, e.g. 9468455xxx. */
  number: string;
  company: string;
  circle: string;
  /** Two or three digits as text. */
  circleCode: string;
}

export interface PlanGroups {
  /** The provider's operator name; empty when it named none. */
  operator: string;
  /** In the provider's order; groups that came as null are left out. */
  groups: { name: string; plans: { price: number; type: string; description: string; validity: string }[] }[];
}

export interface DthCustomerInfo {
  subscriberNumber: string;
  name: string;
  /** Decimal text. */
  balance: string;
  /** Numeric text. */
  minimumRecharge: string;
}

/**
 * Operator, plan and DTH lookups (interface.md 4.6 to 4.9). `clientRequestId` is the caller's, passed through; `price` is rupees with at most
 * two decimals. A provider that fails answers `declined`, anything doubtful `unknown`: the caller refunds the fee in both cases.
 */
export interface PlansPort<Name extends string = string> {
  readonly provider: Name;
  readonly available: boolean;
  operatorFetch(
    query: { mobile: string; clientRequestId: string },
    caller?: Caller,
  ): Promise<Outcome<OperatorDetection>>;
  mobilePlans(
    query: { mobile: string; opcode: string; circleCode: string; clientRequestId: string },
    caller?: Caller,
  ): Promise<Outcome<PlanGroups>>;
  dthPlans(
    query: { dthNumber: string; opcode: string; clientRequestId: string },
    caller?: Caller,
  ): Promise<Outcome<PlanGroups>>;
  dthInfo(
    query: { dthNumber: string; opcode: string; clientRequestId: string },
    caller?: Caller,
  ): Promise<Outcome<DthCustomerInfo[]>>;
}
