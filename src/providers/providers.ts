import type { ProviderSettings } from '../config/provider.settings.js';
import type { Environment } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import type { Metrics } from '../core/metrics.js';
import { countExchange } from '../core/scope.js';
import type { ConcurrencyLeases } from './concurrency-leases.js';
import { Floats } from './floats.js';
import { notConfigured } from './http-client.js';
import { loggedPort, measuredClient } from './observed.js';
import { planCalls } from './ports/plans.port.js';
import type { CircleFinder, RechargePort } from './ports/recharge.port.js';
import type { Connect, Provider, ProviderName } from './provider.js';
import {
  allProviders,
  callbacks,
  cardBillProvider,
  leadProvider,
  planProvider,
  rechargeProviders,
  shortName,
} from './registry.js';
import { createSandboxCardBills } from './sandbox/card-bills.adapter.js';
import { createSandboxLeads } from './sandbox/leads.adapter.js';
import { createSandboxPlans } from './sandbox/plans.adapter.js';
import { createSandboxRecharge } from './sandbox/recharge.adapter.js';
import type { Scenarios } from './sandbox/scenarios.js';
import type { Switches } from './switches.js';
import { type ConnectionState, createProviderHttpClient } from './undici-http-client.js';

export const MAX_CALLS = 200;
export const MAX_CALLS_WAITING = 200;

const LEAD_CALLS = [
  'upsertProfile',
  'createLead',
  'leadStatus',
  'productDetails',
  'productsByCategory',
  'productCategories',
  'companies',
  'occupations',
  'pincodes',
] as const;

export type Providers = ReturnType<typeof createProviders>;

export interface ProvidersConfig {
  providers: ProviderSettings;
  providerTimeoutMs: number;
}

/** Connection to a base URL: the provider as stored in orders, and the name of the connection, such as `roundpay-status`. */
export interface Connection {
  provider: string;
  connection: string;
}

/**
 * Creates all ports. Each provider has its own connections, timeout, bulkhead and breaker, with status checks and lookups
 * separate from sends.
 */
export function createProviders(
  { providers: values, providerTimeoutMs }: ProvidersConfig,
  scenarios: Scenarios,
  metrics: Metrics,
  leases: Pick<ConcurrencyLeases, 'of'>,
  switches: Pick<Switches, 'reasonOf'>,
  log: Logger,
) {
  const clients: (Connection & { client: ReturnType<typeof createProviderHttpClient> })[] = [];
  const absent = new Set<string>();
  const connectTo =
    ({ name: provider }: Provider): Connect =>
    (connection, baseUrl) => {
      if (baseUrl === undefined) {
        absent.add(provider);
        return notConfigured;
      }
      const client = createProviderHttpClient({
        name: connection,
        baseUrl,
        timeoutMs: providerTimeoutMs,
        maxConcurrent: MAX_CALLS,
        maxQueued: MAX_CALLS_WAITING,
        semaphore: leases.of(provider),
        onExchange: ({ textsCut }) => {
          countExchange();
          if (textsCut > 0) metrics.counter('textsCut').add(textsCut, provider, connection);
        },
      });
      clients.push({ provider, connection, client });
      return measuredClient(client, ({ result, reason, durationMs }) => {
        metrics.counter('providerCalls').add(1, provider, connection, result, reason);
        metrics.histogram('providerDurations').observe(durationMs / 1_000, provider, connection, result);
      });
    };
  const portOf = <Port extends SwitchedPort>(row: Provider<ProviderName, Port>): Port =>
    switchedPort(row.create(values[shortName(row)], connectTo(row)), 'production', switches);
  const rechargeRows: readonly Provider<ProviderName, RechargePort>[] = rechargeProviders;
  const sandboxOptions = { responseTimeoutMs: providerTimeoutMs, scenarios };
  const sandbox = {
    recharge: switchedPort(createSandboxRecharge(sandboxOptions), 'uat', switches),
    plans: switchedPort(createSandboxPlans(sandboxOptions), 'uat', switches),
    cardBills: switchedPort(createSandboxCardBills(sandboxOptions), 'uat', switches),
    leads: switchedPort(createSandboxLeads(sandboxOptions), 'uat', switches),
  };
  const recharge = rechargeRows.map((row) =>
    loggedPort(portOf(row), ['recharge', 'checkStatus', 'findCircle', 'float'], log),
  );
  return {
    /** Names of providers without a URL. */
    absent: absent as ReadonlySet<string>,
    recharge: new RechargePorts(sandbox.recharge, recharge),
    floats: new Floats(recharge),
    cardBills: {
      uat: sandbox.cardBills,
      production: loggedPort(portOf(cardBillProvider), ['fetchBill', 'pay', 'checkStatus'], log),
    },
    plans: {
      uat: sandbox.plans,
      production: loggedPort(portOf(planProvider), planCalls, log),
    },
    leads: { uat: sandbox.leads, production: loggedPort(portOf(leadProvider), LEAD_CALLS, log) },
    callbacks,
    connections: (): (Connection & ConnectionState)[] =>
      clients.map(({ provider, connection, client }) => ({ provider, connection, ...client.state })),
    /** Closes all connections. The outcome of running calls is unknown. */
    async close(): Promise<void> {
      await Promise.all(
        [...clients.map(({ client }) => client), ...Object.values(sandbox)].map((part) => part.close()),
      );
    },
  };
}

/** Returns whether the port of the provider has a status check for payments. It does not open a connection. */
export function canCheckStatusAt(provider: string, values: ProviderSettings): boolean {
  const row = allProviders.find(({ name }) => name === provider);
  const port = row?.create(values[shortName(row)], () => notConfigured) as Partial<RechargePort> | undefined;
  return port?.canCheckStatus === true;
}

interface SwitchedPort {
  readonly provider: string;
  readonly available: boolean;
}

/**
 * Wraps a port so that it is not available while staff have disabled its provider. Status checks of earlier payments continue.
 */
const switchedPort = <Port extends SwitchedPort>(
  port: Port,
  environment: Environment,
  switches: Pick<Switches, 'reasonOf'>,
): Port =>
  Object.create(port, {
    available: { get: () => port.available && switches.reasonOf(environment, port.provider) === undefined },
  }) as Port;

/** Recharge ports of UAT and of each provider. */
export class RechargePorts {
  readonly #production: ReadonlyMap<string, RechargePort>;
  /** Looks up circles for providers that need one. */
  readonly circleFinder: CircleFinder;

  /** Creates the ports. Throws if a provider needs a circle but no provider can look one up. */
  constructor(
    private readonly uat: RechargePort,
    production: readonly RechargePort[],
  ) {
    this.#production = new Map(production.map((port) => [port.provider, port]));
    const finder = production.find((port) => port.findCircle);
    const seeker = production.find((port) => port.needsCircle);
    if (seeker && !finder)
      throw new Error(`${seeker.provider} needs the circle of a number, and no provider can look it up.`);
    this.circleFinder = { findCircle: async (mobile) => finder?.findCircle?.(mobile) };
  }

  /**
   * Returns the port for calls of a developer in an environment. `assigned` is the provider of the developer in Production. No
   * provider is ever called in UAT.
   */
  of(environment: Environment, assigned: string): RechargePort {
    return environment === 'uat' ? this.uat : (this.#production.get(assigned) ?? unavailablePort(assigned));
  }

  get all(): RechargePort[] {
    return [this.uat, ...this.production];
  }

  get production(): RechargePort[] {
    return [...this.#production.values()];
  }
}

/**
 * Returns the placeholder for a provider that only a newer version of the service knows, while this process still runs the older
 * version.
 */
const unavailablePort = (provider: string): RechargePort => ({
  provider,
  available: false,
  needsCircle: false,
  canCheckStatus: false,
  notFoundIsFinal: false,
  operatorProblem: () => undefined,
  recharge: async () => ({ kind: 'declined', evidence: { reason: 'never_sent' } }),
  checkStatus: async () => ({ kind: 'unknown', evidence: { reason: 'never_sent' } }),
});
