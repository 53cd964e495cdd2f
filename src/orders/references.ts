import type { Environment } from '../core/environment.js';
import { referenceOf } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { Operation } from '../ledger/ledger.service.js';
import { isPayment } from './states.js';

/** Whose key it is, and of what. */
export interface KeyScope {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
}

/**
 * The reference that a provider is sent, and our api_request_id: 25 characters, upper-case base36. That of a payment with a key
 * follows from the key, so that a key whose order was lost (a restore to an older point, a failover without the newest commits)
 * comes to the provider under the same reference, and one that knows it answers with what it has performed.
 *
 * @param secret never changed: a new one would give known keys new references
 */
export function referenceFor(secret: Secret, scope: KeyScope, clientKey: string | null, orderId: string): string {
  const { developerId, environment, operation } = scope;
  // the keys of lookups are given back, and used again for other calls
  if (clientKey === null || !isPayment(operation)) return referenceOf(orderId);
  const text = JSON.stringify([developerId, environment, operation, clientKey]);
  return referenceOf(keyedHash(secret, 'order-reference', text).toString('hex', 0, 16));
}
