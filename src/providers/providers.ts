import type { ProviderHttpClient } from './http-client.js';
import { notConfigured } from './not-configured.js';
import type { PlaceLeases } from './place-leases.js';
import type { RechargePort } from './ports/recharge.port.js';
import type { Connect, Provider } from './provider.js';
import { RechargePorts } from './recharge-ports.js';
import { callbacks, cardBillProvider, leadProvider, planProvider, rechargeProviders, shortName } from './registry.js';
import { createSandboxCardBills } from './sandbox/card-bills.adapter.js';
import { createSandboxLeads } from './sandbox/leads.adapter.js';
import { createSandboxPlans } from './sandbox/plans.adapter.js';
import { createSandboxRecharge } from './sandbox/recharge.adapter.js';
import type { Scenarios } from './sandbox/scenarios.js';
import { createProviderHttpClient, type ExchangeReport } from './undici-http-client.js';

const MAX_CONCURRENT = 200;
const MAX_QUEUED = 200;

export type Providers = ReturnType<typeof createProviders>;

export interface ProvidersConfig {
  /** By short name, what the settings of each provider read. */
  providers: Readonly<Record<string, unknown>>;
  providerTimeoutMs: number;
}

/** Every port, each provider with connections, timeout, bulkhead and breaker of its own; enquiries and lookups apart from sends. */
export function createProviders(
  { providers: values, providerTimeoutMs }: ProvidersConfig,
  scenarios: Scenarios,
  onExchange: (report: ExchangeReport) => void,
  places: Pick<PlaceLeases, 'of'>,
) {
  const clients: ProviderHttpClient[] = [];
  const absent = new Set<string>();
  const connectOf =
    (provider: string): Connect =>
    (name, baseUrl) => {
      if (baseUrl === undefined) {
        absent.add(provider);
        return notConfigured;
      }
      const made = createProviderHttpClient({
        name,
        baseUrl,
        timeoutMs: providerTimeoutMs,
        maxConcurrent: MAX_CONCURRENT,
        maxQueued: MAX_QUEUED,
        places: places.of(provider),
        onExchange,
      });
      clients.push(made);
      return made;
    };
  const portOf = <Port>(row: Provider<string, Port>): Port => row.create(values[shortName(row)], connectOf(row.name));
  const rechargeRows: readonly Provider<string, RechargePort>[] = rechargeProviders;
  const answers = { answerTimeoutMs: providerTimeoutMs, scenarios };
  const sandbox = {
    recharge: createSandboxRecharge(answers),
    plans: createSandboxPlans(answers),
    cardBills: createSandboxCardBills(answers),
    leads: createSandboxLeads(answers),
  };
  return {
    /** Providers without a URL. */
    absent: absent as ReadonlySet<string>,
    recharge: new RechargePorts(sandbox.recharge, rechargeRows.map(portOf)),
    cardBills: { uat: sandbox.cardBills, production: portOf(cardBillProvider) },
    plans: { uat: sandbox.plans, production: portOf(planProvider) },
    leads: { uat: sandbox.leads, production: portOf(leadProvider) },
    callbacks,
    /** Calls under way end as unknown. */
    async close(): Promise<void> {
      await Promise.all([...clients, ...Object.values(sandbox)].map((part) => part.close()));
    },
  };
}
