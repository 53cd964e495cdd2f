import { AppError } from '../core/errors.js';
import type { Caller, MayBeAway } from './ports/caller.js';

/** When a client may try a provider again whose breaker is open. */
const RETRY_AFTER_MS = 5_000;

export const providerUnavailable = (): AppError =>
  new AppError('PROVIDER_UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS });

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
