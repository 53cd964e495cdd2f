import { paidShortNames } from '../config/provider.settings.js';
import { banksathi } from './banksathi/banksathi.provider.js';
import { type DeclineReason, declineReasons } from './decline-reasons.js';
import { ekychub } from './ekychub/ekychub.provider.js';
import { inspay } from './inspay/inspay.provider.js';
import { mokshiq } from './mokshiq/mokshiq.provider.js';
import type { Evidence } from './outcome.js';
import type { ProviderCallbacks } from './ports/callback.port.js';
import type { Provider, ProviderName } from './provider.js';
import { roundpay } from './roundpay/roundpay.provider.js';

/**
 * Who performs recharges; an admin assigns one to each developer and white label, and the first is the default. A row here is all
 * that a provider needs in addition to its folder: settings, enum of the graph, status checks, callbacks and statements follow from it.
 */
export const rechargeProviders = [roundpay, mokshiq] as const;
export type RechargeProvider = (typeof rechargeProviders)[number]['name'];

export const rechargeProviderNames: readonly RechargeProvider[] = rechargeProviders.map(({ name }) => name);
export const defaultRechargeProvider: RechargeProvider = rechargeProviders[0].name;

/** Who performs everything else. */
export const cardBillProvider = inspay;
export const planProvider = ekychub;
export const leadProvider = banksathi;

export const allProviders: readonly Provider[] = [...rechargeProviders, planProvider, cardBillProvider, leadProvider];

/** In settings, paths and metrics. */
export const shortName = <Name extends ProviderName>({ name }: { readonly name: Name }) =>
  name.toLowerCase() as Lowercase<Name>;

const paid: ReadonlySet<string> = new Set(paidShortNames);
/** Those that real money is sent to. */
export const paidProviders: readonly Provider[] = allProviders.filter((row) => paid.has(shortName(row)));

/** Those that call back. */
export const callbacks: readonly ProviderCallbacks[] = allProviders.flatMap((row) =>
  row.callback ? [{ ...row.callback, name: shortName(row), provider: row.name }] : [],
);

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
