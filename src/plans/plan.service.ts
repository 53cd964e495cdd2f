import { operatorOfOpcode } from '../core/operators.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { Service } from '../core/services.js';
import type { ChargedLookups, LookupAnswer } from '../orders/charged-lookup.js';
import type { Outcome } from '../providers/outcome.js';
import { type Caller, callerOf } from '../providers/ports/caller.js';
import type { DthCustomerInfo, OperatorDetection, PlanGroups, PlansPort } from '../providers/ports/plans.port.js';

export interface MobileLookup {
  /** 10 digits. */
  mobile: string;
  /** The caller's, passed on to the provider. */
  clientRequestId: string;
}

export interface MobilePlansLookup extends MobileLookup {
  opcode: string;
  circleCode: string;
}

export interface DthLookup {
  dthNumber: string;
  opcode: string;
  clientRequestId: string;
}

/**
 * Operator, plan and DTH lookups (interface.md 4.6 to 4.9): samples in UAT, live and never cached in production, each charged with
 * the fee of its own service. Errors: those of `ChargedLookups.run`.
 */
export class PlanService {
  readonly #lookups: ChargedLookups;
  readonly #providers: { uat: PlansPort; production: PlansPort };

  constructor(lookups: ChargedLookups, providers: { uat: PlansPort; production: PlansPort }) {
    this.#lookups = lookups;
    this.#providers = providers;
  }

  operatorFind(principal: DeveloperPrincipal, query: MobileLookup): Promise<LookupAnswer<OperatorDetection>> {
    return this.#run(principal, 'operator_fetch', query, query.mobile, (port, caller) =>
      port.operatorFetch(query, caller),
    );
  }

  async mobilePlans(principal: DeveloperPrincipal, query: MobilePlansLookup): Promise<LookupAnswer<PlanGroups>> {
    return named(
      await this.#run(principal, 'operator_plan_fetch', query, query.mobile, (port, caller) =>
        port.mobilePlans(query, caller),
      ),
      query.opcode,
    );
  }

  async dthPlans(principal: DeveloperPrincipal, query: DthLookup): Promise<LookupAnswer<PlanGroups>> {
    return named(
      await this.#run(principal, 'dth_plan_fetch', query, query.dthNumber, (port, caller) =>
        port.dthPlans(query, caller),
      ),
      query.opcode,
    );
  }

  dthInfo(principal: DeveloperPrincipal, query: DthLookup): Promise<LookupAnswer<DthCustomerInfo[]>> {
    return this.#run(principal, 'dth_info', query, query.dthNumber, (port, caller) => port.dthInfo(query, caller));
  }

  #run<Value>(
    principal: DeveloperPrincipal,
    service: Service,
    query: { clientRequestId: string },
    account: string,
    ask: (port: PlansPort, caller: Caller) => Promise<Outcome<Value>>,
  ): Promise<LookupAnswer<Value>> {
    const port = this.#providers[principal.environment];
    return this.#lookups.run({
      principal,
      operation: 'lookup',
      service,
      identity: query,
      account,
      provider: port.provider,
      available: port.available,
      call: () => ask(port, callerOf(principal, query.clientRequestId)),
    });
  }
}

/** A provider that names no operator gets the name of the opcode. */
const named = (answer: LookupAnswer<PlanGroups>, opcode: string): LookupAnswer<PlanGroups> => ({
  ...answer,
  value: { ...answer.value, operator: answer.value.operator || (operatorOfOpcode(opcode)?.name ?? opcode) },
});
