import type { Paise } from '../../core/money.js';

/** Content of a callback. A callback proves nothing and only triggers a status check. */
export interface ProviderCallback {
  /** Our reference, in the format of `referenceOf`. */
  reference: string;
  says: 'success' | 'failure' | 'pending' | 'unexpected';
  /** Status word of the provider, if it is short. */
  providerStatus?: string;
  providerTxnId?: string;
  amountPaise?: Paise;
}

/** Callback format of a provider. */
export interface CallbackFormat {
  /** @param fields query and body, names in lowercase. Undefined if the callback does not identify an order. */
  parse(fields: ReadonlyMap<string, string>): ProviderCallback | undefined;
}

/** Callbacks of a provider. */
export interface ProviderCallbacks extends CallbackFormat {
  /** Name in the path /callbacks/{name}, and in the settings of its secret and addresses. */
  readonly name: string;
  /** Provider whose orders the callbacks can refer to. */
  readonly provider: string;
}
