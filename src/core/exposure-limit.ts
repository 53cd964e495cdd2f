import type { Paise } from './money.js';

/** Payments without a final status at which one provider gets no new payments; 0: no limit. */
export interface ExposureLimit {
  payments: number;
  amountPaise: Paise;
}

/** By provider, with the one of all others. */
export interface ExposureLimits {
  otherwise: ExposureLimit;
  byProvider: ReadonlyMap<string, ExposureLimit>;
}
