import { type DeclineReason, declineReasons } from './decline-reasons.js';
import type { Evidence } from './outcome.js';
import { allProviders, rechargeProviders } from './registry.js';

const codesOf = new Map<string, Readonly<Record<string, DeclineReason>>>(
  allProviders.map(({ name, declineCodes = {} }) => [name, declineCodes]),
);
/** The sandbox has the codes of the default provider, and each reason as a code of its own: its callers may want any. */
const SANDBOX_CODES: Readonly<Record<string, DeclineReason>> = {
  ...codesOf.get(rechargeProviders[0].name)!,
  ...Object.fromEntries((Object.keys(declineReasons) as DeclineReason[]).map((reason) => [reason, reason])),
};

/** Whether a provider's code is one of the documented ones. */
export const isDeclineCode = (provider: string, code: string): boolean =>
  Object.hasOwn(codesOf.get(provider) ?? SANDBOX_CODES, code);

/** The reason that the evidence of a failure gives. */
export function declineReasonOf(provider: string, { reason, providerCode = '' }: Evidence): DeclineReason {
  // what its provider does not have, or never got
  if (reason === 'never_sent' || reason === 'breaker_open' || reason === 'provider_not_found') return 'NEVER_SENT';
  const codes = codesOf.get(provider) ?? SANDBOX_CODES;
  return Object.hasOwn(codes, providerCode) ? codes[providerCode]! : 'UNSPECIFIED';
}
