import type { LookupScript, MoneyScript } from '../../core/magic-numbers.js';
import type { Caller } from '../calls.js';
import { type DeclineReason, declineReasons } from '../decline-reasons.js';

/** Scenario, defined by the scripts of magic numbers. Lookups ignore a scenario that has no lookup script. */
interface ScenarioDefinition {
  description: string;
  payment: MoneyScript | 'away';
  lookup?: LookupScript | 'away';
}

/** Outcomes that a caller can select in UAT, by name. */
export const scenarios = {
  decline: {
    description: 'The provider declines the payment and the amount is refunded. A lookup fails.',
    payment: 'declined',
    lookup: 'failure',
  },
  pending_then_success: {
    description: 'The payment is pending at first. The third status check returns success.',
    payment: 'pending_then_success',
  },
  pending_then_failure: {
    description:
      'The payment is pending at first. The third status check returns a failure, and the amount is refunded.',
    payment: 'pending_then_failed',
  },
  success_then_reversal: {
    description: 'The payment succeeds and is reversed a few seconds later.',
    payment: 'success_then_reversed',
  },
  timeout: {
    description:
      'The provider does not respond in time, but the payment succeeds. The first status check returns success. A lookup fails.',
    payment: 'silent_performed',
    lookup: 'silent',
  },
  provider_down: {
    description: 'The provider is unavailable. The call fails with PROVIDER_UNAVAILABLE before money moves.',
    payment: 'away',
    lookup: 'away',
  },
} as const satisfies Readonly<Record<string, ScenarioDefinition>>;

export type Scenario = keyof typeof scenarios;

const names = Object.keys(scenarios) as Scenario[];
const definitions: Readonly<Record<Scenario, ScenarioDefinition>> = scenarios;

/** Scenarios that apply to a payment after its money is held. */
export const paymentScenarios = names.filter((name) => definitions[name].payment !== 'away');
export const lookupScenarios = names.filter((name) => definitions[name].lookup !== undefined);

/** Scenarios that can have a decline reason. A reversal has none, because it follows a success. */
export const decliningScenarios: readonly Scenario[] = ['decline', 'pending_then_failure'];
export const reasonsToDecline = (Object.keys(declineReasons) as DeclineReason[]).filter(
  (reason) => !reason.startsWith('REVERSED_BY_'),
);

/** Selected outcome of a call. */
export interface ChosenScenario {
  scenario: Scenario;
  /** Reason for a decline; null for the default reason. */
  reason: DeclineReason | null;
}

export const paymentScriptOf = (scenario: Scenario): MoneyScript | 'away' => definitions[scenario].payment;
export const lookupScriptOf = (scenario: Scenario): LookupScript | 'away' => definitions[scenario].lookup ?? 'success';

/**
 * Store of the scenarios of callers. Each scenario applies to a single call; of several concurrent calls, exactly one uses it.
 */
export interface Scenarios {
  /** Uses the scenario for this call if it simulates an outage. Any other scenario remains unused. */
  takeOutage(caller: Caller, account: string): Promise<boolean>;
  /** Uses the scenario for a payment. It also applies to the status checks of the payment. */
  takeForOrder(caller: Caller, account: string, reference: string): Promise<ChosenScenario | undefined>;
  /** Returns the scenario that a payment has used. */
  ofOrder(reference: string): Promise<ChosenScenario | undefined>;
  /** Uses the scenario for a call without status checks. */
  takeForLookup(caller: Caller, account: string): Promise<ChosenScenario | undefined>;
}
