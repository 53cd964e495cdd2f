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

  async isDown(caller: Caller, account: string): Promise<boolean> {
    return caller.hasScenarios && ((await this.scenarios?.takeOutage(caller, account)) ?? false);
  }

  async ofPayment(caller: Caller | undefined, account: string, reference: string): Promise<ChosenPayment> {
    const chosen = caller?.hasScenarios ? await this.scenarios?.takeForOrder(caller, account, reference) : undefined;
    return paymentOf(chosen, account);
  }

  async ofStatusCheck(account: string, reference: string): Promise<ChosenPayment> {
    return paymentOf(await this.scenarios?.ofOrder(reference), account);
  }

  async ofLookup(caller: Caller | undefined, account: string): Promise<LookupScript | 'away'> {
    const chosen = caller?.hasScenarios ? await this.scenarios?.takeForLookup(caller, account) : undefined;
    return chosen ? lookupScriptOf(chosen.scenario) : scriptOf(account).lookup;
  }
}

function paymentOf(chosen: ChosenScenario | undefined, account: string): ChosenPayment {
  const script = chosen && paymentScriptOf(chosen.scenario);
  // a simulated outage applies only before money moves
  if (script === undefined || script === 'away') return { script: scriptOf(account).money };
  return { script, ...(chosen?.reason ? { failureCode: chosen.reason } : {}) };
}
