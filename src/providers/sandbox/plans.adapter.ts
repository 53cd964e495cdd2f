import { circles } from '../../core/circles.js';
import type { Caller } from '../calls.js';
import type { Outcome } from '../outcome.js';
import type { DthCustomerInfo, OperatorDetection, PlansPort } from '../ports/plans.port.js';
import { ChosenScripts } from './chosen-scripts.js';
import { dthCatalogue, mobileCatalogue } from './plans/plan-catalogue.js';
import { samplePerson } from './sample-people.js';
import { sampleDigits, sampleInteger, samplePick } from './sample-values.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { replyToLookup } from './sandbox.scripts.js';
import { declined, ScriptedAnswers } from './scripted-answers.js';

const companies = ['Airtel', 'Jio', 'Vi', 'BSNL'];
const minimumRecharges = ['100', '150', '200', '250', '300'];

/**
 * Sample lookups of UAT: no network. What the caller wants decides the outcome, else the mobile or DTH number (`scriptOf`). An opcode or circle
 * code that is not listed (interface.md 2.12) is declined, as a provider does. Plan groups are built once and frozen.
 */
export function createSandboxPlans(options: SandboxOptions): PlansPort & Closable {
  const answers = new ScriptedAnswers(options);
  const chosen = new ChosenScripts(options.scenarios);

  async function lookup<T>(identifier: string, caller: Caller | undefined, sample: T | undefined): Promise<Outcome<T>> {
    if (sample === undefined) return declined();
    return answers.answer(replyToLookup[await chosen.ofLookup(caller, identifier)], () => sample);
  }

  return {
    provider: 'SANDBOX',
    available: true,
    operatorFetch: ({ mobile }, caller) => lookup(mobile, caller, detectionOf(mobile)),
    mobilePlans: ({ mobile, opcode, circleCode }, caller) =>
      lookup(mobile, caller, mobileCatalogue(opcode, circleCode)),
    dthPlans: ({ dthNumber, opcode }, caller) => lookup(dthNumber, caller, dthCatalogue(opcode)),
    dthInfo: ({ dthNumber, opcode }, caller) =>
      lookup(dthNumber, caller, dthCatalogue(opcode) && [customerOf(dthNumber, opcode)]),
    close: async () => answers.close(),
  };
}

/** Numbers of one series (the first five digits) belong to one operator and circle, as series are allotted. */
function detectionOf(mobile: string): OperatorDetection {
  const series = mobile.slice(0, 5);
  const circle = samplePick(`circle:${series}`, circles);
  return {
    number: `${mobile.slice(0, -3)}xxx`,
    company: samplePick(`company:${series}`, companies),
    circle: circle.name,
    circleCode: circle.code,
  };
}

function customerOf(dthNumber: string, opcode: string): DthCustomerInfo {
  const seed = `dth:${opcode}:${dthNumber}`;
  return {
    subscriberNumber: dthNumber,
    name: samplePerson(seed),
    balance: `${sampleInteger(`balance:${seed}`, 0, 899)}.${sampleDigits(`paise:${seed}`, 2)}`,
    minimumRecharge: samplePick(`minimum:${seed}`, minimumRecharges),
  };
}
