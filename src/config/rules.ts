import type { Config } from './settings.js';

/** Settings that are right one by one and wrong together. */
interface Rule {
  holds(config: Config): boolean;
  /** Begins with the setting to change. */
  complaint: string;
}

/** What a call may take beyond the provider's time: the hold before it and the resolution after it. */
const WINDOW_MARGIN_MS = 500;

const rules: readonly Rule[] = [
  {
    holds: ({ syncWindowMs, providerTimeoutMs }) => syncWindowMs >= providerTimeoutMs + WINDOW_MARGIN_MS,
    complaint: `SYNC_WINDOW_MS: must be at least PROVIDER_TIMEOUT_MS + ${WINDOW_MARGIN_MS}ms, or callers are answered before their provider can be.`,
  },
  {
    holds: ({ visibilityDelayMs, providerTimeoutMs, leaseMarginMs }) =>
      visibilityDelayMs > providerTimeoutMs + leaseMarginMs,
    complaint:
      'VISIBILITY_DELAY_MS: must be longer than PROVIDER_TIMEOUT_MS + LEASE_MARGIN_MS, or an order that is still being sent counts as not found.',
  },
];

export const contradictionsIn = (config: Config): string[] =>
  rules.filter((rule) => !rule.holds(config)).map(({ complaint }) => complaint);
