import type { Room } from '../core/room.js';
import type { ScenarioStore } from '../providers/sandbox/scenario.store.js';
import { RefillResolver } from './refill.resolver.js';
import { type RefillParts, RefillService } from './refill.service.js';
import { ScenarioResolver } from './scenario.resolver.js';

/** Creates the sandbox tools for developers: scenarios and test funds. */
export const createSandbox = (scenarios: ScenarioStore, refill: RefillParts): Room => ({
  resolvers: { api: [new ScenarioResolver(scenarios), new RefillResolver(new RefillService(refill))] },
});
