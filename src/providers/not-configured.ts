import type { ProviderHttpClient } from './http-client.js';

/** Stands for the connections of a provider that has no URL here: whoever needs it is refused before money moves. */
export const notConfigured: ProviderHttpClient = {
  available: false,
  send: async () => ({ kind: 'never_sent', evidence: { reason: 'breaker_open', elapsedMs: 0 } }),
  close: async () => {},
};
