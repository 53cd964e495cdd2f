import { type LookupScript, type MoneyScript, scriptOf } from '../../core/magic-numbers.js';
import type { Caller } from '../calls.js';
import { lookupScriptOf, paymentScriptOf, type Scenarios, type Wanted } from './scenarios.js';

/** What a payment comes to, and the code of a decline where its caller wants one. */
export interface ChosenPayment {
  script: MoneyScript;
  failureCode?: string;
}

/** What calls come to: what their callers want, else what their numbers say. */
export class ChosenScripts {
  /** @param scenarios left out where numbers alone decide */
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

function paymentOf(wanted: Wanted | undefined, account: string): ChosenPayment {
  const script = wanted && paymentScriptOf(wanted.scenario);
  // that the provider is away was for the moment before the money moved
  if (script === undefined || script === 'away') return { script: scriptOf(account).money };
  return { script, ...(wanted?.reason ? { failureCode: wanted.reason } : {}) };
}
