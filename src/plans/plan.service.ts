import type { DeveloperPrincipal } from '../core/principal.js';
import type { ChargedLookups, LookupResult } from '../orders/charged-lookup.js';
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

/**
 * Lookup with the caller's ID, which is sent to the provider. Identical lookups without an ID within ten minutes are one call.
 */
export type LookupQuery<Call extends PlanCall> = PlanQuery<Call> & { clientRequestId?: string | undefined };

/**
 * Operator, plan and DTH lookups (interface.md 4.6 to 4.9). They return sample data in UAT. In Production, they are live and
 * never cached. Each lookup is charged with the fee of its service. They throw the errors of `ChargedLookups.run`.
 */
export class PlanService {
  constructor(
    private readonly lookups: ChargedLookups,
    private readonly providers: { uat: PlansPort; production: PlansPort },
  ) {}

  /** Runs a lookup. The provider requires an ID for each lookup. If the caller sends none, our reference is used. */
  lookUp<Call extends PlanCall>(
    principal: DeveloperPrincipal,
    call: Call,
    query: LookupQuery<Call>,
  ): Promise<LookupResult<PlanValue<Call>>> {
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
