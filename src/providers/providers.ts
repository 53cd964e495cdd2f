import type { Config } from '../config.js';
import { createBankSathiAdapter } from './banksathi/banksathi.adapter.js';
import { createEkycHubAdapter } from './ekychub/ekychub.adapter.js';
import type { ProviderHttpClient } from './http-client.js';
import { createInspayAdapter } from './inspay/inspay.adapter.js';
import { createMokshiqAdapter } from './mokshiq/mokshiq.adapter.js';
import { createRoundPayAdapter } from './roundpay/roundpay.adapter.js';
import { roundpayCallback } from './roundpay/roundpay.callback.js';
import { createSandboxCardBills } from './sandbox/card-bills.adapter.js';
import { createSandboxLeads } from './sandbox/leads.adapter.js';
import { createSandboxPlans } from './sandbox/plans.adapter.js';
import { createSandboxRecharge } from './sandbox/recharge.adapter.js';
import { createProviderHttpClient, type ExchangeReport } from './undici-http-client.js';

const MAX_CONCURRENT = 200;
const MAX_QUEUED = 200;

export type Providers = ReturnType<typeof createProviders>;

/** Every adapter, each provider with connections, timeout, bulkhead and breaker of its own; enquiries and lookups apart from sends. */
export function createProviders(
  config: Pick<Config, 'providers' | 'providerTimeoutMs'>,
  onExchange: (report: ExchangeReport) => void,
) {
  const { roundpay, mokshiq, ekychub, inspay, banksathi } = config.providers;
  const clients: ProviderHttpClient[] = [];
  const client = (name: string, baseUrl: string): ProviderHttpClient => {
    const made = createProviderHttpClient({
      name,
      baseUrl,
      timeoutMs: config.providerTimeoutMs,
      maxConcurrent: MAX_CONCURRENT,
      maxQueued: MAX_QUEUED,
      onExchange,
    });
    clients.push(made);
    return made;
  };
  const answers = { answerTimeoutMs: config.providerTimeoutMs };
  const sandbox = {
    recharge: createSandboxRecharge(answers),
    plans: createSandboxPlans(answers),
    cardBills: createSandboxCardBills(answers),
    leads: createSandboxLeads(answers),
  };
  const ROUNDPAY = createRoundPayAdapter({
    client: client('roundpay', roundpay.url),
    statusClient: client('roundpay-status', roundpay.statusUrl),
    credentials: roundpay,
  });
  const MOKSHIQ = createMokshiqAdapter({
    client: client('mokshiq', mokshiq.url),
    lookupClient: client('mokshiq-lookup', mokshiq.url),
    credentials: mokshiq,
  });
  const ekychubPort = createEkycHubAdapter({ client: client('ekychub', ekychub.url), credentials: ekychub });
  const inspayPort = createInspayAdapter({ client: client('inspay', inspay.url), credentials: inspay });
  const banksathiPort = createBankSathiAdapter({ client: client('banksathi', banksathi.url), credentials: banksathi });
  return {
    recharge: { uat: sandbox.recharge, production: { ROUNDPAY, MOKSHIQ }, circleFinder: MOKSHIQ },
    cardBills: { uat: sandbox.cardBills, production: inspayPort },
    plans: { uat: sandbox.plans, production: ekychubPort },
    leads: { uat: sandbox.leads, production: banksathiPort },
    callbacks: [roundpayCallback],
    /** Calls under way end as unknown. */
    async close(): Promise<void> {
      await Promise.all([...clients, ...Object.values(sandbox)].map((part) => part.close()));
    },
  };
}
