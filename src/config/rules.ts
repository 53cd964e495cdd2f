import { isLoopback } from '../core/addresses.js';
import { url, urlOrNone } from './kinds.js';
import { paidShortNames, type ShortName, shortNames } from './provider.settings.js';
import { Setting, type Tree } from './setting.js';
import type { Config } from './settings.js';

/** Settings that are right one by one and wrong together. */
interface Rule {
  holds(config: Config): boolean;
  /** Begins with the setting to change. */
  complaint: string;
}

/** What a call may take beyond the provider's time: the hold before it and the resolution after it. */
const WINDOW_MARGIN_MS = 500;

/** Over the loopback interface or a socket file. The driver prefers the host of the query. */
function isOnThisMachine(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') || decodeURIComponent(hostname);
  return isLoopback(host) || host.startsWith('/');
}

const rules: readonly Rule[] = [
  {
    holds: ({ syncWindowMs, providerTimeoutMs }) => syncWindowMs >= providerTimeoutMs + WINDOW_MARGIN_MS,
    complaint: `SYNC_WINDOW_MS: must be at least PROVIDER_TIMEOUT_MS + ${WINDOW_MARGIN_MS}ms, or callers are answered before their provider can be.`,
  },
  {
    holds: ({ hosts, workers }) => hosts.size > 0 || workers.size > 0,
    complaint: 'HOSTS: a process without hosts and without WORKERS would have nothing to do.',
  },
  {
    holds: ({ sharedLimits, redisUrl }) => sharedLimits === 'database' || redisUrl === undefined,
    complaint: 'REDIS_URL: is of no use with SHARED_LIMITS=memory.',
  },
  {
    holds: ({ startupOptions, databaseUrl, databaseListenUrl }) => startupOptions || databaseListenUrl !== databaseUrl,
    complaint:
      'DATABASE_LISTEN_URL: must lead to PostgreSQL itself with DATABASE_STARTUP_OPTIONS=false, or nothing is heard of decided orders.',
  },
  {
    holds: ({ allowWeakDurability, databaseUrl, databaseListenUrl }) =>
      !allowWeakDurability || (isOnThisMachine(databaseUrl) && isOnThisMachine(databaseListenUrl)),
    complaint: 'ALLOW_WEAK_DURABILITY: is accepted only if DATABASE_URL and DATABASE_LISTEN_URL are on this machine.',
  },
  {
    holds: ({ ledgerCheck, consolePoolSize }) => ledgerCheck.workers <= consolePoolSize,
    complaint: 'LEDGER_CHECK_WORKERS: must be at most CONSOLE_POOL_SIZE, whose connections the workers use.',
  },
  {
    holds: ({ visibilityDelayMs, providerTimeoutMs, leaseMarginMs }) =>
      visibilityDelayMs > providerTimeoutMs + leaseMarginMs,
    complaint:
      'VISIBILITY_DELAY_MS: must be longer than PROVIDER_TIMEOUT_MS + LEASE_MARGIN_MS, or an order that is still being sent counts as not found.',
  },
];

/** Settings that name providers, and who may be named. */
const naming: readonly { variable: string; named(config: Config): Iterable<string>; known: readonly string[] }[] = [
  { variable: 'EXPOSURE_LIMIT', named: (config) => config.exposureLimits.byProvider.keys(), known: paidShortNames },
  { variable: 'PROVIDER_CONCURRENCY', named: (config) => config.providerConcurrency.keys(), known: shortNames },
  { variable: 'RECHECK_AFTER_MS', named: (config) => config.recheckAfter.byProvider.keys(), known: paidShortNames },
  { variable: 'CALLBACK_SECRETS', named: (config) => config.callbackSecrets.keys(), known: shortNames },
  { variable: 'CALLBACK_ADDRESSES', named: (config) => config.callbackAddresses.keys(), known: shortNames },
];

/** A name that is misspelt would leave the provider that is meant without its limit or secret. */
const unknownNamesIn = (config: Config): string[] =>
  naming
    .filter(({ named, known }) => [...named(config)].some((name) => !known.includes(name.toLowerCase())))
    .map(({ variable, known }) => `${variable}: names a provider that does not exist; there are ${known.join(', ')}.`);

/** Whether a process sends orders to providers or asks about them. */
export const callsProviders = ({ hosts, workers }: Pick<Config, 'hosts' | 'workers'>): boolean =>
  hosts.has('production') || workers.has('sweeper');

/** Of a process that sends orders or asks about them; undefined: it needs no provider, or has one. */
export function missingProviders({ hosts, workers, providers }: Config): string | undefined {
  if (!callsProviders({ hosts, workers })) return undefined;
  if (configuredProviders({ providers }).length > 0) return undefined;
  const variables = shortNames.map((name) => `PROVIDER_${name.toUpperCase()}_URL`).join(', ');
  return `${variables}: at least one is required, unless HOSTS is without production and WORKERS without sweeper.`;
}

/** The variables of URLs that lead to another machine without encryption: passwords, keys and numbers go over all of ours. */
export const clearTextIn = (config: Config, tree: Tree): string[] =>
  Object.entries(tree).flatMap(([name, node]) => {
    const value = config[name as keyof Config] as unknown;
    if (!(node instanceof Setting)) return clearTextIn(value as Config, node);
    if (node.kind !== url && node.kind !== urlOrNone) return [];
    const { protocol, hostname } = new URL((value as string | undefined) ?? 'https://nowhere');
    return protocol === 'https:' || isLoopback(hostname) ? [] : [node.variable];
  });

/** The providers that have a URL. */
export const configuredProviders = ({ providers }: Pick<Config, 'providers'>): ShortName[] =>
  shortNames.filter((name) => providers[name].url !== undefined);

/** The others: what they are for answers PROVIDER_UNAVAILABLE. */
export const absentProviders = (config: Pick<Config, 'providers'>): ShortName[] =>
  shortNames.filter((name) => !configuredProviders(config).includes(name));

export const contradictionsIn = (config: Config): string[] => [
  ...rules.filter((rule) => !rule.holds(config)).map(({ complaint }) => complaint),
  ...unknownNamesIn(config),
];
