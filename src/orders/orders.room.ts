import type { ClientTokenService } from '../accounts/client-token.service.js';
import { UnreadablePart } from '../core/errors.js';
import { loops, type Room } from '../core/room.js';
import type { Tracing } from '../core/tracing.js';
import type { Channel } from '../db/channel.js';
import type { ClockWatch } from '../db/clock-watch.js';
import type { Base } from '../db/database.js';
import type { Trouble } from '../db/trouble.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Providers } from '../providers/providers.js';
import { paidProviders } from '../providers/registry.js';
import { Callbacks } from './callbacks.js';
import { ChargedLookups } from './charged-lookup.js';
import { ClientTokenResolver, clientTokenNode } from './client-token.resolver.js';
import { ConsoleOrdersResolver } from './console-orders.resolver.js';
import { Contradictions } from './contradictions.js';
import { DecidedOrders } from './decided-orders.js';
import { cardPaymentEnquiries, EnquiryRegistry, rechargeEnquiries } from './enquiries.js';
import { EnquiryStore, ordersDue } from './enquiry.store.js';
import { Exposure } from './exposure.js';
import { createLookupRelease } from './lookup-release.js';
import { NamedOrders } from './named-orders.js';
import { orderNode } from './order.nodes.js';
import { OrderResolver } from './order.resolver.js';
import { OrderService } from './order.service.js';
import { OrderStore } from './order.store.js';
import { ConsoleOrderChangesResolver, OrderChangesResolver } from './order-changes.resolver.js';
import type { OrderCounts } from './order-counts.js';
import { OrderFeed } from './order-feed.js';
import { OrderFeedStore } from './order-feed.store.js';
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
import { WaitingPlaces } from './waiting-places.js';

const SWEEP_PER_PROVIDER = 20;

export interface OrdersParts {
  base: Base;
  store: OrderStore;
  channel: Channel;
  ledger: LedgerService;
  providers: Providers;
  clock: ClockWatch;
  clientTokens: ClientTokenService;
  metrics: {
    countUnreadableOrder(part: 'request' | 'answer'): void;
    countFailedEnquiry(provider: string): void;
    countFailedSweep(provider: string, trouble: Trouble): void;
    orders: OrderCounts;
    limited(endpoint: string): void;
  };
  tracing?: Tracing | undefined;
}

/** Reads orders; what cannot be read is counted and logged. */
export const createOrderStore = (
  { pool, encryption, log }: Base,
  metrics: Pick<OrdersParts['metrics'], 'countUnreadableOrder'>,
): OrderStore =>
  new OrderStore(pool, encryption, ({ orderId, part, error }) => {
    metrics.countUnreadableOrder(part);
    log.error({ err: error as Error, orderId, part }, 'a part of an order cannot be read');
  });

/** Charged calls from their hold to their outcome, and the loops that ask about those whose outcome is unknown. */
export function createOrders(parts: OrdersParts) {
  const { base, store, channel, ledger, providers, clock, clientTokens, metrics, tracing } = parts;
  const { config, log, pool, reads } = base;
  const enquiries = createEnquiries(base, providers, (provider) => metrics.countFailedEnquiry(provider));
  const enquiryStore = new EnquiryStore(pool);
  const asking = { ledger, store, enquiryStore, enquiries };
  const policy = {
    scheduleMs: config.enquiryScheduleMs,
    visibilityDelayMs: config.visibilityDelayMs,
    giveUpAfterMs: config.giveUpAfterMs,
  };
  const search = new OrderSearch(config.pepper);
  const decided = new DecidedOrders(channel);
  const places = new WaitingPlaces({
    defaultLimit: config.rateLimitPerMinute,
    onFull: () => metrics.limited('order-waiting'),
  });
  const waiters = new OrderWaiters({ store, decided, places, log });
  const feed = new OrderFeed({ store, feedStore: new OrderFeedStore(pool), decided, places, log });
  const counts = metrics.orders;
  const outcomes = new Outcomes(asking, search, policy, (order) => decided.announce(order), counts);
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
      maxInFlight: config.maxInFlight,
      isExposed: (provider) => exposure.isReached(provider),
      counts,
    },
    log,
  );
  const reversals = new Reversals(asking, policy, log, counts);
  const contradictions = new Contradictions(asking, policy.scheduleMs[0]!, log);
  // and those that only answer lookups: a crash leaves their fees held
  const swept = [...enquiries.providers(), providers.plans.production.provider];
  const sweeper = new Sweeper(
    (order) => enquiryOf(order, { outcomes, reversals, contradictions }),
    enquiryStore,
    {
      providers: swept.filter((name) => !providers.absent.has(name)),
      perProvider: SWEEP_PER_PROVIDER,
      leaseMs,
      mayAsk: () => clock.isRight(),
      tracing,
      onFailure: (provider, trouble) => metrics.countFailedSweep(provider, trouble),
    },
    log,
  );
  const recent = new OrderHistory(pool, search, orders.earlier);
  const history = reads === pool ? recent : new OrderHistory(reads, search, orders.earlier);
  const named = new NamedOrders(orders.earlier, store);
  const changes = new OrderChangesResolver(store, waiters, feed);
  const consoleChanges = new ConsoleOrderChangesResolver(store, waiters);
  const shared = [new OrderFieldsResolver(pool, ledger), new StatementOrderResolver(store)];
  const tidying = loops('housekeeping', {
    'lookup-release': createLookupRelease(pool, log),
    partitions: createPartitionMaker(pool, log),
  });
  return {
    orders,
    store,
    waiters,
    feed,
    waitingPlaces: places,
    history,
    enquiries,
    exposure,
    sweeper,
    lookups: new ChargedLookups(orders, clientTokens),
    callbacks: new Callbacks(enquiryStore, providers.callbacks, log),
    room: {
      resolvers: {
        api: [
          new OrderResolver(named, store, waiters),
          changes,
          new OrderHistoryResolver(recent, orders.earlier, store),
          new ClientTokenResolver(clientTokens, named, store),
          ...shared,
        ],
        console: [new ConsoleOrdersResolver(history, store, waiters), consoleChanges, ...shared],
      },
      sources: { api: changes.sources, console: consoleChanges.sources },
      tasks: tidying.tasks,
      nodes: {
        api: { Order: orderNode(store), ClientToken: clientTokenNode(clientTokens) },
        console: { Order: orderNode(store) },
      },
      async prepare() {
        // what the process before this one left undecided counts for the first payment
        await exposure.start();
      },
      duties: swept.map((name) => ({
        name: `orders/${name}`,
        worker: 'sweeper',
        due: ordersDue(name),
        wake: () => void sweeper.wake(name),
      })),
      start(workers) {
        if (workers.has('sweeper')) sweeper.start();
        tidying.start(workers);
      },
      stop() {
        waiters.stop();
        feed.stop();
        return Promise.all([exposure.stop(), sweeper.stop(), tidying.stop()]);
      },
      close: () => orders.drain(),
    } satisfies Room,
  };
}

/** How each provider that can be asked is asked. */
function createEnquiries({ config, log }: Base, providers: Providers, onFailure: (provider: string) => void) {
  const enquiries = new EnquiryRegistry(({ error, orderId, provider }) => {
    onFailure(provider);
    // the store has logged it, once
    if (!(error instanceof UnreadablePart)) log.error({ err: error as Error, orderId, provider }, 'enquiry failed');
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
