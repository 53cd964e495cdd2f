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

/** What a payment is found by beside its own ids. */
export interface SearchTerms {
  providerTxnId?: string;
  /** Of a recharge: the operator's reference. */
  operatorRef?: string;
  /** Of a card payment. */
  utr?: string;
  /** The last 4 characters of its card. */
  cardLast4?: string;
}

const HASH_BYTES = 16;

/**
 * What `order_search` holds of a payment: keyed hashes, so that neither an account nor a reference can be read there, and equal texts
 * of different kinds do not meet. The first 16 bytes of each; 2⁶⁴ orders later two of them might be equal.
 */
export class OrderSearch {
  constructor(private readonly pepper: Secret) {}

  /** Mobile or subscriber number, as the hold writes it. */
  ofAccount(account: string): Buffer {
    return accountHash(this.pepper, account).subarray(0, HASH_BYTES);
  }

  /** As providers write it; case does not count. */
  of(kind: keyof SearchTerms, text: string): Buffer {
    return keyedHash(this.pepper, `order-search ${kind}`, text.trim().toUpperCase()).subarray(0, HASH_BYTES);
  }

  /** The hashes of all that is known, one after the other. */
  ofAll(terms: SearchTerms): Buffer {
    const kinds = ['providerTxnId', 'operatorRef', 'utr', 'cardLast4'] as const;
    return Buffer.concat(kinds.flatMap((kind) => (terms[kind] ? [this.of(kind, terms[kind])] : [])));
  }
}

/** What the order's row holds of its account. */
export const accountHash = (pepper: Secret, account: string): Buffer => keyedHash(pepper, 'account', account);
