import type { AccountSearch } from '../../accounts/account.search.js';
import type { DevelopersReader } from '../../accounts/developers/developers.reader.js';
import type { ClientTokenService } from '../../accounts/keys/client-token.service.js';
import type { Metrics } from '../../core/metrics.js';
import type { Room } from '../../core/room.js';
import type { Base } from '../../db/database.js';
import type { LedgerService } from '../../ledger/ledger.service.js';
import type { OrderService } from '../order.service.js';
import type { OrderSearch, OrderStore } from '../order.store.js';
import type { StatusCheckRegistry } from '../outcomes.js';
import type { ResolvedOrders } from '../resolved-orders.js';
import { ClientTokenConnectionResolver, ClientTokenResolver, clientTokenNode } from './client-token.resolver.js';
import { ConsoleOrderResolver, OrderFinder, OrderResolver, orderNode } from './order.resolver.js';
import { ConsoleOrderChangesResolver, OrderChangesResolver } from './order.subscription.js';
import { OrderFeed } from './order-feed.js';
import { OrderFeedStore } from './order-feed.store.js';
import { ConsoleOrderFieldsResolver, OrderFieldsResolver, StatementOrderResolver } from './order-fields.resolver.js';
import { OrderList } from './order-list.js';
import { OrderWaiters, WaitingPlaces } from './order-waiters.js';
import { SearchResolver } from './search.resolver.js';

export interface OrderViewsParts {
  base: Base;
  ledger: LedgerService;
  orders: OrderService;
  store: OrderStore;
  search: OrderSearch;
  statusChecks: StatusCheckRegistry;
  developers: DevelopersReader;
  accounts: AccountSearch;
  resolvedOrders: ResolvedOrders;
  clientTokens: ClientTokenService;
  metrics: Metrics;
}

/** Creates the views of orders for developers and staff: single orders, lists, streams and exported files. */
export function createOrderViews(parts: OrderViewsParts) {
  const {
    base,
    ledger,
    orders,
    store,
    search,
    statusChecks,
    developers,
    accounts,
    resolvedOrders,
    clientTokens,
    metrics,
  } = parts;
  const { config, log, pool, reads } = base;
  const places = new WaitingPlaces({
    defaultLimit: config.rateLimitPerMinute,
    onFull: () => metrics.counter('limited').add(1, 'order-waiting'),
  });
  const waiters = new OrderWaiters({ store, resolvedOrders, places, log });
  const feed = new OrderFeed({ store, feedStore: new OrderFeedStore(pool), resolvedOrders, places, log });
  const { earlierOrders } = orders;
  const recentList = new OrderList(pool, search, earlierOrders);
  const history = reads === pool ? recentList : new OrderList(reads, search, earlierOrders);
  const orderFinder = new OrderFinder(earlierOrders, store);
  const changes = new OrderChangesResolver(store, waiters, feed);
  const consoleChanges = new ConsoleOrderChangesResolver(store, waiters);
  const sharedResolvers = [
    new OrderFieldsResolver(pool, ledger, { statusChecks, manualReviewAfterMs: config.manualReviewAfterMs }),
    new StatementOrderResolver(store),
  ];
  return {
    waiters,
    feed,
    waitingPlaces: places,
    history,
    room: {
      resolvers: {
        api: [
          new OrderResolver({ orderFinder, list: recentList, earlierOrders, store, waiters }),
          changes,
          new ClientTokenResolver(clientTokens, orderFinder, store),
          new ClientTokenConnectionResolver(clientTokens),
          ...sharedResolvers,
        ],
        console: [
          new ConsoleOrderResolver({ list: history, store, waiters, developers }),
          consoleChanges,
          new SearchResolver(accounts, history, store),
          new ConsoleOrderFieldsResolver(developers, statusChecks),
          ...sharedResolvers,
        ],
      },
      sources: { api: changes.sources, console: consoleChanges.sources },
      nodes: {
        api: { Order: orderNode(store), ClientToken: clientTokenNode(clientTokens) },
        console: { Order: orderNode(store) },
      },
      async stop() {
        waiters.stop();
        feed.stop();
      },
    } satisfies Room,
  };
}
