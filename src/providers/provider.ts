import type { ProviderSettings, paidShortNames, ShortName } from '../config/provider.settings.js';
import type { DeclineReason } from './decline-reasons.js';
import type { ProviderHttpClient } from './http-client.js';
import type { CallbackFormat } from './ports/callback.port.js';
import type { RechargePort } from './ports/recharge.port.js';

/**
 * Opens a base URL of a provider, with its own connections, timeout, bulkhead and breaker. `name` is for metrics and logs.
 * Without a URL the provider is not configured: it is not available and nothing is sent.
 */
export type Connect = (name: string, baseUrl: string | undefined) => ProviderHttpClient;

/** Status of a row in a provider's statement. */
export const statementStatuses = ['succeeded', 'failed', 'pending', 'reversed'] as const;
export type StatementStatus = (typeof statementStatuses)[number];

/** Name as stored in orders, in capital letters. Settings, paths, metrics and the simulator use it in lowercase. */
export type ProviderName = Uppercase<ShortName>;

/** Provider as described in its folder. A row in `registry.ts` adds it to the service. */
export interface Provider<Name extends ProviderName = ProviderName, Port = unknown> {
  readonly name: Name;
  create(settings: ProviderSettings[Lowercase<Name>], connect: Connect): Port;
  /** Format of its callbacks. Undefined if the provider sends none. */
  readonly callback?: CallbackFormat;
  /** Status codes of its statements, in addition to the common words. */
  readonly statementWords?: Readonly<Record<string, StatementStatus>>;
  /** Meaning of its documented failure codes for a customer. Other codes have no meaning. */
  readonly declineCodes?: Readonly<Record<string, DeclineReason>>;
}

/** Provider of recharges. An administrator assigns it to developers and white labels. */
export interface RechargeProviderRow<Name extends ProviderName = ProviderName>
  extends Provider<Name, RechargePort<Name>> {
  /** Description for the administrators who select it. */
  readonly description: string;
}

/** Ensures that the port has the name of the provider. */
export const provider = <Name extends ProviderName, Port extends { readonly provider: Name }>(
  row: Provider<Name, Port>,
): Provider<Name, Port> => row;

/** Like `provider`, for providers of recharges, which receive money. */
export const rechargeProvider = <Name extends Uppercase<(typeof paidShortNames)[number]>>(
  row: RechargeProviderRow<Name>,
): RechargeProviderRow<Name> => row;
