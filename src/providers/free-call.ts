import { AppError } from '../core/errors.js';
import { assertAvailable, providerUnavailable } from './availability.js';
import type { Evidence, Outcome } from './outcome.js';

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
