import type { Environment } from '../../core/environment.js';
import type { DeveloperId } from '../../core/principal.js';

/** Who calls, and by which key of its own. A provider never learns it: the sandbox finds by it what its caller wants to happen. */
export interface Caller {
  developerId: DeveloperId;
  environment: Environment;
  clientRequestId: string | null;
  /** Whether it wants anything at all; see `DeveloperPrincipal`. */
  hasScenarios: boolean;
}

/** The caller of a call with a key. */
export const callerOf = (
  { developerId, environment, hasScenarios }: Omit<Caller, 'clientRequestId'>,
  clientRequestId: string | null | undefined,
): Caller => ({ developerId, environment, hasScenarios, clientRequestId: clientRequestId ?? null });

/** Where callers can have the provider away. */
export interface MayBeAway {
  /** Whether this call is to find nobody; asked once, before money moves. */
  isAway?(caller: Caller, account: string): Promise<boolean>;
}
