import type { Service } from '../../core/services.js';
import type { Caller } from '../calls.js';
import type { Outcome } from '../outcome.js';

export interface OperatorDetection {
  /** Number masked by the provider, for example 9468455xxx. */
  number: string;
  company: string;
  circle: string;
  /** Circle code with two or three digits, as text. */
  circleCode: string;
}

export interface PlanGroups {
  /** Operator name as returned by the provider. It is empty if it returned none. */
  operator: string;
  /** Plan groups in the provider's order. Groups that are null are omitted. */
  groups: { name: string; plans: { price: number; type: string; description: string; validity: string }[] }[];
}

export interface DthCustomerInfo {
  subscriberNumber: string;
  name: string;
  /** Balance as decimal text. */
  balance: string;
  /** Minimum recharge as decimal text. */
  minimumRecharge: string;
}

/** Query and result of each lookup. Each port has one call per lookup. */
interface PlanLookups {
  operatorFetch: { query: { mobile: string }; value: OperatorDetection };
  mobilePlans: { query: { mobile: string; opcode: string; circleCode: string }; value: PlanGroups };
  dthPlans: { query: { dthNumber: string; opcode: string }; value: PlanGroups };
  dthInfo: { query: { dthNumber: string; opcode: string }; value: DthCustomerInfo[] };
}
export type PlanCall = keyof PlanLookups;
export type PlanQuery<Call extends PlanCall> = PlanLookups[Call]['query'];
export type PlanValue<Call extends PlanCall> = PlanLookups[Call]['value'];

/** Returns the number of a lookup. It is used for magic numbers and to detect duplicates. */
export const accountOf = (query: { mobile: string } | { dthNumber: string }): string =>
  'mobile' in query ? query.mobile : query.dthNumber;

/** Service that determines the fee and the permission of each lookup. */
export const serviceOfCall = {
  operatorFetch: 'operator_fetch',
  mobilePlans: 'operator_plan_fetch',
  dthPlans: 'dth_plan_fetch',
  dthInfo: 'dth_info',
} as const satisfies Record<PlanCall, Service>;
export const planCalls = Object.keys(serviceOfCall) as PlanCall[];

/**
 * Call of an operator, plan or DTH lookup (interface.md 4.6 to 4.9). `clientRequestId` is the caller's idempotency key, which is
 * passed through. `price` is in rupees with at most two decimals. A provider failure is `declined`, an unclear result is
 * `unknown`. The caller refunds the fee in both cases.
 */
export type PlanLookup<Call extends PlanCall> = (
  query: PlanQuery<Call> & { clientRequestId: string },
  caller?: Caller,
) => Promise<Outcome<PlanValue<Call>>>;
export type PlanCalls = { [Call in PlanCall]: PlanLookup<Call> };

/** Creates all calls of a port from one function. */
export const everyCall = (call: <Call extends PlanCall>(name: Call) => PlanLookup<Call>): PlanCalls =>
  Object.fromEntries(planCalls.map((name) => [name, call(name)])) as PlanCalls;

export interface PlansPort<Name extends string = string> extends PlanCalls {
  readonly provider: Name;
  readonly available: boolean;
}
