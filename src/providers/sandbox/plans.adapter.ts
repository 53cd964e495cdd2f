import { dthCatalogue, mobileCatalogue } from '../../samples/plans.js';
import { companyOf, sampleDthCustomer, sampleSubscriber } from '../../samples/subscribers.js';
import {
  accountOf,
  everyCall,
  type OperatorDetection,
  type PlanCall,
  type PlanLookup,
  type PlanQuery,
  type PlansPort,
  type PlanValue,
} from '../ports/plans.port.js';
import { ChosenScripts } from './chosen-scripts.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { replyToLookup } from './sandbox.scripts.js';
import { declined, ScriptedResponses } from './scripted-responses.js';

/**
 * Creates sample lookups for UAT. They use no network. The outcome is determined by the scenario of the caller, otherwise by the
 * mobile or DTH number (`scriptOf`). An unlisted opcode or circle code (interface.md 2.12) is declined, as by a provider. Plan
 * groups are created once and frozen.
 */
export function createSandboxPlans(options: SandboxOptions): PlansPort & Closable {
  const responses = new ScriptedResponses(options);
  const chosen = new ChosenScripts(options.scenarios);

  const call =
    <Call extends PlanCall>(name: Call): PlanLookup<Call> =>
    async (query, caller) => {
      const sample = samples[name](query);
      if (sample === undefined) return declined();
      return responses.respond(replyToLookup[await chosen.ofLookup(caller, accountOf(query))], () => sample);
    };

  return { provider: 'SANDBOX', available: true, ...everyCall(call), close: async () => responses.close() };
}

/** Result of each lookup in UAT. It is undefined if the lookup is declined. */
const samples: { [Call in PlanCall]: (query: PlanQuery<Call>) => PlanValue<Call> | undefined } = {
  operatorFetch: ({ mobile }) => detectionOf(mobile),
  mobilePlans: ({ opcode, circleCode }) => mobileCatalogue(opcode, circleCode),
  dthPlans: ({ opcode }) => dthCatalogue(opcode),
  dthInfo: ({ dthNumber, opcode }) =>
    dthCatalogue(opcode) && [{ subscriberNumber: dthNumber, ...sampleDthCustomer(opcode, dthNumber) }],
};

function detectionOf(mobile: string): OperatorDetection {
  const { operator, circle } = sampleSubscriber(mobile);
  return {
    number: `${mobile.slice(0, -3)}xxx`,
    company: companyOf(operator),
    circle: circle.name,
    circleCode: circle.code,
  };
}
