import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import type { Evidence, Outcome } from './outcome.js';

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
  /** Whether this call is to find the provider away; asked once, before money moves. */
  isAway?(caller: Caller, account: string): Promise<boolean>;
}

/** When a client may try a provider again whose breaker is open. */
const RETRY_AFTER_MS = 5_000;

const providerUnavailable = (): AppError => new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS });

/** Nothing is begun that cannot be sent. Errors: PROVIDER_UNAVAILABLE while the provider's breaker is open. */
export function assertAvailable(port: { readonly available: boolean }): void {
  if (!port.available) throw providerUnavailable();
}

/** The same, and that its caller does not want it away. Errors: PROVIDER_UNAVAILABLE. */
export async function assertReachable(
  port: { readonly available: boolean } & MayBeAway,
  caller: Caller,
  account: string,
): Promise<void> {
  assertAvailable(port);
  if (await port.isAway?.(caller, account)) throw providerUnavailable();
}

/**
 * Asks a provider for something that costs nothing, so that there is no order behind it: once, and whatever it does not accept
 * has failed. Errors: PROVIDER_UNAVAILABLE when nothing was sent because the breaker is open, PROVIDER_FAILED.
 *
 * @param refused the error of a failure that was proven, where it is another one
 */
export async function askForFree<Value>(
  port: { readonly available: boolean },
  ask: () => Promise<Outcome<Value>>,
  refused?: (evidence: Evidence) => AppError | undefined,
): Promise<Value> {
  assertAvailable(port);
  const outcome = await ask();
  if (outcome.kind === 'accepted') return outcome.value;
  if (outcome.evidence.reason === 'breaker_open') throw providerUnavailable();
  throw (outcome.kind === 'declined' && refused?.(outcome.evidence)) || new AppError('PROVIDER_FAILED');
}
