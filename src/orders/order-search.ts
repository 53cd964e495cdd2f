import { keyedHash, type Secret } from '../core/secret.js';

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
  readonly #pepper: Secret;

  constructor(pepper: Secret) {
    this.#pepper = pepper;
  }

  /** Mobile or subscriber number, as the hold writes it. */
  ofAccount(account: string): Buffer {
    return accountHash(this.#pepper, account).subarray(0, HASH_BYTES);
  }

  /** As providers write it; case does not count. */
  of(kind: keyof SearchTerms, text: string): Buffer {
    return keyedHash(this.#pepper, `order-search ${kind}`, text.trim().toUpperCase()).subarray(0, HASH_BYTES);
  }

  /** The hashes of all that is known, one after the other. */
  ofAll(terms: SearchTerms): Buffer {
    const kinds = ['providerTxnId', 'operatorRef', 'utr', 'cardLast4'] as const;
    return Buffer.concat(kinds.flatMap((kind) => (terms[kind] ? [this.of(kind, terms[kind])] : [])));
  }
}

/** What the order's row holds of its account. */
export const accountHash = (pepper: Secret, account: string): Buffer => keyedHash(pepper, 'account', account);
