import type { ProviderSettings, paidShortNames, ShortName } from '../config/provider.settings.js';
import type { DeclineReason } from './decline-reasons.js';
import type { ProviderHttpClient } from './http-client.js';
import type { CallbackFormat } from './ports/callback.port.js';
import type { RechargePort } from './ports/recharge.port.js';

/**
 * Opens a client for a base URL of a provider, with its own connections, timeout, bulkhead and breaker. `name` is used in metrics
 * and logs. A provider without a URL is not configured, so it is not available and receives no requests.
 */
export type Connect = (name: string, baseUrl: string | undefined) => ProviderHttpClient;

/** Status of a row in a provider's statement. */
export const statementStatuses = ['succeeded', 'failed', 'pending', 'reversed'] as const;
export type StatementStatus = (typeof statementStatuses)[number];

/** Provider name as stored in orders, in capital letters. Settings, paths, metrics and the simulator use it in lowercase. */
export type ProviderName = Uppercase<ShortName>;

/** Definition of a provider in its folder. A row in `registry.ts` adds it to the service. */
export interface Provider<Name extends ProviderName = ProviderName, Port = unknown> {
  readonly name: Name;
  create(settings: ProviderSettings[Lowercase<Name>], connect: Connect): Port;
  /** Callback format of the provider. It is undefined if it sends none. */
  readonly callback?: CallbackFormat;
  /** Status codes in statements of the provider, in addition to the common words. */
  readonly statementWords?: Readonly<Record<string, StatementStatus>>;
  /** Decline reasons of the documented failure codes. Other codes have no reason. */
  readonly declineCodes?: Readonly<Record<string, DeclineReason>>;
}

/** Provider of recharges. An administrator assigns it to developers and white labels. */
export interface RechargeProviderRow<Name extends ProviderName = ProviderName>
  extends Provider<Name, RechargePort<Name>> {
  /** Description for administrators. */
  readonly description: string;
}

/** Ensures at compile time that the port has the name of the provider. */
export const provider = <Name extends ProviderName, Port extends { readonly provider: Name }>(
  row: Provider<Name, Port>,
): Provider<Name, Port> => row;

/** Works like `provider`, but for recharge providers, which receive money. */
export const rechargeProvider = <Name extends Uppercase<(typeof paidShortNames)[number]>>(
  row: RechargeProviderRow<Name>,
): RechargeProviderRow<Name> => row;
