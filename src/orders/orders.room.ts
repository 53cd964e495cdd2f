import type { ClientTokenService } from '../accounts/client-token.service.js';
import { loops, type Room } from '../core/room.js';
import type { ClockWatch } from '../db/clock-watch.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Providers } from '../providers/providers.js';
import { paidProviders } from '../providers/registry.js';
import { Callbacks } from './callbacks.js';
import { ChargedLookups } from './charged-lookup.js';
import { ClientTokenResolver } from './client-token.resolver.js';
import { ConsoleOrdersResolver } from './console-orders.resolver.js';
import { Contradictions } from './contradictions.js';
import { cardPaymentEnquiries, EnquiryRegistry, rechargeEnquiries } from './enquiries.js';
import { EnquiryStore } from './enquiry.store.js';
import { Exposure } from './exposure.js';
import { createLookupRelease } from './lookup-release.js';
import { orderNode } from './order.nodes.js';
import { OrderResolver } from './order.resolver.js';
import { OrderService } from './order.service.js';
import { OrderStore } from './order.store.js';
import { OrderChangesResolver } from './order-changes.resolver.js';
import { OrderFieldsResolver } from './order-fields.resolver.js';
import { OrderHistory } from './order-history.js';
import { OrderHistoryResolver } from './order-history.resolver.js';
import { OrderSearch } from './order-search.js';
import { OrderWaiters } from './order-waiters.js';
import { Outcomes } from './outcomes.js';
import { createPartitionMaker } from './partition-maker.js';
import { Reversals } from './reversals.js';
import { StatementOrderResolver } from './statement-order.resolver.js';
import { enquiryOf, Sweeper } from './sweeper.js';

const SWEEP_PER_PROVIDER = 20;

export interface OrdersParts {
  base: Base;
  ledger: LedgerService;
  providers: Providers;
  clock: ClockWatch;
  clientTokens: ClientTokenService;
  metrics: { countFailedEnquiry(provider: string): void };
}

/** Charged calls from their hold to their outcome, and the loops that ask about those whose outcome is unknown. */
export function createOrders({ base, ledger, providers, clock, clientTokens, metrics }: OrdersParts) {
  const { config, log, pool, reads } = base;
  const enquiries = createEnquiries(base, providers, (provider) => metrics.countFailedEnquiry(provider));
  const store = new OrderStore(pool, base.encryption);
  const enquiryStore = new EnquiryStore(pool);
  const asking = { ledger, store, enquiryStore, enquiries };
  const policy = {
    scheduleMs: config.enquiryScheduleMs,
    visibilityDelayMs: config.visibilityDelayMs,
    giveUpAfterMs: config.giveUpAfterMs,
  };
  const search = new OrderSearch(config.pepper);
  const waiters = new OrderWaiters(store, config.databaseListenUrl, log);
  const outcomes = new Outcomes(asking, search, policy, (id) => waiters.announce(id));
  const exposure = new Exposure(
    pool,
    paidProviders.map(({ name }) => name),
    config.exposureLimits,
    log,
  );
  const leaseMs = config.providerTimeoutMs + config.leaseMarginMs;
  const orders = new OrderService(
    ledger,
    store,
    outcomes,
    {
      pepper: config.pepper,
      referenceSecret: config.referenceSecret,
      hold: config.holdOrders,
      syncWindowMs: config.syncWindowMs,
      sendLeaseMs: leaseMs,
      // until then no sweeper has asked, or the answer that it got does not count yet
      sendWithinMs: Math.max(config.leaseMarginMs, config.visibilityDelayMs - config.providerTimeoutMs),
      maxInFlight: config.maxInFlight,
      isExposed: (provider) => exposure.isReached(provider),
    },
    log,
  );
  const reversals = new Reversals(asking, policy, log);
  const contradictions = new Contradictions(asking, policy.scheduleMs[0]!, log);
  const sweeper = new Sweeper(
    (order) => enquiryOf(order, { outcomes, reversals, contradictions }),
    enquiryStore,
    {
      // and those that only answer lookups: a crash leaves their fees held
      providers: [...enquiries.providers(), providers.plans.production.provider],
      intervalMs: config.sweepIntervalMs,
      perProvider: SWEEP_PER_PROVIDER,
      leaseMs,
      mayAsk: () => clock.isRight(),
    },
    log,
  );
  const recent = new OrderHistory(pool, search);
  const history = reads === pool ? recent : new OrderHistory(reads, search);
  const changes = new OrderChangesResolver(store, waiters);
  const shared = [new OrderFieldsResolver(pool, ledger), new StatementOrderResolver(store)];
  const running = loops(sweeper, createLookupRelease(pool, log), createPartitionMaker(pool, log));
  return {
    orders,
    store,
    waiters,
    history,
    enquiries,
    exposure,
    sweeper,
    lookups: new ChargedLookups(orders, clientTokens),
    callbacks: new Callbacks(enquiryStore, providers.callbacks, log),
    room: {
      resolvers: {
        api: [
          new OrderResolver(orders.earlier, store, waiters),
          changes,
          new OrderHistoryResolver(recent, orders.earlier, store),
          new ClientTokenResolver(clientTokens, store),
          ...shared,
        ],
        console: [new ConsoleOrdersResolver(history, orders.earlier, store), ...shared],
      },
      sources: { orderChanged: changes.source },
      nodes: { api: { Order: orderNode(store) }, console: { Order: orderNode(store) } },
      async prepare() {
        await sweeper.assertProvidersKnown();
        // what the process before this one left undecided counts for the first payment
        await exposure.start();
      },
      start() {
        waiters.start();
        running.start();
      },
      stop: () => Promise.all([waiters.stop(), exposure.stop(), running.stop()]),
      close: () => orders.drain(),
    } satisfies Room,
  };
}

/** How each provider that can be asked is asked. */
function createEnquiries({ config, log }: Base, providers: Providers, onFailure: (provider: string) => void) {
  const enquiries = new EnquiryRegistry(({ error, orderId, provider }) => {
    onFailure(provider);
    log.error({ err: error as Error, orderId, provider }, 'enquiry failed');
  });
  const { byProvider, otherwiseMs } = config.recheckAfter;
  // the sandbox says itself when it takes something back
  const recheckAfterMs = (provider: string): number =>
    provider === 'SANDBOX' ? 0 : (byProvider.get(provider) ?? otherwiseMs);
  for (const port of providers.recharge.all)
    enquiries.register('recharge', port.provider, rechargeEnquiries(port, recheckAfterMs(port.provider)));
  for (const port of Object.values(providers.cardBills))
    enquiries.register('card_payment', port.provider, cardPaymentEnquiries(port, recheckAfterMs(port.provider)));
  return enquiries;
}
