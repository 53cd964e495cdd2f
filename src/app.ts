import 'reflect-metadata';

import { accountEntities } from './accounts/account.entities.js';
import { createAccounts } from './accounts/accounts.room.js';
import { createAudit } from './audit/audit.room.js';
import { createCardBills } from './card-bills/card-bills.room.js';
import { createCodeTables } from './code-tables/code-tables.room.js';
import type { Config } from './config.js';
import { systemClock } from './core/clock.js';
import type { Logger } from './core/log.js';
import { version } from './core/package-root.js';
import { compose } from './core/room.js';
import { openCounters } from './counters/counters.room.js';
import { ClockWatch } from './db/clock-watch.js';
import { openDatabase } from './db/database.js';
import { KnownKeys } from './graphql/known-keys.js';
import { RateLimits } from './graphql/limits.js';
import { buildSchemas } from './graphql/schema.js';
import { Health } from './http/health.js';
import { createHosts, listenOn } from './http/hosts.js';
import { addMoneyMetrics } from './http/money-metrics.js';
import { createOps } from './http/ops.js';
import { leadEntities } from './leads/lead.entity.js';
import { createLeads } from './leads/leads.room.js';
import { createLedger } from './ledger/ledger.room.js';
import { createMails } from './mails/mails.room.js';
import { onboardingEntities } from './onboarding/onboarding.entities.js';
import { createOnboarding } from './onboarding/onboarding.room.js';
import { createDecisions } from './orders/decisions.room.js';
import { createOrders } from './orders/orders.room.js';
import { createPlans } from './plans/plans.room.js';
import { createProducts } from './products/products.room.js';
import { createProviders } from './providers/providers.js';
import { ScenarioStore } from './providers/sandbox/scenario.store.js';
import { createRecharge } from './recharge/recharge.room.js';
import { createSandbox } from './sandbox/sandbox.room.js';
import { SettingEntity } from './settings/setting.entity.js';
import { SettingsService } from './settings/settings.service.js';
import { WebhookEndpointEntity } from './webhooks/webhook-endpoint.entity.js';
import { createWebhooks } from './webhooks/webhooks.room.js';

const entities = [...accountEntities, ...leadEntities, ...onboardingEntities, SettingEntity, WebhookEndpointEntity];

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: puts the rooms together. Nothing listens yet. */
export async function createApp(config: Config, log: Logger) {
  const base = openDatabase(config, log, entities);
  const { pool } = base;
  const clock = new ClockWatch(pool, log);
  const ready = async (): Promise<void> => void (await pool.query('select 1'));
  const health = new Health({ version, clock, holdsOrders: config.holdOrders, ready, replica: base.replica });
  const { counters, ...counting } = await openCounters(base);
  const limits = new RateLimits(counters, config.rateLimitPerMinute);

  const audit = createAudit(base);
  const ledger = createLedger(base);
  const settings = new SettingsService(pool);
  const scenarios = new ScenarioStore(pool, config.pepper);
  const providers = createProviders(config, scenarios, (report) => health.countExchange(report));
  const mails = createMails(base, config.mail);
  const parts = { base, ...audit, ...ledger, settings, providers, mails, counters, clock, metrics: health };
  const accounts = createAccounts(parts);
  const orders = createOrders({ ...parts, ...accounts });
  const recharge = createRecharge(config, orders.orders, providers.recharge);
  const products = createProducts(settings, providers.leads);
  const onboarding = createOnboarding({ ...parts, accounts });
  const leads = createLeads({ ...parts, ports: providers.leads, catalogue: products.catalogue });
  const webhooks = createWebhooks({ ...base, ...parts }, { ...config.webhooks, consoleUrl: config.publicUrls.console });
  // each after those that it uses
  const rooms = compose([
    audit.room,
    ledger.room,
    providers,
    mails,
    accounts.room,
    orders.room,
    createDecisions({ ...parts, ...orders, developers: accounts.reader }),
    recharge.room,
    createCodeTables(),
    createPlans(orders.lookups, providers.plans),
    createCardBills(base, orders.orders, orders.lookups, providers.cardBills),
    products.room,
    leads.room,
    onboarding.room,
    webhooks,
    createSandbox(scenarios, { orm: base.orm, ...audit, ...ledger, clock: systemClock }),
  ]);
  addMoneyMetrics(health.registry, { ...parts, ...orders, pool });

  const knownKeys = new KnownKeys(limits, { recharge: recharge.known });
  const schemas = buildSchemas(rooms, limits, knownKeys);
  const api = { version, schemas, limits, knownKeys, health };
  const hosts = await createHosts({ ...base, ...ledger, ...accounts, ...orders, ...leads, ...onboarding, ...api });
  const ops = config.ops.port === undefined ? undefined : createOps(health, config.traffic);

  return {
    ...base,
    ...audit,
    ...ledger,
    ...accounts,
    ...orders,
    ...api,
    settings,
    webhooks,
    mails,
    hosts,
    ops,

    /** Opens every listener. Errors: the one sentence of `listenOn` when a port is busy. */
    async listen(): Promise<void> {
      await rooms.prepare();
      await listenOn(hosts, ops, config);
      rooms.start();
    },

    /** Stops taking requests, lets those under way end, then closes what they used. */
    async close(): Promise<void> {
      health.drain();
      await Promise.all([rooms.stop(), ...[...hosts.values()].map((server) => server.close())]);
      await rooms.close();
      await counting.close();
      // last, so that health checks see the process drain to the end
      await ops?.close();
      await base.close();
    },
  };
}
