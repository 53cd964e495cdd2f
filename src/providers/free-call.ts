import { AppError } from '../core/errors.js';
import type { Outcome } from './outcome.js';

/** When a client may try a provider again whose breaker is open. */
const RETRY_AFTER_MS = 5_000;

/**
 * Asks a provider for something that costs nothing, so that there is no order behind it: once, and whatever it does not accept
 * has failed. Errors: PROVIDER_UNAVAILABLE when nothing was sent because the breaker is open, PROVIDER_FAILED.
 */
export async function askForFree<Value>(
  port: { readonly available: boolean },
  ask: () => Promise<Outcome<Value>>,
): Promise<Value> {
  if (!port.available) throw unavailable();
  const outcome = await ask();
  if (outcome.kind === 'accepted') return outcome.value;
  throw outcome.evidence.reason === 'breaker_open' ? unavailable() : new AppError('PROVIDER_FAILED');
}

const unavailable = (): AppError => new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS });
