import { operatorOfOpcode } from '../core/operators.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { Service } from '../core/services.js';
import type { ChargedLookups, LookupAnswer } from '../orders/charged-lookup.js';
import { type Caller, callerOf } from '../providers/calls.js';
import type { Outcome } from '../providers/outcome.js';
import type { DthCustomerInfo, OperatorDetection, PlanGroups, PlansPort } from '../providers/ports/plans.port.js';

export interface MobileLookup {
  /** 10 digits. */
  mobile: string;
  /** The caller's, passed on to the provider. Of equal lookups without one, those within ten minutes are one call. */
  clientRequestId?: string | undefined;
}

export interface MobilePlansLookup extends MobileLookup {
  opcode: string;
  circleCode: string;
}

export interface DthLookup {
  dthNumber: string;
  opcode: string;
  clientRequestId?: string | undefined;
}

/**
 * Operator, plan and DTH lookups (interface.md 4.6 to 4.9): samples in UAT, live and never cached in production, each charged with
 * the fee of its own service. Errors: those of `ChargedLookups.run`.
 */
export class PlanService {
  constructor(
    private readonly lookups: ChargedLookups,
    private readonly providers: { uat: PlansPort; production: PlansPort },
  ) {}

  operatorFind(principal: DeveloperPrincipal, query: MobileLookup): Promise<LookupAnswer<OperatorDetection>> {
    return this.#run(principal, 'operator_fetch', query, query.mobile, (port, ...asked) =>
      port.operatorFetch(...asked),
    );
  }

  async mobilePlans(principal: DeveloperPrincipal, query: MobilePlansLookup): Promise<LookupAnswer<PlanGroups>> {
    return named(
      await this.#run(principal, 'operator_plan_fetch', query, query.mobile, (port, ...asked) =>
        port.mobilePlans(...asked),
      ),
      query.opcode,
    );
  }

  async dthPlans(principal: DeveloperPrincipal, query: DthLookup): Promise<LookupAnswer<PlanGroups>> {
    return named(
      await this.#run(principal, 'dth_plan_fetch', query, query.dthNumber, (port, ...asked) => port.dthPlans(...asked)),
      query.opcode,
    );
  }

  dthInfo(principal: DeveloperPrincipal, query: DthLookup): Promise<LookupAnswer<DthCustomerInfo[]>> {
    return this.#run(principal, 'dth_info', query, query.dthNumber, (port, ...asked) => port.dthInfo(...asked));
  }

  /** A provider wants an id of each lookup: where the caller has none, it is our reference. */
  #run<Value, Query extends { clientRequestId?: string | undefined }>(
    principal: DeveloperPrincipal,
    service: Service,
    query: Query,
    account: string,
    ask: (port: PlansPort, query: Query & { clientRequestId: string }, caller: Caller) => Promise<Outcome<Value>>,
  ): Promise<LookupAnswer<Value>> {
    const port = this.providers[principal.environment];
    return this.lookups.run({
      principal,
      operation: 'lookup',
      service,
      identity: query,
      account,
      provider: port.provider,
      available: port.available,
      call: (reference) => {
        const { clientRequestId = reference } = query;
        return ask(port, { ...query, clientRequestId }, callerOf(principal, query.clientRequestId));
      },
    });
  }
}

/** A provider that names no operator gets the name of the opcode. */
const named = (answer: LookupAnswer<PlanGroups>, opcode: string): LookupAnswer<PlanGroups> => ({
  ...answer,
  value: { ...answer.value, operator: answer.value.operator || (operatorOfOpcode(opcode)?.name ?? opcode) },
});
