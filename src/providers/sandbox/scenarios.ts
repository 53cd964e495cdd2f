import type { LookupScript, MoneyScript } from '../../core/magic-numbers.js';
import type { Caller } from '../calls.js';
import { type DeclineReason, declineReasons } from '../decline-reasons.js';

/** What a scenario makes of a call, in the scripts that magic numbers have. A lookup takes none that says nothing about lookups. */
interface Meaning {
  description: string;
  payment: MoneyScript | 'away';
  lookup?: LookupScript | 'away';
}

/** What a caller of UAT may want of a call, by name. */
export const scenarios = {
  decline: {
    description: 'The provider declines; the money comes back. A lookup fails.',
    payment: 'declined',
    lookup: 'failure',
  },
  pending_then_success: {
    description: 'The outcome is not known at first; the third status check says success.',
    payment: 'pending_then_success',
  },
  pending_then_failure: {
    description:
      'The outcome is not known at first; the third status check says that it failed, and the money comes back.',
    payment: 'pending_then_failed',
  },
  success_then_reversal: {
    description: 'A success that is taken back a few seconds later.',
    payment: 'success_then_reversed',
  },
  timeout: {
    description: 'No answer in time, although it was performed: the first status check says success. A lookup fails.',
    payment: 'silent_performed',
    lookup: 'silent',
  },
  provider_down: {
    description: 'The provider cannot be reached: PROVIDER_UNAVAILABLE before any money moves.',
    payment: 'away',
    lookup: 'away',
  },
} as const satisfies Readonly<Record<string, Meaning>>;

export type Scenario = keyof typeof scenarios;

const names = Object.keys(scenarios) as Scenario[];
const meanings: Readonly<Record<Scenario, Meaning>> = scenarios;

/** Those that a kind of call takes: a payment, once its money is held. */
export const paymentScenarios = names.filter((name) => meanings[name].payment !== 'away');
export const lookupScenarios = names.filter((name) => meanings[name].lookup !== undefined);

/** Those that may say why, and what they may say: a reversal follows a success. */
export const declining: readonly Scenario[] = ['decline', 'pending_then_failure'];
export const reasonsToDecline = (Object.keys(declineReasons) as DeclineReason[]).filter(
  (reason) => !reason.startsWith('REVERSED_BY_'),
);

/** What a call is going to come to. */
export interface Wanted {
  scenario: Scenario;
  /** Of a decline; null for the usual one. */
  reason: DeclineReason | null;
}

export const paymentScriptOf = (scenario: Scenario): MoneyScript | 'away' => meanings[scenario].payment;
export const lookupScriptOf = (scenario: Scenario): LookupScript | 'away' => meanings[scenario].lookup ?? 'success';

/** What callers want of their calls. Each is for one call alone: of calls at the same moment exactly one gets it. */
export interface Scenarios {
  /** Takes the one for this call when it is that the provider is away, and leaves any other. */
  takeAway(caller: Caller, account: string): Promise<boolean>;
  /** Takes the one for a payment, which goes on by it when it is asked about. */
  takeForOrder(caller: Caller, account: string, reference: string): Promise<Wanted | undefined>;
  /** The one that a payment took. */
  ofOrder(reference: string): Promise<Wanted | undefined>;
  /** Takes the one for a call that nobody asks about later. */
  takeForLookup(caller: Caller, account: string): Promise<Wanted | undefined>;
}
