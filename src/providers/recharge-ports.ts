import type { Environment } from '../core/environment.js';
import type { CircleFinder } from './ports/circle-finder.port.js';
import type { RechargePort } from './ports/recharge.port.js';

/** The ports of recharges: UAT's own, and one of each provider. */
export class RechargePorts {
  readonly #uat: RechargePort;
  readonly #production: ReadonlyMap<string, RechargePort>;
  /** Finds the circle of a number for providers that need one. */
  readonly circleFinder: CircleFinder;

  /** Errors: a provider needs a circle, and none can find one. */
  constructor(uat: RechargePort, production: readonly RechargePort[]) {
    this.#uat = uat;
    this.#production = new Map(production.map((port) => [port.provider, port]));
    const finder = production.find((port) => port.findCircle);
    const seeker = production.find((port) => port.needsCircle);
    if (seeker && !finder)
      throw new Error(`${seeker.provider} needs the circle of a number, and no provider can find one.`);
    this.circleFinder = { findCircle: async (mobile) => finder?.findCircle?.(mobile) };
  }

  /** The port for the calls of an environment by a developer to whom `assigned` is assigned; in UAT no provider is ever called. */
  of(environment: Environment, assigned: string): RechargePort {
    return environment === 'uat' ? this.#uat : (this.#production.get(assigned) ?? absent(assigned));
  }

  get all(): RechargePort[] {
    return [this.#uat, ...this.production];
  }

  get production(): RechargePort[] {
    return [...this.#production.values()];
  }
}

/** A provider that a newer version of the service knows, while this process is still of the older one. */
const absent = (provider: string): RechargePort => ({
  provider,
  available: false,
  needsCircle: false,
  canEnquire: false,
  notFoundIsFinal: false,
  operatorProblem: () => undefined,
  recharge: async () => ({ kind: 'declined', evidence: { reason: 'never_sent' } }),
  enquire: async () => ({ kind: 'unknown', evidence: { reason: 'never_sent' } }),
});
