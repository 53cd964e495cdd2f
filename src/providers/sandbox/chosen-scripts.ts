import { type LookupScript, type MoneyScript, scriptOf } from '../../core/magic-numbers.js';
import type { Caller } from '../calls.js';
import { type ChosenScenario, lookupScriptOf, paymentScriptOf, type Scenarios } from './scenarios.js';

/** Outcome of a payment, and the decline code that its caller requested. */
export interface ChosenPayment {
  script: MoneyScript;
  failureCode?: string;
}

/** Determines the outcomes of calls: the scenario of the caller or, without one, the script of the number. */
export class ChosenScripts {
  /**
   * Creates the scripts.
   * @param scenarios omitted if only numbers determine the outcome
   */
  constructor(private readonly scenarios: Scenarios | undefined) {}

  async isAway(caller: Caller, account: string): Promise<boolean> {
    return caller.hasScenarios && ((await this.scenarios?.takeAway(caller, account)) ?? false);
  }

  async ofPayment(caller: Caller | undefined, account: string, reference: string): Promise<ChosenPayment> {
    const wanted = caller?.hasScenarios ? await this.scenarios?.takeForOrder(caller, account, reference) : undefined;
    return paymentOf(wanted, account);
  }

  async ofStatusCheck(account: string, reference: string): Promise<ChosenPayment> {
    return paymentOf(await this.scenarios?.ofOrder(reference), account);
  }

  async ofLookup(caller: Caller | undefined, account: string): Promise<LookupScript | 'away'> {
    const wanted = caller?.hasScenarios ? await this.scenarios?.takeForLookup(caller, account) : undefined;
    return wanted ? lookupScriptOf(wanted.scenario) : scriptOf(account).lookup;
  }
}

function paymentOf(wanted: ChosenScenario | undefined, account: string): ChosenPayment {
  const script = wanted && paymentScriptOf(wanted.scenario);
  // a simulated outage applies only before money moves
  if (script === undefined || script === 'away') return { script: scriptOf(account).money };
  return { script, ...(wanted?.reason ? { failureCode: wanted.reason } : {}) };
}
