import type { Paise } from '../../core/money.js';

/** What a callback says. It proves nothing: it is a reason to ask the provider. */
export interface ProviderCallback {
  /** Our reference, as `referenceOf` writes it. */
  reference: string;
  says: 'success' | 'failure' | 'pending' | 'unexpected';
  /** The provider's word, when it is a short one. */
  providerStatus?: string;
  providerTxnId?: string;
  amountPaise?: Paise;
}

/** How one provider writes its callbacks. */
export interface CallbackFormat {
  /** @param fields query and body, names in lower case. Undefined when it does not say which order it is about. */
  parse(fields: ReadonlyMap<string, string>): ProviderCallback | undefined;
}

/** The callbacks of one provider. */
export interface ProviderCallbacks extends CallbackFormat {
  /** In the path: /callbacks/{name}; also the key of its secret and addresses. */
  readonly name: string;
  /** Whose orders they may speak of. */
  readonly provider: string;
}
