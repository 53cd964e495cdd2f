import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import type { Evidence, Outcome } from './outcome.js';

/** Caller and its idempotency key. They are never sent to a provider. The sandbox uses it to find the selected scenario. */
export interface Caller {
  developerId: DeveloperId;
  environment: Environment;
  clientRequestId: string | null;
  /** Whether the caller can use sandbox scenarios; see `DeveloperPrincipal`. */
  hasScenarios: boolean;
}

export const callerOf = (
  { developerId, environment, hasScenarios }: Omit<Caller, 'clientRequestId'>,
  clientRequestId: string | null | undefined,
): Caller => ({ developerId, environment, hasScenarios, clientRequestId: clientRequestId ?? null });

/** Port for which callers can simulate an outage. */
export interface SimulatesOutage {
  /** Returns whether an outage is simulated for this call. This is checked once, before money moves. */
  isDown?(caller: Caller, account: string): Promise<boolean>;
}

/** Delay after which a client should retry if the breaker of the provider is open. */
const RETRY_AFTER_MS = 5_000;

const providerUnavailable = (): AppError => new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS });

/** Checks that the provider can receive requests. Throws PROVIDER_UNAVAILABLE while the provider's breaker is open. */
export function assertAvailable(port: { readonly available: boolean }): void {
  if (!port.available) throw providerUnavailable();
}

/** Works like `assertAvailable`, but additionally checks for an outage that the caller simulates. Throws PROVIDER_UNAVAILABLE. */
export async function assertReachable(
  port: { readonly available: boolean } & SimulatesOutage,
  caller: Caller,
  account: string,
): Promise<void> {
  assertAvailable(port);
  if (await port.isDown?.(caller, account)) throw providerUnavailable();
}

/**
 * Sends a free call, which has no order, to a provider. The call is sent once, and any outcome that is not accepted is a
 * failure. Throws PROVIDER_UNAVAILABLE if the call was not sent because the breaker is open; PROVIDER_FAILED.
 * @param declinedError error for a proven failure, if it differs from PROVIDER_FAILED
 */
export async function sendFreeCall<Value>(
  port: { readonly available: boolean },
  send: () => Promise<Outcome<Value>>,
  declinedError?: (evidence: Evidence) => AppError | undefined,
): Promise<Value> {
  assertAvailable(port);
  const outcome = await send();
  if (outcome.kind === 'accepted') return outcome.value;
  if (outcome.evidence.reason === 'breaker_open') throw providerUnavailable();
  throw (outcome.kind === 'declined' && declinedError?.(outcome.evidence)) || new AppError('PROVIDER_FAILED');
}
