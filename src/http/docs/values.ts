import type { GraphQLSchema } from 'graphql';
import type { Config } from '../../config.js';
import type { Environment, Surface } from '../../core/environment.js';
import { type Paise, rupeesNumber } from '../../core/money.js';
import { PENDING_NOTICE } from '../../rest/openapi/prose.js';
import { type Call, callTable } from './calls.js';
import { errorSections, leadRefusalTable, reasonTable } from './errors.js';
import { graphqlLimits, rootFields } from './graphql-fields.js';
import { kitValues } from './kits.js';
import { codeTables } from './tables.js';

/** Input for the guides of one host. */
export interface GuideParts {
  environment: Environment;
  config: Pick<
    Config,
    | 'publicUrls'
    | 'tokens'
    | 'webhooks'
    | 'rateLimitPerMinute'
    | 'maxRechargePaise'
    | 'maxBillPaymentPaise'
    | 'syncWindowMs'
  >;
  schemas: Readonly<Record<Surface, GraphQLSchema>>;
  calls: readonly Call[];
}

/** Environment part of the API key prefix. */
const KEYS: Readonly<Record<Environment, string>> = { uat: 'uat', production: 'live' };

/** Returns the notice about the host that serves the guide. */
function aboutHost({ environment, config: { publicUrls } }: GuideParts): string {
  return environment === 'uat'
    ? `**This is UAT** (${publicUrls.uat}), with sample data and test funds. Requests here cost nothing.`
    : `**This is Production** (${publicUrls.production}). The examples on this host use real money. Try them on [UAT](${publicUrls.uat}/docs) first.`;
}

const inRupees = (paise: Paise): string => `₹${rupeesNumber(paise).toLocaleString('en-IN')}`;

const sourceAddresses = (addresses: readonly string[]): string =>
  addresses.length === 0
    ? 'This installation has no fixed source addresses, so the list below is empty.'
    : `Webhooks are sent from ${addresses.map((address) => `\`${address}\``).join(', ')}.`;

/** Returns the values of the placeholders in the guides, taken from the code and the settings. */
export function valuesOf(parts: GuideParts): Readonly<Record<string, string>> {
  const { environment, config, schemas, calls } = parts;
  const { publicUrls, tokens } = config;
  return {
    ...codeTables,
    ...kitValues(),
    about_host: aboutHost(parts),
    pending_notice: PENDING_NOTICE,
    environment,
    base_url: publicUrls[environment],
    uat_url: publicUrls.uat,
    production_url: publicUrls.production,
    console_url: publicUrls.console,
    client_id: `cid_${KEYS[environment]}_…`,
    api_secret: `sk_${KEYS[environment]}_…`,
    rate_limit: String(config.rateLimitPerMinute),
    max_recharge: inRupees(config.maxRechargePaise),
    max_bill_payment: inRupees(config.maxBillPaymentPaise),
    token_idle_days: String(tokens.tokenIdleDays),
    token_max_days: String(tokens.tokenMaxDays),
    tokens_per_credential: String(tokens.tokensPerCredential),
    webhook_addresses: sourceAddresses(config.webhooks.sourceAddresses),
    sync_window_s: String(config.syncWindowMs / 1_000),
    calls: callTable(calls),
    errors: errorSections(),
    reasons: reasonTable(),
    lead_refusals: leadRefusalTable(),
    graphql_limits: graphqlLimits,
    root_fields: rootFields(schemas.api),
  };
}
