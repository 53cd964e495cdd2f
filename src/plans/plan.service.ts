import type { DeveloperPrincipal } from '../core/principal.js';
import type { ChargedLookups, LookupAnswer } from '../orders/charged-lookup.js';
import { callerOf } from '../providers/calls.js';
import {
  accountOf,
  type PlanCall,
  type PlanCalls,
  type PlanQuery,
  type PlansPort,
  type PlanValue,
  serviceOfCall,
} from '../providers/ports/plans.port.js';

/** With the caller's id, which is passed on to the provider. Of equal lookups without one, those within ten minutes are one call. */
export type AskedLookup<Call extends PlanCall> = PlanQuery<Call> & { clientRequestId?: string | undefined };

/**
 * Operator, plan and DTH lookups (interface.md 4.6 to 4.9): samples in UAT, live and never cached in production, each charged with
 * the fee of its own service. Errors: those of `ChargedLookups.run`.
 */
export class PlanService {
  constructor(
    private readonly lookups: ChargedLookups,
    private readonly providers: { uat: PlansPort; production: PlansPort },
  ) {}

  /** A provider wants an id of each lookup: where the caller has none, it is our reference. */
  lookUp<Call extends PlanCall>(
    principal: DeveloperPrincipal,
    call: Call,
    query: AskedLookup<Call>,
  ): Promise<LookupAnswer<PlanValue<Call>>> {
    const port = this.providers[principal.environment];
    const calls: PlanCalls = port;
    return this.lookups.run({
      principal,
      operation: 'lookup',
      service: serviceOfCall[call],
      identity: query,
      account: accountOf(query),
      provider: port.provider,
      available: port.available,
      call: (reference) => {
        const { clientRequestId = reference } = query;
        return calls[call]({ ...query, clientRequestId }, callerOf(principal, query.clientRequestId));
      },
    });
  }
}
