import type { RequestContext } from '../core/context.js';
import type { Charged } from '../graphql-toolkit/graphql-types.js';
import type { LookupAnswer } from '../orders/charged-lookup.js';
import type { PlanGroups } from '../providers/ports/plans.port.js';
import type { PlansResult } from './plan.types.js';

/** What every charged answer says; a repetition that cost nothing is marked on the response. */
export function chargedView<Value>(
  { feePaise, balancePaise, replayed }: LookupAnswer<Value>,
  message: string,
  context: RequestContext,
): Charged {
  if (replayed) context.replayed = true;
  return { message, fee: feePaise, walletBalance: balancePaise };
}

export const plansView = (answer: LookupAnswer<PlanGroups>, orderId: string, context: RequestContext): PlansResult => ({
  ...chargedView(answer, 'Plans fetched successfully.', context),
  orderId,
  operator: answer.value.operator,
  found: answer.value.groups,
});
