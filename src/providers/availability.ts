import { AppError } from '../core/errors.js';

/** When a client may try a provider again whose breaker is open. */
const RETRY_AFTER_MS = 5_000;

export const providerUnavailable = (): AppError =>
  new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS });

/** Nothing is begun that cannot be sent. Errors: PROVIDER_UNAVAILABLE while the provider's breaker is open. */
export function assertAvailable(port: { readonly available: boolean }): void {
  if (!port.available) throw providerUnavailable();
}
