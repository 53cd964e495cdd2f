import 'reflect-metadata';

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { accountEntities } from './accounts/account.entities.js';
import { AuthResolver } from './accounts/auth.resolver.js';
import { CredentialService } from './accounts/credential.service.js';
import { DeveloperService } from './accounts/developer.service.js';
import { PrincipalReader } from './accounts/principal.reader.js';
import { TokenService } from './accounts/token.service.js';
import { UserService } from './accounts/user.service.js';
import { AuditService } from './audit/audit.service.js';
import { apiUrls, type Config } from './config.js';
import type { Host } from './core/environment.js';
import type { Logger } from './core/log.js';
import { FieldEncryption } from './db/field-encryption.js';
import { closeOrm, openOrm } from './db/orm.js';
import { createPool } from './db/pool.js';
import { startApollo } from './graphql/apollo.js';
import { Executor } from './graphql/executor.js';
import { createFailedAttempts, createLimitStores, RateLimits } from './graphql/limits.js';
import { policy } from './graphql/policy.js';
import { buildBareSchema, schemaForHost, secureSchema } from './graphql/schema.js';
import { Identification } from './http/context.js';
import { Health } from './http/health.js';
import { createHost } from './http/host.js';
import { LedgerService } from './ledger/ledger.service.js';
import { StatementService } from './ledger/statement.service.js';
import { WalletResolver } from './ledger/wallet.resolver.js';
import { EnquiryRegistry, rechargeEnquiries } from './orders/enquiries.js';
import { OrderResolver } from './orders/order.resolver.js';
import { OrderService } from './orders/order.service.js';
import { OrderStore } from './orders/order.store.js';
import { Sweeper } from './orders/sweeper.js';
import { createProviders } from './providers/providers.js';
import { RechargeResolver } from './recharge/recharge.resolver.js';
import { RechargeService } from './recharge/recharge.service.js';
import { restHandler } from './rest/handler.js';
import { routes } from './rest/routes.js';
import { SettingsService } from './settings/settings.service.js';

/** Beyond the provider timeout: what T2 may take before a sweeper looks at the order. */
const LEASE_MARGIN_MS = 20_000;
const MAX_IN_FLIGHT = 2_000;
const SWEEP_PER_PROVIDER = 20;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: the only place that constructs services and adapters. Nothing listens yet. */
export async function createApp(config: Config, log: Logger) {
  const onLostConnection = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const pool = createPool(config.databaseUrl, { max: config.databasePoolSize, onLostConnection });
  const orm = await openOrm(pool, accountEntities);
  const encryption = new FieldEncryption(config.encryptionKeys);
  const baseUrls = apiUrls(config);

  const ledger = new LedgerService(pool);
  const statement = new StatementService(pool);
  const audit = new AuditService();
  const settings = new SettingsService(pool);
  const stores = createLimitStores(config.sharedLimits === 'database' ? pool : undefined);
  const attempts = createFailedAttempts(stores.attempts);
  const principals = new PrincipalReader(pool);
  const developers = new DeveloperService(orm, ledger, audit);
  const credentials = new CredentialService(orm, audit, config.pepper);
  const users = new UserService(orm, audit, attempts);
  const tokens = new TokenService(pool, attempts, { pepper: config.pepper, tokenTtlS: config.tokenTtlS, baseUrls });

  const health = new Health({
    version,
    ready: async () => void (await pool.query('select 1')),
    inFlight: () => orders.inFlight,
  });
  const providers = createProviders(config, (provider, result) => health.countExchange(provider, result));
  const enquiries = new EnquiryRegistry();
  for (const port of [providers.roundpay, providers.mokshiq, providers.sandbox.recharge])
    enquiries.register('recharge', port.provider, rechargeEnquiries(port));

  const store = new OrderStore(pool, encryption);
  const orders = new OrderService(
    ledger,
    store,
    enquiries,
    {
      pepper: config.pepper,
      policy: {
        scheduleMs: config.enquiryScheduleMs,
        visibilityDelayMs: config.visibilityDelayMs,
        giveUpAfterMs: config.giveUpAfterMs,
      },
      syncWindowMs: config.syncWindowMs,
      sendLeaseMs: config.providerTimeoutMs + LEASE_MARGIN_MS,
      maxInFlight: MAX_IN_FLIGHT,
    },
    log,
  );
  const sweeper = new Sweeper(
    orders,
    store,
    {
      providers: enquiries.providers(),
      intervalMs: config.sweepIntervalMs,
      perProvider: SWEEP_PER_PROVIDER,
      leaseMs: config.providerTimeoutMs + LEASE_MARGIN_MS,
    },
    log,
  );
  const recharges = new RechargeService(
    orders,
    {
      uat: providers.sandbox.recharge,
      production: { ROUNDPAY: providers.roundpay, MOKSHIQ: providers.mokshiq },
      circleFinder: providers.mokshiq,
    },
    config.maxRechargePaise,
  );

  const limits = new RateLimits(stores.rate, config.rateLimitPerMinute);
  const bareSchema = buildBareSchema([
    new AuthResolver(tokens, principals, baseUrls),
    new WalletResolver(ledger, statement),
    new OrderResolver(store, pool),
    new RechargeResolver(recharges),
  ]);
  const schema = secureSchema(bareSchema, limits);

  const hosts = new Map<Host, FastifyInstance>();
  for (const host of ['uat', 'production'] as const) hosts.set(host, await hostOf(host, schema));

  async function hostOf(host: Host, union: GraphQLSchema): Promise<FastifyInstance> {
    const visible = schemaForHost(union, host);
    const executor = new Executor(visible, limits);
    const apollo = await startApollo(visible, executor, host !== 'production', log);
    const rest = host === 'console' ? [] : routes;
    return createHost({
      host,
      identification: new Identification(host, principals, baseUrls),
      apollo,
      rest: rest.map((route) => ({
        route,
        handle: restHandler(route, visible, executor, log),
        isPublic: isPublicOperation(route.operation),
      })),
      health,
      trustProxy: config.trustProxy,
      publicUrl: config.publicUrls[host],
      log,
    });
  }

  return {
    config,
    log,
    pool,
    orm,
    schema,
    hosts,
    health,
    ledger,
    audit,
    settings,
    developers,
    credentials,
    users,
    orders,
    sweeper,

    /** Opens every listener. Errors: the one sentence of `listenOn` when a port is busy. */
    async listen(): Promise<void> {
      for (const [host, server] of hosts)
        await listenOn(server, config.host, config.ports[host], `${host.toUpperCase()}_PORT`);
      sweeper.start();
    },

    /** Stops taking requests, lets those under way end, then closes what they used. */
    async close(): Promise<void> {
      health.drain();
      await sweeper.stop();
      await Promise.all([...hosts.values()].map((server) => server.close()));
      await orders.drain();
      await providers.close();
      await closeOrm(orm, pool);
    },
  };
}

/** A stored operation whose root field anyone may use. */
function isPublicOperation(operation: string): boolean {
  const field = `${operation[0]!.toLowerCase()}${operation.slice(1)}`;
  return policy.Mutation?.[field]?.access.kind === 'public';
}

async function listenOn(server: FastifyInstance, host: string, port: number, setting: string): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new Error(`Port ${port} on ${host} is in use by another program; set ${setting} to a free one.`);
    throw error;
  }
}
