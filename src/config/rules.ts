import { isLoopback } from '../core/addresses.js';
import { url, urlOrNone } from './kinds.js';
import { paidShortNames, type ShortName, shortNames } from './provider.settings.js';
import { Setting, type Tree } from './setting.js';
import type { Config } from './settings.js';

/** Rule about settings that are valid individually and invalid together. */
interface Rule {
  isMet(config: Config): boolean;
  /** Error message. It begins with the setting to change. */
  complaint: string;
}

/** Time of a call in addition to the provider call, for the hold before it and the resolution after it. */
const WINDOW_MARGIN_MS = 500;

/** Returns whether the URL uses the loopback interface or a socket. The driver prefers the host of the query. */
function isOnThisMachine(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') || decodeURIComponent(hostname);
  return isLoopback(host) || host.startsWith('/');
}

const rules: readonly Rule[] = [
  {
    isMet: ({ syncWindowMs, providerTimeoutMs }) => syncWindowMs >= providerTimeoutMs + WINDOW_MARGIN_MS,
    complaint: `SYNC_WINDOW_MS: must be at least PROVIDER_TIMEOUT_MS + ${WINDOW_MARGIN_MS}ms, otherwise callers get a response before their provider can respond.`,
  },
  {
    isMet: ({ hosts, workers }) => hosts.size > 0 || workers.size > 0,
    complaint: 'HOSTS: must not be none if WORKERS is none: the process would have no work.',
  },
  {
    isMet: ({ sharedLimits, redisUrl }) => sharedLimits === 'database' || redisUrl === undefined,
    complaint: 'REDIS_URL: must not be set with SHARED_LIMITS=memory.',
  },
  {
    isMet: ({ startupOptions, databaseUrl, databaseListenUrl }) => startupOptions || databaseListenUrl !== databaseUrl,
    complaint:
      'DATABASE_LISTEN_URL: must connect to PostgreSQL without a pooler if DATABASE_STARTUP_OPTIONS=false, otherwise processes do not learn of resolved orders.',
  },
  {
    isMet: ({ allowWeakDurability, databaseUrl, databaseListenUrl }) =>
      !allowWeakDurability || (isOnThisMachine(databaseUrl) && isOnThisMachine(databaseListenUrl)),
    complaint: 'ALLOW_WEAK_DURABILITY: is accepted only if DATABASE_URL and DATABASE_LISTEN_URL are on this machine.',
  },
  {
    isMet: ({ ledgerCheck, consolePoolSize }) => ledgerCheck.workers <= consolePoolSize,
    complaint: 'LEDGER_CHECK_WORKERS: must be at most CONSOLE_POOL_SIZE, whose connections the workers use.',
  },
  {
    isMet: ({ visibilityDelayMs, providerTimeoutMs, leaseMarginMs }) =>
      visibilityDelayMs > providerTimeoutMs + leaseMarginMs,
    complaint:
      'VISIBILITY_DELAY_MS: must be longer than PROVIDER_TIMEOUT_MS + LEASE_MARGIN_MS, otherwise an order that is still being sent can be treated as not found.',
  },
];

/** Settings that name providers, and the providers that each accepts. */
const providerLists: readonly {
  variable: string;
  named(config: Config): Iterable<string>;
  known: readonly string[];
}[] = [
  { variable: 'EXPOSURE_LIMIT', named: (config) => config.exposureLimits.byProvider.keys(), known: paidShortNames },
  { variable: 'PROVIDER_CONCURRENCY', named: (config) => config.providerConcurrency.keys(), known: shortNames },
  { variable: 'RECHECK_AFTER_MS', named: (config) => config.recheckAfter.byProvider.keys(), known: paidShortNames },
  { variable: 'CALLBACK_SECRETS', named: (config) => config.callbackSecrets.keys(), known: shortNames },
  { variable: 'CALLBACK_ADDRESSES', named: (config) => config.callbackAddresses.keys(), known: shortNames },
];

/** Finds unknown provider names. A misspelled name would leave a provider without its limit or secret. */
const unknownNamesIn = (config: Config): string[] =>
  providerLists
    .filter(({ named, known }) => [...named(config)].some((name) => !known.includes(name.toLowerCase())))
    .map(({ variable, known }) => `${variable}: unknown provider. Use ${known.join(', ')}.`);

/** Returns whether a process sends orders to providers or checks their status. */
export const callsProviders = ({ hosts, workers }: Pick<Config, 'hosts' | 'workers'>): boolean =>
  hosts.has('production') || workers.has('sweeper');

/** Returns the error message if a process calls providers and none is configured, or undefined otherwise. */
export function missingProviders({ hosts, workers, providers }: Config): string | undefined {
  if (!callsProviders({ hosts, workers })) return undefined;
  if (configuredProviders({ providers }).length > 0) return undefined;
  const variables = shortNames.map((name) => `PROVIDER_${name.toUpperCase()}_URL`).join(', ');
  return `${variables}: at least one is required if HOSTS includes production or WORKERS includes sweeper.`;
}

/**
 * Returns the names of URL settings that lead to another machine without encryption. All of them transmit passwords, keys or
 * numbers.
 */
export const clearTextIn = (config: Config, tree: Tree): string[] =>
  Object.entries(tree).flatMap(([name, node]) => {
    const value = config[name as keyof Config] as unknown;
    if (!(node instanceof Setting)) return clearTextIn(value as Config, node);
    if (node.kind !== url && node.kind !== urlOrNone) return [];
    const { protocol, hostname } = new URL((value as string | undefined) ?? 'https://nowhere');
    return protocol === 'https:' || isLoopback(hostname) ? [] : [node.variable];
  });

/** Returns the providers that have a URL. */
export const configuredProviders = ({ providers }: Pick<Config, 'providers'>): ShortName[] =>
  shortNames.filter((name) => providers[name].url !== undefined);

/** Returns the providers without a URL. Calls that need them return PROVIDER_UNAVAILABLE. */
export const absentProviders = (config: Pick<Config, 'providers'>): ShortName[] =>
  shortNames.filter((name) => !configuredProviders(config).includes(name));

export const conflictsIn = (config: Config): string[] => [
  ...rules.filter((rule) => !rule.isMet(config)).map(({ complaint }) => complaint),
  ...unknownNamesIn(config),
];
