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
 * Recharge providers. An administrator assigns one to each developer and white label; the first one is the default. Apart from
 * its folder, a provider needs only a row here: settings, GraphQL enum, status checks, callbacks and statements are derived from
 * it.
 */
export const rechargeProviders = [roundpay, mokshiq] as const;
export type RechargeProvider = (typeof rechargeProviders)[number]['name'];

export const rechargeProviderNames: readonly RechargeProvider[] = rechargeProviders.map(({ name }) => name);
export const defaultRechargeProvider: RechargeProvider = rechargeProviders[0].name;

/** Providers of all other services. */
export const cardBillProvider = inspay;
export const planProvider = ekychub;
export const leadProvider = banksathi;

export const allProviders: readonly Provider[] = [...rechargeProviders, planProvider, cardBillProvider, leadProvider];

/** Returns the name of a provider in settings, paths and metrics. */
export const shortName = <Name extends ProviderName>({ name }: { readonly name: Name }) =>
  name.toLowerCase() as Lowercase<Name>;

const paid: ReadonlySet<string> = new Set(paidShortNames);
export const paidProviders: readonly Provider[] = allProviders.filter((row) => paid.has(shortName(row)));

/** Providers that send callbacks. */
export const callbacks: readonly ProviderCallbacks[] = allProviders.flatMap((row) =>
  row.callback ? [{ ...row.callback, name: shortName(row), provider: row.name }] : [],
);

const codesOf = new Map<string, Readonly<Record<string, DeclineReason>>>(
  allProviders.map(({ name, declineCodes = {} }) => [name, declineCodes]),
);
/**
 * Codes of the sandbox. They contain the codes of the default provider and one code for each reason, because callers can select
 * any reason.
 */
const SANDBOX_CODES: Readonly<Record<string, DeclineReason>> = {
  ...codesOf.get(rechargeProviders[0].name)!,
  ...Object.fromEntries((Object.keys(declineReasons) as DeclineReason[]).map((reason) => [reason, reason])),
};

/** Returns whether the provider has documented this code. */
export const isDeclineCode = (provider: string, code: string): boolean =>
  Object.hasOwn(codesOf.get(provider) ?? SANDBOX_CODES, code);

/** Returns the decline reason that follows from the evidence of a failure. */
export function declineReasonOf(provider: string, { reason, providerCode = '' }: Evidence): DeclineReason {
  // the provider does not have the order or never received it
  if (reason === 'never_sent' || reason === 'breaker_open' || reason === 'provider_not_found') return 'NEVER_SENT';
  const codes = codesOf.get(provider) ?? SANDBOX_CODES;
  return Object.hasOwn(codes, providerCode) ? codes[providerCode]! : 'UNSPECIFIED';
}
