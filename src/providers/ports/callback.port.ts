import type { Paise } from '../../core/money.js';

/** Content of a callback. A callback proves nothing; it only triggers a status check. */
export interface ProviderCallback {
  /** Our reference, in the format of `referenceOf`. */
  reference: string;
  status: 'success' | 'failure' | 'pending' | 'unexpected';
  /** Status word of the provider. It is omitted if it is too long. */
  providerStatus?: string;
  providerTxnId?: string;
  amountPaise?: Paise;
}

/** Callback format of a provider. */
export interface CallbackFormat {
  /**
   * Parses a callback. Returns undefined if the callback does not identify an order.
   * @param fields fields of query and body, with lowercase names
   */
  parse(fields: ReadonlyMap<string, string>): ProviderCallback | undefined;
}

/** Callback format of a provider, with its names. */
export interface ProviderCallbacks extends CallbackFormat {
  /** Provider name in the path /callbacks/{name}, and in the settings of its secret and addresses. */
  readonly name: string;
  /** Provider whose orders the callbacks can refer to. */
  readonly provider: string;
}
