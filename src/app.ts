import 'reflect-metadata';

import { setTimeout as sleep } from 'node:timers/promises';

import { accountEntities } from './accounts/account.entities.js';
import { createAccounts } from './accounts/accounts.room.js';
import { createAudit } from './audit/audit.room.js';
import { createCardBills } from './card-bills/card-bills.room.js';
import { createCodeTables } from './code-tables/code-tables.room.js';
import { type Config, callsProviders } from './config.js';
import { systemClock } from './core/clock.js';
import type { Logger } from './core/log.js';
import { Metrics } from './core/metrics.js';
import { version } from './core/package-root.js';
import { compose } from './core/room.js';
import type { Tracing } from './core/scope.js';
import { Channel } from './db/channel.js';
import { ClockWatch } from './db/clock-watch.js';
import { claimConnections, connectionsOf } from './db/connection-budget.js';
import { openCounters } from './db/counters/counters.room.js';
import { openDatabase } from './db/database.js';
import { Readiness } from './db/readiness.js';
import { registerSecrets, requireSameSecrets } from './db/secret-fingerprints.js';
import { publishSettings } from './db/shared-settings.js';
import { requireDurable, type StartCheck, startChecks } from './db/start-checks.js';
import { WorkWatch } from './db/work-watch.js';
import { createDecisions } from './decisions/decisions.room.js';
import { buildSchemas } from './graphql/schema/build.js';
import { RateLimits } from './graphql/schema/limits.js';
import { UsedKeys } from './graphql/schema/used-keys.js';
import { Health } from './http/health.js';
import { createHosts, listenOn } from './http/hosts.js';
import { addGauges } from './http/metrics/gauges.js';
import { createOps } from './http/ops.js';
import { leadEntities } from './leads/lead.entity.js';
import { createLeads } from './leads/leads.room.js';
import { createLedger } from './ledger/ledger.room.js';
import { createEmails } from './mails/emails.room.js';
import { onboardingEntities } from './onboarding/onboarding.entities.js';
import { createOnboarding } from './onboarding/onboarding.room.js';
import { createOrderStore, createOrders } from './orders/orders.room.js';
import { holdPlacementLock, placesOrders, requireResumed } from './orders/restore-pause.js';
import { createOrderViews } from './orders/views/order-views.room.js';
import { createPlans } from './plans/plans.room.js';
import { DRAIN_LIMIT_MS } from './process-life.js';
import { createProducts } from './products/products.room.js';
import { ConcurrencyLeases } from './providers/concurrency-leases.js';
import { OrderPauseEntity } from './providers/order-pause.js';
import { createProviders } from './providers/providers.js';
import { ScenarioStore } from './providers/sandbox/scenario.store.js';
import { ProviderSwitchEntity, Switches } from './providers/switches.js';
import { createRecharge } from './recharge/recharge.room.js';
import { createReconcile } from './reconcile/reconcile.room.js';
import { createRetention } from './retention/retention.room.js';
import { createSandbox } from './sandbox/sandbox.room.js';
import { SettingEntity } from './settings/setting.entity.js';
import { SettingsService } from './settings/settings.service.js';
import { createWork } from './staff-work/work.room.js';
import { createStatusCheckRegistry } from './status-checks/provider-status-checks.js';
import { createStatusChecks } from './status-checks/status-checks.room.js';
import { WebhookEndpointEntity } from './webhooks/webhook-endpoint.entity.js';
import { createWebhooks } from './webhooks/webhooks.room.js';

const entities = [
  ...accountEntities,
  ...leadEntities,
  ...onboardingEntities,
  SettingEntity,
  ProviderSwitchEntity,
  OrderPauseEntity,
  WebhookEndpointEntity,
];

/** Part of a drain that is reserved for closing after the last outcome. */
const CLOSING_MS = 5_000;

export type App = Awaited<ReturnType<typeof createApp>>;

export interface AppOptions {
  /** Closed with the application; undefined if nothing is traced. */
  tracing?: Tracing | undefined;
  /** Conditions that must be met before it listens. */
  checks?: readonly StartCheck[];
}

/** The composition root: creates and connects the modules. Nothing listens yet. */
export async function createApp(config: Config, log: Logger, { tracing, checks = startChecks }: AppOptions = {}) {
  const metrics = new Metrics();
  const base = openDatabase(config, log, metrics, entities);
  const { pool, orm, encryption } = base;
  const { workers, pauseOrders: pausesOrders } = config;
  const channel = new Channel(config.databaseListenUrl, log);
  claimConnections(channel, connectionsOf(config), log);
  publishSettings(channel, config);
  const acceptsOrders = placesOrders(config);
  if (acceptsOrders) holdPlacementLock(channel);
  const clockSteps = metrics.counter('clockSteps');
  clockSteps.add(0);
  const clock = new ClockWatch(pool, log, () => clockSteps.add(1));
  const unready = (): Promise<string | undefined> => readiness.complaint();
  const health = new Health({ version, clock, pausesOrders, unready, replica: base.replica });
  const counterStore = await openCounters(base, metrics);
  const { counters } = counterStore;

  const auditParts = createAudit(base);
  const { audit, auditLog } = auditParts;
  const ledgerParts = createLedger(base, metrics);
  const { ledger, statement, daily } = ledgerParts;
  const settings = new SettingsService(pool);
  const scenarios = new ScenarioStore(pool, config.pepper);
  const leases = new ConcurrencyLeases(
    { db: pool, channel, log },
    { limits: callsProviders(config) ? config.providerConcurrency : new Map(), callMs: config.providerTimeoutMs },
  );
  const switches = new Switches(pool, log);
  const providers = createProviders(config, scenarios, metrics, leases, switches, log);
  // one supervisor per process is enough for all queues
  const emails = createEmails(
    { pool, encryption, log },
    { ...config.mail, supervise: workers.has('email') && !workers.has('webhooks') },
  );
  const store = createOrderStore(base, metrics);
  const webhooks = createWebhooks(
    { pool, orm, encryption, audit, mails: emails, orders: store, log, tracing, metrics },
    { ...config.webhooks, consoleUrl: config.publicUrls.console, supervise: workers.has('webhooks') },
  );
  const { endpoints } = webhooks;
  const accounts = createAccounts({
    base,
    ledger,
    audit,
    auditLog,
    settings,
    mails: emails,
    counters,
    metrics,
    endpoints,
  });
  const { clientTokens, principals, reader: developers, tokens } = accounts;
  const limits = new RateLimits(counters, config.rateLimitPerMinute, metrics, (credentials, environment) =>
    tokens.rateLimitOf(credentials, environment),
  );
  const statusChecks = createStatusCheckRegistry(base, providers, metrics);
  const orderParts = createOrders({
    base,
    store,
    channel,
    ledger,
    statusChecks,
    clientTokens,
    metrics,
    switches,
    clock,
  });
  const { orders, lookups, search, decided, exposure } = orderParts;
  const statusCheckParts = createStatusChecks({
    base,
    parts: orderParts.checkParts,
    statusChecks,
    providers,
    clock,
    metrics,
    tracing,
  });
  const views = createOrderViews({
    base,
    ledger,
    orders,
    store,
    search,
    resolvedOrders: decided,
    clientTokens,
    developers,
    accounts: accounts.search,
    statusChecks,
    metrics,
  });
  const { history, waiters, feed, waitingPlaces } = views;
  const work = createWork(base, { places: waitingPlaces, settings, audit, mails: emails });
  const decisions = createDecisions({
    base,
    ledger,
    audit,
    developers,
    store,
    statusChecks,
    accountActions: accounts.actions,
    people: accounts.people,
    health: { accountChanges: accounts.accountChanges, switches, providers, exposure },
    mails: emails,
  });
  const reconcileParts = createReconcile(base, { audit, people: accounts.people });
  const readiness = new Readiness(
    pool,
    [
      ...checks,
      requireDurable(config.allowWeakDurability),
      requireSameSecrets(config),
      ...(acceptsOrders ? [() => requireResumed(settings), () => switches.assertRead()] : []),
      ...(workers.has('sweeper') ? [() => statusCheckParts.sweeper.assertProvidersKnown()] : []),
    ],
    registerSecrets(config),
  );
  const recharge = createRecharge(base, orders, providers.recharge);
  const products = createProducts(settings, providers.leads);
  const onboarding = createOnboarding({ base, accounts, audit, mails: emails, counters });
  const leads = createLeads({ base, ledger, settings, ports: providers.leads, catalogue: products.catalogue });
  // each after those that it uses
  const rooms = compose([
    auditParts.room,
    ledgerParts.room,
    { prepare: () => leases.start(), close: () => leases.stop() },
    switches,
    providers,
    emails,
    accounts.room,
    orderParts.room,
    statusCheckParts.room,
    views.room,
    decisions,
    reconcileParts.room,
    recharge.room,
    createCodeTables(switches),
    createPlans(lookups, providers.plans),
    createCardBills(base, orders, lookups, providers.cardBills),
    products.room,
    leads.room,
    onboarding.room,
    webhooks,
    work.room,
    createRetention(base),
    createSandbox(scenarios, { orm, audit, ledger, clock: systemClock }),
  ]);
  const watch = new WorkWatch({ db: pool, channel, log }, rooms.duties, { workers, intervalMs: config.pollIntervalMs });
  const tasks = { ...rooms.tasks(workers), ...(workers.size > 0 ? { watch } : {}) };
  const gauges = addGauges(metrics, {
    pool,
    clock,
    tasks,
    providers,
    ledger,
    orders,
    waitingPlaces,
    exposure,
    switches,
    auditTail: auditParts.tail,
    config,
  });

  const knownKeys = new UsedKeys(limits, { recharge: recharge.findKnownOrder });
  const schemas = buildSchemas(rooms, limits, knownKeys);
  const hosts = await createHosts({
    config,
    version,
    schemas,
    limits,
    knownKeys,
    principals,
    rejectedCalls: accounts.rejectedCalls,
    callbacks: statusCheckParts.callbacks,
    statement,
    daily,
    kyc: onboarding.kyc,
    history,
    leads: leads.leads,
    store,
    auditExport: auditParts.auditExport,
    differences: reconcileParts.differences,
    health,
    metrics,
    log,
    tracing,
  });
  let isListening = false;
  const ops = config.ops.port === undefined ? undefined : await createOps(health, metrics, config.traffic);

  return {
    config,
    log,
    pool,
    reads: base.reads,
    replica: base.replica,
    orm,
    version,
    metrics,
    limits,
    health,
    schemas,
    knownKeys,
    hosts,
    ops,
    tasks,
    watch,
    settings,
    audit,
    ledger,
    statement,
    daily,
    users: accounts.users,
    invitations: accounts.invitations,
    sessions: accounts.sessions,
    factors: accounts.factors,
    passwords: accounts.passwords,
    principals,
    tokens: accounts.tokens,
    clientTokens,
    credentials: accounts.credentials,
    developers: accounts.developers,
    whiteLabels: accounts.whiteLabels,
    platformSettings: accounts.platformSettings,
    reader: developers,
    webhooks,
    mails: emails,
    store,
    orders,
    exposure,
    switches,
    sweeper: statusCheckParts.sweeper,
    history,
    waiters,
    waitingPlaces,
    feed,
    workFeed: work.feed,

    /** All reasons why the process could not listen now, according to the database. Changes nothing. */
    problems: (): Promise<string[]> => readiness.problems(),

    /**
     * Opens all listeners. Waits for an unavailable database. Errors: CannotServe, if waiting would not help; the sentence of
     * `listenOn`, if a port is in use.
     */
    async listen(): Promise<void> {
      const reason = await readiness.start();
      if (reason !== undefined) log.warn({ reason }, 'not ready yet');
      channel.start();
      await rooms.prepare();
      await listenOn(hosts, ops, config);
      isListening = true;
      rooms.start(workers);
      watch.start();
    },

    /**
     * Reports that the process is not ready and continues to serve for SHUTDOWN_DELAY_MS, so that no request is sent to a
     * closed port. Then it stops accepting requests, waits for those in progress, and closes their resources. Outcomes that the
     * database cannot store are retried until CLOSING_MS before the limit of the drain.
     */
    async close(): Promise<void> {
      health.drain();
      const delayMs = isListening ? config.shutdownDelayMs : 0;
      orders.storeUntil(performance.now() + delayMs + DRAIN_LIMIT_MS - CLOSING_MS);
      if (isListening) await sleep(delayMs);
      gauges.stop();
      await Promise.all([watch.stop(), rooms.stop(), ...[...hosts.values()].map((server) => server.close())]);
      await rooms.close();
      await channel.stop();
      await counterStore.close();
      // last, so that health checks observe the drain to the end
      await ops?.close();
      await base.close();
      await tracing?.close();
    },
  };
}
