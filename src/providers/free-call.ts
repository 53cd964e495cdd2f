import { AppError } from '../core/errors.js';
import { assertAvailable, providerUnavailable } from './availability.js';
import type { Outcome } from './outcome.js';

/**
 * Asks a provider for something that costs nothing, so that there is no order behind it: once, and whatever it does not accept
 * has failed. Errors: PROVIDER_UNAVAILABLE when nothing was sent because the breaker is open, PROVIDER_FAILED.
 */
export async function askForFree<Value>(
  port: { readonly available: boolean },
  ask: () => Promise<Outcome<Value>>,
): Promise<Value> {
  assertAvailable(port);
  const outcome = await ask();
  if (outcome.kind === 'accepted') return outcome.value;
  throw outcome.evidence.reason === 'breaker_open' ? providerUnavailable() : new AppError('PROVIDER_FAILED');
}
