import 'reflect-metadata';

import { readFileSync } from 'node:fs';
import { accountEntities } from './accounts/account.entities.js';
import { Attempts } from './accounts/attempts.js';
import { AuthResolver } from './accounts/auth.resolver.js';
import { CredentialResolver } from './accounts/credential.resolver.js';
import { CredentialService } from './accounts/credential.service.js';
import { CreditService } from './accounts/credit.service.js';
import { DebitService } from './accounts/debit.service.js';
import { DeveloperResolver } from './accounts/developer.resolver.js';
import { DeveloperService } from './accounts/developer.service.js';
import { DeveloperAdminResolver } from './accounts/developer-admin.resolver.js';
import { DevelopersReader } from './accounts/developers.reader.js';
import { createExpiry } from './accounts/expiry.js';
import { MailAllowance } from './accounts/mail-allowance.js';
import { PasswordResolver } from './accounts/password.resolver.js';
import { PasswordService } from './accounts/password.service.js';
import { Passwords } from './accounts/passwords.js';
import { PlatformResolver } from './accounts/platform.resolver.js';
import { PlatformSettings } from './accounts/platform-settings.service.js';
import { PrincipalReader } from './accounts/principal.reader.js';
import { SecurityLog } from './accounts/security-log.js';
import { SessionResolver } from './accounts/session.resolver.js';
import { SuspensionResolver } from './accounts/suspension.resolver.js';
import { SuspensionService } from './accounts/suspension.service.js';
import { TokenService } from './accounts/token.service.js';
import { TokenLifeResolver } from './accounts/token-life.resolver.js';
import { TokenLifeService } from './accounts/token-life.service.js';
import { UserService } from './accounts/user.service.js';
import { UserAdminResolver } from './accounts/user-admin.resolver.js';
import { WhiteLabelService } from './accounts/white-label.service.js';
import { AnchorWriter } from './audit/anchor.writer.js';
import { AuditResolver } from './audit/audit.resolver.js';
import { AuditService } from './audit/audit.service.js';
import { AuditKeys } from './audit/audit-keys.js';
import { BillFetchService } from './card-bills/bill-fetch.service.js';
import { BillPaymentService } from './card-bills/bill-payment.service.js';
import { CardBillsResolver } from './card-bills/card-bills.resolver.js';
import { FetchedBills } from './card-bills/fetched-bill.store.js';
import { apiUrls, type Config } from './config.js';
import type { Logger } from './core/log.js';
import { packageRoot } from './core/package-root.js';
import { ClockWatch } from './db/clock-watch.js';
import { FieldEncryption } from './db/field-encryption.js';
import { closeOrm, openOrm } from './db/orm.js';
import { createPool } from './db/pool.js';
import { KnownKeys } from './graphql/known-keys.js';
import { createCounters, createLimitStores, RateLimits } from './graphql/limits.js';
import { buildBareSchema, secureSchema } from './graphql/schema.js';
import { addExposureMetrics } from './http/exposure-metrics.js';
import { Health } from './http/health.js';
import { createHosts, listenOn } from './http/hosts.js';
import { createOps } from './http/ops.js';
import { LeadDirectoryResolver } from './leads/directory.resolver.js';
import { leadEntities } from './leads/lead.entity.js';
import { LeadResolver } from './leads/lead.resolver.js';
import { LeadService } from './leads/lead.service.js';
import { LeadStatusService } from './leads/lead-status.service.js';
import { ProfileService } from './leads/profile.service.js';
import { ProfileStore } from './leads/profile.store.js';
import { DailyStatementService } from './ledger/daily-statement.service.js';
import { LedgerService } from './ledger/ledger.service.js';
import { StatementService } from './ledger/statement.service.js';
import { WalletResolver } from './ledger/wallet.resolver.js';
import { createMails } from './notifications/mailer.js';
import { createWebhooks } from './notifications/webhooks.js';
import { KycService } from './onboarding/kyc.service.js';
import { KycStore } from './onboarding/kyc.store.js';
import { KycLinks } from './onboarding/kyc-link.js';
import { KycReviewResolver } from './onboarding/kyc-review.resolver.js';
import { KycReviewService } from './onboarding/kyc-review.service.js';
import { OnboardingResolver } from './onboarding/onboarding.resolver.js';
import { SignUpService } from './onboarding/sign-up.service.js';
import { SignUpStore } from './onboarding/sign-up.store.js';
import { UploadQuota } from './onboarding/upload-quota.js';
import { Callbacks } from './orders/callbacks.js';
import { ChargedLookups } from './orders/charged-lookup.js';
import { Contradictions } from './orders/contradictions.js';
import { CorrectionResolver } from './orders/correction.resolver.js';
import { CorrectionService } from './orders/correction.service.js';
import { cardPaymentEnquiries, EnquiryRegistry, rechargeEnquiries } from './orders/enquiries.js';
import { Exposure } from './orders/exposure.js';
import { createLookupRelease } from './orders/lookup-release.js';
import { MoneyPayloads } from './orders/money.payloads.js';
import { MoneyResolver } from './orders/money.resolver.js';
import { OrderResolver } from './orders/order.resolver.js';
import { OrderService } from './orders/order.service.js';
import { OrderStore } from './orders/order.store.js';
import { orderFigures } from './orders/order-figures.js';
import { OrderListResolver } from './orders/order-list.resolver.js';
import { OrderListService } from './orders/order-list.service.js';
import { OrderSearch } from './orders/order-search.js';
import { Outcomes } from './orders/outcomes.js';
import { createPartitionMaker } from './orders/partition-maker.js';
import { ProviderQuestionService } from './orders/provider-question.service.js';
import { Reversals } from './orders/reversals.js';
import { ReviewQueue } from './orders/review.queue.js';
import { ReviewResolver } from './orders/review.resolver.js';
import { ReviewService } from './orders/review.service.js';
import { enquiryOf, Sweeper } from './orders/sweeper.js';
import { OperatorFindResolver } from './plans/operator-find.resolver.js';
import { PlanResolver } from './plans/plan.resolver.js';
import { PlanService } from './plans/plan.service.js';
import { ProductCatalogue } from './products/product.catalogue.js';
import { ProductLoaders } from './products/product.loaders.js';
import { ProductCategoryResolver, ProductResolver } from './products/product.resolver.js';
import { ProductDetailsService } from './products/product-details.service.js';
import type { ListDecision, MoneyDecision } from './proposals/money-decision.js';
import { ProposalService } from './proposals/proposal.service.js';
import { ProposalStore } from './proposals/proposal.store.js';
import { createProviders } from './providers/providers.js';
import { roundpayCallback } from './providers/roundpay/roundpay.callback.js';
import { RechargeResolver } from './recharge/recharge.resolver.js';
import { RechargeService } from './recharge/recharge.service.js';
import type { RechargeInput } from './recharge/recharge.types.js';
import { SettingsService } from './settings/settings.service.js';

const SWEEP_PER_PROVIDER = 20;
/** Past this there is too much that was never checked to look at it for a metric; the doctor takes its time. */
const METRIC_CHECK_LIMIT_MS = 30_000;

const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string;
};

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: the only place that constructs services and adapters. Nothing listens yet. */
export async function createApp(config: Config, log: Logger) {
  let closed = false;
  const onLostConnection = (error: Error): void => {
    // a server that stops right after us may still meet connections that are on their way out
    if (!closed) log.warn({ err: error }, 'database connection lost');
  };
  const pool = createPool(config.databaseUrl, { max: config.databasePoolSize, onLostConnection });
  const orm = openOrm(pool, [...accountEntities, ...leadEntities]);
  const encryption = new FieldEncryption(config.encryptionKeys);
  const baseUrls = apiUrls(config);

  const ledger = new LedgerService(pool);
  const statement = new StatementService(pool);
  const daily = new DailyStatementService(pool);
  const auditKeys = new AuditKeys(config.audit.keys);
  const audit = new AuditService(auditKeys);
  const { anchorFile: file, anchorIntervalMs: intervalMs } = config.audit;
  const anchors = new AnchorWriter(pool, auditKeys, { file, intervalMs }, log);
  const settings = new SettingsService(pool);
  const stores = createLimitStores(config.sharedLimits === 'database' ? pool : undefined);
  const counters = createCounters(stores.attempts);
  const count = (kind: string, reason: string): void => health.countFailedAttempt(kind, reason);
  const securityLog = new SecurityLog({ orm, audit, log, count });
  const attempts = new Attempts(counters, securityLog, config.pepper);
  const passwords = new Passwords();
  const principals = new PrincipalReader(pool, { ...config.tokens, staffIdleMinutes: config.staffIdleMinutes, log });
  const developers = new DeveloperService(orm, ledger, audit);
  const developersReader = new DevelopersReader(pool);
  const whiteLabels = new WhiteLabelService(orm, audit);
  const credentials = new CredentialService(orm, audit, config.pepper);
  const users = new UserService({ orm, audit, attempts, passwords });
  const tokens = new TokenService(pool, attempts, { ...config.tokens, pepper: config.pepper, baseUrls });

  const clock = new ClockWatch(pool, log);
  const health = new Health({
    version,
    clock,
    holdsOrders: config.holdOrders,
    ready: async () => void (await pool.query('select 1')),
    inFlight: () => orders.inFlight,
    books: {
      orders: () => orderFigures(pool),
      ledger: async () => ({
        violations: (await ledger.checkNew(METRIC_CHECK_LIMIT_MS)).length,
        owed: await ledger.owed(METRIC_CHECK_LIMIT_MS),
      }),
    },
  });
  const providers = createProviders(config, (report) => health.countExchange(report));
  const enquiries = new EnquiryRegistry(({ error, orderId, provider }) => {
    health.countFailedEnquiry(provider);
    log.error({ err: error as Error, orderId, provider }, 'enquiry failed');
  });
  // the sandbox says itself when it takes something back
  const recheckAfterMs = (provider: string): number =>
    provider === 'SANDBOX' ? 0 : (config.recheckAfter.byProvider.get(provider) ?? config.recheckAfter.otherwiseMs);
  for (const port of [providers.roundpay, providers.mokshiq, providers.sandbox.recharge])
    enquiries.register('recharge', port.provider, rechargeEnquiries(port, recheckAfterMs(port.provider)));
  const cardBills = { uat: providers.sandbox.cardBills, production: providers.inspay };
  for (const port of Object.values(cardBills))
    enquiries.register('card_payment', port.provider, cardPaymentEnquiries(port, recheckAfterMs(port.provider)));

  const store = new OrderStore(pool, encryption);
  const enquiryPolicy = {
    scheduleMs: config.enquiryScheduleMs,
    visibilityDelayMs: config.visibilityDelayMs,
    giveUpAfterMs: config.giveUpAfterMs,
  };
  const outcomes = new Outcomes(ledger, store, enquiries, new OrderSearch(config.pepper), enquiryPolicy);
  const paid = [providers.roundpay, providers.mokshiq, providers.inspay].map(({ provider }) => provider);
  const exposure = new Exposure(pool, paid, config.exposureLimits, log);
  addExposureMetrics(health.registry, exposure);
  const orders = new OrderService(
    ledger,
    store,
    outcomes,
    {
      pepper: config.pepper,
      referenceSecret: config.referenceSecret,
      hold: config.holdOrders,
      syncWindowMs: config.syncWindowMs,
      sendLeaseMs: config.providerTimeoutMs + config.leaseMarginMs,
      // until then no sweeper has asked, or the answer that it got does not count yet
      sendWithinMs: Math.max(config.leaseMarginMs, config.visibilityDelayMs - config.providerTimeoutMs),
      maxInFlight: config.maxInFlight,
      isExposed: (provider) => exposure.isReached(provider),
    },
    log,
  );
  const reversals = new Reversals(ledger, store, enquiries, enquiryPolicy, log);
  const callbacks = new Callbacks(store, [roundpayCallback], log);
  const proposalStore = new ProposalStore(pool);
  const reviewQueue = new ReviewQueue(pool, store, proposalStore, config.resolveConfirmPaise);
  const reviewParts = {
    orm,
    ledger,
    audit,
    proposals: proposalStore,
    store,
    enquiries,
    alonePaise: config.resolveConfirmPaise,
  };
  const reviews = new ReviewService(reviewParts);
  const lists = new OrderListService({ ...reviewParts, reviews });
  const credits = new CreditService({ orm, ledger, audit, proposals: proposalStore, alone: config.creditAlone });
  const debits = new DebitService({ orm, ledger, audit, proposals: proposalStore });
  const corrections = new CorrectionService({ orm, ledger, audit, proposals: proposalStore, store, enquiries });
  const proposals = new ProposalService<MoneyDecision | ListDecision>({
    orm,
    audit,
    store: proposalStore,
    actions: {
      'wallet.credit': (...args) => credits.carryOut(...args),
      'wallet.debit': (...args) => debits.carryOut(...args),
      'order.settle': (...args) => reviews.carryOut('success', ...args),
      'order.refund': (...args) => reviews.carryOut('failed', ...args),
      'orders.resolve': (...args) => lists.carryOut(...args),
      'order.reverse': (...args) => corrections.carryOut('order.reverse', ...args),
      'order.charge_again': (...args) => corrections.carryOut('order.charge_again', ...args),
    },
  });
  const contradictions = new Contradictions(store, enquiries, enquiryPolicy.scheduleMs[0]!, log);
  const sweeper = new Sweeper(
    (order) => enquiryOf(order, { outcomes, reversals, contradictions }),
    store,
    {
      // and the one that only answers lookups: a crash leaves their fees held
      providers: [...enquiries.providers(), providers.ekychub.provider],
      intervalMs: config.sweepIntervalMs,
      perProvider: SWEEP_PER_PROVIDER,
      leaseMs: config.providerTimeoutMs + config.leaseMarginMs,
      mayAsk: () => clock.isRight(),
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
  const lookups = new ChargedLookups(orders, ledger);
  const plans = new PlanService(lookups, { uat: providers.sandbox.plans, production: providers.ekychub });
  const fetchedBills = new FetchedBills(pool, encryption, config.pepper);

  const leadPorts = { uat: providers.sandbox.leads, production: providers.banksathi };
  const profiles = new ProfileStore(pool, encryption, config.pepper);
  const catalogue = new ProductCatalogue(leadPorts);

  const mails = createMails({ pool, encryption, log }, config.mail);
  const webhooks = createWebhooks(
    { pool, orm, encryption, audit, mails, log },
    { ...config.webhooks, consoleUrl: config.publicUrls.console },
  );

  const kycStore = new KycStore(encryption, config.pepper);
  const kyc = {
    reviews: new KycReviewService(orm, audit, kycStore),
    links: new KycLinks(config.pepper, config.publicUrls.console),
  };
  const expiry = createExpiry(pool, log);
  const lookupRelease = createLookupRelease(store, log);
  const partitionMaker = createPartitionMaker(pool, log);
  const allowance = new MailAllowance(counters, config.pepper);
  const signUps = new SignUpService({
    orm,
    developers,
    users,
    passwords,
    attempts,
    allowance,
    store: new SignUpStore(encryption, config.pepper),
    mails,
    consoleUrl: config.publicUrls.console,
  });

  const limits = new RateLimits(stores.rate, config.rateLimitPerMinute);
  const payloads = new MoneyPayloads(ledger, reviewQueue, store);
  const rechargeResolver = new RechargeResolver(recharges);
  const knownKeys = new KnownKeys(limits, {
    recharge: (principal, { input }) => rechargeResolver.known(principal, input as Partial<RechargeInput> | undefined),
  });
  const bareSchema = buildBareSchema([
    new AuthResolver(tokens, principals, baseUrls),
    new WalletResolver(ledger, statement, daily),
    new OrderResolver(orders.earlier, store, ledger, pool),
    new ReviewResolver(reviewQueue),
    new CorrectionResolver({
      reviews,
      corrections,
      questions: new ProviderQuestionService({ orm, audit, enquiries }),
      payloads,
    }),
    new OrderListResolver(lists, orm),
    new MoneyResolver({
      credits,
      debits,
      proposals,
      waiting: proposalStore,
      developers: developersReader,
      payloads,
    }),
    rechargeResolver,
    new SessionResolver(users, developersReader),
    new PasswordResolver(
      new PasswordService({ orm, users, passwords, attempts, allowance, mails, consoleUrl: config.publicUrls.console }),
    ),
    new OnboardingResolver(
      signUps,
      new KycService({
        orm,
        developers,
        audit,
        store: kycStore,
        quota: new UploadQuota(counters),
      }),
    ),
    new KycReviewResolver(kyc.reviews, kyc.links),
    new DeveloperResolver(developersReader),
    new DeveloperAdminResolver(developers, developersReader),
    new TokenLifeResolver(new TokenLifeService(orm, audit, config.tokens), developersReader),
    new SuspensionResolver({
      suspensions: new SuspensionService(orm, audit),
      credentials,
      developers: developersReader,
    }),
    new UserAdminResolver(users),
    new CredentialResolver(credentials),
    new PlatformResolver({
      developers,
      reader: developersReader,
      whiteLabels,
      settings: new PlatformSettings(orm, settings, audit),
    }),
    new AuditResolver(pool),
    webhooks.resolver,
    new OperatorFindResolver(plans),
    new PlanResolver(plans),
    new LeadResolver(
      new ProfileService(leadPorts, profiles),
      new LeadService(leadPorts, profiles, settings, orm),
      new LeadStatusService(leadPorts, ledger, orm),
      ledger,
    ),
    new LeadDirectoryResolver(leadPorts),
    new ProductResolver(catalogue, new ProductLoaders(new ProductDetailsService(leadPorts, settings)), ledger),
    new ProductCategoryResolver(catalogue),
    new CardBillsResolver(
      new BillFetchService(lookups, fetchedBills, cardBills),
      new BillPaymentService(orders, fetchedBills, cardBills, config.maxBillPaymentPaise),
    ),
  ]);
  const schema = secureSchema(bareSchema, limits, knownKeys);

  const hosts = await createHosts({
    config,
    version,
    schema,
    limits,
    knownKeys,
    principals,
    callbacks,
    statement,
    daily,
    kyc,
    health,
    log,
  });
  const ops = config.ops.port === undefined ? undefined : createOps(health, config.traffic);

  return {
    config,
    log,
    pool,
    orm,
    schema,
    principals,
    hosts,
    ops,
    health,
    ledger,
    statement,
    daily,
    audit,
    settings,
    developers,
    whiteLabels,
    credentials,
    passwords,
    users,
    orders,
    exposure,
    sweeper,
    webhooks,
    mails,

    /** Opens every listener. Errors: the one sentence of `listenOn` when a port is busy. */
    async listen(): Promise<void> {
      await exposure.start();
      await listenOn(hosts, ops, config);
      sweeper.start();
      webhooks.start();
      mails.start();
      anchors.start();
      expiry.start();
      lookupRelease.start();
      partitionMaker.start();
    },

    /** Stops taking requests, lets those under way end, then closes what they used. */
    async close(): Promise<void> {
      health.drain();
      await Promise.all([
        sweeper.stop(),
        exposure.stop(),
        webhooks.stop(),
        expiry.stop(),
        lookupRelease.stop(),
        partitionMaker.stop(),
        ...[...hosts.values()].map((server) => server.close()),
      ]);
      await orders.drain();
      // after the last request, which may have queued one
      await mails.stop();
      await anchors.stop();
      await passwords.close();
      await providers.close();
      await securityLog.drain();
      // last, so that health checks see the process drain to the end
      await ops?.close();
      closed = true;
      await closeOrm(orm, pool);
    },
  };
}
