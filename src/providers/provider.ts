import type { ProviderSettings, paidShortNames, ShortName } from '../config/provider.settings.js';
import type { DeclineReason } from './decline-reasons.js';
import type { ProviderHttpClient } from './http-client.js';
import type { CallbackFormat } from './ports/callback.port.js';
import type { RechargePort } from './ports/recharge.port.js';

/**
 * Opens one base URL of a provider, with connections, timeout, bulkhead and breaker of its own. `name` is for metrics and logs.
 * Without a URL the provider is not configured: it is not available, and nothing is ever sent.
 */
export type Connect = (name: string, baseUrl: string | undefined) => ProviderHttpClient;

/** What a line of a provider's statement says happened. */
export const statementStatuses = ['succeeded', 'failed', 'pending', 'reversed'] as const;
export type StatementStatus = (typeof statementStatuses)[number];

/** As orders keep it: capital letters. In lower case it stands in settings, paths, metrics and the simulator. */
export type ProviderName = Uppercase<ShortName>;

/** A provider as its folder describes it. A row in `registry.ts` makes it a part of the service. */
export interface Provider<Name extends ProviderName = ProviderName, Port = unknown> {
  readonly name: Name;
  create(settings: ProviderSettings[Lowercase<Name>], connect: Connect): Port;
  /** How it calls us back; nothing for one that does not. */
  readonly callback?: CallbackFormat;
  /** Status codes of its own statements, beside the common words. */
  readonly statementWords?: Readonly<Record<string, StatementStatus>>;
  /** What its documented codes of failure mean to a customer; the others say nothing. */
  readonly declineCodes?: Readonly<Record<string, DeclineReason>>;
}

/** One that performs recharges: an admin assigns it to developers and white labels. */
export interface RechargeProviderRow<Name extends ProviderName = ProviderName>
  extends Provider<Name, RechargePort<Name>> {
  /** For the admins who choose it. */
  readonly description: string;
}

/** Ties the port to the name. */
export const provider = <Name extends ProviderName, Port extends { readonly provider: Name }>(
  row: Provider<Name, Port>,
): Provider<Name, Port> => row;

/** The same for one that performs recharges: money is sent to it. */
export const rechargeProvider = <Name extends Uppercase<(typeof paidShortNames)[number]>>(
  row: RechargeProviderRow<Name>,
): RechargeProviderRow<Name> => row;
