import type { Paise } from './money.js';

/** Number and amount of payments without a final status at which a provider receives no new payments; 0 for no limit. */
export interface ExposureLimit {
  payments: number;
  amountPaise: Paise;
}

/** Limits by provider, and the default for all other providers. */
export interface ExposureLimits {
  otherwise: ExposureLimit;
  byProvider: ReadonlyMap<string, ExposureLimit>;
}
