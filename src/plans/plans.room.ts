import type { Room } from '../core/room.js';
import type { ChargedLookups } from '../orders/charged-lookup.js';
import type { Providers } from '../providers/providers.js';
import { OperatorFindResolver } from './operator-find.resolver.js';
import { PlanResolver } from './plan.resolver.js';
import { PlanService } from './plan.service.js';

/** Creates the module for charged lookups for operators and plans. */
export function createPlans(lookups: ChargedLookups, ports: Providers['plans']): Room {
  const plans = new PlanService(lookups, ports);
  return { resolvers: { api: [new OperatorFindResolver(plans), new PlanResolver(plans)] } };
}
